//! Roles and webhook configurations: `manifests/<case>/types.rs` under the command in `cmd.txt`, compared byte for byte with what
//! controller-gen v0.23.0 prints for the same markers in Go (`rbac.yaml`, `webhook.yaml`), or with our own complaint (`error.txt`, written
//! anew with `UPDATE_EXPECT=1`).

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> =
        fs::read_dir("tests/manifests").unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

/// Runs the command of a case with its folder as the path.
fn ran(case: &Path) -> (Exit, String, String, String) {
    let line = fs::read_to_string(case.join("cmd.txt")).unwrap();
    let words: Vec<String> = line.split_whitespace().skip(1).map(str::to_owned).collect();
    let generator = words.first().unwrap().split(':').next().unwrap().to_owned();
    let place = |word: String| match word.strip_prefix("paths=") {
        Some(_) => format!("paths={}", case.display()),
        None => word.replace("headerFile=", &format!("headerFile={}/", case.display())),
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = words.into_iter().map(|word| place(word).into());
    let exit = run(Tool::ControllerGen, words, &mut Terminal::new(&mut out, &mut err));
    (exit, generator, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn manifests_are_those_of_controller_gen() {
    let mut compared = 0;
    for case in cases() {
        let (exit, generator, out, err) = ran(&case);
        let expected = case.join(format!("{generator}.yaml"));
        if let Ok(expected) = fs::read_to_string(expected) {
            assert_eq!((exit, err.as_str()), (Exit::Done, ""), "{}", case.display());
            assert_eq!(out, expected, "{}", case.display());
            compared += 1;
        }
    }
    assert!(compared >= 4, "only {compared} cases");
}

#[test]
fn wrong_markers_are_reported_with_place_and_cure_and_nothing_is_printed() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for case in
        cases().into_iter().filter(|case| case.file_name().unwrap().to_string_lossy().starts_with("err-"))
    {
        let (exit, _, out, err) = ran(&case);
        assert_eq!((exit, out.as_str()), (Exit::Failed, ""), "{}", case.display());
        let expected = case.join("error.txt");
        if update {
            fs::write(expected, err).unwrap();
        } else {
            assert_eq!(err, fs::read_to_string(expected).unwrap(), "{}", case.display());
        }
    }
}
