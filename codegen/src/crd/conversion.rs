//! Conversion between versions: the service that a server asks.

use crate::naming::is_dns_label;
use serde::Deserialize;
use serde_json::{Value, json};
use std::str::FromStr;

/// The service that converts objects from one version to another: `namespace/name`, `namespace/name:port/path`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ConversionService {
    namespace: String,
    name: String,
    port: Option<u16>,
    path: String,
}

/// A text that names no service.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` names no service; write `namespace/name`, or `namespace/name:port/path`")]
pub struct ConversionServiceError {
    text: String,
}

/// The path on which controller-runtime answers.
const PATH: &str = "/convert";

impl FromStr for ConversionService {
    type Err = ConversionServiceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ConversionServiceError { text: text.to_owned() };
        let (namespace, rest) = text.split_once('/').ok_or_else(wrong)?;
        let (service, path) = match rest.find('/') {
            Some(at) => rest.split_at_checked(at).ok_or_else(wrong)?,
            None => (rest, PATH),
        };
        let (name, port) = match service.split_once(':') {
            Some((name, port)) => (name, Some(port.parse().map_err(|_not_a_port| wrong())?)),
            None => (service, None),
        };
        if !is_dns_label(namespace) || !is_dns_label(name) || port == Some(0) {
            return Err(wrong());
        }
        let (namespace, name, path) = (namespace.to_owned(), name.to_owned(), path.to_owned());
        Ok(Self { namespace, name, port, path })
    }
}

impl TryFrom<String> for ConversionService {
    type Error = ConversionServiceError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl ConversionService {
    /// `spec.conversion` of a definition. The certificate of whoever signed that of the service is put in by others.
    pub(super) fn to_value(&self) -> Value {
        let mut service = json!({ "namespace": self.namespace, "name": self.name, "path": self.path });
        if let (Some(port), Some(service)) = (self.port, service.as_object_mut()) {
            service.insert("port".to_owned(), Value::from(port));
        }
        json!({
            "strategy": "Webhook",
            "webhook": { "clientConfig": { "service": service }, "conversionReviewVersions": ["v1"] },
        })
    }
}
