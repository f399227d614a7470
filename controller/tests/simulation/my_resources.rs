//! MyResource: the controller ends with what there is.

use std::time::Duration;

use kube_codegen_apiserver::testing::simulation::{Failure, Process, Trace, World, check, seeds};
use kube_codegen_runtime::{CancellationToken, controller::Controller};
use sample_apis::myresource::v1::MyResource;
use sample_client::{Clientset, SharedInformerFactory};
use sample_controller::{Handler, HandlerError, my_resource};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use crate::replica::simulation;

/// How many seeds are tried unless `SIMULATION_SEEDS` says otherwise.
const SEEDS: u64 = 700;

/// What a handler believes to be there, in its present life.
type Believed = Arc<Mutex<BTreeMap<String, String>>>;

struct Believer(Believed);

fn shown(object: &MyResource) -> (String, String) {
    (object.metadata.name.clone().unwrap_or_default(), object.spec.message.clone())
}

impl Handler<MyResource> for Believer {
    async fn created(&self, object: &Arc<MyResource>) -> Result<(), HandlerError> {
        let (name, message) = shown(object);
        match self.0.lock().unwrap().insert(name, message) {
            None => Ok(()),
            Some(before) => unreachable!("created twice: {before}"),
        }
    }

    async fn updated(&self, old: &Arc<MyResource>, new: &Arc<MyResource>) -> Result<(), HandlerError> {
        let (name, message) = shown(new);
        let before = self.0.lock().unwrap().insert(name, message);
        assert_eq!(before, Some(shown(old).1), "an update begins where the last one ended");
        Ok(())
    }

    async fn deleted(&self, last: &Arc<MyResource>) -> Result<(), HandlerError> {
        assert!(self.0.lock().unwrap().remove(&shown(last).0).is_some(), "deleted what was never there");
        Ok(())
    }
}

/// A process with the controller, whose handler begins with no belief.
async fn replica(process: Process, believed: Believed) {
    believed.lock().unwrap().clear();
    let clientset = Clientset::new(process.client());
    let factory = SharedInformerFactory::new(&clientset);
    let informer = factory.trstringer_v1().my_resources();
    let builder = Controller::builder("my-resource", &informer);
    let controller = my_resource::controller(builder, &informer, Believer(believed));
    factory.start(&CancellationToken::new());
    if let Err(error) = controller.run(CancellationToken::new()).await {
        process.note(&error.to_string());
    }
}

async fn story(world: World) -> Result<(), String> {
    let believed = Believed::default();
    world.start("one", {
        let believed = Arc::clone(&believed);
        move |process| replica(process, Arc::clone(&believed))
    });
    let objects = Clientset::new(world.client()).trstringer_v1().my_resources("default");
    for number in 0..30 {
        let name = format!("o{}", world.random(0..4));
        match objects.get(&name).await {
            Ok(_) if world.random(0..3) == 0 => drop(objects.delete(&name).await.unwrap()),
            Ok(mut object) => {
                object.spec.message = number.to_string();
                objects.update(&object).await.unwrap();
            }
            Err(_) => {
                let mut object = MyResource::default();
                object.metadata.name = Some(name);
                object.spec.message = number.to_string();
                objects.create(&object).await.unwrap();
            }
        }
        world.run_for(Duration::from_millis(world.random(0..6000))).await;
    }
    world.calm();
    world.run_for(Duration::from_secs(180)).await;
    world.run_until_idle().await?;
    let there: BTreeMap<_, _> = objects.list().await.unwrap().items.iter().map(shown).collect();
    let believed = believed.lock().unwrap().clone();
    if there == believed { Ok(()) } else { Err(format!("there is {there:?}, believed is {believed:?}")) }
}

fn run(seed: u64) -> Result<Trace, Box<Failure>> {
    simulation(seed).run(story)
}

#[test]
fn a_handler_ends_with_what_is_there() {
    if let Err(failure) = check(seeds(0..SEEDS), run) {
        unreachable!("{failure}");
    }
}
