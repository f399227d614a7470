//! Patterns at work on texts that stand in the source, such as defaults.
//!
//! In: a pattern in Go's syntax, as servers read it, and a text. Out: whether it is found there. The engine is the slow one that is small to
//! build: texts in sources are short and few. Patterns that would take much of the stack or of the memory are left to the server.

use regex_automata::nfa::thompson::{self, pikevm::PikeVM};
use regex_automata::util::syntax;

/// How deep a pattern may be.
const HEIGHT: usize = 100;
/// How deep that is for the engine, which counts in another way.
const NESTS: u32 = 400;
/// How much memory a pattern may take, in bytes.
const SIZE: usize = 8 << 20;

/// Whether a pattern is found in a text; `None` when only a server knows.
pub(super) fn finds(pattern: &str, text: &str) -> Option<bool> {
    let expression = kube_codegen_go_regex::read(pattern).ok()?;
    if expression.height() > HEIGHT {
        return None;
    }
    let engine = PikeVM::builder()
        .syntax(syntax::Config::new().nest_limit(NESTS))
        .thompson(thompson::Config::new().nfa_size_limit(Some(SIZE)))
        .build(expression.text())
        .ok()?;
    Some(engine.is_match(&mut engine.create_cache(), text))
}
