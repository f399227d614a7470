//! Versions: a type package to its place in the model.

use super::facts::Facts;
use super::notes::place;
use super::package::{RawPackage, Syntax};
use super::roots::Root;
use super::types::Declared;
use super::universe::Universe;
use crate::diagnostic::{Diagnostic, LowerProblem, Span};
use crate::model::{Generators, Group, Model, Package, Place, Resource, TypeDef, TypePath, Version};
use crate::naming::{GroupNames, PluralExceptions, VersionNames, VersionPriority, is_version};
use std::collections::BTreeMap;

impl Universe<'_> {
    /// Lowers a package and puts it into the model.
    pub(super) fn version(&mut self, package: &RawPackage, exceptions: &PluralExceptions, model: &mut Model) {
        let facts = self.facts(package);
        let mut types = Vec::new();
        let mut roots = Vec::new();
        for (scope, raw) in package.items() {
            let definition = self.definition_of(package, scope, raw);
            if let Some(definition) = &definition {
                types.push(definition.path.clone());
            }
            let found = self.roots(package, scope, raw, definition.as_ref());
            model.types.extend(definition.map(|definition| (definition.path.clone(), definition)));
            roots.extend(found);
        }
        let mut resources = Vec::new();
        for root in roots {
            let resource = self.resource(&root, &facts, exceptions);
            self.agree(&root, &facts, package);
            self.take_apart(&root, &resource, &mut model.types);
            if !types.contains(&root.path) {
                types.push(root.path.clone());
            }
            resources.push((resource, root));
        }
        for mut resources in parts(&facts, resources) {
            let Some(placed) = self.placed(package, &facts, &resources) else { continue };
            resources.sort_by(|(left, _), (right, _)| left.kind.cmp(&right.kind));
            let resources = resources.into_iter().map(|(resource, root)| {
                model.types.insert(root.path, root.definition);
                resource
            });
            let contents = Contents { resources: resources.collect(), types: types.clone() };
            insert(model, package, &facts, placed, contents);
        }
    }

    fn definition_of(
        &mut self,
        package: &RawPackage,
        scope: &std::rc::Rc<super::universe::Scope>,
        raw: &super::package::RawItem,
    ) -> Option<TypeDef> {
        let declared = Declared {
            scope,
            item: &raw.item,
            markers: raw.notes.iter().map(|note| note.marker.clone()).collect(),
            optional: package.requiredness(),
        };
        match &raw.syntax {
            Syntax::Struct(item) => Some(self.struct_def(declared, item)),
            Syntax::Enum(item) => Some(self.enum_def(declared, item)),
            Syntax::Type | Syntax::Use => None,
        }
    }

    /// A root that says its group and version must say what the package says.
    fn agree(&mut self, root: &Root, facts: &Facts, package: &RawPackage) {
        let version = facts.version.as_ref().map_or(package.input.version.as_str(), |(version, _)| version);
        let module = package.modules.last().map(String::as_str);
        let expected = [
            ("group", &root.group, facts.group.as_ref().map(|(group, _)| group.clone())),
            (
                "version",
                &root.version,
                facts.version.as_ref().map(|_| version.to_owned()).or_else(|| {
                    // Without a marker the module's name counts, where it has the form of a version.
                    let named = module.unwrap_or(version);
                    is_version(named).then(|| named.to_owned())
                }),
            ),
        ];
        for (what, said, expected) in expected {
            if let (Some((found, span)), Some(expected)) = (said, expected)
                && *found != expected
            {
                let problem = LowerProblem::NotOfPackage {
                    kind: root.kind.clone(),
                    what,
                    found: found.clone(),
                    expected,
                };
                self.report(problem, span.clone());
            }
        }
    }

    /// Reads the structs that a root of another crate is made of, and those that methods apply.
    fn take_apart(&mut self, root: &Root, resource: &Resource, types: &mut BTreeMap<TypePath, TypeDef>) {
        if matches!(root.shape, crate::model::Shape::ReExport { .. }) {
            self.reachable(&root.definition, types);
        }
        let applied = resource.methods.iter().filter(|method| method.verb == crate::model::Verb::Apply);
        for path in applied.filter_map(|method| method.input.as_ref()) {
            if types.contains_key(path) {
                continue;
            }
            if let Some(definition) = self.foreign_type(path) {
                self.reachable(&definition, types);
                types.insert(path.clone(), definition);
            }
        }
    }

    /// Group and version of a package: from its markers, else from its kinds, else from the module's name.
    fn placed(&mut self, package: &RawPackage, facts: &Facts, roots: &[(Resource, Root)]) -> Option<Placed> {
        let root = package.root()?;
        let file = root.module.file.path().to_owned();
        let group = match &facts.group {
            Some((group, _)) => Some(group.clone()),
            None => self.group_of_roots(roots),
        };
        let of_roots =
            || roots.iter().find_map(|(_, root)| root.version.as_ref().map(|(version, _)| version.clone()));
        let of_module = || package.modules.last().filter(|name| is_version(name)).cloned();
        let version = facts
            .version
            .as_ref()
            .map(|(version, _)| version.clone())
            .or_else(of_roots)
            .or_else(|| Some(package.input.version.clone()).filter(|version| !version.is_empty()))
            .or_else(of_module)
            .or_else(|| version_of_path(&file));
        let start = root.module.file.span(root.module.bytes.start..root.module.bytes.start + 1);
        if roots.is_empty() && (group.is_none() || version.is_none()) {
            // Nothing is asked of a package without kinds, such as one that holds permissions.
            return None;
        }
        if group.is_none() {
            let package = format!("{}/{}", package.input.group, package.input.version);
            self.report(LowerProblem::NoGroup { package }, start.clone());
        }
        if version.is_none() {
            self.report(LowerProblem::NoVersion, start.clone());
        }
        let place = place(&start);
        Some(Placed { group: group?, version: version?, file, place })
    }

    /// The group which the kinds of a package name, when they name one.
    fn group_of_roots(&mut self, roots: &[(Resource, Root)]) -> Option<String> {
        let mut said: Vec<(&str, &(String, Span))> = Vec::new();
        for (_, root) in roots {
            said.extend(root.group.as_ref().map(|group| (root.kind.as_str(), group)));
        }
        let (_, (first, first_span)) = said.first().copied()?;
        for (kind, (group, span)) in said.iter().filter(|(_, (group, _))| group != first) {
            let problem = LowerProblem::NotOfPackage {
                kind: (*kind).to_owned(),
                what: "group",
                found: group.clone(),
                expected: first.clone(),
            };
            self.diagnostics.push(
                Diagnostic::new(problem, span.clone()).with_related(first_span.clone(), "the first one"),
            );
        }
        Some(first.clone())
    }
}

