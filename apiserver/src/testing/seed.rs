//! `Seed`: an object that a fake holds from the start.

use std::fmt;

use kube::Resource;
use serde::Serialize;
use serde_json::Value;

use crate::Status;

/// An object that a fake holds from the start, made from any typed object.
///
/// It is stored as it is: with its status, uid, times and managed fields where it has them.
#[derive(Clone, Debug)]
pub struct Seed {
    pub(super) name: String,
    pub(super) object: Result<Value, Status>,
}

impl<K> From<K> for Seed
where
    K: Resource<DynamicType = ()> + Serialize,
{
    fn from(object: K) -> Self {
        let meta = object.meta();
        let name = meta.name.as_deref().unwrap_or("(without a name)");
        let name = match &meta.namespace {
            Some(namespace) => format!("{} {namespace}/{name}", K::kind(&())),
            None => format!("{} {name}", K::kind(&())),
        };
        let value = serde_json::to_value(&object).map_err(Status::internal);
        let object = value.map(|mut value| {
            if let Value::Object(fields) = &mut value {
                fields.insert("apiVersion".to_owned(), K::api_version(&()).into());
                fields.insert("kind".to_owned(), K::kind(&()).into());
            }
            value
        });
        Self { name, object }
    }
}

impl Seed {
    /// An object as JSON, with its `apiVersion` and `kind`.
    #[must_use]
    pub fn json(object: Value) -> Self {
        let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let name = format!("{} {}/{}", text("/kind"), text("/metadata/namespace"), text("/metadata/name"));
        Self { name, object: Ok(object) }
    }
}

/// Why seeds could not be stored: one line each.
#[derive(Debug, thiserror::Error)]
pub struct SeedError {
    pub(super) refused: Vec<(String, Status)>,
}

impl SeedError {
    /// What is wrong, seed by seed, each with its kind and name.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &Status)> {
        self.refused.iter().map(|(name, status)| (name.as_str(), status))
    }
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fake cannot hold what it was made with:")?;
        for (name, status) in &self.refused {
            write!(f, "\n  {name}: {}", status.message())?;
        }
        Ok(())
    }
}
