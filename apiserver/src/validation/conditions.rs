//! Conditions of the common form, as most kinds have them in their status.
//!
//! In: a list of conditions. Out: what is wrong with it. Most of the rules are declared as well: where a kind has declared rules for its
//! conditions, these come after all others.

use crate::protocol::printed;

use super::{Findings, Spot, formats};

/// Whether a kind has declared rules for its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Written,
    Declared,
}

impl Rules {
    fn tell(self, out: &mut Findings, check: impl FnOnce(&mut Findings)) {
        match self {
            Self::Written => check(out),
            Self::Declared => out.declared(check),
        }
    }
}

/// Looks at all conditions.
pub(super) fn conditions(out: &mut Findings, list: &Spot<'_>, rules: Rules) {
    let mut seen: Vec<String> = Vec::new();
    for condition in list.each() {
        let kind = condition.get("type");
        if seen.iter().any(|known| known == kind.str()) {
            rules.tell(out, |out| match rules {
                Rules::Written => out.duplicate_as(&condition, kind.str()),
                Rules::Declared => {
                    let shown = printed(condition.value());
                    out.push(crate::protocol::FieldError::duplicate_printed(condition.path(), shown));
                }
            });
        }
        seen.push(kind.str().to_owned());
        self::condition(out, &condition, rules);
    }
}

fn condition(out: &mut Findings, condition: &Spot<'_>, rules: Rules) {
    let kind = condition.get("type");
    if kind.is_empty() {
        let why = if rules == Rules::Written { "is required" } else { "" };
        rules.tell(out, |out| out.required(&kind, why));
    } else {
        formats::qualified(out, &kind);
    }
    rules.tell(out, |out| {
        out.one_of(&condition.get("status"), &["False", "True", "Unknown"]);
        let generation = condition.get("observedGeneration");
        if generation.int().is_some_and(|number| number < 0) {
            let why = match rules {
                Rules::Written => "must be greater than or equal to zero",
                Rules::Declared => super::NOT_NEGATIVE,
            };
            out.invalid(&generation, why);
        }
        let time = condition.get("lastTransitionTime");
        if !time.is_set() {
            out.required(&time, "");
        }
    });
    reason(out, &condition.get("reason"), rules);
    let message = condition.get("message");
    if message.str().len() > 32 * 1024 {
        rules.tell(out, |out| out.too_long(&message, 32 * 1024));
    }
}

fn reason(out: &mut Findings, reason: &Spot<'_>, rules: Rules) {
    let text = reason.str();
    if text.is_empty() {
        return rules.tell(out, |out| out.required(reason, ""));
    }
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let middle = |byte: u8| word(byte) || byte == b',' || byte == b':';
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic());
    if !(starts && text.bytes().all(middle) && text.bytes().last().is_some_and(word)) {
        out.invalid(
            reason,
            "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or \
             '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  \
             or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
        );
    }
    if text.len() > 1024 {
        rules.tell(out, |out| out.too_long(reason, 1024));
    }
}
