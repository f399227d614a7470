//! CEL, the expression language of Kubernetes' rules.
//!
//! In: the text of an expression, the variables it may name and what is known of them. Out: a program, or the faults that a real server
//! tells; and from a program and values a value. The grammar is that of the `cel` crate. Types, costs and running are our own: that
//! crate and `kube-cel` know no types before a rule runs, count no costs, and copy each object before they look at it.

pub(crate) mod admission;
mod apply;
mod ast;
mod authority;
mod check;
mod cost;
mod decl;
mod deep_stack;
pub(crate) mod device;
mod eval;
mod functions;
mod go_regex;
mod lazy;
mod library;
mod limits;
mod literals;
mod macros;
mod message;
mod ops;
mod parse;
mod prepare;
mod program;
mod syntax;
mod time;
mod types;
mod value;
mod wellknown;

pub(crate) use authority::{Authority, Check, Decided, Question};
pub(crate) use decl::{Decl, DeclKind, ListForm, MAX_REQUEST, is_reserved};
pub(crate) use go_regex::go_regex;
pub(crate) use lazy::Lazy;
pub(crate) use library::url_fault;
pub(crate) use program::{CompileError, Environment, EvalError, Issue, Program};
pub(crate) use time::{Moment, parse_duration};
pub(crate) use types::Type;
pub(crate) use value::{Opaque, Val};
