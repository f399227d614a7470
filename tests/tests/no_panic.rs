//! Nothing panics: all generators over every Rust file of this workspace and, where it is there, of cargo's registry.
//!
//! Each file is taken for a type package, with `+genclient` on every struct. What comes of it is files or errors with
//! places; a panic of the front half arrives as an error of its own kind, and one of the rest fails the test. The files of
//! the registry are taken in an order that spreads over all crates, as many as there is time for.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kube_codegen::config::{Generators, Job, Settings};
use kube_codegen::diagnostic::{Problem, SourceProblem};
use kube_codegen::generate::{Failure, run};
use kube_codegen::output::Mode;

/// How long the test goes on after the files of the workspace.
const TIME: Duration = Duration::from_secs(10);

/// Every so many files of the registry one is taken, then those after them: no crate fills the time alone.
const STRIDE: usize = 997;

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
            rust_files(&path, found);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// What is wrong with the generators over one file, if anything.
fn fault(text: &str, folder: &Path) -> Option<String> {
    let marked = text.replace("\npub struct ", "\n// +genclient\npub struct ");
    fs::write(folder.join("src/apis/odd/v1.rs"), format!("// +groupName=odd.example.com\n\n{marked}"))
        .unwrap();
    let settings = Settings {
        apis: Some(folder.join("src/apis").display().to_string()),
        groups: Some("odd:v1".parse().unwrap()),
        output: Some(folder.join("src/client")),
        ..Settings::default()
    };
    let job = Job::new(&settings, &Generators::all(), &BTreeSet::new()).unwrap();
    match std::panic::catch_unwind(|| run(&job, Mode::DryRun)) {
        Err(_) => Some("panicked".to_owned()),
        Ok(Ok(_)) => None,
        Ok(Err(Failure::Output(errors))) => Some(format!("made no Rust: {errors:?}")),
        Ok(Err(Failure::Input(diagnostics))) => {
            let internal =
                |problem: &Problem| matches!(problem, Problem::Source(SourceProblem::Internal { .. }));
            let failed = diagnostics.iter().any(|diagnostic| internal(&diagnostic.problem));
            // Errors are also drawn: excerpts of odd text must not panic either.
            (failed || diagnostics.to_string().is_empty()).then(|| diagnostics.to_string())
        }
    }
}

#[test]
fn no_file_makes_a_generator_panic() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("src/apis/odd")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"odd\"\n").unwrap();
    let mut own = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut own);
    assert!(own.len() > 100, "the workspace has more files than {}", own.len());
    let mut registry = Vec::new();
    if let Some(home) = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
    {
        rust_files(&home.join("registry/src"), &mut registry);
    }
    let spread = (0..STRIDE).flat_map(|start| registry.iter().skip(start).step_by(STRIDE));
    let started = Instant::now();
    let mut faults = Vec::new();
    let mut count = 0;
    for file in own.iter().chain(spread.take_while(|_| started.elapsed() < TIME)) {
        let Ok(text) = fs::read_to_string(file) else { continue };
        count += 1;
        faults.extend(fault(&text, folder.path()).map(|fault| format!("{}: {fault}", file.display())));
    }
    println!("{count} files");
    assert!(faults.is_empty(), "of {count} files {}:\n{}", faults.len(), faults.join("\n"));
}
