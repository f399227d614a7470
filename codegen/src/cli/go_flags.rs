//! Flags of the Go commands that mean nothing here: one table with what is said about each.
//!
//! In: the arguments as called. Out: those that mean something, and notes about those that were passed over; or the complaint about one
//! whose loss would change the result.

use super::Tool;
use std::collections::VecDeque;
use std::ffi::OsString;

/// The arguments that are left, and what is to be said about the others.
#[derive(Debug)]
pub(super) struct GoFlags {
    pub(super) arguments: Vec<OsString>,
    pub(super) notes: Vec<String>,
}

/// A flag of a Go command.
struct GoFlag {
    name: &'static str,
    of: &'static [Tool],
    takes: Takes,
    verdict: Verdict,
}

#[derive(PartialEq)]
enum Takes {
    /// `--flag value` or `--flag=value`.
    Value,
    /// `--flag` or `--flag=false`.
    Bool,
}

enum Verdict {
    /// The result is the same without it.
    Ignored(&'static str),
    /// The result would not be what was asked for.
    Refused(&'static str),
}

use Takes::{Bool, Value};
use Tool::{ApplyconfigurationGen, ClientGen, GenerateGroups, InformerGen, ListerGen};
use Verdict::{Ignored, Refused};

const GENERATORS: &[Tool] = &[GenerateGroups, ClientGen, ListerGen, InformerGen, ApplyconfigurationGen];

const fn flag(name: &'static str, of: &'static [Tool], takes: Takes, verdict: Verdict) -> GoFlag {
    GoFlag { name, of, takes, verdict }
}

const TABLE: &[GoFlag] = &[
    flag("lint-rules", GENERATORS, Value, Ignored("an unknown marker is always an error here")),
    flag("output-base", GENERATORS, Value, Ignored("the output folder is a path of its own")),
    flag("trim-path-prefix", GENERATORS, Value, Ignored("the output folder is a path of its own")),
    flag("output-file-base", GENERATORS, Value, Refused("files are named after their kinds")),
    flag("build-tag", GENERATORS, Value, Ignored("generated Rust files need no build tags")),
    flag("bounding-dirs", GENERATORS, Value, Ignored("types are followed from the kinds that reach them")),
    flag("v", GENERATORS, Value, Ignored("say `-v` to name the files that change")),
    flag("logtostderr", GENERATORS, Bool, Ignored("errors always go to standard error")),
    flag("alsologtostderr", GENERATORS, Bool, Ignored("errors always go to standard error")),
    flag("prefers-protobuf", &[GenerateGroups, ClientGen], Bool, Ignored("clients speak JSON")),
    flag(
        "clientset-api-path",
        &[GenerateGroups, ClientGen],
        Value,
        Ignored("the path follows from the group: `/api` for the core group, `/apis` for all others"),
    ),
    flag(
        "clientset-only",
        &[GenerateGroups, ClientGen],
        Bool,
        Refused("a clientset comes with the clients of its kinds"),
    ),
    flag(
        "clientset-dir",
        &[GenerateGroups, ClientGen],
        Value,
        Refused("say `--output-dir` and `--clientset-name`"),
    ),
    flag("clientset-path", &[ClientGen], Value, Refused("it is called `--output-pkg` now")),
    flag(
        "included-types-overrides",
        &[GenerateGroups, ClientGen],
        Value,
        Refused("a kind gets a client when it has `// +genclient`"),
    ),
    flag(
        "internal-clientset-package",
        &[GenerateGroups, InformerGen],
        Value,
        Refused("there are no internal versions in Rust type packages"),
    ),
    flag(
        "external-applyconfigurations",
        &[GenerateGroups, ApplyconfigurationGen],
        Value,
        Refused(
            "types of other crates are used as they are; apply configurations of re-exported kinds are made here",
        ),
    ),
    flag(
        "openapi-schema",
        &[GenerateGroups, ApplyconfigurationGen],
        Value,
        Ignored("`extract` works from the types"),
    ),
    flag("input-dirs", GENERATORS, Value, Refused("name the type packages as arguments")),
    flag("output-package", GENERATORS, Value, Refused("say `--output-dir`, a folder")),
];

impl GoFlags {
    /// Takes the flags that mean nothing out of the arguments of a command.
    ///
    /// # Errors
    /// One line about a flag whose loss would change the result.
    pub(super) fn take(tool: Tool, arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut waiting: VecDeque<OsString> = arguments.into_iter().collect();
        let mut taken = Self { arguments: Vec::new(), notes: Vec::new() };
        while let Some(argument) = waiting.pop_front() {
            if argument == "--" {
                taken.arguments.push(argument);
                taken.arguments.extend(waiting);
                break;
            }
            let text = argument.to_string_lossy();
            let Some((flag, has_value)) = find(tool, &text) else {
                taken.arguments.push(argument);
                continue;
            };
            if flag.takes == Value && !has_value {
                waiting.pop_front();
            }
            match flag.verdict {
                Ignored(reason) => taken.notes.push(format!("`--{}` has no effect: {reason}", flag.name)),
                Refused(reason) => return Err(format!("`--{}` is not supported: {reason}", flag.name)),
            }
        }
        Ok(taken)
    }
}

/// The flag that an argument is, and whether its value is within it.
fn find(tool: Tool, argument: &str) -> Option<(&'static GoFlag, bool)> {
    let rest = argument.strip_prefix("--")?;
    let (name, value) = rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
    let flag = TABLE.iter().find(|flag| flag.name == name && flag.of.contains(&tool))?;
    Some((flag, value.is_some()))
}
