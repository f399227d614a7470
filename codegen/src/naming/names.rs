//! The names of groups, versions, kinds and methods.

use super::case::{pascal, snake};
use super::keyword::{module_file, rust_ident};
use serde::Serialize;

/// The names of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupNames {
    /// The group's name in code, from `+groupGoName` or the first label of its API name: `Cnat`; `Core` for the core
    /// group.
    pub go_name: String,
    /// The same in snake case, for accessors: `cnat`.
    pub snake: String,
    /// The module of the group, named like the folder of its types: `cnat`, `r#type`.
    pub module: String,
    /// The folder of that module: `cnat`, `type`.
    pub folder: String,
    /// The module of the group's client: `cnat_client`.
    pub client_module: String,
}

impl GroupNames {
    /// The names of a group.
    ///
    /// - `group`: its API name,
    /// - `go_name`: the value of `+groupGoName`,
    /// - `folder`: the folder, or the module, that holds its versions.
    pub fn new(group: &str, go_name: Option<&str>, folder: &str) -> Self {
        let label = group.split('.').next().filter(|label| !label.is_empty()).unwrap_or("core");
        let go_name = pascal(go_name.unwrap_or(label));
        let snake = snake(&go_name);
        let (module, file) = module_file(&super::snake(folder.strip_prefix("r#").unwrap_or(folder)));
        let folder = file.strip_suffix(".rs").unwrap_or(&file).to_owned();
        Self { client_module: format!("{snake}_client"), go_name, snake, module, folder }
    }
}

/// The names of a version within its group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VersionNames {
    /// The module of the version: `v1alpha1`.
    pub module: String,
    /// The folder of that module.
    pub folder: String,
    /// `V1alpha1`.
    pub pascal: String,
    /// Group and version, the stem of type names: `CnatV1alpha1`, of which generators make `CnatV1alpha1Client`.
    pub group_version: String,
    /// The accessor of group and version: `cnat_v1alpha1`.
    pub accessor: String,
}

impl VersionNames {
    /// The names of a version.
    pub fn new(group: &GroupNames, version: &str) -> Self {
        let (module, file) = module_file(&version.replace(['-', '.'], "_").to_lowercase());
        let folder = file.strip_suffix(".rs").unwrap_or(&file).to_owned();
        let pascal = pascal(version);
        Self {
            group_version: format!("{}{pascal}", group.go_name),
            accessor: format!("{}_{folder}", group.snake),
            module,
            folder,
            pascal,
        }
    }
}

/// The names of a kind. Identifiers carry `r#` where they are keywords.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResourceNames {
    /// The resource in URLs and CRDs: `httproutes`.
    pub plural: String,
    /// The kind in small letters: `httproute`.
    pub singular: String,
    /// The kind of lists: `HTTPRouteList`.
    pub list_kind: String,
    /// The kind's plural in Pascal case, from the kind alone: `HTTPRoutes`.
    pub pascal_plural: String,
    /// The name of the typed client. The same as `pascal_plural`, or with `Client` added where a kind is its own plural
    /// (`EndpointsClient`).
    pub client: String,
    /// The name of accessors: `http_routes`.
    pub getter: String,
    /// The kind in snake case, as a parameter or variable: `http_route`, `r#type`.
    pub variable: String,
    /// The kind in snake case as a part of longer names, so without `r#`: `http_route`.
    pub snake: String,
    /// The module of the kind: `http_route`, `r#type`, `mod_`.
    pub module: String,
    /// The file of that module: `http_route.rs`, `type.rs`, `mod_.rs`.
    pub file: String,
    /// Whether the REST plural was given by a marker and may differ from what the root type's own impl says. Clients of
    /// kube-derive and re-exported roots then need `with_resource_name`; for Go-shaped roots the `object` generator
    /// writes the impl with `plural`.
    pub plural_is_explicit: bool,
}

impl ResourceNames {
    /// The names of a kind.
    ///
    /// - `plural`: the plural in the kind's case, from the pluraliser,
    /// - `resource`: an explicit REST plural.
    pub fn new(kind: &str, plural: &str, resource: Option<&str>) -> Self {
        let snake = snake(kind);
        let (module, file) = module_file(&snake);
        let client = if plural == kind { format!("{kind}Client") } else { plural.to_owned() };
        Self {
            plural: resource.map_or_else(|| plural.to_lowercase(), str::to_owned),
            singular: kind.to_lowercase(),
            list_kind: format!("{kind}List"),
            client,
            getter: rust_ident(&super::snake(plural)),
            pascal_plural: plural.to_owned(),
            variable: rust_ident(&snake),
            snake,
            module,
            file,
            plural_is_explicit: resource.is_some(),
        }
    }
}

/// The names of a further method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MethodNames {
    /// As written in the marker: `GetScale`.
    pub name: String,
    /// The Rust method: `get_scale`.
    pub function: String,
    /// The Rust method that takes options: `get_scale_with`.
    pub function_with: String,
}

impl MethodNames {
    /// The names of a method.
    pub fn new(name: &str) -> Self {
        let snake = snake(name);
        Self { name: name.to_owned(), function: rust_ident(&snake), function_with: format!("{snake}_with") }
    }
}
