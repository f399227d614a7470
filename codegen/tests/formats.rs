//! Defaults are held against formats as kube-apiserver 1.37.2 holds them: `formats/tests/texts.tsv` of the workspace has texts with the formats that it finds in
//! them, `formats/numbers.tsv` numbers with the types and formats for which it takes them (whole numbers beyond 2^53 with an exponent are not
//! among them: a server refuses them, and we write them without one).

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::crd::{CrdOptions, Refusals};
use kube_codegen::schema::{Floats, SchemaOptions};
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use std::collections::BTreeSet;
use std::fs;

const KIND: &str = "// +groupName=shop.example.com
// +versionName=v1
use kube::CustomResource;
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = \"shop.example.com\", version = \"v1\", kind = \"Order\")]
pub struct OrderSpec {
";

/// A default that was asked about, and whether it was taken.
struct Asked {
    kind: String,
    format: String,
    /// As JSON.
    default: String,
    fits: bool,
}

/// Asks about all of them at once, and tells those that are judged in another way.
fn wrong(asked: &[Asked]) -> Vec<String> {
    let fields = asked.iter().enumerate().map(|(index, Asked { kind, format, default, .. })| {
        let format = match format.as_str() {
            "" => String::new(),
            format => format!("// +kubebuilder:validation:Format={format}"),
        };
        format!("// +default={default}\n{format}\npub f{index}: Option<{kind}>,\n")
    });
    let source = format!("{KIND}{}}}\n", fields.collect::<String>());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    fs::write(&file, source).unwrap();
    let schema = SchemaOptions { floats: Floats::Allowed, ..SchemaOptions::default() };
    let options = CrdOptions { schema, refusals: Refusals::Ignore, ..CrdOptions::default() };
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(&file, "", "")]) };
    let found = load_definitions(&inputs, &options).err().unwrap_or_default();
    let lines: BTreeSet<usize> = found.iter().map(|diagnostic| diagnostic.span.line).collect();
    let before = KIND.lines().count();
    let is_refused = |index: usize| (0..3).any(|line| lines.contains(&(before + index * 3 + line + 1)));
    let odd = asked.iter().enumerate().filter(|(index, asked)| is_refused(*index) == asked.fits);
    odd.map(|(_, Asked { kind, format, default, fits })| {
        format!("{kind} `{format}` {default}: a server says {}", if *fits { "yes" } else { "no" })
    })
    .collect()
}

#[test]
fn texts_have_the_formats_that_a_server_finds_in_them() {
    const FORMATS: [&str; 29] = [
        "bsonobjectid",
        "uri",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "cidr",
        "mac",
        "uuid",
        "uuid3",
        "uuid4",
        "uuid5",
        "isbn",
        "isbn10",
        "isbn13",
        "creditcard",
        "ssn",
        "hexcolor",
        "rgbcolor",
        "byte",
        "password",
        "date",
        "duration",
        "date-time",
        "datetime",
        "k8s-short-name",
        "k8s-long-name",
        "binary",
        "regex",
    ];
    let table = fs::read_to_string("../formats/tests/texts.tsv").unwrap();
    let asked: Vec<Asked> = table
        .lines()
        .flat_map(|line| {
            let (default, found) = line.split_once('\t').unwrap();
            let found: BTreeSet<&str> = found.split(',').collect();
            FORMATS.map(|format| Asked {
                kind: "String".to_owned(),
                format: format.to_owned(),
                default: default.to_owned(),
                fits: found.contains(format),
            })
        })
        .collect();
    let wrong = wrong(&asked);
    assert!(asked.len() > 20_000 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn numbers_fit_the_types_and_formats_for_which_a_server_takes_them() {
    const FORMATS: [(&str, &str); 12] = [
        ("integer", "int32"),
        ("integer", "int64"),
        ("integer", "int16"),
        ("integer", "float"),
        ("integer", "uint32"),
        ("integer", "date"),
        ("number", ""),
        ("number", "int32"),
        ("number", "float"),
        ("number", "double"),
        ("int-or-string", "int32"),
        ("int-or-string", "int64"),
    ];
    let table = fs::read_to_string("tests/formats/numbers.tsv").unwrap();
    let asked: Vec<Asked> = table
        .lines()
        .flat_map(|line| {
            let (default, found) = line.split_once('\t').unwrap();
            let found: BTreeSet<&str> = found.split(',').collect();
            FORMATS.map(|(kind, format)| Asked {
                kind: match kind {
                    "integer" => "i64".to_owned(),
                    "number" => "f64".to_owned(),
                    _ => "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString".to_owned(),
                },
                format: format.to_owned(),
                default: default.to_owned(),
                fits: found.contains(format!("{kind}.{format}").as_str()),
            })
        })
        .collect();
    let wrong = wrong(&asked);
    assert!(asked.len() > 400 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
