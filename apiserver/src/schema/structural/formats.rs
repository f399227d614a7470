//! The formats of texts that a real server checks.
//!
//! In: a format's name and a text. Out: whether it fits. Formats that are not known count as none.

use std::{
    net::{Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use regex::Regex;

use super::Structural;

const KNOWN: [&str; 27] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "k8sshortname",
    "k8slongname",
    "",
];

/// Whether validation knows a format of this type; what it does not know is passed over, with a warning when it is defined.
pub(crate) fn is_recognised(kind: &str, format: &str) -> bool {
    match kind {
        "" | "string" => KNOWN.contains(&format.replace('-', "").as_str()),
        "integer" => ["int32", "int64"].contains(&format),
        "number" => ["float", "double"].contains(&format),
        _ => false,
    }
}

/// The format that counts.
pub(super) fn effective(schema: &Structural) -> &str {
    let kind = if schema.int_or_string { "" } else { schema.kind.as_str() };
    if is_recognised(kind, &schema.format) { &schema.format } else { "" }
}

/// Whether texts are checked against it.
pub(super) fn is_known(format: &str) -> bool {
    !format.is_empty() && KNOWN.contains(&format.replace('-', "").as_str())
}

/// Whether a text has a format.
pub(super) fn fits(format: &str, text: &str) -> bool {
    match format.replace('-', "").as_str() {
        "bsonobjectid" => text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "uri" => is_uri(text),
        "email" => is_email(text),
        "hostname" => is_hostname(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok() || sloppy_ipv4(text),
        "ipv6" => !text.contains('%') && text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr(text),
        "mac" => is_mac(text),
        "uuid" => matches(&UUID, text),
        "uuid3" => matches(&UUID3, text),
        "uuid4" => matches(&UUID4, text),
        "uuid5" => matches(&UUID5, text),
        "isbn" => is_isbn10(text) || is_isbn13(text),
        "isbn10" => is_isbn10(text),
        "isbn13" => is_isbn13(text),
        "creditcard" => is_credit_card(text),
        "ssn" => matches(&SSN, text),
        "hexcolor" => matches(&HEX_COLOUR, text),
        "rgbcolor" => matches(&RGB_COLOUR, text),
        "byte" => !text.is_empty() && STANDARD.decode(text).is_ok(),
        "date" => is_date(text),
        "duration" => is_duration(text),
        "datetime" => is_date_time(text),
        "k8sshortname" => text.len() <= 63 && is_label(text),
        "k8slongname" => text.len() <= 253 && text.split('.').all(is_label),
        _ => true,
    }
}

/// An expression that is compiled on first use.
type Lazy = LazyLock<Option<Regex>>;

fn matches(pattern: &Lazy, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

static UUID: Lazy = LazyLock::new(|| uuid("[0-9a-f]{4}", "[0-9a-f]{4}"));
static UUID3: Lazy = LazyLock::new(|| uuid("3[0-9a-f]{3}", "[0-9a-f]{4}"));
static UUID4: Lazy = LazyLock::new(|| uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"));
static UUID5: Lazy = LazyLock::new(|| uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"));
static SSN: Lazy = LazyLock::new(|| Regex::new("^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$").ok());
static HEX_COLOUR: Lazy = LazyLock::new(|| Regex::new("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$").ok());
static RGB_COLOUR: Lazy = LazyLock::new(|| {
    let part = "(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])";
    let space = "[\\t\\n\\x0C\\r ]*";
    let part = format!("{space}{part}{space}");
    Regex::new(&format!("^rgb\\({part},{part},{part}\\)$")).ok()
});
static HOSTNAME: Lazy = LazyLock::new(|| {
    let letter = "[a-zA-Z0-9\\p{S}\\p{L}]";
    let dashed = "[a-zA-Z0-9\\-\\p{S}\\p{L}]";
    let single = format!("{letter}((-?{letter}{{0,62}})?)");
    let dotted = format!("({letter}(({dashed}{{0,61}}{letter})?)(\\.)){{1,}}([a-zA-Z\\p{{L}}]){{2,63}}");
    Regex::new(&format!("^({single}|{dotted})$")).ok()
});
static CREDIT_CARD: Lazy = LazyLock::new(|| {
    Regex::new(
        "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|\
         (?:2131|1800|35[0-9]{3})[0-9]{11})$",
    )
    .ok()
});
static CLOCK: Lazy = LazyLock::new(|| {
    Regex::new("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$").ok()
});

fn uuid(third: &str, fourth: &str) -> Option<Regex> {
    Regex::new(&format!("(?i)^[0-9a-f]{{8}}-?[0-9a-f]{{4}}-?{third}-?{fourth}-?[0-9a-f]{{12}}$")).ok()
}

/// Four numbers with leading zeros, which a real server lets pass here.
fn sloppy_ipv4(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let fits = |part: &&str| {
        let digits = part.trim_start_matches('0');
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (digits.is_empty() || digits.parse::<u8>().is_ok())
    };
    parts.len() == 4 && parts.iter().all(fits)
}

fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let digits = !length.is_empty() && length.len() <= 3 && length.bytes().all(|byte| byte.is_ascii_digit());
    let length: u8 = length.parse().unwrap_or(u8::MAX);
    let v4 = address.parse::<Ipv4Addr>().is_ok() || sloppy_ipv4(address);
    digits && ((v4 && length <= 32) || (address.parse::<Ipv6Addr>().is_ok() && length <= 128))
}

/// A URI that is absolute or begins with a slash.
fn is_uri(text: &str) -> bool {
    if text.is_empty() || text.contains(|letter: char| letter.is_ascii_control() || letter == ' ') {
        return false;
    }
    if text.starts_with('/') {
        return well_escaped(text);
    }
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let named = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    if !named {
        return false;
    }
    let Some(authority) = rest.strip_prefix("//") else { return well_escaped(rest) };
    let end = authority.find(['/', '?']).unwrap_or(authority.len());
    let host = authority.get(..end).unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let port = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((_, port)) => port,
            None => return false,
        },
        None => host.find(':').and_then(|at| host.get(at..)).unwrap_or_default(),
    };
    let port_fits = port.is_empty()
        || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    port_fits && well_escaped(rest) && !host.contains(['<', '>', '"', '\\', '^', '`', '{', '}', '|'])
}

fn well_escaped(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let code = rest.get(..2).unwrap_or_default();
        code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// An address, bare or in angle brackets behind a name.
fn is_email(text: &str) -> bool {
    let text = text.trim();
    let address = match (text.find('<'), text.strip_suffix('>')) {
        (Some(open), Some(rest)) => rest.get(open + 1..).unwrap_or_default(),
        (None, None) => text,
        _ => return false,
    };
    let Some((local, domain)) = address.rsplit_once('@') else { return false };
    let atom = |text: &str| {
        !text.is_empty()
            && text.chars().all(|letter| {
                letter.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(letter) || !letter.is_ascii()
            })
    };
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let literal = domain.starts_with('[') && domain.ends_with(']');
    (quoted || local.split('.').all(atom)) && (literal || domain.split('.').all(atom))
}

fn is_hostname(text: &str) -> bool {
    matches(&HOSTNAME, text) && text.len() <= 255 && text.split('.').all(|label| label.len() <= 63)
}

fn is_mac(text: &str) -> bool {
    let pairs = |separator: char| {
        let parts: Vec<&str> = text.split(separator).collect();
        [6, 8, 20].contains(&parts.len())
            && parts.iter().all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let quads = || {
        let parts: Vec<&str> = text.split('.').collect();
        [3, 4, 10].contains(&parts.len())
            && parts.iter().all(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    pairs(':') || pairs('-') || quads()
}

fn is_isbn10(text: &str) -> bool {
    let digits: Vec<char> = text.chars().filter(|letter| !matches!(letter, '-' | ' ')).collect();
    let value = |letter: &char| if *letter == 'X' { Some(10) } else { letter.to_digit(10) };
    let plain = digits.iter().take(9).all(char::is_ascii_digit);
    let Some(values) = digits.iter().map(value).collect::<Option<Vec<u32>>>() else { return false };
    let sum: u32 = values.iter().zip(1..).map(|(digit, place)| digit * place).sum();
    values.len() == 10 && plain && sum.is_multiple_of(11)
}

fn is_isbn13(text: &str) -> bool {
    let digits = text.chars().filter(|letter| !matches!(letter, '-' | ' '));
    let Some(values) = digits.map(|letter| letter.to_digit(10)).collect::<Option<Vec<u32>>>() else {
        return false;
    };
    let sum: u32 =
        values.iter().enumerate().map(|(place, digit)| digit * if place % 2 == 0 { 1 } else { 3 }).sum();
    values.len() == 13 && sum.is_multiple_of(10)
}

fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let double = |(place, digit): (usize, u32)| match (place % 2, digit * 2) {
        (0, _) => digit,
        (_, twice) if twice > 9 => twice - 9,
        (_, twice) => twice,
    };
    let sum: u32 =
        digits.chars().rev().filter_map(|letter| letter.to_digit(10)).enumerate().map(double).sum();
    matches(&CREDIT_CARD, &digits) && sum.is_multiple_of(10)
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok() && text.as_bytes().get(4) == Some(&b'-')
}

fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let Some((date, time)) = lower.split_once('t') else { return false };
    let time = time.split('t').next().unwrap_or_default();
    let Some(found) = CLOCK.as_ref().and_then(|clock| clock.captures(time)) else { return false };
    let part = |index: usize| found.get(index).map_or("", |part| part.as_str());
    is_date(date) && part(1) <= "23" && part(2) <= "59" && part(3) <= "59"
}

/// Go's way of writing a length of time, or a number with the name of a unit.
fn is_duration(text: &str) -> bool {
    if crate::cel::parse_duration(text).is_some() {
        return true;
    }
    const UNITS: [&str; 21] = [
        "ns", "nano", "us", "µs", "micro", "ms", "milli", "s", "sec", "m", "min", "h", "hr", "hour", "d",
        "day", "w", "wk", "week", "", "",
    ];
    const OPEN: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        rest = rest.get(start..).unwrap_or_default();
        let unit = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let unit = unit.trim_start_matches(|letter: char| letter.is_ascii_whitespace());
        let end =
            unit.find(|letter: char| !letter.is_ascii_alphabetic() && letter != 'µ').unwrap_or(unit.len());
        let (word, after) = unit.split_at(end);
        let word = word.to_lowercase();
        let known = UNITS.contains(&word.as_str()) || OPEN.iter().any(|open| word.starts_with(open));
        if known && !word.is_empty() {
            return true;
        }
        rest = after;
    }
    false
}

fn is_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    let edge =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    edge(bytes.first())
        && edge(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}
