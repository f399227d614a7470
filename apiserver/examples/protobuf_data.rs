//! Makes `apiserver/data/protobuf.bin` out of the public `generated.proto` files of Kubernetes.
//!
//! `cargo run -p kube-codegen-apiserver --example protobuf_data -- SOURCES apiserver/data/protobuf.bin`. SOURCES holds the Go modules
//! `k8s.io/{api,apimachinery,apiextensions-apiserver,kube-aggregator}` of one version (`go mod download`, then
//! `$(go env GOMODCACHE)/k8s.io`, with nothing but these modules in it). The `.proto` files tell the numbers and types of fields, the Go
//! structs beside them their JSON names and which are pointers. Needed only when Kubernetes moves on.
//!
//! The output is deflated text, a line a thing: `=<package> <group/version or ->`, then `+<message> <form>`, then its fields as
//! `<number> <label><type> <JSON name> <message>`. Labels: `-` always written, `?` pointer, `*` repeated, `%` map with keys of text,
//! `^` written in place of the struct that holds it. Types are letters: `s`tring, `b`ool, `i`nt32, `l` int64, `d`ouble, b`y`tes,
//! `m`essage.

use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::DeflateEncoder};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Messages whose JSON is not an object of their fields.
const FORMS: [(&str, &str); 12] = [
    ("k8s.io.apimachinery.pkg.apis.meta.v1.Time", "time"),
    ("k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime", "microtime"),
    ("k8s.io.apimachinery.pkg.apis.meta.v1.Duration", "duration"),
    ("k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1", "raw"),
    ("k8s.io.apimachinery.pkg.api.resource.Quantity", "text"),
    ("k8s.io.apimachinery.pkg.util.intstr.IntOrString", "intorstring"),
    ("k8s.io.apimachinery.pkg.runtime.RawExtension", "raw"),
    ("JSON", "raw"),
    ("JSONSchemaPropsOrArray", "schemas"),
    ("JSONSchemaPropsOrBool", "schemaorbool"),
    ("JSONSchemaPropsOrStringArray", "schemaorstrings"),
    ("", "struct"),
];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(sources), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: protobuf_data SOURCES OUTPUT".into());
    };
    let mut files = Vec::new();
    for module in fs::read_dir(&sources)? {
        find(&module?.path(), &mut files)?;
    }
    let mut packages = BTreeMap::new();
    for file in files {
        let package = package(&file)?;
        packages.insert(package.0, package.1);
    }
    let text: String = packages.into_values().collect();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    fs::write(output, encoder.finish()?)?;
    Ok(())
}

/// Every `generated.proto` that belongs to the API.
fn find(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "testapigroup" && name != "imagepolicy" {
            find(&path, out)?;
        } else if name == "generated.proto" {
            out.push(path);
        }
    }
    Ok(())
}

/// The lines of one package.
fn package(file: &Path) -> Result<(String, String)> {
    let folder = file.parent().ok_or("a file without a folder")?;
    let source = go::Source::read(folder)?;
    let proto = fs::read_to_string(file)?;
    let mut package = String::new();
    let mut message = String::new();
    let mut out = String::new();
    for line in proto.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("package ") {
            package = name.trim_end_matches(';').to_owned();
            let version = package.rsplit('.').next().unwrap_or_default();
            let shown = match &source.group {
                None => "-".to_owned(),
                Some(group) if group.is_empty() => version.to_owned(),
                Some(group) => format!("{group}/{version}"),
            };
            writeln!(out, "={package} {shown}")?;
        } else if let Some(name) = line.strip_prefix("message ") {
            message = name.trim_end_matches(" {").to_owned();
            writeln!(out, "+{message} {}", form(&package, &message, &source))?;
        } else if let Some((declaration, number)) =
            line.strip_suffix(';').and_then(|line| line.split_once(" = "))
            && !line.starts_with("//")
            && !message.is_empty()
        {
            let field = go_field(&source, &message, declaration);
            writeln!(out, "{}", field_line(&package, declaration, number, field)?)?;
        }
    }
    Ok((package, out))
}

fn form(package: &str, message: &str, source: &go::Source) -> &'static str {
    if source.lists.iter().any(|name| name == message) {
        return "list";
    }
    let full = format!("{package}.{message}");
    let found = FORMS.iter().find(|(name, _)| *name == full || *name == message);
    found.map_or("struct", |(_, form)| form)
}

