//! Markers as the generators see them: names and parsed values, in the order in which they were written.

use super::Place;
use serde::Serialize;

/// One marker comment: `+name`, `+name=value` or `+name:argument=value,argument=value`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Marker {
    /// Its registered name, without the `+`: `kubebuilder:printcolumn`.
    pub name: String,
    /// Its arguments as written; the value of `+name=value` has an empty name.
    pub arguments: Vec<MarkerArgument>,
    /// Where the name begins.
    pub place: Place,
}

impl Marker {
    /// The value of a named argument.
    pub fn argument(&self, name: &str) -> Option<&MarkerValue> {
        self.arguments.iter().find(|argument| argument.name == name).map(|argument| &argument.value)
    }

    /// The text of a named argument; `None` when it is missing, empty or no text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.argument(name).and_then(MarkerValue::as_text).filter(|text| !text.is_empty())
    }

    /// The texts of a named argument that is a list; none when it is missing.
    pub fn texts(&self, name: &str) -> Vec<String> {
        match self.argument(name) {
            Some(MarkerValue::List(items)) => {
                items.iter().filter_map(|item| item.as_text().map(str::to_owned)).collect()
            }
            Some(MarkerValue::Text(text)) => vec![text.clone()],
            _ => Vec::new(),
        }
    }

    /// Where a named argument stands; where the marker stands when it has none of this name.
    pub fn place_of(&self, name: &str) -> &Place {
        let found = self.arguments.iter().find(|argument| argument.name == name);
        found.map_or(&self.place, |argument| &argument.place)
    }

    /// The value of `+name=value`.
    pub fn value(&self) -> Option<&MarkerValue> {
        self.argument("")
    }
}

/// One argument of a marker.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerArgument {
    /// Its name; empty for the value of `+name=value`.
    pub name: String,
    /// Its value.
    pub value: MarkerValue,
    /// Where the argument begins.
    pub place: Place,
}

/// The value of an argument, of the kind that the marker's definition asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum MarkerValue {
    /// `true` or `false`; also an argument or marker without a value where a flag is expected.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// Text, without its quotes.
    Text(String),
    /// `a;b` or `{a,b}`.
    List(Vec<MarkerValue>),
    /// `{key: value}`, in the order written.
    Map(Vec<(String, MarkerValue)>),
}

impl MarkerValue {
    /// The text of a text value.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}
