//! Types of the standard library and of well-known crates: each has the schema that kube's derive prints, or is refused with its place.
//!
//! Those of the standard library are asked here; what the others print was recorded by the program in `fixtures/known-types`.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use kube_codegen::diagnostic::Diagnostics;
use kube_codegen::{Inputs, PackageInput, Wanted, crd::CrdOptions, load_definitions};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::AddNullable;
use serde_json::{Value, json};

/// What kube's derive prints for a field of a type.
fn theirs<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let settings = settings
        .with_transform(AddNullable::default())
        .with_transform(kube::core::schema::StructuralSchemaRewriter)
        .with_transform(kube::core::schema::OptionalEnum)
        .with_transform(kube::core::schema::OptionalIntOrString);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

macro_rules! types {
    ($($of:ty,)*) => { vec![$((stringify!($of).to_owned(), theirs::<$of>())),*] };
}

/// A package whose spec has a field of each type, and the lines on which they stand.
fn package(types: &[&str]) -> String {
    let mut text = "// +groupName=types.example.com\n// +versionName=v1\nuse kube::CustomResource;\n\
        #[derive(CustomResource, Serialize, Deserialize, JsonSchema)]\n\
        #[kube(group = \"types.example.com\", version = \"v1\", kind = \"All\")]\npub struct AllSpec {\n"
        .to_owned();
    for (at, ty) in types.iter().enumerate() {
        writeln!(text, "    pub f{at}: {ty},").unwrap();
    }
    text + "}\n"
}

/// The schemas of the fields of such a package.
fn ours(types: &[&str]) -> Result<Vec<Value>, Diagnostics> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("types.rs");
    fs::write(&file, package(types)).unwrap();
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(file, "", "")]) };
    let loaded = load_definitions(&inputs, &CrdOptions::default())?;
    let definition = loaded.definitions[0].to_value();
    let spec = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    Ok((0..types.len()).map(|at| spec["properties"][format!("f{at}")].clone()).collect())
}

/// Formats that a server checks; others mean nothing to it.
const FORMATS: [&str; 10] =
    ["byte", "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];

/// A schema without what is different on purpose, whatever the type: formats that no server knows, the bounds that ours has in their
/// place, and what only names things.
fn comparable(mut schema: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for word in ["title", "nullable", "x-kubernetes-list-type"] {
                    map.remove(word);
                }
                if map.get("format").and_then(Value::as_str).is_some_and(|name| !FORMATS.contains(&name)) {
                    map.remove("format");
                }
                if map.get("maximum") == Some(&json!(u32::MAX)) {
                    map.remove("maximum");
                }
                if let Some(Value::Array(required)) = map.get_mut("required") {
                    required.sort_by_key(Value::to_string);
                }
                // A map of anything may be said in two ways.
                if map.get("additionalProperties") == Some(&json!(true)) {
                    map.remove("additionalProperties");
                    map.insert("x-kubernetes-preserve-unknown-fields".to_owned(), json!(true));
                }
                map.values_mut().for_each(walk);
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut schema);
    schema
}

#[test]
#[expect(unused_qualifications, reason = "the package that is made of these names imports nothing")]
fn types_of_the_standard_library_have_the_schemas_that_kube_prints() {
    let types = types![
        bool,
        char,
        i8,
        i16,
        i32,
        i64,
        u8,
        u16,
        u32,
        u64,
        usize,
        Box<str>,
        std::borrow::Cow<'static, str>,
        std::borrow::Cow<'static, [u8; 0]>,
        std::cell::Cell<i32>,
        std::cell::RefCell<String>,
        std::cmp::Reverse<u8>,
        std::collections::BinaryHeap<String>,
        std::collections::BTreeMap<String, i32>,
        std::collections::BTreeMap<char, i32>,
        std::collections::BTreeMap<Box<str>, i32>,
        std::collections::BTreeSet<String>,
        std::collections::HashMap<String, Vec<String>>,
        std::collections::LinkedList<i32>,
        std::collections::VecDeque<i32>,
        std::ffi::OsString,
        std::net::IpAddr,
        std::net::Ipv4Addr,
        std::net::Ipv6Addr,
        std::net::SocketAddr,
        std::net::SocketAddrV4,
        std::net::SocketAddrV6,
        std::num::NonZeroU8,
        std::num::NonZeroU16,
        std::num::NonZeroU32,
        std::num::NonZeroU64,
        std::num::NonZeroUsize,
        std::num::NonZero<u32>,
        std::num::Wrapping<i64>,
        std::ops::Range<i32>,
        std::ops::RangeInclusive<i32>,
        std::path::PathBuf,
        std::rc::Rc<String>,
        std::sync::Arc<String>,
        std::sync::Mutex<i32>,
        std::sync::RwLock<i32>,
        std::sync::atomic::AtomicBool,
        std::sync::atomic::AtomicI64,
        std::sync::atomic::AtomicU16,
        std::time::Duration,
        std::time::SystemTime,
        Result<String, i32>,
        serde_json::Map<String, serde_json::Value>,
    ];
    compare(
        &types,
        &[("std::borrow::Cow<'static, [u8; 0]>", "an array of Go's has no bounds on its length")],
    );
}

