//! The messages of the built-in kinds: which field has which number.
//!
//! In: the compressed text `data/protobuf.bin` (made by `cargo run --example protobuf_data`, where its form is described), unpacked when
//! protobuf is first spoken. Out: messages by kind, with their fields by number and by JSON name.

use std::{
    collections::HashMap,
    io::Read,
    sync::{LazyLock, OnceLock},
};

static DATA: &[u8] = include_bytes!("../../../data/protobuf.bin");
static TEXT: LazyLock<String> = LazyLock::new(unpack);
static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::read(&TEXT));

/// The package whose kinds are known in every group and version.
const COMMON: &str = "meta.k8s.io/v1";
/// How deeply structs are written in place of each other.
const LEVELS: usize = 4;

/// All messages.
#[derive(Debug, Default)]
struct Schema {
    messages: Vec<Message>,
    /// `apps/v1` -> `Deployment` -> message.
    kinds: HashMap<&'static str, HashMap<&'static str, usize>>,
}

/// One message.
#[derive(Debug)]
pub(super) struct Message {
    pub name: &'static str,
    pub form: Form,
    /// Ascending by number.
    pub fields: Vec<Field>,
    /// Ascending by JSON name; made when the message is first written.
    names: OnceLock<Vec<(&'static str, Path)>>,
    /// What is written of a message in which nothing is set; made by the writer.
    pub zero: OnceLock<Vec<u8>>,
}

/// The steps from a message to a field, through structs that are written in place: indexes of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path([u8; LEVELS]);

/// What the JSON of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An object of its fields.
    Struct,
    /// A moment to the second.
    Time,
    /// A moment to the microsecond.
    MicroTime,
    /// Its only field, a text.
    Text,
    /// An integer or a text.
    IntOrString,
    /// Any JSON, kept as text in its only field.
    Raw,
    /// A list of texts.
    List,
    /// A schema or a list of schemas.
    Schemas,
    /// A schema or a boolean.
    SchemaOrBool,
    /// A schema or a list of texts.
    SchemaOrStrings,
}

/// One field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub number: u32,
    pub label: Label,
    pub kind: Kind,
    /// Its name in JSON.
    pub name: &'static str,
    /// The full name of its message, where it has one.
    reference: &'static str,
}

/// How often a field occurs, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// Once, also when it is empty.
    Always,
    /// Once, when it is set.
    Pointer,
    Repeated,
    Map,
    /// Once; in JSON its members stand in place of it.
    Inline,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Bool,
    Int32,
    Int64,
    Double,
    Bytes,
    /// A message, by its place in the schema.
    Message(usize),
}

/// The message of a kind.
pub(super) fn kind(api_version: &str, kind: &str) -> Option<&'static Message> {
    let schema = &*SCHEMA;
    let found = |group_version: &str| schema.kinds.get(group_version)?.get(kind).copied();
    let anywhere = || schema.messages.iter().position(|message| message.name == kind);
    let place = found(api_version).or_else(|| found(COMMON));
    let place = if api_version.is_empty() { place.or_else(anywhere) } else { place };
    schema.messages.get(place?)
}

/// The message at a place in the schema.
pub(super) fn message(place: usize) -> Option<&'static Message> {
    SCHEMA.messages.get(place)
}

impl Message {
    /// The field with a number, and where it is.
    pub(super) fn field(&self, number: i32) -> Option<&Field> {
        let number = u32::try_from(number).ok()?;
        let place = self.fields.binary_search_by_key(&number, |field| field.number).ok()?;
        self.fields.get(place)
    }

    /// The path to the field with a JSON name. `hint` is where the last search ended: names that come in order are found at once.
    pub(super) fn path(&'static self, name: &str, hint: &mut usize) -> Option<Path> {
        let names = self.names.get_or_init(|| {
            let mut names = Vec::new();
            self.collect(Path::default(), 0, &mut names);
            names.sort_unstable();
            names
        });
        let place = match names.get(*hint) {
            Some((next, _)) if *next == name => *hint,
            _ => names.binary_search_by_key(&name, |(name, _)| name).ok()?,
        };
        *hint = place + 1;
        names.get(place).map(|(_, path)| *path)
    }

