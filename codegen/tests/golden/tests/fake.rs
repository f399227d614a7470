//! The generated clients over their fakes: names, scopes and verbs reach the server as registered.

use golden_cases::{
    cluster_scope, irregular_plurals, keywords, kube_derive, same_first_label, several_versions,
};
use kube::core::ObjectMeta;

fn named(name: &str) -> ObjectMeta {
    ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() }
}

#[tokio::test]
async fn c041_groups_with_one_first_label_reach_different_paths() {
    use same_first_label::{expected, input};
    let fake = expected::fake::Clientset::new([]);
    let clientset = fake.clientset();
    let first = input::policy::v1::Rule { metadata: named("one"), ..Default::default() };
    let second = input::other_policy::v1::Rule { metadata: named("two"), ..Default::default() };
    clientset.policy_v1().rules("default").create(&first).await.unwrap();
    clientset.other_policy_v1().rules("default").create(&second).await.unwrap();
    assert_eq!(clientset.policy_v1().rules("default").list().await.unwrap().items.len(), 1);
    assert_eq!(clientset.other_policy_v1().rules("default").list().await.unwrap().items.len(), 1);
    assert!(clientset.policy_v1().rules("default").get("two").await.is_err());
}

#[tokio::test]
async fn c023_plurals_are_those_of_the_registration_everywhere() {
    use irregular_plurals::{expected, input::family::v1};
    let fake = expected::fake::Clientset::new([
        v1::Gateway {
            metadata: ObjectMeta { namespace: Some("default".to_owned()), ..named("g") },
            ..Default::default()
        }
        .into(),
        v1::Sheep {
            metadata: ObjectMeta { namespace: Some("default".to_owned()), ..named("dolly") },
            ..Default::default()
        }
        .into(),
    ]);
    let family = fake.clientset().family_v1();
    assert_eq!(family.gateways("default").list().await.unwrap().items.len(), 1);
    family.children("default").list().await.unwrap();
    family.indices("default").list().await.unwrap();
    family.sheep("default").get("dolly").await.unwrap();
    assert_eq!(
        fake.actions(),
        ["list gateways default", "list children default", "list indices default", "get flock default/dolly"]
    );
}

#[tokio::test]
async fn cluster_scoped_kinds_take_no_namespace() {
    use cluster_scope::{expected, input::cluster::v1::Zone};
    let fake = expected::fake::Clientset::new([Zone { metadata: named("eu"), ..Default::default() }.into()]);
    let zones = fake.clientset().cluster_v1().zones();
    let mut zone = zones.get("eu").await.unwrap();
    zone.status = Some(Default::default());
    zones.update_status(&zone).await.unwrap();
    assert_eq!(fake.actions(), ["get zones eu", "update zones/status eu"]);
}

#[tokio::test]
async fn kinds_with_the_names_of_our_own_types_work() {
    use keywords::{expected, input::r#type::v1};
    let fake = expected::fake::Clientset::new([]);
    let types = fake.clientset().type_v1();
    types
        .results("default")
        .create(&v1::Result { metadata: named("r"), ..Default::default() })
        .await
        .unwrap();
    types
        .clients("default")
        .create(&v1::Client { metadata: named("c"), ..Default::default() })
        .await
        .unwrap();
    types
        .endpoints("default")
        .create(&v1::Endpoints { metadata: named("e"), ..Default::default() })
        .await
        .unwrap();
    types.types("default").create(&v1::Type { metadata: named("t"), ..Default::default() }).await.unwrap();
    assert_eq!(
        fake.actions(),
        [
            "create results default/r",
            "create clients default/c",
            "create endpoints default/e",
            "create types default/t"
        ]
    );
}

#[tokio::test]
async fn plurals_of_kubes_derive_are_kept() {
    use kube_derive::{
        expected,
        input::derived::v1::{Tenant, TenantSpec},
    };
    let fake = expected::fake::Clientset::new([]);
    let tenant = Tenant::new("t", TenantSpec::default());
    fake.clientset().derived_v1().tenants().create(&tenant).await.unwrap();
    assert_eq!(fake.actions(), ["create tenantry t"]);
}

#[tokio::test]
async fn a_seed_is_found_through_the_informer_and_its_lister() {
    use cluster_scope::{expected, input::cluster::v1::Zone};
    use several_versions::expected as several;
    let fake = expected::fake::Clientset::new([Zone { metadata: named("eu"), ..Default::default() }.into()]);
    let factory = expected::SharedInformerFactory::new(&fake.clientset());
    let zones = factory.cluster_v1().zones();
    let stop = tokio_util::sync::CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync().await.unwrap();
    assert!(zones.lister().get("eu").is_some() && zones.lister().get("us").is_none());
    stop.cancel();
    let all = several::fake::Clientset::new([]);
    let _three =
        (all.clientset().multi_v1(), all.clientset().multi_v1beta1(), all.clientset().multi_v1alpha1());
}
