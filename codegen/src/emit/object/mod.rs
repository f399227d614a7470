//! The object generator: what makes a struct with `TypeMeta` and `ObjectMeta` a Kubernetes object.
//!
//! In: the Go-shaped roots of a package. Out: its `zz_generated.object.rs`, which the package includes:
//!
//! ```text
//! include!("zz_generated.object.rs");
//! ```
//!
//! so that the constants and list types are items of the package itself and rustfmt leaves the file alone. Packages
//! without such roots get no file: kube's derive and k8s-openapi have written all of this already.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::doc;
use super::scope::{ident, path_tokens};
use crate::model::{Group, Model, Package, Resource, Scope, Shape, Version};
use crate::output::{Files, Generator, Header, Items, RustFile};

/// The name of the files.
pub const FILE_NAME: &str = "zz_generated.object.rs";

/// The file of one package.
#[derive(Debug)]
pub struct ObjectFile<'a> {
    /// The package.
    pub package: &'a Package,
    /// The folder in which it stands.
    pub folder: PathBuf,
    /// The file, alone.
    pub files: Files,
}

/// The files of all packages with Go-shaped roots.
pub fn files<'a>(model: &'a Model, header: &Header) -> Vec<ObjectFile<'a>> {
    let packages = model.versions().filter(|(_, version)| roots(version).next().is_some());
    packages
        .map(|(group, version)| {
            let path = &version.package.object_file;
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(FILE_NAME);
            let mut files = Files::new();
            files.insert_rust(name, file(group, version, header));
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            ObjectFile { package: &version.package, folder, files }
        })
        .collect()
}

/// The packages that get a file.
pub fn packages(model: &Model) -> impl Iterator<Item = &Package> {
    model
        .versions()
        .filter(|(_, version)| roots(version).next().is_some())
        .map(|(_, version)| &version.package)
}

/// The line by which a package includes its file.
pub fn include_line(package: &Package) -> String {
    let folder = package.file.parent().unwrap_or(Path::new(""));
    let path = package.object_file.strip_prefix(folder).unwrap_or(&package.object_file);
    format!("include!(\"{}\");", path.display().to_string().replace('\\', "/"))
}

fn roots(version: &Version) -> impl Iterator<Item = &Resource> {
    let generators = version.package.generators;
    version.resources.iter().filter(move |resource| {
        generators.object && resource.generators.object && resource.shape == Shape::GoRoot
    })
}

fn file(group: &Group, version: &Version, header: &Header) -> RustFile {
    let mut items = Items::from_iter([constants(group, version)]);
    for resource in roots(version) {
        items.push(resource_impl(resource));
        items.push(metadata_impl(resource));
        items.push(list(resource));
    }
    // No `//!`: the text becomes a part of the package's module.
    RustFile { header: header.clone(), generator: Generator::Object, docs: Vec::new(), items }
}

fn constants(group: &Group, version: &Version) -> TokenStream {
    let docs = [
        doc("The API group of the types in this module."),
        doc("The API version of the types in this module."),
        doc("Group and version as objects carry them in `apiVersion`."),
    ];
    let [group_docs, version_docs, api_version_docs] = docs;
    let (group_name, version_name, api_version) = (&group.name, &version.name, version.api_version(group));
    quote! {
        #group_docs
        pub const GROUP: &str = #group_name;
        #version_docs
        pub const VERSION: &str = #version_name;
        #api_version_docs
        pub const API_VERSION: &str = #api_version;
    }
}

fn resource_impl(resource: &Resource) -> TokenStream {
    let (name, kind, plural) = (ident(&resource.path.name), &resource.kind, &resource.names.plural);
    let scope = path_tokens(match resource.scope {
        Scope::Namespaced => "k8s_openapi::NamespaceResourceScope",
        Scope::Cluster => "k8s_openapi::ClusterResourceScope",
    });
    quote! {
        impl ::k8s_openapi::Resource for #name {
            const API_VERSION: &'static str = API_VERSION;
            const GROUP: &'static str = GROUP;
            const KIND: &'static str = #kind;
            const VERSION: &'static str = VERSION;
            const URL_PATH_SEGMENT: &'static str = #plural;
            type Scope = ::#scope;
        }
    }
}

fn metadata_impl(resource: &Resource) -> TokenStream {
    let name = ident(&resource.path.name);
    quote! {
        impl ::k8s_openapi::Metadata for #name {
            type Ty = ::k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
            fn metadata(&self) -> &Self::Ty {
                &self.metadata
            }
            fn metadata_mut(&mut self) -> &mut Self::Ty {
                &mut self.metadata
            }
        }
    }
}

fn list(resource: &Resource) -> TokenStream {
    let (name, list, kind) =
        (ident(&resource.path.name), ident(&resource.names.list_kind), &resource.names.list_kind);
    let docs = doc(&format!("A list of `{}`.", resource.names.plural));
    let object_list = path_tokens(super::paths::OBJECT_LIST_TYPE);
    quote! {
        impl ::k8s_openapi::ListableResource for #name {
            const LIST_KIND: &'static str = #kind;
        }
        #docs
        pub type #list = ::#object_list<#name>;
    }
}
