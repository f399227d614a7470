//! Less than the whole objects: their metadata alone, or all without the record of who owns which field.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::ConfigMap;
use kube::core::PartialObjectMeta;
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{ListStrategy, SharedInformer},
    object::ObjectKey,
    store::Storage,
};
use tokio_util::sync::CancellationToken;

use super::{
    network::{Fate, Kind, Network},
    support::{Hand, builder, settle, stored},
};

#[tokio::test(start_paused = true)]
async fn an_informer_of_metadata_is_sent_nothing_else() {
    for strategy in [ListStrategy::Streaming, ListStrategy::Paged] {
        for storage in [Storage::Decoded, Storage::Compact, Storage::Packed] {
            let network = Network::new(ApiServer::default());
            let hand = Hand::new(&network.server);
            hand.create("one", "1").await;
            hand.create("two", "2").await;
            let client =
                ResourceClient::<PartialObjectMeta<ConfigMap>>::namespaced(network.client(), "default");
            let informer =
                SharedInformer::builder(client.clone()).list_strategy(strategy).storage(storage).build();
            informer.start(&CancellationToken::new());
            informer.wait_for_sync().await.unwrap();
            let sent_as = |name: &str| {
                let object = informer.lister().get("default", name)?;
                let types = object.types.clone()?;
                Some((types.kind, object.metadata.uid.is_some()))
            };
            let metadata = || Some(("PartialObjectMetadata".to_owned(), true));
            // In pages servers leave the kind of each object out, or send it.
            if strategy == ListStrategy::Streaming {
                assert_eq!(sent_as("one"), metadata());
            }
            hand.update("one", "3").await;
            hand.delete("two").await;
            settle().await;
            assert_eq!(sent_as("one"), metadata());
            assert_eq!(informer.store().len(), 1);
            let one = client.get("one").await.unwrap();
            assert_eq!(one.types.unwrap().kind, "PartialObjectMetadata");
            let listed = client.list().await.unwrap();
            assert_eq!(listed.items[0].metadata.name.as_deref(), Some("one"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn managed_fields_can_be_left_out() {
    for storage in [Storage::Decoded, Storage::Compact, Storage::Packed] {
        let network = Network::new(ApiServer::default());
        let hand = Hand::new(&network.server);
        let created = hand.create("one", "1").await;
        assert!(created.metadata.managed_fields.is_some());
        let informer = builder(&network).storage(storage).drop_managed_fields().build();
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        let key = ObjectKey::new("default", "one");
        let mut expected = created;
        expected.metadata.managed_fields = None;
        assert_eq!(*informer.store().get(&key).unwrap(), expected);
        hand.update("one", "2").await;
        settle().await;
        assert_eq!(informer.store().get(&key).unwrap().metadata.managed_fields, None);
        assert_eq!(stored(&informer), hand.state().await);
    }
}

#[tokio::test(start_paused = true)]
async fn managed_fields_are_found_wherever_they_stand_and_however_they_are_written() {
    let metas = [
        r#"{"managedFields":[{"manager":"}],\""}],"name":"object","namespace":"default"}"#,
        r#"{"name":"object","managedFields":[],"namespace":"default"}"#,
        r#"{ "name" : "object" , "namespace" : "default" , "managedFields" : [ { } ] }"#,
        r#"{"name":"object","namespace":"default","managedFields":null}"#,
        r#"{"name":"object","namespace":"default","annotations":{"managedFields":"kept"}}"#,
    ];
    for (number, meta) in metas.iter().enumerate() {
        for order in [["metadata", "data"], ["data", "metadata"]] {
            let member = |name: &str| match name {
                "metadata" => format!(r#""metadata":{meta}"#),
                _ => r#""data":{"managedFields":"kept","value":"1"}"#.to_owned(),
            };
            let object = order.map(member).join(",");
            // The objects may stand before what the list says of itself.
            let list = format!(r#"{{"items":[{{{object}}}], "metadata":{{"resourceVersion":"5"}} }}"#);
            let network = Network::new(ApiServer::default());
            network.judge(move |seen| match seen.kind {
                Kind::List => Fate::Answer(list.clone()),
                _ => Fate::Silence,
            });
            for storage in [Storage::Decoded, Storage::Compact, Storage::Packed] {
                let informer = builder(&network)
                    .list_strategy(ListStrategy::Paged)
                    .storage(storage)
                    .drop_managed_fields()
                    .build();
                informer.start(&CancellationToken::new());
                informer.wait_for_sync().await.unwrap();
                let object = informer.store().get(&ObjectKey::new("default", "object")).unwrap();
                assert_eq!(object.metadata.managed_fields, None, "{meta}");
                assert_eq!(object.data.as_ref().unwrap()["managedFields"], "kept");
                let annotations = object.metadata.annotations.clone().unwrap_or_default();
                let kept = BTreeMap::from([("managedFields".to_owned(), "kept".to_owned())]);
                assert_eq!(annotations, if number == 4 { kept } else { BTreeMap::new() });
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_object_or_no_list_is_told_apart() {
    let list = r#"{"metadata":{"resourceVersion":"5"},"items":[7,{"metadata":{}},null,{"metadata":{"name":"one","namespace":"default"}}]}"#;
    for (body, stores, bad) in [(list, 1, 3), (&list[..list.len() - 1], 0, 0), (r#"{"kind":"Status"}"#, 0, 0)]
    {
        let network = Network::new(ApiServer::default());
        network.judge(move |seen| match seen.kind {
            Kind::List => Fate::Answer(body.to_owned()),
            _ => Fate::Silence,
        });
        let informer = builder(&network).list_strategy(ListStrategy::Paged).on_error(|_| ()).build();
        informer.start(&CancellationToken::new());
        settle().await;
        assert_eq!((informer.store().len(), informer.stats().bad_objects), (stores, bad), "{body}");
        assert_eq!(informer.has_synced(), stores == 1);
    }
}
