//! Makes `apiserver/data/openapi.bin` out of the OpenAPI documents of a real API server.
//!
//! `cargo run -p kube-codegen-apiserver --example openapi_data -- DOCUMENTS apiserver/data/openapi.bin`. DOCUMENTS holds the bodies of
//! `/openapi/v3` as `index.json`, of `/openapi/v3/<path>` as `<path with dashes>.json`, of `/openapi/v2` as `openapi-v2.json`, and the two
//! templates `template-v3.json` and `template-v2.json`: what the server says about `data/template-crds.yaml` (of v2 only the members
//! `paths` and `definitions` that these definitions add). Each document is written down so that its text can be made again to the byte;
//! the hashes of the index are checked. Needed only when Kubernetes moves on.
//!
//! The file: a little-endian u32, the length of the index; the index, deflated JSON; then the sections, each deflated on its own. The
//! first section holds the nodes that more than one document has, the others those of one document. A section: a little-endian u32, the
//! length of its structure; the structure; the texts. The structure is a row of variable-length numbers: for each node `n << 2 | kind`,
//! then, for arrays (kind 1) and objects (kind 2), n references; a reference is `shared << 1 | 1`, or `distance back << 1` within the
//! section. A leaf (kind 0) is n bytes of the texts. Keys of objects are leaves.

use std::{collections::BTreeMap, collections::HashMap, error::Error, fmt, fs, io::Write, path::Path};

use flate2::{Compression, write::DeflateEncoder};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: openapi_data DOCUMENTS OUTPUT".into());
    };
    let folder = Path::new(&folder);
    let index: Value = serde_json::from_slice(&fs::read(folder.join("index.json"))?)?;
    let mut documents: Vec<(String, String)> = Vec::new();
    for (path, entry) in index["paths"].as_object().into_iter().flatten() {
        let file = folder.join(format!("{}.json", path.replace('/', "-")));
        let hash = sha512(&fs::read(&file)?);
        if !entry["serverRelativeURL"].as_str().unwrap_or_default().ends_with(&hash) {
            return Err(format!("{} is not the document of the index", file.display()).into());
        }
        documents.push((path.clone(), fs::read_to_string(&file)?));
    }
    for name in ["openapi-v2", "template-v2", "template-v3"] {
        documents.push((name.to_owned(), fs::read_to_string(folder.join(format!("{name}.json")))?));
    }
    let packed = pack(&documents)?;
    fs::write(&output, &packed)?;
    let raw: usize = documents.iter().map(|(_, text)| text.len()).sum();
    writeln!(std::io::stdout(), "{} documents, {raw} bytes, packed {}", documents.len(), packed.len())?;
    Ok(())
}

fn sha512(text: &[u8]) -> String {
    Sha512::digest(text).iter().map(|byte| format!("{byte:02X}")).collect()
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    Leaf(String),
    Array(Vec<usize>),
    /// Key, value, key, value.
    Object(Vec<usize>),
}

/// Every different node once.
#[derive(Default)]
struct Nodes {
    all: Vec<Node>,
    known: HashMap<Node, usize>,
    /// Which document uses a node; none once there are several.
    owner: Vec<Option<usize>>,
    document: usize,
    /// Whether the document writes what means something to HTML as escapes: v3 does, v2 does not.
    escapes: bool,
}

impl Nodes {
    fn add(&mut self, node: Node) -> usize {
        let next = self.all.len();
        let id = *self.known.entry(node.clone()).or_insert(next);
        if id == next {
            self.all.push(node);
            self.owner.push(Some(self.document));
        }
        if self.owner.get(id) != Some(&Some(self.document)) {
            self.share(id);
        }
        id
    }

    fn share(&mut self, id: usize) {
        if let Some(owner @ Some(_)) = self.owner.get_mut(id) {
            *owner = None;
            if let Some(Node::Array(parts) | Node::Object(parts)) = self.all.get(id).cloned() {
                parts.into_iter().for_each(|part| self.share(part));
            }
        }
    }

