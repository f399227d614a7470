//! Public paths: under which path other crates reach a type that is declared in a private module.

use super::kube_attributes::KubeAttributes;
use super::package::RawPackage;
use super::resolve::Found;
use super::serde_attributes::derives;
use super::universe::{Scope, Universe};
use crate::model::TypePath;
use crate::naming::rust_ident;
use crate::source::ItemKind;
use std::rc::Rc;

/// How many re-exports of everything are followed.
const DEPTH_LIMIT: usize = 8;

impl Universe<'_> {
    /// Notes the structs that kube's derive writes, for structs and for enums, so that names of them are found.
    pub(super) fn register_derived(&mut self, packages: &[RawPackage]) {
        for (scope, raw) in packages.iter().flat_map(RawPackage::items) {
            let Some((attributes, _)) = raw.syntax.declaration() else { continue };
            if !derives(attributes).contains("CustomResource") {
                continue;
            }
            let kube = KubeAttributes::read(attributes, &mut Vec::new()).unwrap_or_default();
            if let Some(name) = kube.root_name() {
                let key = (scope.crate_name.clone(), scope.path.clone());
                self.derived.entry(key).or_default().push(name.to_owned());
            }
        }
    }

    /// Notes the paths of types in private modules. The shortest path wins; of two as short, the first by name.
    pub(super) fn register_public(&mut self, packages: &[RawPackage]) {
        let mut found: Vec<(TypePath, TypePath)> = Vec::new();
        for package in packages {
            for raw in package.scopes.iter().filter(|raw| raw.scope.module.public) {
                self.exports(&raw.scope, &raw.scope, 0, &mut found);
            }
        }
        found.sort_by_cached_key(|(_, path)| (path.modules.len(), path.to_string()));
        for (declared, path) in found {
            self.public_paths.entry(declared).or_insert(path);
        }
    }

    /// The types of private modules that a public module exports, directly or by exporting everything of a module.
    fn exports(
        &mut self,
        public: &Rc<Scope>,
        scope: &Rc<Scope>,
        depth: usize,
        found: &mut Vec<(TypePath, TypePath)>,
    ) {
        if depth > DEPTH_LIMIT {
            return;
        }
        let path = |name: &str| TypePath::new(&public.crate_name, public.written_path(), rust_ident(name));
        if depth > 0 && !scope.module.public {
            for item in scope.module.items.iter().filter(|item| item.public && is_type(item.kind)) {
                found.push((declared(scope, &item.name), path(&item.name)));
            }
            for name in self.derived_names(scope) {
                found.push((declared(scope, &name), path(&name)));
            }
        }
        for import in scope.imports().to_vec().into_iter().filter(|import| import.public) {
            match self.resolve(scope, &import.path, import.absolute) {
                Some(Found::Module(module)) if import.glob && self.owns(&module.crate_name) => {
                    self.exports(public, &module, depth + 1, found);
                }
                Some(Found::Item(module, item)) if !module.module.public && self.owns(&module.crate_name) => {
                    let name = import.name.unwrap_or_else(|| item.name.clone());
                    found.push((declared(&module, &item.name), path(&name)));
                }
                Some(Found::Derived(module, own)) if !module.module.public => {
                    let name = import.name.unwrap_or_else(|| own.clone());
                    found.push((declared(&module, &own), path(&name)));
                }
                _ => {}
            }
        }
    }

    fn derived_names(&self, scope: &Scope) -> Vec<String> {
        let key = (scope.crate_name.clone(), scope.path.clone());
        self.derived.get(&key).cloned().unwrap_or_default()
    }
}

fn declared(scope: &Scope, name: &str) -> TypePath {
    TypePath::new(&scope.crate_name, scope.written_path(), rust_ident(name))
}

fn is_type(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Type)
}
