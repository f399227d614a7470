//! Shapes of Rust that Go does not have, and the definitions that they give: `shapes/<case>.rs` and, beside it, the
//! definition. After a change that is meant, `UPDATE_EXPECT=1 cargo test -p kube-codegen --test shapes` rewrites them.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{self, Exit, Terminal, Tool};
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shapes");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    cases.sort();
    cases
}

#[test]
fn every_shape_gives_its_definition() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() >= 3);
    for case in cases {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let words = ["crd".to_owned(), format!("paths={}", case.display()), "output:stdout".to_owned()];
        let exit =
            cli::run(Tool::ControllerGen, words.map(Into::into), &mut Terminal::new(&mut out, &mut err));
        assert_eq!(exit, Exit::Done, "{}: {}", case.display(), String::from_utf8_lossy(&err));
        let made = String::from_utf8(out).unwrap();
        let expected = case.with_extension("yaml");
        if update {
            fs::write(&expected, made).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != made {
            wrong.push(format!("{}:\n{made}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nrun again with UPDATE_EXPECT=1 if this is right", wrong.join("\n"));
}
