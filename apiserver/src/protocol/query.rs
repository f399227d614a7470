//! `Query`: the parameters of a URL, and the options that verbs read from them.
//!
//! In: the query text. Out: typed options, or the `Status` that a real server gives for what cannot be read. It knows no objects.

use super::{FieldError, ResourceName, Status, path::unescape};

/// The parameters of one request, in their order; the first of a name counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Splits a query text.
    pub(crate) fn parse(text: Option<&str>) -> Self {
        let pairs = text.unwrap_or_default().split('&');
        let decode = |text: &str| unescape(&text.replace('+', " "));
        Self(
            pairs
                .filter(|pair| !pair.is_empty())
                .map(|pair| {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (decode(name), decode(value))
                })
                .collect(),
        )
    }

    /// The value of a parameter, if it is there at all.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Every value of a parameter.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter; absent is empty.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// A truth value as upstream reads one: everything but `0` and `false` is true.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// A whole number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>, Status> {
        self.get(name).map(parse_int).transpose()
    }
}

/// Reads a number with the words of Go's parser for what is none.
pub(crate) fn parse_int(text: &str) -> Result<i64, Status> {
    text.parse().map_err(|_| Status::bad_request(number_error("ParseInt", text)))
}

pub(crate) fn number_error(function: &str, text: &str) -> String {
    // Numbers without a sign have none at all.
    let signed = function == "ParseInt";
    let digits = text.strip_prefix(['-', '+']).filter(|_| signed).unwrap_or(text);
    let why = if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        "value out of range"
    } else {
        "invalid syntax"
    };
    format!("strconv.{function}: parsing {}: {why}", super::field_error::quoted(text))
}

/// How a list relates to the version it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionMatch {
    NotOlderThan,
    Exact,
}

/// Options of list, watch and deletecollection.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListOptions {
    pub label_selector: String,
    pub field_selector: String,
    pub limit: usize,
    pub token: String,
    /// Empty where unset.
    pub resource_version: String,
    pub version_match: Option<VersionMatch>,
    pub watch: bool,
    pub bookmarks: bool,
    pub send_initial_events: Option<bool>,
    /// Negative: over before it begins.
    pub timeout_seconds: Option<i64>,
}

impl ListOptions {
    /// Reads and checks the options.
    pub(crate) fn read(query: &Query, watch_path: bool) -> Result<Self, Status> {
        let limit = query.number("limit")?.unwrap_or_default();
        let timeout = query.number("timeoutSeconds")?;
        let options = Self {
            label_selector: query.text("labelSelector").to_owned(),
            field_selector: query.text("fieldSelector").to_owned(),
            limit: usize::try_from(limit).unwrap_or_default(),
            token: query.text("continue").to_owned(),
            resource_version: query.text("resourceVersion").to_owned(),
            version_match: None,
            watch: watch_path || query.flag("watch").unwrap_or_default(),
            bookmarks: query.flag("allowWatchBookmarks").unwrap_or_default(),
            send_initial_events: query.flag("sendInitialEvents"),
            timeout_seconds: timeout,
        };
        options.check(query.text("resourceVersionMatch"))
    }

    fn check(mut self, version_match: &str) -> Result<Self, Status> {
        let mut errors = Vec::new();
        match (self.watch, self.send_initial_events) {
            (true, Some(_)) => self.check_initial_events(version_match, &mut errors),
            (true, None) if !version_match.is_empty() => errors.push(FieldError::forbidden(
                VERSION_MATCH,
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
            )),
            (true, None) => {}
            (false, _) => self.check_list(version_match, &mut errors),
        }
        if !errors.is_empty() {
            return Err(invalid_options("ListOptions", &errors));
        }
        self.version_match = match version_match {
            "Exact" => Some(VersionMatch::Exact),
            "NotOlderThan" => Some(VersionMatch::NotOlderThan),
            _ => None,
        };
        Ok(self)
    }

    fn check_list(&self, version_match: &str, errors: &mut Vec<FieldError>) {
        if self.send_initial_events.is_some() {
            errors
                .push(FieldError::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        if version_match.is_empty() {
            return;
        }
        if self.resource_version.is_empty() {
            errors.push(FieldError::forbidden(
                VERSION_MATCH,
                "resourceVersionMatch is forbidden unless resourceVersion is provided",
            ));
        }
        self.check_token(errors);
        if !["Exact", "NotOlderThan"].contains(&version_match) {
            errors.push(FieldError::not_supported(
                VERSION_MATCH,
                &version_match.into(),
                &["Exact", "NotOlderThan", ""],
            ));
        }
        if version_match == "Exact" && self.resource_version == "0" {
            errors.push(FieldError::forbidden(
                VERSION_MATCH,
                "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
            ));
        }
    }

    fn check_token(&self, errors: &mut Vec<FieldError>) {
        if !self.token.is_empty() {
            errors.push(FieldError::forbidden(
                VERSION_MATCH,
                "resourceVersionMatch is forbidden when continue is provided",
            ));
        }
    }

    fn check_initial_events(&self, version_match: &str, errors: &mut Vec<FieldError>) {
        if version_match != "NotOlderThan" {
            errors.push(FieldError::forbidden(
                VERSION_MATCH,
                "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
            ));
        }
        if !["", "NotOlderThan"].contains(&version_match) {
            errors.push(FieldError::not_supported(VERSION_MATCH, &version_match.into(), &["NotOlderThan"]));
        }
        self.check_token(errors);
    }
}

const VERSION_MATCH: &str = "resourceVersionMatch";

/// 422 about an options object of `meta.k8s.io`.
pub(crate) fn invalid_options(kind: &str, errors: &[FieldError]) -> Status {
    let kind = ResourceName { group: "meta.k8s.io", resource: kind };
    Status::invalid(kind, "", errors)
}
