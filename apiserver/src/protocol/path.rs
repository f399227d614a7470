//! `Target`: what a path asks for.
//!
//! In: the path of a URL. Out: which document, or which resource with namespace, name and subresource. It does not know which
//! resources exist.

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// `/`: the list of paths.
    Index,
    /// `/version`.
    Version,
    /// `/healthz`, `/livez` or `/readyz`, with the single check if one is named.
    Health { endpoint: String, check: Option<String> },
    /// `/api` or `/apis`.
    Groups { core: bool },
    /// `/apis/<group>`.
    Group { group: String },
    /// `/api/<version>` or `/apis/<group>/<version>`.
    Resources { group: String, version: String },
    /// Anything below a group version.
    Resource(ResourcePath),
    /// `/metrics`.
    Metrics,
    /// `/openapi/v2`.
    OpenApiV2,
    /// `/openapi/v3`: the paths of the documents.
    OpenApiIndex,
    /// `/openapi/v3/<path>`.
    OpenApiV3 { path: String },
    /// A path that no server knows.
    Unknown,
}

/// A path below a group version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourcePath {
    pub group: String,
    pub version: String,
    pub namespace: Option<String>,
    pub resource: String,
    pub name: Option<String>,
    pub subresource: Option<String>,
    /// Whether the old `/watch/` stands before the resource.
    pub watch: bool,
    /// Whether there is more path than a resource can have.
    pub excess: bool,
}

impl Target {
    /// Takes a path apart. Escapes are resolved before, so that an escaped slash is one, as with a real server.
    pub(crate) fn parse(path: &str) -> Self {
        let Some(rest) = path.strip_prefix('/') else {
            return Self::Unknown;
        };
        match rest {
            "openapi/v2" => return Self::OpenApiV2,
            "openapi/v3" => return Self::OpenApiIndex,
            "openapi/v2/" | "healthz/" | "livez/" | "readyz/" | "metrics/" => return Self::Unknown,
            "metrics" | "metrics/slis" => return Self::Metrics,
            _ => {}
        }
        if let Some(path) = rest.strip_prefix("openapi/v3/") {
            return Self::OpenApiV3 { path: path.to_owned() };
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return Self::Index;
        }
        let plain = unescape(rest);
        let texts: Vec<&str> = plain.split('/').collect();
        match texts.as_slice() {
            ["version"] => Self::Version,
            [endpoint @ ("healthz" | "livez" | "readyz"), check @ ..] => Self::Health {
                endpoint: (*endpoint).to_owned(),
                check: (!check.is_empty()).then(|| check.join("/")),
            },
            ["api"] => Self::Groups { core: true },
            ["apis"] => Self::Groups { core: false },
            ["apis", group] => Self::Group { group: (*group).to_owned() },
            ["api", version] => Self::Resources { group: String::new(), version: (*version).to_owned() },
            ["apis", group, version] => {
                Self::Resources { group: (*group).to_owned(), version: (*version).to_owned() }
            }
            ["api", version, rest @ ..] => Self::resource("", version, rest),
            ["apis", group, version, rest @ ..] => Self::resource(group, version, rest),
            _ => Self::Unknown,
        }
    }

    fn resource(group: &str, version: &str, segments: &[&str]) -> Self {
        let (watch, segments) = match segments {
            ["watch", rest @ ..] if !rest.is_empty() => (true, rest),
            other => (false, other),
        };
        let (namespace, segments) = match segments {
            ["namespaces", _, "status" | "finalize"] => (None, segments),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (Some((*namespace).to_owned()), rest),
            other => (None, other),
        };
        let part = |index: usize| segments.get(index).map(|text| (*text).to_owned());
        Self::Resource(ResourcePath {
            group: group.to_owned(),
            version: version.to_owned(),
            namespace,
            resource: part(0).unwrap_or_default(),
            name: part(1),
            subresource: part(2),
            watch,
            excess: segments.len() > 3,
        })
    }
}

/// Resolves `%xx`; what is no such escape stays as it is, as do bytes that make no UTF-8 (replaced).
pub(crate) fn unescape(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            out.push(high << 4 | low);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// A name as a path may hold it.
pub(crate) fn escaped_name(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:@!$&'()*+,;=".contains(&byte);
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
