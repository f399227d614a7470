//! Which types have an apply configuration, and where it stands: every struct that is reachable from a root type and
//! that the model can take apart. Everything else (enums, newtypes, types of the API machinery and of other crates) is used
//! as it is. It emits nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Model, Origin, Resource, TypeDef, TypeExpr, TypeKind, TypePath, Verb};
use crate::naming::{module_file, pascal, snake};

/// The apply configurations of a model.
#[derive(Debug, Default)]
pub(crate) struct Configurations<'a> {
    places: BTreeMap<&'a TypePath, ConfigurationPlace<'a>>,
}

/// Where the apply configuration of one type stands.
#[derive(Debug)]
pub(crate) struct ConfigurationPlace<'a> {
    /// The type.
    pub(crate) def: &'a TypeDef,
    /// Module and folder of the group.
    pub(crate) group: (String, String),
    /// Module and folder of the version.
    pub(crate) version: (String, String),
    /// Module and file of the type.
    pub(crate) file: (String, String),
    /// `AtSpecApplyConfiguration`.
    pub(crate) name: String,
}

impl ConfigurationPlace<'_> {
    /// The path below the module of all apply configurations.
    pub(crate) fn path_below(&self, root: &str) -> String {
        format!("{root}::{}::{}::{}", self.group.0, self.version.0, self.name)
    }
}

impl<'a> Configurations<'a> {
    /// Finds all types that have an apply configuration.
    pub(crate) fn of(model: &'a Model) -> Self {
        let mut found = Self::default();
        let mut names = BTreeSet::new();
        let roots = model.resources().filter(|(_, _, resource)| resource.generators.applyconfiguration);
        let mut waiting: Vec<&TypePath> = roots.flat_map(|(_, _, resource)| inputs(resource)).collect();
        // Sorted, so that it does not depend on the way by which a type was found who of two equal names stays short.
        let mut reached = BTreeMap::new();
        while let Some(path) = waiting.pop() {
            let Some((path, def)) =
                model.types.get_key_value(path).filter(|(_, def)| can_be_taken_apart(def))
            else {
                continue;
            };
            if reached.insert(path, def).is_none() {
                def.fields().iter().for_each(|field| named(&field.ty, &mut waiting));
            }
        }
        for (path, def) in reached {
            let place = place(model, path, def, &mut names);
            found.places.insert(path, place);
        }
        found
    }

    /// The place of the apply configuration of a type, if it has one.
    pub(crate) fn get(&self, path: &TypePath) -> Option<&ConfigurationPlace<'a>> {
        self.places.get(path)
    }

    /// All of them, sorted by the path of their type.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &ConfigurationPlace<'a>> {
        self.places.values()
    }
}

/// The types of which a resource's client takes apply configurations.
fn inputs(resource: &Resource) -> impl Iterator<Item = &TypePath> {
    let applied = resource.methods.iter().filter(|method| method.verb == Verb::Apply);
    std::iter::once(&resource.path).chain(applied.filter_map(|method| method.input.as_ref()))
}

fn can_be_taken_apart(def: &TypeDef) -> bool {
    let machinery = def.path.is_below("k8s_openapi", &["apimachinery"]);
    // k8s-openapi writes its serde impls out; they are those that a derive would write.
    let custom = def.container.custom && def.origin != Origin::Foreign;
    let plain = !custom && !def.container.transparent && def.generics.is_empty();
    matches!(def.kind, TypeKind::Struct(_)) && plain && !machinery
}

/// The named types in a type, itself included.
fn named<'a>(ty: &'a TypeExpr, found: &mut Vec<&'a TypePath>) {
    if let TypeExpr::Named { path, arguments } = ty
        && arguments.is_empty()
    {
        found.push(path);
    }
    if !matches!(ty, TypeExpr::TypeMeta(_)) {
        ty.children().into_iter().for_each(|child| named(child, found));
    }
}

fn place<'a>(
    model: &Model,
    path: &TypePath,
    def: &'a TypeDef,
    names: &mut BTreeSet<(String, String, String)>,
) -> ConfigurationPlace<'a> {
    let package = model.versions().find(|(_, version)| {
        let modules: Vec<&str> = version.package.modules.iter().map(String::as_str).collect();
        path.is_below(&version.package.crate_name, &modules)
    });
    let (group, version) = match package {
        Some((group, version)) => (
            (group.names.module.clone(), group.names.folder.clone()),
            (version.names.module.clone(), version.names.folder.clone()),
        ),
        None => foreign(path),
    };
    // Two types of one name in modules below the package: the later one takes its module's name too.
    let mut stem = path.name.clone();
    let mut outer = path.modules.iter().rev();
    while !names.insert((group.1.clone(), version.1.clone(), snake(&stem))) {
        let Some(module) = outer.next() else { break };
        stem = format!("{}{stem}", pascal(module.strip_prefix("r#").unwrap_or(module)));
    }
    let file = module_file(&snake(&stem));
    ConfigurationPlace { def, group, version, file, name: format!("{stem}ApplyConfiguration") }
}

/// Group and version of a type of another crate: the last two modules of its path.
fn foreign(path: &TypePath) -> ((String, String), (String, String)) {
    let module = |name: Option<&String>| {
        let name = name.unwrap_or(&path.crate_name);
        let (module, file) = module_file(name.strip_prefix("r#").unwrap_or(name));
        (module, file.strip_suffix(".rs").unwrap_or(&file).to_owned())
    };
    let mut modules = path.modules.iter().rev();
    let version = module(modules.next());
    (module(modules.next()), version)
}
