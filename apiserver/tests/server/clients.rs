//! Many clients at once, each in a thread of its own: every answer is as its own model has it, the counter they share loses no step, and
//! every watch sees each change once and in order.
//!
//! `MODEL_OPERATIONS` and `MODEL_SEED` make it longer, or the same again (but for the order in which threads run).

use std::{collections::BTreeMap, thread};

use kube_codegen_apiserver::{ApiServer, Controllers};
use serde_json::{Value, json};

use crate::http::{Watch, get, patch, send};

const CLIENTS: usize = 8;
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// What a watch shows of a change: its version, what it was, and of which object.
type Change = (u64, &'static str, String);

fn version(object: &Value) -> u64 {
    object["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap()
}

/// One client: what it believes of its own objects, and what it has changed.
struct Client<'a> {
    server: &'a ApiServer,
    name: String,
    random: fastrand::Rng,
    /// The data of each, and its version.
    own: BTreeMap<String, (u32, u64)>,
    changes: Vec<Change>,
    counted: u32,
}

impl Client<'_> {
    fn step(&mut self) {
        let name = format!("{}-{}", self.name, self.random.u8(..4));
        let path = format!("{MAPS}/{name}");
        let data = self.random.u32(..3);
        let known = self.own.get(&name).copied();
        match self.random.u8(..10) {
            0..=2 => {
                let body = json!({"metadata": {"name": name}, "data": {"n": data.to_string()}});
                let (code, answer) = send(self.server, "POST", MAPS, &body);
                assert_eq!(code, if known.is_some() { 409 } else { 201 });
                if known.is_none() {
                    self.wrote("ADDED", &name, data, &answer);
                }
            }
            3..=5 => {
                let (code, answer) = patch(self.server, &path, &json!({"data": {"n": data.to_string()}}));
                match known {
                    None => assert_eq!(code, 404),
                    Some((old, at)) if old == data => assert_eq!((code, version(&answer)), (200, at)),
                    Some(_) => self.wrote("MODIFIED", &name, data, &answer),
                }
            }
            6 => {
                let (code, _) = send(self.server, "DELETE", &path, &Value::Null);
                assert_eq!(code, if known.is_some() { 200 } else { 404 });
                if self.own.remove(&name).is_some() {
                    self.changes.push((0, "DELETED", name));
                }
            }
            7 => self.count(),
            _ => {
                let (code, answer) = get(self.server, &path);
                assert_eq!(code, if known.is_some() { 200 } else { 404 });
                if let Some((data, at)) = known {
                    assert_eq!((&answer["data"]["n"], version(&answer)), (&data.to_string().into(), at));
                }
            }
        }
    }

    fn wrote(&mut self, kind: &'static str, name: &str, data: u32, answer: &Value) {
        let at = version(answer);
        self.own.insert(name.to_owned(), (data, at));
        self.changes.push((at, kind, name.to_owned()));
    }

    /// Adds one to what all share, unless another was quicker.
    fn count(&mut self) {
        let path = format!("{MAPS}/shared");
        let (_, mut shared) = get(self.server, &path);
        let count: u32 = shared["data"]["count"].as_str().unwrap().parse().unwrap();
        shared["data"]["count"] = (count + 1).to_string().into();
        let (code, answer) = send(self.server, "PUT", &path, &shared);
        match code {
            200 => {
                self.counted += 1;
                self.changes.push((version(&answer), "MODIFIED", "shared".to_owned()));
            }
            code => assert_eq!(code, 409),
        }
    }
}

/// All that a watch shows.
fn seen(watch: &mut Watch) -> Vec<Change> {
    let change = |event: Value| {
        let kind = match event["type"].as_str().unwrap() {
            "ADDED" => "ADDED",
            "MODIFIED" => "MODIFIED",
            _ => "DELETED",
        };
        let name = event["object"]["metadata"]["name"].as_str().unwrap().to_owned();
        (version(&event["object"]), kind, name)
    };
    watch.drain().into_iter().map(change).collect()
}

#[tokio::test]
async fn clients_at_once_lose_nothing_and_watches_see_everything() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let operations = number("MODEL_OPERATIONS").unwrap_or(4_000);
    let seed = number("MODEL_SEED").unwrap_or_else(|| fastrand::u64(..));
    println!("MODEL_SEED={seed} MODEL_OPERATIONS={operations}");
    let server = ApiServer::builder().history(usize::MAX).controllers(Controllers::Off).build();
    send(&server, "POST", MAPS, &json!({"metadata": {"name": "shared"}, "data": {"count": "0"}}));
    let start = server.resource_version();
    let open = || Watch::open(&server, &format!("{MAPS}?watch=true&resourceVersion={start}"));
    let (mut early, server_ref) = (open(), &server);
    let clients: Vec<Client<'_>> = thread::scope(|scope| {
        let run = |index: usize| {
            let mut client = Client {
                server: server_ref,
                name: format!("client-{index}"),
                random: fastrand::Rng::with_seed(seed.wrapping_add(index as u64)),
                own: BTreeMap::new(),
                changes: Vec::new(),
                counted: 0,
            };
            (0..operations / CLIENTS as u64).for_each(|_| client.step());
            client
        };
        let threads: Vec<_> = (0..CLIENTS).map(|index| scope.spawn(move || run(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let counted: u32 = clients.iter().map(|client| client.counted).sum();
    assert_eq!(get(&server, &format!("{MAPS}/shared")).1["data"]["count"], counted.to_string());
    let shown = seen(&mut early);
    assert!(shown.is_sorted_by(|one, other| one.0 < other.0), "each change has its own version, in order");
    assert_eq!(shown, seen(&mut open()), "who comes late sees the same");
    for client in clients {
        // What a deletion's version is, only the watch says.
        let of = |change: &&Change| change.2.starts_with(&format!("{}-", client.name));
        let own = shown.iter().filter(of).map(|(at, kind, name)| match *kind {
            "DELETED" => (0, *kind, name.clone()),
            kind => (*at, kind, name.clone()),
        });
        let did = client.changes.iter().filter(of).cloned();
        assert_eq!(own.collect::<Vec<_>>(), did.collect::<Vec<_>>());
    }
    assert_eq!(shown.iter().filter(|change| change.2 == "shared").count(), counted as usize);
}
