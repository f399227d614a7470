//! The code of the testing guide.

use sample_apis::cnat::v1alpha1::At;

fn nightly() -> At {
    let mut at = At::default();
    at.metadata.name = Some("nightly".to_owned());
    at
}

#[tokio::test]
async fn the_fake() {
    // ANCHOR: fake
    let fake = sample_client::fake::Clientset::new([nightly().into()]);
    let ats = fake.clientset().cnat_v1alpha1().ats("default");
    let mut at = ats.get("nightly").await.unwrap();
    at.spec.command = "true".to_owned();
    ats.update(&at).await.unwrap();
    assert!(ats.update(&at).await.is_err(), "a conflict: it has changed since it was read");
    assert_eq!(fake.writes(), ["update ats default/nightly", "update ats default/nightly"]);
    // ANCHOR_END: fake
}

#[tokio::test]
async fn reactors() {
    let fake = sample_client::fake::Clientset::new([]);
    let ats = fake.clientset().cnat_v1alpha1().ats("default");
    // ANCHOR: reactors
    use kube_codegen_apiserver::Status;
    use kube_codegen_apiserver::testing::{Reaction, Verb};

    fake.react(Verb::Create, "ats", |_| Reaction::error(Status::too_many_requests(1)));
    let refused = ats.create(&nightly()).await.unwrap_err();
    assert_eq!(refused.retry_after(), Some(std::time::Duration::from_secs(1)));
    // ANCHOR_END: reactors
}

#[tokio::test]
async fn faults() {
    let fake = sample_client::fake::Clientset::new([]);
    let ats = fake.clientset().cnat_v1alpha1().ats("default");
    // ANCHOR: faults
    use kube_codegen_apiserver::testing::Verb;

    // The server does it, and the answer is lost.
    fake.faults().on(Verb::Create, "ats").times(1).lose_answer();
    assert!(ats.create(&nightly()).await.is_err());
    assert!(ats.get("nightly").await.is_ok());
    // Every open watch ends.
    fake.faults().cut_watches("*");
    // ANCHOR_END: faults
}

#[test]
fn a_simulation() {
    // ANCHOR: simulation
    use std::time::Duration;

    use kube_codegen_apiserver::testing::simulation::{Process, Simulation, World, check, seeds};
    use sample_client::{Clientset, fake};

    // A process, here with a loop of its own in place of a manager.
    async fn maker(process: Process) {
        let ats = Clientset::new(process.client()).cnat_v1alpha1().ats("default");
        loop {
            let _ = ats.create(&nightly()).await;
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
    }

    async fn story(world: World) -> Result<(), String> {
        world.start("one", maker);
        world.start("two", maker);
        world.run_for(Duration::from_secs(60)).await;
        world.calm();
        world.run_until_idle().await?;
        let ats = Clientset::new(world.client()).cnat_v1alpha1().ats("default");
        match ats.list().await.map_err(|error| error.to_string())?.items.len() {
            1 => Ok(()),
            ats => Err(format!("{ats} Ats")),
        }
    }

    let ran = check(seeds(0..5), |seed| {
        Simulation::new(seed).server(|server| server.register_all(fake::registrations())).run(story)
    });
    ran.unwrap();
    // ANCHOR_END: simulation
}
