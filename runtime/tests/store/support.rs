//! Objects to store.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::{
    object::ObjectKey,
    store::{Entry, ResourceVersion, Writer},
};

pub(crate) fn object(namespace: &str, name: &str, value: &str) -> ConfigMap {
    let mut object = ConfigMap::default();
    object.metadata.namespace = Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty());
    object.metadata.name = Some(name.to_owned());
    object.metadata.labels = Some(BTreeMap::from([("value".to_owned(), value.to_owned())]));
    object.data = Some(BTreeMap::from([("value".to_owned(), value.to_owned())]));
    object
}

pub(crate) fn value(object: &ConfigMap) -> String {
    object.data.as_ref().and_then(|data| data.get("value")).cloned().unwrap()
}

/// The object as a packed entry.
pub(crate) fn packed(object: &ConfigMap) -> Entry<ConfigMap> {
    Entry::packed(&serde_json::to_vec(object).unwrap(), "", None)
}

/// Replaces everything.
pub(crate) fn relist(
    writer: &mut Writer<ConfigMap>,
    objects: impl IntoIterator<Item = ConfigMap>,
    version: &str,
) {
    let mut list = writer.replacement();
    for object in objects {
        list.put(ObjectKey::of(&object), object.into());
    }
    drop(writer.commit(list, ResourceVersion::from(version)));
}