    fn collect(&self, path: Path, level: usize, out: &mut Vec<(&'static str, Path)>) {
        for (index, field) in self.fields.iter().enumerate() {
            let mut path = path;
            let (Some(step), Ok(index)) = (path.0.get_mut(level), u8::try_from(index)) else { continue };
            *step = index;
            match (field.label, field.message()) {
                (Label::Inline, Some(inner)) => inner.collect(path, level + 1, out),
                _ => out.push((field.name, path)),
            }
        }
    }
}

impl Path {
    /// The step at a level.
    pub(super) fn step(&self, level: usize) -> Option<usize> {
        self.0.get(level).map(|index| usize::from(*index))
    }

    /// The field it leads to.
    pub(super) fn field(&self, message: &'static Message) -> Option<&'static Field> {
        let mut message = message;
        for index in self.0 {
            let field = message.fields.get(usize::from(index))?;
            match field.label {
                Label::Inline => message = field.message()?,
                _ => return Some(field),
            }
        }
        None
    }
}

impl Field {
    /// The message it holds.
    pub(super) fn message(&self) -> Option<&'static Message> {
        match self.kind {
            Kind::Message(place) => message(place),
            _ => None,
        }
    }

    /// Its name in Go, as complaints have it.
    pub(super) fn go_name(&self) -> String {
        match (self.name, self.message()) {
            ("metadata", Some(message)) => message.name.to_owned(),
            ("uid", _) => "UID".to_owned(),
            (name, _) => {
                let mut letters = name.chars();
                letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
            }
        }
    }
}

impl Schema {
    fn read(text: &'static str) -> Self {
        let mut schema = Self::default();
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        let (mut package, mut group_version) = ("", "");
        for line in text.lines() {
            let (mark, rest) = line.split_at_checked(1).unwrap_or_default();
            let mut words = rest.split(' ');
            let mut word = || words.next().unwrap_or_default();
            match mark {
                "=" => (package, group_version) = (word(), word()),
                "+" => {
                    let (name, form) = (word(), Form::read(word()));
                    places.insert((package, name), schema.messages.len());
                    schema.kinds.entry(group_version).or_default().insert(name, schema.messages.len());
                    schema.messages.push(Message::new(name, form));
                }
                _ => {
                    let field = Field::read(line);
                    if let (Some(field), Some(message)) = (field, schema.messages.last_mut()) {
                        message.fields.push(field);
                    }
                }
            }
        }
        for field in schema.messages.iter_mut().flat_map(|message| &mut message.fields) {
            if let Kind::Message(place) = &mut field.kind {
                let name = field.reference.rsplit_once('.').unwrap_or_default();
                *place = places.get(&name).copied().unwrap_or(usize::MAX);
            }
        }
        for message in &mut schema.messages {
            message.fields.sort_by_key(|field| field.number);
        }
        schema
    }
}

impl Message {
    fn new(name: &'static str, form: Form) -> Self {
        Self { name, form, fields: Vec::new(), names: OnceLock::new(), zero: OnceLock::new() }
    }
}

impl Form {
    fn read(word: &str) -> Self {
        match word {
            "time" => Self::Time,
            "microtime" => Self::MicroTime,
            "text" => Self::Text,
            "intorstring" => Self::IntOrString,
            "raw" => Self::Raw,
            "list" => Self::List,
            "schemas" => Self::Schemas,
            "schemaorbool" => Self::SchemaOrBool,
            "schemaorstrings" => Self::SchemaOrStrings,
            _ => Self::Struct,
        }
    }
}

impl Field {
    fn read(line: &'static str) -> Option<Self> {
        let mut words = line.split(' ');
        let number = words.next()?.parse().ok()?;
        let mut marks = words.next()?.chars();
        let label = match marks.next()? {
            '-' => Label::Always,
            '?' => Label::Pointer,
            '*' => Label::Repeated,
            '%' => Label::Map,
            _ => Label::Inline,
        };
        let kind = match marks.next()? {
            's' => Kind::String,
            'b' => Kind::Bool,
            'i' => Kind::Int32,
            'l' => Kind::Int64,
            'd' => Kind::Double,
            'y' => Kind::Bytes,
            _ => Kind::Message(usize::MAX),
        };
        let name = words.next()?;
        Some(Self { number, label, kind, name, reference: words.next().unwrap_or_default() })
    }
}

fn unpack() -> String {
    let mut text = String::new();
    // The data is part of the program: it is whole, or nothing is known, which answers say.
    let _ = flate2::read::DeflateDecoder::new(DATA).read_to_string(&mut text);
    text
}
