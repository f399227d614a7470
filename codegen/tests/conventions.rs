//! Conventions, and what a server would refuse though controller-gen writes it, on the command line: warnings, errors, and silence.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use std::fs;

const CASE: &str = "tests/diagnostics/conventions/booleans.rs";

/// How `kube-codegen crd --stdout` ends with these flags, what it prints, and what it says.
fn crd(tool: Tool, arguments: &[&str]) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::new(&mut out, &mut err);
    let exit = run(tool, arguments.iter().map(Into::into), &mut terminal);
    (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn a_warning_does_not_fail() {
    let (exit, out, err) = crd(Tool::KubeCodegen, &["crd", "--stdout", CASE]);
    assert_eq!(exit, Exit::Done, "{err}");
    assert!(out.contains("kind: CustomResourceDefinition"));
    assert!(
        err.contains("warning[booleans]: `paused`") && err.contains("25 |     pub paused: bool,"),
        "{err}"
    );
    assert!(err.ends_with("2 warnings\n"), "{err}");
}

#[test]
fn a_denied_convention_fails_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("crd").display().to_string();
    let (exit, _, err) = crd(Tool::KubeCodegen, &["crd", "--conventions", "deny", "--output", &output, CASE]);
    assert_eq!(exit, Exit::Failed);
    assert!(
        err.contains("error[booleans]: `wanted`") && err.contains("2 errors\nnothing was written"),
        "{err}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_allowed_or_ignored_is_not_spoken_of() {
    for flags in [["--allow-conventions", "floats,booleans"], ["--conventions", "ignore"]] {
        let (exit, _, err) =
            crd(Tool::KubeCodegen, &[["crd", "--stdout"].as_slice(), &flags, &[CASE]].concat());
        assert_eq!((exit, err.as_str()), (Exit::Done, ""));
    }
    let (exit, _, err) = crd(Tool::KubeCodegen, &["crd", "--stdout", "--quiet", CASE]);
    assert_eq!((exit, err.as_str()), (Exit::Done, ""));
}

#[test]
fn controller_gen_speaks_of_them_when_asked() {
    let paths = format!("paths={CASE}");
    let (exit, _, err) = crd(Tool::ControllerGen, &["crd", &paths, "output:stdout"]);
    assert_eq!((exit, err.as_str()), (Exit::Done, ""));
    let (exit, _, err) = crd(Tool::ControllerGen, &["crd:conventions=warn", &paths, "output:stdout"]);
    assert!(exit == Exit::Done && err.contains("warning[booleans]"), "{err}");
    let (exit, out, _) = crd(Tool::ControllerGen, &["crd:conventions=deny", &paths, "output:stdout"]);
    assert_eq!((exit, out.as_str()), (Exit::Failed, ""));
}

#[test]
fn the_config_file_says_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("src/apis/things/v1/mod.rs", &fs::read_to_string(CASE).unwrap());
    for (line, exit) in [
        ("conventions = \"deny\"", Exit::Failed),
        ("conventions = \"deny\"\nallow-conventions = [\"booleans\"]", Exit::Done),
    ] {
        write("kube-codegen.toml", &format!("apis = \"src/apis\"\n[crd]\n{line}\n"));
        let config = folder.path().join("kube-codegen.toml").display().to_string();
        let (ended, _, err) = crd(Tool::KubeCodegen, &["crd", "--stdout", "--config", &config]);
        assert_eq!(ended, exit, "{line}: {err}");
    }
}

#[test]
fn what_a_server_would_refuse_fails_unless_it_is_let_pass() {
    let case = "tests/diagnostics/crd/rule_that_costs_too_much.rs";
    let (exit, out, err) = crd(Tool::KubeCodegen, &["crd", "--stdout", case]);
    assert_eq!((exit, out.as_str()), (Exit::Failed, ""));
    assert!(err.contains("error: the rule `self.matches('^[a-z]+$')` of `spec.items[].name`"), "{err}");
    let (exit, out, err) = crd(Tool::KubeCodegen, &["crd", "--stdout", "--refusals", "warn", case]);
    assert!(exit == Exit::Done && out.contains("kind: Order") && err.contains("warning: the rule"), "{err}");
    let (exit, _, err) = crd(Tool::KubeCodegen, &["crd", "--stdout", "--refusals", "ignore", case]);
    assert!(exit == Exit::Done && !err.contains("the rule"), "{err}");
    // Its namesake writes these.
    let paths = format!("paths={case}");
    let (exit, out, err) = crd(Tool::ControllerGen, &["crd", &paths, "output:stdout"]);
    assert!(exit == Exit::Done && out.contains("kind: Order") && err.contains("warning: the rule"), "{err}");
    let (exit, out, _) = crd(Tool::ControllerGen, &["crd:refusals=deny", &paths, "output:stdout"]);
    assert_eq!((exit, out.as_str()), (Exit::Failed, ""));
}
