//! Objects in another version of their kind.

use std::{borrow::Cow, num::TryFromIntError, sync::Arc};

use kube::{
    Api,
    api::{ListParams, PostParams},
    core::NamespaceResourceScope,
};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    object::ObjectMeta,
    webhook::{CONVERT, Conversion},
};
use serde_json::{Value, json};

use super::support::{make, unserved};

/// A version of Lamps with one member.
macro_rules! lamp {
    ($module:ident, $version:literal, $member:ident: $type:ty) => {
        mod $module {
            use super::*;

            #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            pub(super) struct Lamp {
                pub(super) api_version: String,
                pub(super) kind: String,
                pub(super) metadata: ObjectMeta,
                pub(super) $member: $type,
            }

            impl kube::Resource for Lamp {
                type DynamicType = ();
                type Scope = NamespaceResourceScope;
                fn group((): &()) -> Cow<'_, str> {
                    "example.com".into()
                }
                fn version((): &()) -> Cow<'_, str> {
                    $version.into()
                }
                fn kind((): &()) -> Cow<'_, str> {
                    "Lamp".into()
                }
                fn plural((): &()) -> Cow<'_, str> {
                    "lamps".into()
                }
                fn meta(&self) -> &ObjectMeta {
                    &self.metadata
                }
                fn meta_mut(&mut self) -> &mut ObjectMeta {
                    &mut self.metadata
                }
            }
        }
    };
}

lamp!(alpha, "v1alpha1", watts: u16);
lamp!(stable, "v1", milliwatts: u32);

impl From<alpha::Lamp> for stable::Lamp {
    fn from(old: alpha::Lamp) -> Self {
        let alpha::Lamp { api_version, kind, metadata, watts } = old;
        Self { api_version, kind, metadata, milliwatts: u32::from(watts) * 1000 }
    }
}

impl TryFrom<stable::Lamp> for alpha::Lamp {
    type Error = TryFromIntError;

    fn try_from(new: stable::Lamp) -> Result<Self, Self::Error> {
        assert_ne!(new.milliwatts, 666_000, "a number that panics");
        let stable::Lamp { api_version, kind, metadata, milliwatts } = new;
        Ok(Self { api_version, kind, metadata, watts: u16::try_from(milliwatts / 1000)? })
    }
}

fn lamps() -> Conversion<stable::Lamp> {
    Conversion::hub().spoke::<alpha::Lamp>()
}

fn definition() -> Value {
    let version = |name: &str, storage: bool, member: &str| {
        let schema = json!({"type": "object", "properties": {member: {"type": "integer"}}});
        json!({"name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": schema}})
    };
    let client = json!({"url": "https://webhooks.test/convert"});
    let webhook = json!({"clientConfig": client, "conversionReviewVersions": ["v1"]});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "lamps.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "lamps", "kind": "Lamp", "listKind": "LampList"},
            "conversion": {"strategy": "Webhook", "webhook": webhook},
            "versions": [version("v1alpha1", true, "watts"), version("v1", false, "milliwatts")],
        },
    })
}

#[tokio::test]
async fn a_kind_is_served_in_both_versions() {
    let server = ApiServer::default();
    let webhooks = Arc::new(unserved().conversion(lamps()));
    server.webhook("https://webhooks.test/convert", move |review| {
        let webhooks = Arc::clone(&webhooks);
        async move { webhooks.answer(CONVERT, review).await }
    });
    make(&server.client(), ("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), definition()).await;
    let old: Api<alpha::Lamp> = Api::default_namespaced(server.client());
    let new: Api<stable::Lamp> = Api::default_namespaced(server.client());
    let lamp = |version: &str, member: Value| {
        let mut lamp = json!({"apiVersion": format!("example.com/{version}"), "kind": "Lamp", "metadata": {"name": version}});
        lamp.as_object_mut().unwrap().extend(member.as_object().unwrap().clone());
        lamp
    };
    let made = serde_json::from_value(lamp("v1", json!({"milliwatts": 60_000}))).unwrap();
    new.create(&PostParams::default(), &made).await.unwrap();
    let made = serde_json::from_value(lamp("v1alpha1", json!({"watts": 40}))).unwrap();
    old.create(&PostParams::default(), &made).await.unwrap();
    assert_eq!(old.get("v1").await.unwrap().watts, 60);
    let all = new.list(&ListParams::default()).await.unwrap();
    assert_eq!(all.items.iter().map(|lamp| lamp.milliwatts).collect::<Vec<_>>(), [60_000, 40_000]);
    assert!(all.items.iter().all(|lamp| lamp.api_version == "example.com/v1"));

    let mut bright = new.get("v1").await.unwrap();
    bright.milliwatts = 4_000_000_000;
    let error = new.replace("v1", &PostParams::default(), &bright).await.unwrap_err().to_string();
    let why = "cannot convert the Lamp \"v1\" from example.com/v1 to example.com/v1alpha1: out of range integral type conversion attempted";
    assert!(error.contains(why), "{error}");
}

#[tokio::test]
async fn what_cannot_be_converted_fails_with_the_reason() {
    let webhooks = unserved().conversion(lamps());
    let lamp = |version: &str, milliwatts: Value| json!({"apiVersion": version, "kind": "Lamp", "metadata": {"name": "l"}, "milliwatts": milliwatts});
    let good = || lamp("example.com/v1", 1000.into());
    for (desired, objects, wanted) in [
        (
            "example.com/v2",
            json!([good()]),
            "cannot convert the Lamp \"l\" from example.com/v1 to example.com/v2: example.com/v2 is not known; known are example.com/v1, example.com/v1alpha1",
        ),
        (
            "example.com/v1",
            json!([lamp("example.com/v3", 1.into())]),
            "no conversion is known for Lamp of example.com/v3",
        ),
        ("example.com/v1alpha1", json!([good(), {"kind": "Lamp"}]), "no conversion is known for Lamp of "),
        (
            "example.com/v1alpha1",
            json!([lamp("example.com/v1", "dark".into())]),
            "cannot convert the Lamp \"l\" from example.com/v1 to example.com/v1alpha1: invalid type: string \"dark\", expected u32",
        ),
        ("example.com/v1alpha1", json!({}), "the review has no list of objects"),
        (
            "example.com/v1alpha1",
            json!([lamp("example.com/v1", 666_000.into())]),
            "panic: assertion `left != right` failed: a number that panics\n  left: 666000\n right: 666000 [recovered]",
        ),
    ] {
        let request = json!({"uid": "u-2", "desiredAPIVersion": desired, "objects": objects});
        let review =
            json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request});
        let answer = webhooks.answer(CONVERT, review).await;
        let result = json!({"status": "Failure", "message": wanted});
        let response = json!({"uid": "u-2", "result": result, "convertedObjects": []});
        assert_eq!(
            answer,
            json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": response})
        );
    }
}
