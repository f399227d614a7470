//! What a definition leaves open.

use serde_json::{Value, json};

use crate::protocol::Fields;

/// Fills in the names, the conversion and the stored version.
pub(crate) fn set_defaults(object: &mut Fields) {
    if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
        if let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) {
            let kind = names.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
            let missing = |value: Option<&Value>| value.and_then(Value::as_str).is_none_or(str::is_empty);
            if missing(names.get("singular")) && !kind.is_empty() {
                names.insert("singular".to_owned(), kind.to_lowercase().into());
            }
            if missing(names.get("listKind")) && !kind.is_empty() {
                names.insert("listKind".to_owned(), format!("{kind}List").into());
            }
        }
        let conversion = spec.entry("conversion").or_insert_with(|| json!({"strategy": "None"}));
        // A webhook that says nothing is none where another strategy is chosen.
        let says_nothing = |webhook: &Value| {
            let reviews = webhook.get("conversionReviewVersions").and_then(Value::as_array);
            webhook.get("clientConfig").is_none() && reviews.is_none_or(Vec::is_empty)
        };
        if conversion.get("webhook").is_some_and(says_nothing)
            && let Some(members) = conversion.as_object_mut()
        {
            members.remove("webhook");
        }
        if let Some(service) =
            conversion.pointer_mut("/webhook/clientConfig/service").and_then(Value::as_object_mut)
        {
            service.entry("port").or_insert_with(|| 443.into());
        }
    }
    let storage = storage_version(object);
    let Some(storage) = storage else { return };
    let status = object.entry("status").or_insert_with(|| json!({}));
    let stored = status.get("storedVersions").and_then(Value::as_array);
    if stored.is_none_or(Vec::is_empty)
        && let Some(status) = status.as_object_mut()
    {
        status.insert("storedVersions".to_owned(), json!([storage]));
    }
}

/// The version in which objects are stored.
pub(crate) fn storage_version(object: &Fields) -> Option<String> {
    let versions = object.get("spec")?.get("versions")?.as_array()?;
    let storage = |version: &&Value| version.get("storage").and_then(Value::as_bool).unwrap_or_default();
    versions.iter().find(storage)?.get("name")?.as_str().map(str::to_owned)
}
