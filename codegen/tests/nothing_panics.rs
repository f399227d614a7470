//! Nothing panics: the front end on every Rust file within reach, on files that are cut off, and on random text.
//!
//! The files are those of this workspace and, where cargo's cache is at hand, those of the dependencies, as many as fit
//! into ten seconds. Each is loaded as if it were a type package: it either loads or says what is wrong.

use kube_codegen::crd::CrdOptions;
use kube_codegen::diagnostic::{Diagnostics, Style};
use kube_codegen::source::{FixedSources, SourceFile};
use kube_codegen::{Inputs, PackageInput, Wanted, load, load_definitions};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the dependencies are read.
const LIMIT: Duration = Duration::from_secs(10);

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_link = path.is_symlink();
        if path.is_dir() && !is_link && path.file_name().is_none_or(|name| name != "target" && name != ".git")
        {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Loads a file as a package; what is wrong must name a place and be drawn.
fn try_file(path: &Path) {
    let inputs = Inputs {
        packages: vec![PackageInput::new(path, "", "")],
        sources: Arc::new(FixedSources::default()),
        wanted: Wanted::Anything,
        ..Inputs::default()
    };
    if let Err(diagnostics) = load(&inputs) {
        for diagnostic in diagnostics.iter().take(20) {
            assert!(
                !diagnostic.span.file.as_os_str().is_empty(),
                "{}: {}",
                path.display(),
                diagnostic.problem
            );
            assert!(!diagnostic.problem.to_string().contains("the generator failed"), "{}", path.display());
        }
        let drawn = diagnostics.render(Style::Colored);
        assert!(drawn.contains("error"), "{}", path.display());
    }
}

#[test]
fn on_every_file_of_this_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    rust_files(root, &mut files);
    assert!(files.len() > 50);
    files.iter().for_each(|file| try_file(file));
}

#[test]
fn on_the_files_of_the_dependencies() {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let Some(registry) = home.map(|home| home.join("registry").join("src")).filter(|path| path.is_dir())
    else {
        return;
    };
    let mut files = Vec::new();
    rust_files(&registry, &mut files);
    // A stride that shares no factor with the number visits all of them, and all crates early.
    let stride = (1..).map(|number| 7919 + number).find(|stride| files.len() % stride != 0).unwrap_or(1);
    let start = Instant::now();
    let mut at = 0;
    for _ in 0..files.len() {
        if start.elapsed() > LIMIT {
            break;
        }
        try_file(&files[at]);
        at = (at + stride) % files.len();
    }
}

const SAMPLE: &str = "//! A package.
// +groupName=example.com
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{self, ObjectMeta as Meta};

/** A kind. */
// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale
#[derive(Clone, Serialize)]
#[serde(rename_all = \"camelCase\", tag = r#\"a\"#)]
pub struct Kind<'a, T: Iterator<Item = [u8; { 1 + 2 }]>> {
    // +optional
    pub r#type: Vec<Option<T>>, pub c: &'a str, d: [char; '\\'' as usize],
    #[serde(flatten)] pub meta: Meta,
}
pub enum E { A(u8), B { c: i32 } = 4, /* x /* y */ */ C }
type X<T> = std::collections::BTreeMap<String, T>;
mod inline { pub use super::*; const S: &str = \"\\\"{\"; fn f() -> i32 { 'l: loop { break 'l 1 } } }
impl<T> From<T> for E where T: Into<[u8; 3]> { fn from(_: T) -> E { E::C } }
macro_rules! m { () => { struct Y; } }
m! {}
";

#[test]
fn on_a_file_that_ends_anywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sample.rs");
    for end in (0..=SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        fs::write(&file, &SAMPLE[..end]).expect("a file");
        try_file(&file);
    }
}

#[test]
fn on_a_file_that_lacks_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sample.rs");
    for at in (0..SAMPLE.len()).filter(|at| SAMPLE.is_char_boundary(*at)) {
        let rest = SAMPLE.get(at + 1..).unwrap_or_default();
        fs::write(&file, format!("{}{rest}", &SAMPLE[..at])).expect("a file");
        try_file(&file);
    }
}

/// A kind whose spec holds `T0`, and what follows.
fn kind_with(rest: &str) -> String {
    format!(
        "//! +groupName=example.com\n//! +versionName=v1\nuse serde::{{Deserialize, Serialize}};\n#[derive(kube::CustomResource, Deserialize, Serialize)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Deep\")]\npub struct DeepSpec {{ pub a: T0 }}\n{rest}"
    )
}

/// `T0`, `T1` and so on, each made of the next one, and a last one.
fn chain(links: usize, link: impl Fn(usize, &str) -> String) -> String {
    let chain = (0..links).map(|at| link(at, &format!("T{}", at + 1)) + "\n");
    chain.chain([format!("type T{links} = String;")]).collect()
}

