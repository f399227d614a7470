//! Values of settings, as text.
//!
//! In: a text, in the form that Go's flags take. Out: the value in its place, or what is wrong with the text. Never: a guess.

use std::{net::SocketAddr, num::NonZeroUsize, time::Duration};

const NO_ADDRESS: &str = "is no address to listen on, such as :8081 or 127.0.0.1:8081";
const NO_DURATION: &str = "is no duration, such as 30s or 1m30s";

/// The most that can be sensible of anything that is counted: each worker takes memory.
const MOST: NonZeroUsize = match NonZeroUsize::new(10_000) {
    Some(most) => most,
    None => NonZeroUsize::MIN,
};

/// Where a value goes.
pub(super) enum Value<'c> {
    /// `host:port`, `:port` for all hosts; `0` or nothing for none.
    Address(&'c mut Option<SocketAddr>),
    Duration(&'c mut Duration),
    Number(&'c mut NonZeroUsize),
    Some(&'c mut Option<String>),
    Switch(&'c mut bool),
    Text(&'c mut String),
    /// A switch that cannot be on.
    Not(&'static str),
}

impl Value<'_> {
    /// Whether it is on where it stands alone.
    pub(super) fn is_switch(&self) -> bool {
        matches!(self, Self::Switch(_) | Self::Not(_))
    }

    /// What stands for a value in a help text.
    #[cfg(feature = "clap")]
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Address(_) => "ADDRESS",
            Self::Duration(_) => "DURATION",
            Self::Number(_) => "NUMBER",
            Self::Some(_) | Self::Text(_) => "TEXT",
            Self::Switch(_) | Self::Not(_) => "BOOL",
        }
    }

    /// The value that is there, as a text would give it; nothing where there is none to speak of.
    #[cfg(feature = "clap")]
    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Self::Address(place) => {
                let text = place.map_or_else(|| "0".to_owned(), |address| address.to_string());
                Some(text.strip_prefix("0.0.0.0").map(str::to_owned).unwrap_or(text))
            }
            Self::Duration(place) => Some(format!("{place:?}")),
            Self::Number(place) => Some(place.to_string()),
            Self::Text(place) => Some(place.to_string()).filter(|text| !text.is_empty()),
            Self::Some(_) | Self::Switch(_) | Self::Not(_) => None,
        }
    }

    /// Puts the value of a text in its place.
    pub(super) fn set(self, text: &str) -> Result<(), String> {
        match self {
            Self::Address(place) => *place = address(text)?,
            Self::Duration(place) => *place = duration(text).ok_or(NO_DURATION)?,
            Self::Number(place) => *place = number(text)?,
            Self::Some(place) => *place = Some(text.to_owned()),
            Self::Switch(place) => *place = switch(text)?,
            Self::Text(place) => text.clone_into(place),
            Self::Not(why) => {
                if switch(text)? {
                    return Err(why.to_owned());
                }
            }
        }
        Ok(())
    }
}

fn number(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().map_err(|_| "is not a positive number")?;
    if number > MOST { Err(format!("is more than {MOST}")) } else { Ok(number) }
}

fn address(text: &str) -> Result<Option<SocketAddr>, String> {
    if matches!(text, "" | "0") {
        return Ok(None);
    }
    let whole = match text.strip_prefix("localhost") {
        Some(port) => format!("127.0.0.1{port}"),
        None if text.starts_with(':') => format!("0.0.0.0{text}"),
        None => text.to_owned(),
    };
    whole.parse().map(Some).map_err(|_| NO_ADDRESS.to_owned())
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "True" | "TRUE" => Ok(true),
        "0" | "f" | "F" | "false" | "False" | "FALSE" => Ok(false),
        _ => Err("is neither true nor false".to_owned()),
    }
}

/// A duration as Go writes it: `1m30s`, `1.5h`, `200ms`.
fn duration(text: &str) -> Option<Duration> {
    const UNITS: [(&str, f64); 6] =
        [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let (mut rest, mut seconds) = (text, 0.0);
    while !rest.is_empty() {
        let (number, unit) =
            rest.split_at(rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?);
        let (name, factor) = UNITS.iter().find(|(name, _)| unit.starts_with(name))?;
        seconds += number.parse::<f64>().ok()? * factor;
        rest = unit.strip_prefix(name)?;
    }
    Duration::try_from_secs_f64(seconds).ok().filter(|_| !text.is_empty())
}
