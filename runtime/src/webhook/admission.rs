//! Admission: defaults and verdicts.
//!
//! In: an AdmissionReview. Out: the same with a response: allowed, with warnings or a patch, or denied with a `Status`.

use k8s_openapi::ByteString;
use kube::core::admission::{AdmissionRequest, Operation};
use serde::Serialize;
use serde_json::Value;

use super::{Denied, head::Head, patch};
use crate::object::Object;

/// Sentences that the client is shown, each in a `Warning` header; Kubernetes cuts those of more than 256 characters.
pub type Warnings = Vec<String>;

/// Fills in what a client left open: controller-runtime's `admission.Defaulter`.
pub trait Defaulter<K: Object>: Send + Sync + 'static {
    /// Changes an object that is created or updated. `request.object` is the object as it was sent; members that `K` does not know stay as
    /// they are.
    ///
    /// # Errors
    /// Why the object is not admitted.
    fn default(
        &self,
        object: &mut K,
        request: &AdmissionRequest<K>,
    ) -> impl Future<Output = Result<(), Denied>> + Send;
}

/// Says what is admitted: controller-runtime's `admission.Validator`. What is not overridden admits everything.
pub trait Validator<K: Object>: Send + Sync + 'static {
    /// About an object that is to be created.
    ///
    /// # Errors
    /// Why it is not admitted.
    fn validate_create(
        &self,
        new: &K,
        request: &AdmissionRequest<K>,
    ) -> impl Future<Output = Result<Warnings, Denied>> + Send {
        let _ = (new, request);
        std::future::ready(Ok(Warnings::new()))
    }

    /// About an object that is to be changed.
    ///
    /// # Errors
    /// Why the change is not admitted.
    fn validate_update(
        &self,
        old: &K,
        new: &K,
        request: &AdmissionRequest<K>,
    ) -> impl Future<Output = Result<Warnings, Denied>> + Send {
        let _ = (old, new, request);
        std::future::ready(Ok(Warnings::new()))
    }

    /// About an object that is to be deleted.
    ///
    /// # Errors
    /// Why it has to stay.
    fn validate_delete(
        &self,
        old: &K,
        request: &AdmissionRequest<K>,
    ) -> impl Future<Output = Result<Warnings, Denied>> + Send {
        let _ = (old, request);
        std::future::ready(Ok(Warnings::new()))
    }
}

/// What a response says beside its `uid`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Verdict {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Warnings,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<ByteString>,
}

/// Answers a review for a defaulter.
pub(super) async fn default<K: Object>(defaulter: &impl Defaulter<K>, review: Value) -> Value {
    let (head, request) = Head::split(review);
    head.answer(defaulted(defaulter, request).await)
}

async fn defaulted<K: Object>(defaulter: &impl Defaulter<K>, request: Value) -> Result<Verdict, Denied> {
    let sent = request["object"].clone();
    let request = read::<K>(request)?;
    let Some(before) = request.object.as_ref().filter(|_| request.operation != Operation::Delete) else {
        return Ok(Verdict::default());
    };
    let mut object = before.clone();
    defaulter.default(&mut object, &request).await?;
    let (before, after) = (written(before)?, written(&object)?);
    let patch = patch::between(&sent, &before, &after);
    if patch.0.is_empty() {
        return Ok(Verdict::default());
    }
    let patch = serde_json::to_vec(&patch).map_err(Denied::internal)?;
    Ok(Verdict { patch_type: Some("JSONPatch"), patch: Some(ByteString(patch)), ..Verdict::default() })
}

fn written<K: Object>(object: &K) -> Result<Value, Denied> {
    serde_json::to_value(object).map_err(Denied::internal)
}

/// Answers a review for a validator.
pub(super) async fn validate<K: Object>(validator: &impl Validator<K>, review: Value) -> Value {
    let (head, request) = Head::split(review);
    let verdict = validated(validator, request).await;
    head.answer(verdict.map(|warnings| Verdict { warnings, ..Verdict::default() }))
}

async fn validated<K: Object>(validator: &impl Validator<K>, request: Value) -> Result<Warnings, Denied> {
    let request = read::<K>(request)?;
    let (old, new) = (request.old_object.as_ref(), request.object.as_ref());
    match (&request.operation, old, new) {
        (Operation::Create, _, Some(new)) => validator.validate_create(new, &request).await,
        (Operation::Update, Some(old), Some(new)) => validator.validate_update(old, new, &request).await,
        (Operation::Delete, Some(old), _) => validator.validate_delete(old, &request).await,
        // Nothing is created, updated or deleted by opening a connection.
        (Operation::Connect, ..) => Ok(Warnings::new()),
        (operation, ..) => Err(Denied::bad_request(format!(
            "the review of a {operation:?} lacks the object that it is about"
        ))),
    }
}

/// The request of a review, if it is about this kind.
fn read<K: Object>(request: Value) -> Result<AdmissionRequest<K>, Denied> {
    let kind = |name: &str| request["kind"][name].as_str().unwrap_or_default().to_owned();
    let given = (kind("group"), kind("version"), kind("kind"));
    let own = (K::group(&()).into_owned(), K::version(&()).into_owned(), K::kind(&()).into_owned());
    if given != own {
        let named = |(group, version, kind): &(String, String, String)| match group.as_str() {
            "" => format!("{version}, Kind={kind}"),
            group => format!("{group}/{version}, Kind={kind}"),
        };
        return Err(Denied::bad_request(format!(
            "this webhook is for {}, and was asked about {}: check the rules of its configuration",
            named(&own),
            named(&given)
        )));
    }
    serde_json::from_value(request)
        .map_err(|error| Denied::bad_request(format!("the review cannot be read: {error}")))
}