#[test]
fn on_types_of_any_depth_and_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("deep.rs");
    let alias = |at: usize, next: &str| format!("pub type T{at} = Vec<{next}>;");
    let holder = |at: usize, next: &str| {
        format!("#[derive(Deserialize, Serialize)] pub struct T{at} {{ pub a: {next} }}")
    };
    let twice = |at: usize, next: &str| {
        format!("#[derive(Deserialize, Serialize)] pub struct T{at} {{ pub a: {next}, pub b: {next} }}")
    };
    let cases = [
        (chain(50, alias), ""),
        (chain(5_000, alias), "for too long to be followed"),
        (chain(150, holder), ""),
        (chain(5_000, holder), "more types below each other than a schema can have"),
        (chain(12, twice), ""),
        (chain(60, twice), "more than 100000 parts"),
        ("#[derive(Deserialize, Serialize)] pub struct T0 { pub a: Option<Box<T0>> }".to_owned(), "holds itself"),
        ("pub type T0 = G<u8>;\n#[derive(Deserialize, Serialize)] pub struct G<T> { pub a: Box<G<Vec<T>>> }".to_owned(), "holds itself"),
    ];
    for (types, said) in cases {
        fs::write(&file, kind_with(&types)).expect("a file");
        let inputs = Inputs {
            packages: vec![PackageInput::new(&file, "", "")],
            sources: Arc::new(FixedSources::default()),
            wanted: Wanted::Anything,
            ..Inputs::default()
        };
        let drawn = match load_definitions(&inputs, &CrdOptions::default()) {
            Ok(_) => String::new(),
            Err(diagnostics) => diagnostics.render(Style::Plain),
        };
        assert!(drawn.contains(said) && drawn.is_empty() == said.is_empty(), "{said}: {drawn}");
    }
}

#[test]
fn on_what_is_nested_deep() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("deep.rs");
    let many = 200_000;
    let deep = [
        format!("pub struct A({}u8{});", "Vec<".repeat(many), ">".repeat(many)),
        format!("pub struct A({}u8{});", "(".repeat(many), ")".repeat(many)),
        format!("pub struct A({}u8);", "&".repeat(many)),
        format!("pub struct A([u8; {}1]);", "!".repeat(many)),
        format!("pub struct A([u8; 1{}]);", " + 1".repeat(many)),
        format!("pub struct A([u8; {}1]);", "a = ".repeat(many)),
        format!("pub struct A([u8; {}1]);", "|a| ".repeat(many)),
        format!("pub struct A([u8; {} {{}}]);", "if a {} else ".repeat(many)),
        format!("pub struct A({}u8);", "fn() -> ".repeat(many)),
        format!("pub struct A({}u8);", "dyn ".repeat(many)),
        format!("pub enum A {{ B = {}1 }}", "return ".repeat(many)),
        format!("use {}a{};", "a::{".repeat(many), "}".repeat(many)),
        format!("use {}a;", "a::".repeat(many)),
        format!("{}{}", "mod a {".repeat(2000), "}".repeat(2000)),
        format!("#[serde({}a{})] pub struct A;", "a(".repeat(many), ")".repeat(many)),
        format!("{}pub struct A;", "#[a] ".repeat(many)),
        format!("pub struct A<{}>;", "T: Fn(".repeat(many)),
        format!("// +kubebuilder:default={}\npub struct A;", "{".repeat(many)),
        format!("/*{}", "/*".repeat(many)),
        format!("const A: i32 = {}1{};", "(".repeat(many), ")".repeat(many)),
        "{".repeat(many),
        "<".repeat(many),
    ];
    for text in deep {
        fs::write(&file, &text).expect("a file");
        try_file(&file);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn on_random_text(text in any::<String>()) {
        SourceFile::new(Path::new("random.rs"), text, &mut Diagnostics::new());
    }

    #[test]
    fn on_random_pieces_of_rust(pieces in prop::collection::vec(prop::sample::select(vec![
        "struct A", "pub ", "enum B", "use ", "mod m", "type T = ", "{", "}", "(", ")", "<", ">", "[", "]", ";", ",", ":", "::",
        "'", "'a", "\"", "r#\"", "#", "b'", "//", "/*", "*/", "///", "//!", "\n", "+genclient", "+k8s:", "#[serde(", "#[kube(kind = \"X\")]",
        "#[derive(CustomResource)]", "a", "u8", "Vec", "\u{e9}", "\u{1f600}", "=", "->", "!", "&", "fn f", "impl", "const", "self", "super", "crate", "*",
    ]), 0..60)) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("random.rs");
        fs::write(&file, pieces.concat()).expect("a file");
        try_file(&file);
    }
}
