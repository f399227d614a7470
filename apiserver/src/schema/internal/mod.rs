//! Values as a real server holds them: messages of validation show that form, with the names of fields in Go.
//!
//! In: a value of a built-in kind and the name of its struct (`core.PodSpec`). Out: its JSON as Go writes it, on one line or with line
//! breaks, and the difference of two. The structs are data (`data/internal.bin`, made by `hack/internal-types`). It never judges a value.

mod diff;
mod write;

use std::{collections::HashMap, io::Read, sync::LazyLock};

use flate2::read::GzDecoder;
use serde_json::Value;

static DATA: &[u8] = include_bytes!("../../../data/internal.bin");
static STRUCTS: LazyLock<HashMap<String, Vec<Member>>> = LazyLock::new(load);

/// A field of a struct.
struct Member {
    /// Its name in Go, or in JSON where it has one there.
    name: String,
    /// Its type; see `hack/internal-types`.
    code: String,
    /// Whether it is left out when empty.
    optional: bool,
    /// Whether it is left out when zero.
    unless_zero: bool,
}

/// The type of a place in an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Internal(&'static str);

impl Internal {
    /// The struct of a kind in a group, if it is known.
    pub(crate) fn of_kind(group: &str, kind: &str) -> Option<Self> {
        let package = match group.split('.').next().unwrap_or_default() {
            "" | "events" => "core",
            first => first,
        };
        Self::of_struct(&format!("{package}.{kind}"))
    }

    /// The struct of this name, if it is known.
    pub(crate) fn of_struct(name: &str) -> Option<Self> {
        STRUCTS.get_key_value(name).map(|(name, _)| Self(name.as_str()))
    }

    /// The type of what stands at a path such as `spec.containers[0].ports`.
    pub(crate) fn at(self, path: &str) -> Option<Code> {
        let mut code = Code::Struct(self.0);
        for part in path.split('.') {
            let (name, mut indices) = match part.split_once('[') {
                Some((name, rest)) => (name, rest.matches('[').count() + 1),
                None => (part, 0),
            };
            code = code.member(name)?;
            while indices > 0 {
                code = code.element()?;
                indices -= 1;
            }
        }
        Some(code)
    }
}

/// A type: a struct by name, or as the data writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    /// A struct.
    Struct(&'static str),
    /// Anything else.
    Other(&'static str),
}

impl From<Internal> for Code {
    fn from(form: Internal) -> Self {
        Self::Struct(form.0)
    }
}

impl Code {
    fn parse(code: &'static str) -> Self {
        code.strip_prefix('$').map_or(Self::Other(code), Self::Struct)
    }

    fn member(self, name: &str) -> Option<Self> {
        let Self::Struct(own) = self.behind() else { return None };
        let members = STRUCTS.get(own)?;
        let found = members.iter().find(|member| member.name.eq_ignore_ascii_case(name))?;
        Some(Self::parse(&found.code))
    }

    /// The type of items or values.
    fn element(self) -> Option<Self> {
        let Self::Other(code) = self.behind() else { return None };
        code.strip_prefix(['[', '{']).map(Self::parse)
    }

    /// The type behind a pointer.
    fn behind(self) -> Self {
        match self {
            Self::Other(code) => code.strip_prefix('*').map_or(self, Self::parse),
            Self::Struct(_) => self,
        }
    }

    /// The type that fits a value: where a list is meant and a single item is shown, that of the item.
    fn fit(self, value: &Value) -> Self {
        match self.behind() {
            Self::Other(code) if code.starts_with('[') && value.is_object() => self.element().unwrap_or(self),
            _ => self,
        }
    }

    /// A value as Go writes it on one line.
    pub(crate) fn print(self, value: &Value) -> String {
        write::compact(self.fit(value), value)
    }

    /// What differs between two values, as a unified difference of their JSON.
    pub(crate) fn difference(self, old: &Value, new: &Value) -> String {
        diff::unified(&write::pretty(self, old), &write::pretty(self, new))
    }
}

fn load() -> HashMap<String, Vec<Member>> {
    let mut text = String::new();
    // Data that is part of the program can be read.
    let _ = GzDecoder::new(DATA).read_to_string(&mut text);
    let line = |line: &str| {
        let mut parts = line.split(' ');
        let name = parts.next()?.to_owned();
        Some((name, parts.filter_map(member).collect()))
    };
    text.lines().filter_map(line).collect()
}

fn member(part: &str) -> Option<Member> {
    let (name, code) = part.split_once(':')?;
    let bare = code.trim_start_matches(['?', '!']);
    let marks = code.strip_suffix(bare).unwrap_or_default();
    Some(Member {
        name: name.to_owned(),
        code: bare.to_owned(),
        optional: marks.contains('?'),
        unless_zero: marks.contains('!'),
    })
}
