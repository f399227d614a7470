//! Crates in a scratch folder, and what is loaded from them.

use kube_codegen::diagnostic::Diagnostics;
use kube_codegen::model::{Field, Model, Resource, TypeDef, TypePath};
use kube_codegen::source::FixedSources;
use kube_codegen::{Inputs, PackageInput, Wanted, load};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

pub(crate) const USES: &str = "use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
";

/// A crate in a scratch folder.
pub(crate) struct Scratch {
    folder: TempDir,
    pub(crate) inputs: Inputs,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let scratch = Self { folder: tempfile::tempdir().expect("a folder"), inputs: Inputs::default() };
        scratch.file("Cargo.toml", "[package]\nname = \"my-apis\"\nversion = \"0.1.0\"\n")
    }

    /// One package, `library/v1`, of group `library.example.com`.
    pub(crate) fn package(text: &str) -> Self {
        let text = format!("//! Books.\n// +groupName=library.example.com\n\n{USES}\n{text}");
        Self::new().file("src/library/v1/mod.rs", &text).input("library", "v1")
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
        self
    }

    pub(crate) fn input(mut self, group: &str, version: &str) -> Self {
        self.inputs.packages.push(PackageInput::new(self.folder.path().join("src"), group, version));
        self
    }

    pub(crate) fn foreign(self, name: &str, lib: &str) -> Self {
        self.crates(&[(name, lib)])
    }

    /// Other crates, by name and root file.
    pub(crate) fn crates(mut self, crates: &[(&str, &str)]) -> Self {
        let sources = FixedSources::default();
        let sources = crates
            .iter()
            .fold(sources, |sources, (name, lib)| sources.with(*name, self.folder.path().join(lib)));
        self.inputs.sources = Arc::new(sources);
        self
    }

    /// Types without clients will do.
    pub(crate) fn any(mut self) -> Self {
        self.inputs.wanted = Wanted::Anything;
        self
    }

    pub(crate) fn try_load(&self) -> Result<Model, Diagnostics> {
        load(&self.inputs)
    }

    pub(crate) fn load(&self) -> Model {
        self.try_load().unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
    }

    /// The messages of everything that is wrong.
    pub(crate) fn problems(&self) -> Vec<String> {
        match self.try_load() {
            Ok(_) => Vec::new(),
            Err(diagnostics) => diagnostics.iter().map(|diagnostic| diagnostic.problem.to_string()).collect(),
        }
    }
}

/// A root in the Go shape.
pub(crate) fn book(markers: &str) -> String {
    format!(
        "{markers}
/// A book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = \"camelCase\")]
pub struct Book {{
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Book>,
    pub metadata: ObjectMeta,
    pub spec: BookSpec,
    pub status: Option<BookStatus>,
}}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BookSpec {{
    pub title: String,
}}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BookStatus {{
    pub lent: bool,
}}
"
    )
}

pub(crate) fn resource<'a>(model: &'a Model, kind: &str) -> &'a Resource {
    model.resources().map(|(_, _, resource)| resource).find(|resource| resource.kind == kind).expect(kind)
}

pub(crate) fn type_def<'a>(model: &'a Model, path: &str) -> &'a TypeDef {
    let path = TypePath::parse(path).expect(path);
    model.types.get(&path).unwrap_or_else(|| {
        panic!("{path} is not among {:?}", model.types.keys().map(ToString::to_string).collect::<Vec<_>>())
    })
}

pub(crate) fn field<'a>(definition: &'a TypeDef, ident: &str) -> &'a Field {
    definition.field(ident).unwrap_or_else(|| panic!("no field {ident}"))
}
