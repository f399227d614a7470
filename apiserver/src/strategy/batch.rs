//! Jobs: the labels and the selector by which a job knows its pods.

use serde_json::Value;

use crate::protocol::Fields;

use super::{Strategy, at, child, set, text};

/// The strategy of jobs.
#[derive(Debug)]
pub(super) struct Jobs;

const UID: &str = "batch.kubernetes.io/controller-uid";

impl Strategy for Jobs {
    fn prepare_create(&self, object: &mut Fields) {
        if at(object, "spec.manualSelector") == Some(&Value::Bool(true)) {
            return;
        }
        let template = at(object, "spec.template.metadata.labels").cloned();
        // Labels that come from the template stay those of the template.
        let shared = template.is_some() && at(object, "metadata.labels") == template.as_ref();
        let (name, uid) = (text(object, "metadata.name").to_owned(), text(object, "metadata.uid").to_owned());
        let labels = ["spec", "template", "metadata", "labels"];
        let labels = labels.iter().try_fold(&mut *object, |members, name| child(members, name));
        if let Some(labels) = labels {
            for (key, value) in [
                ("job-name", &name),
                ("batch.kubernetes.io/job-name", &name),
                ("controller-uid", &uid),
                (UID, &uid),
            ] {
                labels.entry(key).or_insert_with(|| value.as_str().into());
            }
        }
        let selector = ["spec", "selector", "matchLabels"];
        if let Some(selector) = selector.iter().try_fold(&mut *object, |members, name| child(members, name)) {
            selector.entry(UID).or_insert_with(|| uid.as_str().into());
        }
        let own = at(object, "metadata.labels").and_then(Value::as_object);
        if (shared || own.is_none_or(|labels| labels.is_empty()))
            && let Some(labels) = at(object, "spec.template.metadata.labels").cloned()
        {
            set(object, "metadata.labels", labels);
        }
    }
}
