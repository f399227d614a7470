//! What has to be done before objects go.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    client::{Error, ResourceClient},
    controller::{Failure, Finalized, FinalizerError, Finalizers},
};
use parking_lot::Mutex;

use super::support::map;

const FIRST: &str = "example.com/first";
const SECOND: &str = "example.com/second";

/// The names of the clean-ups that were called, and those that are to fail.
#[derive(Clone, Default)]
struct Calls {
    called: Arc<Mutex<Vec<&'static str>>>,
    fail: Arc<Mutex<Vec<&'static str>>>,
}

impl Calls {
    fn finalizers(&self) -> Finalizers<ConfigMap> {
        let clean_up = |name: &'static str| {
            let calls = self.clone();
            move |_: Arc<ConfigMap>| {
                calls.called.lock().push(name);
                let fails = calls.fail.lock().contains(&name);
                async move { if fails { Err(Failure::passing(name)) } else { Ok(()) } }
            }
        };
        Finalizers::new().with(FIRST, clean_up(FIRST)).unwrap().with(SECOND, clean_up(SECOND)).unwrap()
    }

    fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.called.lock())
    }
}

async fn read(client: &ResourceClient<ConfigMap>) -> Arc<ConfigMap> {
    Arc::new(client.get("a").await.unwrap())
}

#[tokio::test]
async fn an_object_goes_when_all_is_done_that_stands_behind_its_finalizers() {
    let fake = Fake::new([], [map("a").into()]);
    let client = ResourceClient::<ConfigMap>::namespaced(fake.client(), "default");
    let calls = Calls::default();
    let finalizers = calls.finalizers();
    let mut foreign = ConfigMap::clone(&*read(&client).await);
    foreign.metadata.finalizers = Some(vec!["other.example.com/theirs".to_owned()]);
    client.update(&foreign).await.unwrap();

    let Finalized::Kept(kept) = finalizers.settle(&client, &read(&client).await).await.unwrap() else {
        unreachable!("it is to stay")
    };
    assert_eq!(kept.metadata.finalizers.as_ref().unwrap(), &["other.example.com/theirs", FIRST, SECOND]);
    let writes = fake.actions().len();
    assert_eq!(finalizers.settle(&client, &kept).await.unwrap(), Finalized::Kept(kept));
    assert_eq!((fake.actions().len(), calls.take()), (writes, vec![]), "nothing has to be done");

    client.delete("a").await.unwrap();
    *calls.fail.lock() = vec![FIRST];
    let failure = finalizers.settle(&client, &read(&client).await).await.unwrap_err();
    assert_eq!(failure.to_string(), FIRST);
    assert_eq!(calls.take(), [FIRST, SECOND], "one does not stand in the way of the others");
    let left = read(&client).await;
    assert_eq!(left.metadata.finalizers.as_ref().unwrap(), &["other.example.com/theirs", FIRST]);

    calls.fail.lock().clear();
    assert_eq!(finalizers.settle(&client, &left).await.unwrap(), Finalized::Going);
    assert_eq!(calls.take(), [FIRST]);
    let theirs = read(&client).await;
    assert_eq!(theirs.metadata.finalizers.as_ref().unwrap(), &["other.example.com/theirs"]);
    assert_eq!(finalizers.settle(&client, &theirs).await.unwrap(), Finalized::Going);
    assert!(calls.take().is_empty());
    let mut last = ConfigMap::clone(&*theirs);
    last.metadata.finalizers = None;
    client.update(&last).await.unwrap();
    assert!(matches!(client.get("a").await, Err(Error::NotFound(_))));
}

#[tokio::test]
async fn an_old_object_from_a_cache_is_a_conflict_and_nothing_is_lost() {
    let fake = Fake::new([], [map("a").into()]);
    let client = ResourceClient::<ConfigMap>::namespaced(fake.client(), "default");
    let calls = Calls::default();
    let old = read(&client).await;
    let mut newer = ConfigMap::clone(&*old);
    newer.data = Some([("changed".to_owned(), "meanwhile".to_owned())].into());
    client.update(&newer).await.unwrap();
    let failure = calls.finalizers().settle(&client, &old).await.unwrap_err();
    assert!(failure.is_conflict(), "{failure}");
    assert!(read(&client).await.data.is_some());
}

#[test]
fn names_have_a_domain_and_are_given_once() {
    let finalizers = || Finalizers::<ConfigMap>::new().with(FIRST, |_| async { Ok(()) });
    for name in ["bucket", "/bucket", "example.com/", ""] {
        let refused = Finalizers::<ConfigMap>::new().with(name, |_| async { Ok(()) }).unwrap_err();
        assert_eq!(refused, FinalizerError::Name(name.to_owned()));
    }
    let twice = finalizers().unwrap().with(FIRST, |_| async { Ok(()) }).unwrap_err();
    assert_eq!(twice.to_string(), "the finalizer \"example.com/first\" is there already");
}