/// The kinds of a package, apart by the group and version that they name themselves where the package names none.
fn parts(facts: &Facts, resources: Vec<(Resource, Root)>) -> Vec<Vec<(Resource, Root)>> {
    let key = |root: &Root| {
        let of = |said: &Option<(String, Span)>| said.as_ref().map(|(text, _)| text.clone());
        let group = if facts.group.is_some() { None } else { of(&root.group) };
        let version = if facts.version.is_some() { None } else { of(&root.version) };
        (group, version)
    };
    let mut parts: BTreeMap<_, Vec<(Resource, Root)>> = BTreeMap::new();
    let mut rest = Vec::new();
    for (resource, root) in resources {
        match key(&root) {
            (None, None) => rest.push((resource, root)),
            key => parts.entry(key).or_default().push((resource, root)),
        }
    }
    let mut parts: Vec<_> = parts.into_values().collect();
    match parts.first_mut() {
        Some(first) => first.append(&mut rest),
        None => parts.push(rest),
    }
    parts
}

/// The version by which a file or its folder is called.
fn version_of_path(file: &std::path::Path) -> Option<String> {
    let names = [file.file_stem(), file.parent().and_then(std::path::Path::file_name)];
    let names = names.into_iter().flatten().map(|name| name.to_string_lossy().into_owned());
    names.into_iter().find(|name| is_version(name))
}

/// Where a package goes in the model.
struct Placed {
    group: String,
    version: String,
    file: std::path::PathBuf,
    place: Place,
}

/// What a package holds.
struct Contents {
    resources: Vec<Resource>,
    types: Vec<TypePath>,
}

fn insert(model: &mut Model, package: &RawPackage, facts: &Facts, placed: Placed, contents: Contents) {
    let go_name = facts.go_name.as_ref().map(|(name, _)| name.as_str());
    let folder = package.input.group.rsplit('/').next().filter(|folder| !folder.is_empty());
    let module = package.modules.iter().rev().nth(1).map(String::as_str);
    let label = placed.group.split('.').next().filter(|label| !label.is_empty());
    let folder = folder.or(module).or(label).unwrap_or("core");
    let names = GroupNames::new(&placed.group, go_name, folder);
    let root = package.root().map(|scope| &scope.module);
    let version = Version {
        names: VersionNames::new(&names, &placed.version),
        package: Package {
            crate_name: package.crate_name.clone(),
            crate_root: package.crate_root.clone(),
            modules: package.modules.clone(),
            object_file: root.map(|module| module.folder.join("zz_generated.object.rs")).unwrap_or_default(),
            inline: root.is_some_and(|module| module.inline),
            file: placed.file,
            docs: package.docs.clone(),
            generators: switches(package, facts),
            markers: package.notes.iter().map(|note| note.marker.clone()).collect(),
            place: placed.place,
        },
        resources: contents.resources,
        types: contents.types,
        name: placed.version,
    };
    // Packages of one group that differ in name or folder stay apart here; `check` tells what is wrong with them.
    match model.groups.iter_mut().find(|group| group.name == placed.group && group.names == names) {
        Some(group) => group.versions.push(version),
        None => model.groups.push(Group { name: placed.group, names, versions: vec![version] }),
    }
}

fn switches(package: &RawPackage, facts: &Facts) -> Generators {
    let off = package.notes.iter().any(|note| {
        note.marker.name == "kubebuilder:object:generate"
            && note.marker.value() == Some(&crate::model::MarkerValue::Bool(false))
    });
    Generators { object: facts.generators.object && !off, ..facts.generators }
}

/// Brings groups and versions into their order.
pub(super) fn sort(model: &mut Model) {
    model
        .groups
        .sort_by(|left, right| (&left.name, &left.names.folder).cmp(&(&right.name, &right.names.folder)));
    for group in &mut model.groups {
        group.versions.sort_by_cached_key(|version| VersionPriority::of(&version.name));
    }
}
