//! Packages: the modules of a type package, their items with their markers, and what the package says of itself.

use super::docs::clean;
use super::imports::of_item;
use super::members::Requiredness;
use super::notes::{Note, NoteOrigin, Spot, notes, place, plain_comments, read, refuse_blocks};
use super::serde_attributes::derives;
use super::universe::{Scope, Universe};
use crate::diagnostic::{Diagnostics, LowerProblem, MarkerProblem};
use crate::marker::Targets;
use crate::model::Place;
use crate::source::{Comment, CommentKind, Item, ItemKind, Located, Module, PackageInput};
use std::rc::Rc;

/// A type package before it is lowered.
#[derive(Debug)]
pub(super) struct RawPackage {
    pub(super) input: PackageInput,
    pub(super) crate_name: String,
    pub(super) crate_root: Option<std::path::PathBuf>,
    pub(super) modules: Vec<String>,
    pub(super) scopes: Vec<RawScope>,
    /// The markers of the package.
    pub(super) notes: Vec<Note>,
    pub(super) docs: String,
}

/// A module of a type package.
#[derive(Debug)]
pub(super) struct RawScope {
    pub(super) scope: Rc<Scope>,
    pub(super) items: Vec<RawItem>,
}

/// An item that can be a type.
#[derive(Debug)]
pub(super) struct RawItem {
    pub(super) item: Item,
    pub(super) notes: Vec<Note>,
    pub(super) syntax: Syntax,
}

/// The syntax of an item.
#[derive(Debug)]
pub(super) enum Syntax {
    Struct(Box<syn::ItemStruct>),
    Enum(Box<syn::ItemEnum>),
    Type,
    Use,
}

impl Syntax {
    /// The attributes and parameters of a struct or an enum.
    pub(super) fn declaration(&self) -> Option<(&[syn::Attribute], &syn::Generics)> {
        match self {
            Self::Struct(item) => Some((&item.attrs, &item.generics)),
            Self::Enum(item) => Some((&item.attrs, &item.generics)),
            Self::Type | Self::Use => None,
        }
    }
}

impl RawItem {
    pub(super) fn note(&self, name: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.marker.name == name)
    }
}

impl RawPackage {
    /// The module in which the package begins.
    pub(super) fn root(&self) -> Option<&Rc<Scope>> {
        self.scopes.first().map(|raw| &raw.scope)
    }

    /// What the package says about fields of which nothing else is known.
    pub(super) fn requiredness(&self) -> Option<Requiredness> {
        let optional = |note: &&Note| note.marker.name == "kubebuilder:validation:Optional";
        self.notes.iter().find(optional).map(|_| Requiredness::Optional)
    }

    /// The items with the modules they stand in.
    pub(super) fn items(&self) -> impl Iterator<Item = (&Rc<Scope>, &RawItem)> {
        self.scopes.iter().flat_map(|raw| raw.items.iter().map(move |item| (&raw.scope, item)))
    }
}

