//! The patterns of formats at work.
//!
//! In: a pattern in Go's syntax that stands in this crate, and a text. Out: whether it is found there. Each pattern is compiled once; the engine is
//! the slow one that is small to build.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use regex_automata::nfa::thompson::pikevm::PikeVM;

type Engines = HashMap<String, Option<Arc<PikeVM>>>;

static ENGINES: LazyLock<RwLock<Engines>> = LazyLock::new(RwLock::default);

/// Whether a pattern is found in a text; `None` where it is no pattern.
pub(super) fn finds(pattern: &str, text: &str) -> Option<bool> {
    let engine = engine(pattern)?;
    Some(engine.is_match(&mut engine.create_cache(), text))
}

fn engine(pattern: &str) -> Option<Arc<PikeVM>> {
    // A map is whole whatever happened to whom wrote into it.
    if let Some(known) = ENGINES.read().unwrap_or_else(PoisonError::into_inner).get(pattern) {
        return known.clone();
    }
    let expression = kube_codegen_go_regex::read(pattern).ok();
    let engine = expression.and_then(|expression| PikeVM::new(expression.text()).ok()).map(Arc::new);
    let mut engines = ENGINES.write().unwrap_or_else(PoisonError::into_inner);
    engines.insert(pattern.to_owned(), engine.clone());
    engine
}
