//! Everything that the generator writes for the cases in the tests of its crate is accepted by a server.

use std::{
    fs,
    path::{Path, PathBuf},
};

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use kube_codegen_apiserver::{ApiServer, Manifests};

pub(super) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The command lines of a case that write definitions.
fn commands(case: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(case.join("cmd.txt")).unwrap_or_default();
    let lines = text.lines().map(|line| line.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|words| words.first().is_some_and(|word| word.split(':').next() == Some("crd"))).collect()
}

/// Writes the definitions of some types to a folder; `None` when the types are refused.
///
/// - `refusals`: what becomes of what a server would refuse though controller-gen writes it.
pub(super) fn written(options: &str, refusals: &str, paths: &Path) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let (name, rest) = options.split_once(':').unwrap_or((options, ""));
    let words = [
        format!("{name}:refusals={refusals},{rest}").trim_end_matches(',').to_owned(),
        format!("paths={}", paths.display()),
        format!("output:dir={}", folder.path().display()),
    ];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(Tool::ControllerGen, words.map(Into::into), &mut Terminal::new(&mut out, &mut err));
    (exit == Exit::Done).then_some(folder)
}

/// Compares what is refused here with what a server refuses; says what does not agree, and whether anything was refused.
fn judged(name: &str, options: &str, paths: &Path) -> Option<(bool, Vec<String>)> {
    let said = refusals(written(options, "ignore", paths)?.path());
    let is_refused = written(options, "deny", paths).is_none();
    let wrong = match (is_refused, said.is_empty()) {
        (true, true) => vec![format!("{name} is refused, and a server takes it")],
        (true, false) => Vec::new(),
        (false, _) => said.into_iter().map(|said| format!("{name}: {said}")).collect(),
    };
    Some((is_refused, wrong))
}

/// What a server says of the files in a folder that it refuses.
pub(super) fn refusals(folder: &Path) -> Vec<String> {
    let server = ApiServer::builder().build();
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let load = |file: &PathBuf| server.load(&Manifests::read([file]).unwrap()).err();
    files.iter().filter_map(load).map(|error| format!("{error}: {}", chain(&error))).collect()
}

fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[tokio::test]
async fn a_server_takes_the_definitions_of_every_case_that_is_not_refused_here() {
    let (mut checked, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    let mut cases: Vec<PathBuf> = fs::read_dir(workspace().join("codegen/tests/goldens"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    for case in cases {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        for words in commands(&case) {
            let paths = words.iter().find(|word| word.starts_with("paths=")).map_or("", |word| word.as_str());
            let paths = case.join(paths.trim_start_matches("paths=."));
            let paths =
                if words.iter().any(|word| word.ends_with("/...")) { case.join("...") } else { paths };
            let Some((is_refused, mut differences)) = judged(&name, &words[0], &paths) else { continue };
            checked += 1;
            refused += usize::from(is_refused);
            wrong.append(&mut differences);
        }
    }
    assert!(checked > 50 && refused >= 2, "cases are missing: {checked}, {refused}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_definitions_of_rusts_own_forms_and_of_rules_are_accepted() {
    for folder in ["codegen/tests/shapes", "tests/fixtures/rules"] {
        let mut files: Vec<PathBuf> = fs::read_dir(workspace().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .collect();
        files.sort();
        assert!(!files.is_empty());
        for file in files {
            let written = written("crd:allowDangerousTypes=true", "deny", &file);
            let folder = written.unwrap_or_else(|| panic!("{} is refused", file.display()));
            assert_eq!(refusals(folder.path()), Vec::<String>::new(), "{}", file.display());
        }
    }
}

#[tokio::test]
async fn the_examples_are_what_their_definitions_say() {
    let server = ApiServer::builder().build();
    server.load(&Manifests::read([workspace().join("crd")]).unwrap()).unwrap();
    let examples: Vec<PathBuf> = fs::read_dir(workspace().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    assert!(examples.len() >= 3, "{examples:?}");
    for example in examples {
        let manifests = Manifests::read([&example]).unwrap();
        assert!(!manifests.is_empty(), "{}", example.display());
        server.load(&manifests).unwrap_or_else(|error| panic!("{}: {}", example.display(), chain(&error)));
    }
}