    fn text(&mut self, text: &str) -> usize {
        let plain = serde_json::to_string(text).unwrap_or_default();
        if !self.escapes {
            return self.add(Node::Leaf(plain));
        }
        let escaped = plain.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        self.add(Node::Leaf(escaped))
    }
}

struct Reader<'a>(&'a mut Nodes);

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<usize, E> {
        Ok(self.0.add(Node::Leaf("null".into())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<usize, E> {
        Ok(self.0.add(Node::Leaf(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<usize, E> {
        Ok(self.0.add(Node::Leaf(value.to_string())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<usize, E> {
        Ok(self.0.add(Node::Leaf(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<usize, E> {
        Ok(self.0.add(Node::Leaf(value.to_string())))
    }

    fn visit_str<E>(self, value: &str) -> Result<usize, E> {
        Ok(self.0.text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = items.next_element_seed(Reader(self.0))? {
            ids.push(id);
        }
        Ok(self.0.add(Node::Array(ids)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<usize, A::Error> {
        let mut ids = Vec::new();
        while let Some(key) = members.next_key::<String>()? {
            ids.push(self.0.text(&key));
            ids.push(members.next_value_seed(Reader(self.0))?);
        }
        Ok(self.0.add(Node::Object(ids)))
    }
}

fn pack(documents: &[(String, String)]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut nodes = Nodes::default();
    for (index, (name, text)) in documents.iter().enumerate() {
        nodes.document = index;
        nodes.escapes = !name.ends_with("-v2");
        Reader(&mut nodes).deserialize(&mut serde_json::Deserializer::from_str(text))?;
    }
    let owned = |owner: Option<usize>| -> Vec<usize> {
        (0..nodes.all.len()).filter(|id| nodes.owner.get(*id) == Some(&owner)).collect()
    };
    let ids = owned(None);
    let shared: HashMap<usize, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let mut body = section(&nodes, &ids, &HashMap::new())?;
    let mut places = BTreeMap::new();
    let first = body.len();
    for (index, (name, text)) in documents.iter().enumerate() {
        let packed = section(&nodes, &owned(Some(index)), &shared)?;
        places.insert(name, json!([sha512(text.as_bytes()), body.len(), packed.len(), text.len()]));
        body.extend(packed);
    }
    let head = deflate(&serde_json::to_vec(&json!({ "shared": first, "documents": places }))?)?;
    let mut all = u32::try_from(head.len())?.to_le_bytes().to_vec();
    all.extend(head);
    all.extend(body);
    Ok(all)
}

fn section(nodes: &Nodes, ids: &[usize], shared: &HashMap<usize, usize>) -> Result<Vec<u8>, Box<dyn Error>> {
    let local: HashMap<usize, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let (mut structure, mut texts) = (Vec::new(), Vec::new());
    for (place, id) in ids.iter().enumerate() {
        let node = nodes.all.get(*id).ok_or("a node is missing")?;
        let (kind, parts) = match node {
            Node::Leaf(text) => {
                number(&mut structure, text.len() << 2);
                texts.extend_from_slice(text.as_bytes());
                continue;
            }
            Node::Array(parts) => (1, parts),
            Node::Object(parts) => (2, parts),
        };
        number(&mut structure, parts.len() << 2 | kind);
        for part in parts {
            number(
                &mut structure,
                match (local.get(part), shared.get(part)) {
                    (Some(other), _) => (place - other) << 1,
                    (None, Some(other)) => other << 1 | 1,
                    (None, None) => return Err("a part is in no section".into()),
                },
            );
        }
    }
    let mut all = u32::try_from(structure.len())?.to_le_bytes().to_vec();
    all.extend(structure);
    all.extend(texts);
    deflate(&all)
}

fn number(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(u8::try_from(value & 0x7f).unwrap_or_default() | 0x80);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap_or_default());
}

fn deflate(data: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}
