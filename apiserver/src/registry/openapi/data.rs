//! The documents of the built-in kinds, out of `data/openapi.bin`.
//!
//! In: the name of a document. Out: its JSON text, to the byte what a real server sends, whole or member by member. The file was made by
//! `cargo run --example openapi_data`, where its form is written down: the nodes that several documents have in common stand in one
//! section, which is unpacked when the first document is asked for, and those of one document in a section of its own. Nothing of it is
//! parsed as JSON.

use std::{collections::BTreeMap, io::Read, sync::LazyLock, sync::OnceLock};

use bytes::Bytes;
use serde::Deserialize;

static DATA: &[u8] = include_bytes!("../../../data/openapi.bin");
static INDEX: LazyLock<Index> = LazyLock::new(|| Index::load().unwrap_or_default());

#[derive(Default)]
struct Index {
    shared: Section,
    documents: BTreeMap<String, Document>,
}

/// One document.
#[derive(Default)]
pub(super) struct Document {
    /// The SHA-512 of its text, in upper-case hexadecimal digits.
    pub(super) hash: String,
    packed: &'static [u8],
    length: usize,
    text: OnceLock<Bytes>,
}

#[derive(Default, Deserialize)]
struct Head {
    /// The length of the first section.
    shared: usize,
    /// Hash, start, length, and the length of the text.
    documents: BTreeMap<String, (String, usize, usize, usize)>,
}

impl Index {
    fn load() -> Option<Self> {
        let (length, rest) = DATA.split_first_chunk::<4>()?;
        let (head, body) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let head: Head = serde_json::from_slice(&inflate(head)?).ok()?;
        let document = |(name, (hash, start, packed, length)): (String, (String, usize, usize, usize))| {
            let packed = body.get(start..start + packed).unwrap_or_default();
            (name, Document { hash, packed, length, text: OnceLock::new() })
        };
        Some(Self {
            shared: Section::unpack(body.get(..head.shared)?)?,
            documents: head.documents.into_iter().map(document).collect(),
        })
    }
}

/// The documents of `/openapi/v3`, by their paths (`apis/apps/v1`).
pub(super) fn documents() -> impl Iterator<Item = (&'static str, &'static Document)> {
    let own = |name: &str| name.starts_with("template-") || name == "openapi-v2";
    INDEX
        .documents
        .iter()
        .filter(move |(name, _)| !own(name))
        .map(|(name, document)| (name.as_str(), document))
}

/// A document by its name.
pub(super) fn document(name: &str) -> Option<&'static Document> {
    INDEX.documents.get(name)
}

impl Document {
    /// The whole text; made once.
    pub(super) fn text(&self) -> Bytes {
        self.text
            .get_or_init(|| {
                let mut out = Vec::with_capacity(self.length);
                if let Some(section) = Section::unpack(self.packed) {
                    section.write(section.root(), &mut out);
                }
                Bytes::from(out)
            })
            .clone()
    }

    /// The members of the object at `path`, as keys and texts, in their order.
    pub(super) fn members(&self, path: &[&str]) -> Vec<(String, String)> {
        let Some(section) = Section::unpack(self.packed) else { return Vec::new() };
        let mut place = Some((&section, section.root()));
        for name in path {
            place = place.and_then(|(section, node)| section.member(node, name));
        }
        let Some((section, node)) = place.map(|(section, node)| section.resolve(node)) else {
            return Vec::new();
        };
        section.pairs(node).map(|(key, value)| (section.key(key), section.text(value))).collect()
    }
}

