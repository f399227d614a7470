//! The code of the book's guides, compiled and run; and every page, link and piece of code that the book names is there.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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

#[tokio::test]
async fn plain_kube() {
    // ANCHOR: plain_kube
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::api::{Api, ListParams};
    use kube_codegen_apiserver::ApiServer;

    let client: kube::Client = ApiServer::builder().build().client();
    let maps: Api<ConfigMap> = Api::default_namespaced(client);
    assert!(maps.list(&ListParams::default()).await.unwrap().items.is_empty());
    // ANCHOR_END: plain_kube
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs")
}

/// The pages, by their names.
fn pages() -> Vec<(String, String)> {
    let entries = fs::read_dir(docs()).unwrap().map(|entry| entry.unwrap().path());
    let pages = entries.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// What stands between two marks, each time.
fn between<'t>(text: &'t str, start: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(start).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

#[test]
fn every_page_stands_in_the_summary() {
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let named: BTreeSet<String> = between(&summary, "](", ")").map(str::to_owned).collect();
    let there: BTreeSet<String> =
        pages().into_iter().map(|(name, _)| name).filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(named, there);
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = pages();
    let root = docs().parent().unwrap().to_owned();
    all.push(("../README.md".to_owned(), fs::read_to_string(root.join("README.md")).unwrap()));
    let mut lost = Vec::new();
    for (page, text) in all {
        let folder = docs().join(&page).parent().unwrap().to_owned();
        for link in between(&text, "](", ")") {
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = file.contains("://") || file.is_empty() || file.contains(' ');
            if !is_elsewhere && !folder.join(file).exists() {
                lost.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn every_piece_of_code_that_is_included_is_there() {
    for (page, text) in pages() {
        for include in between(&text, "{{#include ", "}}") {
            let (file, anchor) = include.split_once(':').unwrap();
            let code = fs::read_to_string(docs().join(file)).unwrap();
            assert!(code.contains(&format!("// ANCHOR: {anchor}\n")), "{page}: {include}");
        }
    }
}