/// The Go field of a declaration such as `optional string name`.
fn go_field<'a>(source: &'a go::Source, message: &str, declaration: &str) -> Option<&'a go::Field> {
    let name = declaration.rsplit(' ').next()?;
    source.structs.get(message)?.iter().find(|field| field.proto == name)
}

fn field_line(package: &str, declaration: &str, number: &str, field: Option<&go::Field>) -> Result<String> {
    let (kind, name) = declaration.rsplit_once(' ').ok_or_else(|| declaration.to_owned())?;
    let json = field.map_or(name, |field| field.json.as_str());
    let pointer = field.is_some_and(|field| field.pointer);
    let (label, kind) = match (kind.strip_prefix("map<string, "), kind.strip_prefix("repeated ")) {
        (Some(value), _) => ('%', value.trim_end_matches('>')),
        (_, Some(kind)) => ('*', kind),
        _ if json.is_empty() => ('^', kind.trim_start_matches("optional ")),
        _ if pointer => ('?', kind.trim_start_matches("optional ")),
        _ => ('-', kind.trim_start_matches("optional ")),
    };
    let json = if json.is_empty() { name } else { json };
    let letter = match kind {
        "string" => 's',
        "bool" => 'b',
        "int32" => 'i',
        "int64" => 'l',
        "double" => 'd',
        "bytes" => 'y',
        _ => 'm',
    };
    let message = match (letter, kind.strip_prefix('.')) {
        ('m', Some(full)) => format!(" {full}"),
        ('m', None) => format!(" {package}.{kind}"),
        _ => String::new(),
    };
    Ok(format!("{number} {label}{letter} {json}{message}"))
}

/// What only the Go source tells.
mod go {
    use super::{HashMap, Path, Result, fs};

    #[derive(Default)]
    pub(super) struct Source {
        pub(super) group: Option<String>,
        pub(super) structs: HashMap<String, Vec<Field>>,
        /// Types that are lists of text.
        pub(super) lists: Vec<String>,
    }

    pub(super) struct Field {
        pub(super) proto: String,
        /// Empty for embedded structs.
        pub(super) json: String,
        pub(super) pointer: bool,
    }

    impl Source {
        pub(super) fn read(folder: &Path) -> Result<Self> {
            let mut source = Self::default();
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let own = !name.starts_with("zz_") && !name.contains(".pb.") && !name.ends_with("_test.go");
                if name.ends_with(".go") && own {
                    source.file(&fs::read_to_string(&path)?);
                }
            }
            Ok(source)
        }

        fn file(&mut self, text: &str) {
            let mut current: Option<String> = None;
            for line in text.lines() {
                if let Some(group) = line.strip_prefix("const GroupName = \"") {
                    self.group = Some(group.trim_end_matches('"').to_owned());
                } else if let Some((name, "[]string")) =
                    line.strip_prefix("type ").and_then(|rest| rest.split_once(' '))
                {
                    self.lists.push(name.to_owned());
                } else if let Some(name) =
                    line.strip_prefix("type ").and_then(|rest| rest.strip_suffix(" struct {"))
                {
                    current = Some(name.to_owned());
                } else if line == "}" {
                    current = None;
                } else if let (Some(name), Some(field)) = (&current, field(line)) {
                    self.structs.entry(name.clone()).or_default().push(field);
                }
            }
        }
    }

    fn field(line: &str) -> Option<Field> {
        let (declaration, tags) = line.split_once('`')?;
        let tag = |name: &str| {
            let (_, rest) = tags.split_once(&format!("{name}:\""))?;
            rest.split('"').next()
        };
        let proto = tag("protobuf")?;
        let mut words = declaration.split_whitespace();
        let first = words.next()?;
        let mut lower = first.to_owned();
        lower.get_mut(..1)?.make_ascii_lowercase();
        let named = proto.split(',').find_map(|part| part.strip_prefix("name="));
        Some(Field {
            proto: named.map_or(lower, str::to_owned),
            json: tag("json")?.split(',').next()?.to_owned(),
            pointer: words.next_back().is_some_and(|kind| kind.starts_with('*')),
        })
    }
}