/// The nodes of one section.
#[derive(Default)]
struct Section {
    nodes: Vec<Node>,
    parts: Vec<Reference>,
    texts: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Node {
    kind: Kind,
    /// Into the texts for a leaf, else into the parts.
    start: u32,
    length: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Leaf,
    Array,
    Object,
}

#[derive(Clone, Copy)]
enum Reference {
    Shared(u32),
    Local(u32),
}

impl Section {
    fn unpack(packed: &[u8]) -> Option<Self> {
        let data = inflate(packed)?;
        let (length, rest) = data.split_first_chunk::<4>()?;
        let (mut structure, texts) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let mut section = Self { texts: texts.to_vec(), ..Self::default() };
        let mut text_at = 0;
        while !structure.is_empty() {
            let number = take(&mut structure)?;
            let place = u32::try_from(section.nodes.len()).ok()?;
            let length = number >> 2;
            let kind = match number & 3 {
                0 => Kind::Leaf,
                1 => Kind::Array,
                _ => Kind::Object,
            };
            if kind == Kind::Leaf {
                section.nodes.push(Node { kind, start: text_at, length });
                text_at += length;
                continue;
            }
            let start = u32::try_from(section.parts.len()).ok()?;
            section.nodes.push(Node { kind, start, length });
            for _ in 0..length {
                let reference = take(&mut structure)?;
                section.parts.push(match reference & 1 {
                    0 => Reference::Local(place.checked_sub(reference >> 1)?),
                    _ => Reference::Shared(reference >> 1),
                });
            }
        }
        Some(section)
    }

    /// The node that nothing else in the section refers to.
    fn root(&self) -> Reference {
        Reference::Local(u32::try_from(self.nodes.len()).unwrap_or_default().saturating_sub(1))
    }

    fn find(&self, reference: Reference) -> Option<(&Self, Node)> {
        let (section, place) = match reference {
            Reference::Local(place) => (self, place),
            Reference::Shared(place) => (&INDEX.shared, place),
        };
        section.nodes.get(place as usize).map(|node| (section, *node))
    }

    fn leaf(&self, node: Node) -> &[u8] {
        let start = node.start as usize;
        self.texts.get(start..start + node.length as usize).unwrap_or_default()
    }

    fn parts(&self, node: Node) -> &[Reference] {
        let start = node.start as usize;
        self.parts.get(start..start + node.length as usize).unwrap_or_default()
    }

    fn write(&self, reference: Reference, out: &mut Vec<u8>) {
        let Some((section, node)) = self.find(reference) else { return };
        match node.kind {
            Kind::Leaf => out.extend_from_slice(section.leaf(node)),
            Kind::Array => {
                out.push(b'[');
                for (index, part) in section.parts(node).iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    section.write(*part, out);
                }
                out.push(b']');
            }
            Kind::Object => {
                out.push(b'{');
                for (index, part) in section.parts(node).iter().enumerate() {
                    match index % 2 {
                        1 => out.push(b':'),
                        _ if index > 0 => out.push(b','),
                        _ => {}
                    }
                    section.write(*part, out);
                }
                out.push(b'}');
            }
        }
    }

    fn text(&self, reference: Reference) -> String {
        let mut out = Vec::new();
        self.write(reference, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// The text of a key; no key has anything that is written with a backslash.
    fn key(&self, reference: Reference) -> String {
        self.text(reference).trim_matches('"').to_owned()
    }

    /// The section that a node lies in, and the node as seen from there.
    fn resolve(&self, reference: Reference) -> (&Self, Reference) {
        match reference {
            Reference::Local(_) => (self, reference),
            Reference::Shared(place) => (&INDEX.shared, Reference::Local(place)),
        }
    }

    fn member(&self, reference: Reference, name: &str) -> Option<(&Self, Reference)> {
        let (section, object) = self.resolve(reference);
        let mut pairs = section.pairs(object);
        pairs.find(|(key, _)| section.key(*key) == name).map(|(_, value)| (section, value))
    }

    /// Keys and values of an object of this section.
    fn pairs(&self, reference: Reference) -> impl Iterator<Item = (Reference, Reference)> {
        let found = self.find(reference).filter(|(_, node)| node.kind == Kind::Object);
        let parts = found.map(|(section, node)| section.parts(node)).unwrap_or_default();
        parts.chunks_exact(2).filter_map(|pair| match pair {
            [key, value] => Some((*key, *value)),
            _ => None,
        })
    }
}

fn take(structure: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let (byte, rest) = structure.split_first()?;
        *structure = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

fn inflate(packed: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    flate2::read::DeflateDecoder::new(packed).read_to_end(&mut out).ok()?;
    Some(out)
}