/// Recorded as `stringify!` writes the types.
#[test]
fn types_of_other_crates_have_the_schemas_that_kube_prints() {
    let recorded = include_str!("../fixtures/known-types/schemas.json");
    let types: BTreeMap<String, Value> = serde_json::from_str(recorded).unwrap();
    // Of some the schema has no form that a server takes.
    let (refused, types): (Vec<_>, Vec<_>) =
        types.into_iter().partition(|(ty, _)| REFUSED.contains(&ty.as_str()));
    assert_eq!(refused.len(), REFUSED.len());
    compare(&types, &[("bytes::Bytes", "kube prints two types, of which serde writes the list")]);
    for ty in REFUSED {
        assert_refused(ty);
    }
}

/// chrono writes spans of time as a pair of numbers.
const REFUSED: [&str; 1] = ["chrono::TimeDelta"];

/// Compares all; each of the exceptions has to be one.
fn compare(types: &[(String, Value)], exceptions: &[(&str, &str)]) {
    let names: Vec<&str> = types.iter().map(|(ty, _)| ty.as_str()).collect();
    let ours = ours(&names).unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut wrong = String::new();
    for ((ty, theirs), ours) in types.iter().zip(ours) {
        let mut theirs = theirs.clone();
        theirs.as_object_mut().unwrap().remove("$schema");
        let (theirs, ours) = (comparable(theirs), comparable(ours));
        let is_exception = exceptions.iter().any(|(name, _)| name == ty);
        if (theirs == ours) == is_exception {
            writeln!(wrong, "{ty}:\n  kube has {theirs}\n  we have  {ours}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn assert_refused(ty: &str) {
    let Err(wrong) = ours(&[ty]) else { panic!("{ty} is taken") };
    let places: Vec<usize> = wrong.iter().map(|diagnostic| diagnostic.span.line).collect();
    assert!(places.contains(&7), "{ty}: {wrong}");
    assert!(wrong.to_string().contains("= help: "), "{ty}: {wrong}");
}

#[test]
fn types_that_no_server_takes_are_refused_with_place_and_cure() {
    for ty in [
        "f32",
        "f64",
        "i128",
        "u128",
        "()",
        "(String, i32)",
        "std::marker::PhantomData<String>",
        "std::num::NonZeroU128",
        "std::ops::Bound<i32>",
        "std::ffi::CString",
        "std::time::Instant",
        "std::collections::BTreeMap<i32, String>",
        "std::collections::BTreeMap<u16, String>",
        "std::collections::HashMap<bool, String>",
        "std::collections::HashMap<std::num::NonZeroU8, String>",
        "std::collections::HashMap<(), String>",
        "Box<[String]>",
        "Box<dyn Send>",
        "&'static str",
        "time::OffsetDateTime",
        "time::Duration",
        "chrono::Duration",
        "rust_decimal::Decimal",
        "Result<String>",
    ] {
        assert_refused(ty);
    }
}

/// Whatever a number cannot hold must not come past the server: kube says `not: {}` there, which nothing satisfies.
#[test]
fn numbers_that_are_never_zero() {
    let ours = ours(&["std::num::NonZeroI32", "std::num::NonZero<i8>"]).unwrap();
    let zero = json!({"enum": [0]});
    assert_eq!(ours[0], json!({"type": "integer", "format": "int32", "not": zero}));
    assert_eq!(ours[1], json!({"type": "integer", "minimum": -128, "maximum": 127, "not": zero}));
}
