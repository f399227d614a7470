//! Expressions about devices: what selectors of claims and classes may name, and what they have to give.
//!
//! In: the text of an expression. Out: a program, or the words in which a real server refuses it.

use std::sync::{Arc, LazyLock};

use super::{Decl, Environment, Program, Type};

const LONGEST_DOMAIN: u64 = 63;
const LONGEST_VALUE: u64 = 64;
const MOST_ENTRIES: u64 = 32;

static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    let by_domain = |values: Decl| Decl::map(Decl::map(values, MOST_ENTRIES), MOST_ENTRIES);
    let value = Decl { max_elements: Some(LONGEST_VALUE), ..Decl::plain(Type::Dyn) };
    let quantity = Decl::plain(Type::Opaque("kubernetes.Quantity"));
    let shared = Decl { max_elements: Some(1), ..Decl::plain(Type::Bool) };
    let fields = [
        ("driver".to_owned(), Decl::text(LONGEST_DOMAIN)),
        ("attributes".to_owned(), by_domain(value)),
        ("capacity".to_owned(), by_domain(quantity)),
        ("allowMultipleAllocations".to_owned(), shared),
    ];
    Environment::default()
        .binding_names()
        .variable("device", Arc::new(Decl::named("kubernetes.DRADevice", fields)))
});

/// Compiles an expression about a device.
///
/// # Errors
///
/// In the words of a real server.
pub(crate) fn compile(expression: &str) -> Result<Program, String> {
    let program = ENVIRONMENT.compile(expression).map_err(|error| error.to_string())?;
    match program.result() {
        Type::Bool | Type::Dyn => Ok(program),
        found => Err(format!("must evaluate to bool or the unknown type, not {found}")),
    }
}
