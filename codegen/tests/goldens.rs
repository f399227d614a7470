//! Golden cases: types in Rust, the same types in Go, and what controller-gen v0.23.0 made of those.
//!
//! `goldens/<case>/cmd.txt` has the command lines, the files of their generators' names what they printed; `expect-errors.txt` what a
//! command that failed complained of. Compared are values: keys in any order, `required` as a set, without the version of the tool.
//! Descriptions are compared to the letter, except below types of Kubernetes itself, whose texts come from OpenAPI documents
//! without line breaks. What differs on purpose stands in `goldens/decided.toml`, and has to differ.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{self, Exit, Terminal, Tool};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

const VERSION: &str = "controller-gen.kubebuilder.io/version";

#[derive(Deserialize)]
struct Decided {
    difference: Vec<Difference>,
    refused: Vec<Refused>,
}

/// A case whose definitions a server refuses.
#[derive(Deserialize)]
struct Refused {
    case: String,
    reason: String,
}

#[derive(Deserialize)]
struct Difference {
    case: String,
    at: Vec<String>,
    reason: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens")
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    cases.sort();
    cases
}

/// The command lines of a case for one generator, with paths from here.
fn commands(case: &Path, generator: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(case.join("cmd.txt")).unwrap();
    let of_generator =
        |line: &&str| line.split(' ').nth(1).is_some_and(|word| word.split(':').next() == Some(generator));
    let words = |line: &str| {
        let words = line.split(' ').skip(1);
        words.map(|word| word.replace("paths=.", &format!("paths={}", case.display()))).collect()
    };
    text.lines().filter(of_generator).map(words).collect()
}

struct Run {
    exit: Exit,
    out: String,
    err: String,
}

