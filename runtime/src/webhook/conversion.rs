//! Conversion: the objects of a kind in another of its versions.
//!
//! In: a ConversionReview. Out: the same with a response: all objects in the version that is wanted, in their order, or why not.

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    sync::Arc,
};

use kube::core::Status;
use serde_json::Value;

use super::head::Head;
use crate::object::Object;

/// The versions of a kind. One is the hub, which all others can be made from and turned into; they are its spokes.
///
/// ```
/// use kube_codegen_runtime::webhook::Conversion;
/// # macro_rules! lamp { ($module:ident, $version:literal, $member:ident: $type:ty) => {
/// #     mod $module {
/// #         #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
/// #         pub struct Lamp { pub metadata: kube_codegen_runtime::object::ObjectMeta, pub $member: $type }
/// #         impl kube::Resource for Lamp {
/// #             type DynamicType = ();
/// #             type Scope = kube::core::NamespaceResourceScope;
/// #             fn group(_: &()) -> std::borrow::Cow<'_, str> { "example.com".into() }
/// #             fn version(_: &()) -> std::borrow::Cow<'_, str> { $version.into() }
/// #             fn kind(_: &()) -> std::borrow::Cow<'_, str> { "Lamp".into() }
/// #             fn plural(_: &()) -> std::borrow::Cow<'_, str> { "lamps".into() }
/// #             fn meta(&self) -> &kube_codegen_runtime::object::ObjectMeta { &self.metadata }
/// #             fn meta_mut(&mut self) -> &mut kube_codegen_runtime::object::ObjectMeta { &mut self.metadata }
/// #         }
/// #     }
/// # } }
/// # lamp!(alpha, "v1alpha1", watts: u16);
/// # lamp!(stable, "v1", milliwatts: u32);
///
/// // alpha::Lamp has `watts`, stable::Lamp has `milliwatts`.
/// impl From<alpha::Lamp> for stable::Lamp {
///     fn from(old: alpha::Lamp) -> Self {
///         Self { metadata: old.metadata, milliwatts: u32::from(old.watts) * 1000 }
///     }
/// }
///
/// impl TryFrom<stable::Lamp> for alpha::Lamp {
///     type Error = std::num::TryFromIntError;
///
///     fn try_from(new: stable::Lamp) -> Result<Self, Self::Error> {
///         Ok(Self { metadata: new.metadata, watts: u16::try_from(new.milliwatts / 1000)? })
///     }
/// }
///
/// let lamps = Conversion::<stable::Lamp>::hub().spoke::<alpha::Lamp>();
/// # let _ = lamps;
/// ```
#[must_use]
pub struct Conversion<Hub> {
    /// By `apiVersion`; the hub is one of them.
    versions: BTreeMap<String, Version<Hub>>,
}

/// One version.
struct Version<Hub> {
    read: Box<dyn Fn(Value) -> Result<Hub, String> + Send + Sync>,
    write: Box<dyn Fn(Hub) -> Result<Value, String> + Send + Sync>,
}

impl<Hub: Object> Conversion<Hub> {
    /// The hub alone.
    pub fn hub() -> Self {
        let hub = Version { read: Box::new(read::<Hub>), write: Box::new(|hub| write(&hub)) };
        Self { versions: BTreeMap::from([(Hub::api_version(&()).into_owned(), hub)]) }
    }

    /// With another version of the same kind.
    pub fn spoke<K>(mut self) -> Self
    where
        K: Object + TryFrom<Hub>,
        Hub: TryFrom<K>,
        <K as TryFrom<Hub>>::Error: Display,
        <Hub as TryFrom<K>>::Error: Display,
    {
        let version = Version {
            read: Box::new(|value| Hub::try_from(read::<K>(value)?).map_err(|error| error.to_string())),
            write: Box::new(|hub| write(&K::try_from(hub).map_err(|error| error.to_string())?)),
        };
        self.versions.insert(K::api_version(&()).into_owned(), version);
        self
    }
}

fn read<K: Object>(value: Value) -> Result<K, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn write<K: Object>(object: &K) -> Result<Value, String> {
    let mut value = serde_json::to_value(object).map_err(|error| error.to_string())?;
    if let Value::Object(members) = &mut value {
        members.insert("apiVersion".to_owned(), K::api_version(&()).into());
        members.insert("kind".to_owned(), K::kind(&()).into());
    }
    Ok(value)
}

/// The versions of some kind.
pub(super) trait Converts: Send + Sync {
    /// Whether it is about objects of this kind in this version.
    fn knows(&self, api_version: &str, kind: &str) -> bool;

    /// An object in another version.
    fn convert(&self, object: Value, desired: &str) -> Result<Value, String>;
}

impl<Hub: Object> Converts for Conversion<Hub> {
    fn knows(&self, api_version: &str, kind: &str) -> bool {
        kind == Hub::kind(&()) && self.versions.contains_key(api_version)
    }

    fn convert(&self, object: Value, desired: &str) -> Result<Value, String> {
        let given = text(&object, "apiVersion").to_owned();
        let version = |wanted: &str| {
            let known = || self.versions.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            self.versions.get(wanted).ok_or_else(|| format!("{wanted} is not known; known are {}", known()))
        };
        let (from, to) = (version(&given)?, version(desired)?);
        if given == desired {
            return Ok(object);
        }
        (to.write)((from.read)(object)?)
    }
}

impl<Hub> fmt::Debug for Conversion<Hub> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.versions.keys()).finish()
    }
}

/// Answers a review.
pub(super) fn convert(kinds: &[Arc<dyn Converts>], review: Value) -> Value {
    let (head, request) = Head::split(review);
    head.converted(converted(kinds, request))
}

/// An outcome as responses tell it.
pub(super) fn told(outcome: Result<Vec<Value>, String>) -> (Status, Vec<Value>) {
    match outcome {
        Ok(objects) => (Status::success(), objects),
        Err(why) => (Status::failure(&why, ""), Vec::new()),
    }
}

fn converted(kinds: &[Arc<dyn Converts>], mut request: Value) -> Result<Vec<Value>, String> {
    let desired = text(&request, "desiredAPIVersion").to_owned();
    let Some(Value::Array(objects)) = request.get_mut("objects").map(Value::take) else {
        return Err("the review has no list of objects".to_owned());
    };
    let one = |object: Value| {
        let (api_version, kind) = (text(&object, "apiVersion").to_owned(), text(&object, "kind").to_owned());
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let found = kinds.iter().find(|versions| versions.knows(&api_version, &kind));
        let found = found.ok_or_else(|| format!("no conversion is known for {kind} of {api_version}"))?;
        found.convert(object, &desired).map_err(|why| {
            format!("cannot convert the {kind} {name:?} from {api_version} to {desired}: {why}")
        })
    };
    objects.into_iter().map(one).collect()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