impl Universe<'_> {
    /// Reads a type package with all its modules.
    pub(super) fn read_package(&mut self, input: &PackageInput) -> Option<RawPackage> {
        let located = self.loader.locate(input, &mut self.diagnostics)?;
        let Located { module, crate_name, crate_root, crate_lib, renames, modules } = located;
        self.add_own(&crate_name, renames);
        let plain: Vec<String> =
            modules.iter().map(|name| name.trim_start_matches("r#").to_owned()).collect();
        let tree = self.loader.tree(module, &mut self.diagnostics);
        let mut package = RawPackage {
            input: input.clone(),
            crate_name: crate_name.clone(),
            crate_root,
            modules,
            scopes: Vec::new(),
            notes: Vec::new(),
            docs: String::new(),
        };
        for module in tree {
            let place = plain.iter().chain(&module.path).cloned().collect();
            let scope = Rc::new(Scope::new(&crate_name, place, Rc::clone(&module)));
            self.add(&scope, crate_lib.as_ref());
            self.inner_docs(&mut package, &module);
            let items = self.items(&mut package, &module);
            package.scopes.push(RawScope { scope, items });
        }
        Some(package)
    }

    /// The doc comment of the module itself: it says what the package is, and may hold markers.
    fn inner_docs(&mut self, package: &mut RawPackage, module: &Module) {
        let first = module.items.first().map_or(module.bytes.end, |item| item.bytes.start);
        let comments: Vec<Comment> = module
            .file
            .comments_in(module.bytes.start..first)
            .iter()
            .filter(|comment| comment.kind == CommentKind::InnerDoc)
            .copied()
            .collect();
        if module.path.is_empty() {
            let text = |comment: &Comment| {
                let text = module.file.slice(comment.start + comment.opening..comment.end);
                text.strip_suffix("*/").unwrap_or(text).to_owned()
            };
            package.docs = clean(&comments.iter().map(text).collect::<Vec<_>>().join("\n"));
        }
        for note in read(&module.file, &comments, &mut self.diagnostics) {
            self.give_package(package, note, "in the documentation of a module");
        }
    }

    fn items(&mut self, package: &mut RawPackage, module: &Rc<Module>) -> Vec<RawItem> {
        let mut items = Vec::new();
        let mut after = module.bytes.start;
        for item in &module.items {
            let spot = Spot { after, start: item.bytes.start, head: item.head };
            after = item.bytes.end;
            let mut wrong = Diagnostics::new();
            let (own, stray) = notes(&module.file, &spot, &mut wrong);
            let name = module.file.span(item.name_bytes.clone());
            self.diagnostics.extend(match item.kind {
                ItemKind::Struct | ItemKind::Enum | ItemKind::Type => {
                    wrong.with_related(&name, "on this type")
                }
                _ => wrong,
            });
            self.strays(package, stray);
            let syntax = self.syntax(module, item);
            let own = self.sort(package, module, item, own);
            self.check_twice(module, item);
            self.check_union(module, item);
            if let Some(syntax) = syntax {
                items.push(RawItem { item: item.clone(), notes: own, syntax });
            }
        }
        refuse_blocks(&module.file, after..module.bytes.end, &mut self.diagnostics);
        let rest = plain_comments(&module.file, after..module.bytes.end);
        let rest = read(&module.file, &rest, &mut self.diagnostics);
        self.strays(package, rest);
        items
    }

    /// A type that a module declares twice is there under conditions; neither is taken.
    fn check_twice(&mut self, module: &Module, item: &Item) {
        let is_type = |kind| matches!(kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Type);
        let of_name = |other: &&Item| is_type(other.kind) && other.name == item.name;
        let first = module.items.iter().find(of_name);
        if is_type(item.kind) && first.is_some_and(|first| first.bytes != item.bytes) {
            let problem = LowerProblem::DeclaredTwice { name: item.name.clone() };
            self.report(problem, module.file.span(item.name_bytes.clone()));
        }
    }

    /// A union has no form on the wire; that it is to be a kind is not passed over.
    fn check_union(&mut self, module: &Module, item: &Item) {
        let file = &module.file;
        if item.kind != ItemKind::Other || item.name != "union" {
            return;
        }
        let parsed = item.parse::<syn::ItemUnion>(file);
        if parsed.is_ok_and(|parsed| derives(&parsed.attrs).contains("CustomResource")) {
            let name = file.slice(item.name_bytes.clone()).to_owned();
            self.report(LowerProblem::UnionRoot { name }, file.span(item.name_bytes.clone()));
        }
    }

    /// The syntax of a type or an import; what cannot be parsed is reported and left out.
    fn syntax(&mut self, module: &Module, item: &Item) -> Option<Syntax> {
        let file = &module.file;
        let parsed = match item.kind {
            ItemKind::Struct => item.parse(file).map(|parsed| Syntax::Struct(Box::new(parsed))),
            ItemKind::Enum => item.parse(file).map(|parsed| Syntax::Enum(Box::new(parsed))),
            ItemKind::Type => item.parse::<syn::ItemType>(file).map(|_| Syntax::Type),
            ItemKind::Use => item.parse::<syn::ItemUse>(file).map(|_| Syntax::Use),
            ItemKind::Module | ItemKind::Impl | ItemKind::Other => return None,
        };
        parsed.map_err(|problem| self.diagnostics.push(*problem)).ok()
    }

    /// Tells the markers of an item from those of the package that stand above it.
    fn sort(
        &mut self,
        package: &mut RawPackage,
        module: &Module,
        item: &Item,
        notes: Vec<Note>,
    ) -> Vec<Note> {
        let is_client =
            |note: &Note| note.marker.name.starts_with("genclient") || note.marker.name == "resourceName";
        let is_type = match item.kind {
            ItemKind::Struct | ItemKind::Enum | ItemKind::Type => true,
            ItemKind::Use => notes.iter().any(is_client),
            ItemKind::Module | ItemKind::Impl | ItemKind::Other => false,
        };
        let is_first = module.items.first().is_some_and(|first| first.bytes == item.bytes);
        let mut own = Vec::new();
        for note in notes {
            // What packages and fields have in common is meant for the package where its markers stand, at the top of the file.
            let is_misplaced =
                note.origin == NoteOrigin::Doc || (!is_first && note.targets.allow(Targets::FIELD));
            if is_type && note.targets.allow(Targets::TYPE) {
                own.push(note);
            } else if is_type && is_misplaced {
                self.misplaced(note, &describe(item));
            } else {
                let found = describe(item);
                self.give_package(package, note, &found);
            }
        }
        // An import without a name cannot be asked for its kind later.
        if item.kind == ItemKind::Use && of_item(item, &module.file).is_none_or(|imports| imports.is_empty())
        {
            own.clear();
        }
        own
    }

    /// Markers in comments that belong to no item.
    fn strays(&mut self, package: &mut RawPackage, notes: Vec<Note>) {
        for note in notes {
            if note.targets.allow(Targets::PACKAGE) {
                package.notes.push(note);
            } else if note.marker.name.starts_with("genclient") || note.marker.name == "resourceName" {
                self.report(MarkerProblem::Orphan { name: note.marker.name }, note.span);
            }
        }
    }

    fn give_package(&mut self, package: &mut RawPackage, note: Note, found: &str) {
        if note.targets.allow(Targets::PACKAGE) {
            package.notes.push(note);
        } else {
            self.misplaced(note, found);
        }
    }

    fn misplaced(&mut self, note: Note, found: &str) {
        let problem = MarkerProblem::WrongTarget {
            name: note.marker.name,
            allowed: note.targets.describe().to_owned(),
            found: found.to_owned(),
        };
        self.report(problem, note.span);
    }
}

/// The place of a package in which nothing is to get a client.
pub(super) fn without_clients(package: &RawPackage) -> Option<Place> {
    let module = &package.root()?.module;
    let any = package.items().any(|(_, item)| item.note("genclient").is_some());
    let start = module.bytes.start;
    (!any).then(|| place(&module.file.span(start..start + 1)))
}

fn describe(item: &Item) -> String {
    match item.kind {
        ItemKind::Struct => "on a struct".to_owned(),
        ItemKind::Enum => "on an enum".to_owned(),
        ItemKind::Type => "on an alias".to_owned(),
        ItemKind::Use => "on a `use`".to_owned(),
        ItemKind::Module => "on a module".to_owned(),
        ItemKind::Impl => "on an `impl`".to_owned(),
        ItemKind::Other => format!("on a `{}`", item.name),
    }
}