fn run(words: &[String]) -> Run {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::new(&mut out, &mut err);
    let exit = cli::run(Tool::ControllerGen, words.iter().map(Into::into), &mut terminal);
    Run { exit, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn expected(case: &Path, generator: &str) -> Option<String> {
    let file = case.join(format!("{generator}.yaml"));
    if let Ok(packed) = fs::read(file.with_extension("yaml.gz")) {
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        return Some(text);
    }
    fs::read_to_string(file).ok()
}

/// The documents of a text, by kind and name.
fn documents(text: &str) -> BTreeMap<String, Value> {
    let text = format!("\n{text}");
    let documents = text.split("\n---\n").filter(|document| !document.trim().is_empty());
    let parsed = documents.map(|document| serde_saphyr::from_str::<Value>(document).unwrap());
    let key = |value: &Value| {
        let text = |pointer| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        format!("{} {}/{}", text("/kind"), text("/metadata/namespace"), text("/metadata/name"))
    };
    parsed.map(|value| (key(&value), value)).collect()
}

/// Whether texts of several lines may be written in one.
#[derive(Clone, Copy, PartialEq)]
enum Texts {
    Exact,
    Folded,
}

/// Every path at which two values differ.
fn differences(want: &Value, got: &Value, path: &str, texts: Texts, found: &mut BTreeMap<String, String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for key in want.keys().chain(got.keys()).collect::<BTreeSet<_>>() {
                let path = below(key);
                match (want.get(key), got.get(key)) {
                    _ if key == VERSION => {}
                    (Some(Value::Array(want)), Some(Value::Array(got))) if key == "required" => {
                        let set = |list: &[Value]| list.iter().map(Value::to_string).collect::<BTreeSet<_>>();
                        if set(want) != set(got) {
                            found.insert(path, "other members".to_owned());
                        }
                    }
                    (Some(Value::String(want)), Some(Value::String(got))) if key == "description" => {
                        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                        let same =
                            if texts == Texts::Exact { want == got } else { folded(want) == folded(got) };
                        if !same {
                            found.insert(path, format!("want {want:?}, got {got:?}"));
                        }
                    }
                    (Some(want), Some(got)) => differences(want, got, &path, texts, found),
                    (Some(want), None) => drop(found.insert(path, format!("missing: {want}"))),
                    (None, Some(got)) => drop(found.insert(path, format!("not expected: {got}"))),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (at, (want, got)) in want.iter().zip(got).enumerate() {
                differences(want, got, &below(&at.to_string()), texts, found);
            }
        }
        _ if want == got || (want.as_f64().is_some() && want.as_f64() == got.as_f64()) => {}
        _ => drop(found.insert(path.to_owned(), format!("want {want}, got {got}"))),
    }
}

/// The types of a case, those of several versions one after the other.
fn types(folder: &Path) -> String {
    let mut text = fs::read_to_string(folder.join("types.rs")).unwrap_or_default();
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).for_each(|path| text.push_str(&types(&path)));
    text
}

/// What differs in a case, by path.
fn check(case: &Path, generator: &str) -> BTreeMap<String, String> {
    let types = types(case);
    let own = ["::ObjectMeta;", "::Time;"];
    let foreign = types.lines().filter(|line| line.starts_with("use k8s_openapi::"));
    let has_foreign = foreign.into_iter().any(|line| !own.iter().any(|known| line.ends_with(known)));
    let texts = if has_foreign { Texts::Folded } else { Texts::Exact };
    let mut found = BTreeMap::new();
    for command in commands(case, generator) {
        let run = run(&command);
        match expected(case, generator) {
            Some(_) if run.exit != Exit::Done => {
                found.insert("refused".to_owned(), run.err);
            }
            Some(expected) => {
                let (want, got) = (documents(&expected), documents(&run.out));
                for key in want.keys().chain(got.keys()).collect::<BTreeSet<_>>() {
                    match (want.get(key), got.get(key)) {
                        (Some(want), Some(got)) => differences(want, got, "", texts, &mut found),
                        (want, _) => {
                            let word = if want.is_some() { "missing" } else { "not expected" };
                            found.insert(key.clone(), word.to_owned());
                        }
                    }
                }
            }
            None if run.exit == Exit::Done => {
                found.insert("accepted".to_owned(), "should be an error".to_owned());
            }
            None => {
                assert!(run.out.is_empty(), "{}: something was printed", case.display());
                complaints(case, &run.err, &mut found);
            }
        }
    }
    found
}

/// Every member that the error list of a case names is named, with a place.
fn complaints(case: &Path, err: &str, found: &mut BTreeMap<String, String>) {
    let list = fs::read_to_string(case.join("expect-errors.txt")).unwrap();
    assert!(err.contains("types.rs:"), "{}: no place in\n{err}", case.display());
    for entry in list.lines() {
        let member =
            entry.split(':').next().unwrap_or_default().rsplit('.').next().unwrap_or_default().trim();
        let snake: String = member
            .chars()
            .flat_map(|letter| {
                let line = letter.is_uppercase().then_some('_');
                line.into_iter().chain(letter.to_lowercase())
            })
            .collect();
        let (err, lower) = (err.to_lowercase(), member.to_lowercase());
        if !err.contains(&lower) && !err.contains(snake.trim_start_matches('_')) {
            found.insert(format!("unnamed {member}"), err);
        }
    }
}

fn decided() -> Decided {
    toml::from_str(&fs::read_to_string(folder().join("decided.toml")).unwrap()).unwrap()
}

fn all(generator: &str) {
    let decided = decided();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for case in cases() {
        if commands(&case, generator).is_empty() {
            continue;
        }
        checked += 1;
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let mut found = check(&case, generator);
        for known in decided.difference.iter().filter(|known| known.case == name) {
            assert!(known.reason.ends_with('.'), "{name}: a reason is a sentence");
            for at in &known.at {
                if found.remove(at).is_none() {
                    wrong.push(format!("{name}: {at} does not differ any more"));
                }
            }
        }
        wrong.extend(found.into_iter().map(|(path, what)| format!("{name}: {path}: {what}")));
    }
    assert!(checked > 4, "cases are missing: {checked}");
    assert!(wrong.is_empty(), "{}\n{} differences", wrong.join("\n"), wrong.len());
}

#[test]
fn definitions_are_those_of_controller_gen() {
    all("crd");
}

/// The options of `controller-gen crd`, in the words of `kube-codegen crd`.
fn strict_options(words: &[String]) -> Vec<String> {
    let options = words.iter().flat_map(|word| word.strip_prefix("crd:")).flat_map(|list| list.split(','));
    let strict = |option: &str| match option.split_once('=')? {
        ("allowDangerousTypes", _) => Some("--allow-floats".to_owned()),
        ("generateEmbeddedObjectMeta", _) => Some("--embedded-metadata".to_owned()),
        ("maxDescLen", bytes) => Some(format!("--max-description-length={bytes}")),
        _ => None,
    };
    options.filter_map(strict).collect()
}

/// `ask-server.sh` asks a real server about the same.
#[test]
fn what_a_server_refuses_is_refused_by_kube_codegen_and_nothing_else() {
    let scratch = tempfile::tempdir().unwrap();
    let config = scratch.path().join("nothing.toml");
    fs::write(&config, "").unwrap();
    let mut refused = BTreeSet::new();
    for case in cases() {
        for words in commands(&case, "crd") {
            if run(&words).exit != Exit::Done {
                continue;
            }
            let mut strict = ["crd", "--stdout", "--config"].map(str::to_owned).to_vec();
            strict.extend([&config, &case].map(|path| path.display().to_string()));
            strict.extend(strict_options(&words));
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let exit = cli::run(
                Tool::KubeCodegen,
                strict.into_iter().map(Into::into),
                &mut Terminal::new(&mut out, &mut err),
            );
            let err = String::from_utf8(err).unwrap();
            if exit != Exit::Done {
                assert!(err.contains("types.rs:") && err.contains("= help: "), "{err}");
                refused.insert(case.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    let decided = decided().refused;
    assert!(decided.iter().all(|known| known.reason.ends_with('.')), "a reason is a sentence");
    assert_eq!(refused, decided.into_iter().map(|known| known.case).collect());
}

#[test]
fn roles_are_those_of_controller_gen() {
    all("rbac");
}

#[test]
fn webhook_configurations_are_those_of_controller_gen() {
    all("webhook");
}
