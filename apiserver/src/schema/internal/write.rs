//! JSON of values in their internal form.
//!
//! In: a type and a value in its external form. Out: the text that Go's `json.Marshal` gives of the internal one. Absent fields are zero.

use serde_json::{Map, Value};

use super::{Code, Member, STRUCTS};

/// On one line.
pub(super) fn compact(code: Code, value: &Value) -> String {
    let mut out = Writer { text: String::new(), depth: None };
    out.value(code, value);
    out.text
}

/// With line breaks, indented by one blank a level.
pub(super) fn pretty(code: Code, value: &Value) -> String {
    let mut out = Writer { text: String::new(), depth: Some(0) };
    out.value(code, value);
    out.text
}

/// Fields whose internal name is not that of JSON in other letters.
const RENAMED: [(&str, &str); 8] = [
    ("DataDiskURI", "diskURI"),
    ("DeprecatedServiceAccount", "serviceAccount"),
    ("RBDPool", "pool"),
    ("RBDImage", "image"),
    ("RadosUser", "user"),
    ("CephMonitors", "monitors"),
    ("DiscoveryCHAPAuth", "chapAuthDiscovery"),
    ("SessionCHAPAuth", "chapAuthSession"),
];

struct Writer {
    text: String,
    /// How deep the line stands, where there are line breaks.
    depth: Option<usize>,
}

impl Writer {
    fn value(&mut self, code: Code, value: &Value) {
        let code = match code {
            Code::Struct(name) => return self.object(name, value),
            Code::Other(code) => code,
        };
        if let Some(behind) = code.strip_prefix('*') {
            match value {
                Value::Null => self.text.push_str("null"),
                value => self.value(Code::parse(behind), value),
            }
            return;
        }
        match (code.get(..1).unwrap_or_default(), value) {
            ("[", Value::Array(items)) => {
                let element = Code::parse(code.get(1..).unwrap_or_default());
                self.block('[', ']', items.iter().map(|item| (None, element, item)));
            }
            ("{", Value::Object(members)) => {
                let element = Code::parse(code.get(1..).unwrap_or_default());
                self.block('{', '}', members.iter().map(|(key, item)| (Some(key.as_str()), element, item)));
            }
            ("s", Value::Null) => self.text.push_str("\"\""),
            ("Q", Value::Null) => self.text.push_str("\"0\""),
            ("n" | "I", Value::Null) => self.text.push('0'),
            ("b", Value::Null) => self.text.push_str("false"),
            (_, plain) => self.text.push_str(&escaped(plain)),
        }
    }

    fn object(&mut self, name: &'static str, value: &Value) {
        let empty = Map::new();
        let members = value.as_object().unwrap_or(&empty);
        let fields = STRUCTS.get(name).map(Vec::as_slice).unwrap_or_default();
        let shown = fields.iter().filter_map(|field| {
            let value = find(members, &field.name);
            shows(field, value).then(|| (Some(field.name.as_str()), Code::parse(&field.code), value))
        });
        self.block('{', '}', shown);
    }

    fn block<'v>(
        &mut self,
        open: char,
        close: char,
        items: impl Iterator<Item = (Option<&'v str>, Code, &'v Value)>,
    ) {
        self.text.push(open);
        let mut empty = true;
        self.depth = self.depth.map(|depth| depth + 1);
        for (name, code, value) in items {
            if !std::mem::take(&mut empty) {
                self.text.push(',');
            }
            self.line();
            if let Some(name) = name {
                self.text.push_str(&escaped(&Value::from(name)));
                self.text.push_str(if self.depth.is_some() { ": " } else { ":" });
            }
            self.value(code, value);
        }
        self.depth = self.depth.map(|depth| depth.saturating_sub(1));
        if !empty {
            self.line();
        }
        self.text.push(close);
    }

    fn line(&mut self) {
        if let Some(depth) = self.depth {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', depth));
        }
    }
}

/// Whether a field is written.
fn shows(field: &Member, value: &Value) -> bool {
    // The type of an internal value is known and not written.
    if ["kind", "apiVersion"].contains(&field.name.as_str()) && field.optional && field.code == "s" {
        return false;
    }
    let nothing = match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
    };
    let droppable = field.unless_zero || field.optional && !field.code.starts_with(['$', 'T', 'Q', 'I']);
    let pointer = field.code.starts_with('*');
    !(droppable && if pointer { value.is_null() } else { nothing })
}

/// The external value of a field; those of the metadata stand in the object itself.
fn find<'v>(members: &'v Map<String, Value>, name: &str) -> &'v Value {
    let external =
        RENAMED.iter().find(|(internal, _)| *internal == name).map_or(name, |(_, external)| external);
    let own = members.iter().find(|(key, _)| key.eq_ignore_ascii_case(external)).map(|(_, value)| value);
    let below = || members.get("metadata").filter(|_| name.starts_with(char::is_lowercase))?.get(name);
    own.or_else(below).unwrap_or(&Value::Null)
}

/// JSON as Go writes it: what browsers could mistake for markup is escaped.
fn escaped(value: &Value) -> String {
    let text = value.to_string();
    if !text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
