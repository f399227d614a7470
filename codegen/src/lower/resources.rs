//! Resources: roots with their tags, and what follows from both.

use super::facts::{Facts, RESOURCE_RULE};
use super::notes::{place, span};
use super::roots::Root;
use super::tags::{Tagged, Tags};
use super::universe::Universe;
use crate::diagnostic::{Diagnostic, LowerProblem, Span};
use crate::model::{Generators, Marker, MarkerValue, Resource, Scope, Shape, Verb, Verbs};
use crate::naming::{PluralExceptions, ResourceNames, is_label};

impl Universe<'_> {
    /// A resource; what contradicts itself is reported.
    pub(super) fn resource(&mut self, root: &Root, facts: &Facts, exceptions: &PluralExceptions) -> Resource {
        let status = root.definition.fields().iter().any(|field| field.wire.serialize == "status");
        let tags = self.tags(&Tagged {
            scope: &root.module,
            name: &root.kind,
            notes: &root.notes,
            has_status: status,
        });
        if let Some(client) = &tags.client
            && !root.definition.public
        {
            self.report(LowerProblem::PrivateRoot { name: root.kind.clone() }, client.clone());
        }
        let explicit = self.explicit_plural(root, &tags);
        let plural = exceptions.plural(&root.kind);
        let mut names = ResourceNames::new(&root.kind, &plural, explicit.as_deref());
        if explicit.is_none()
            && let Some(own) = &root.plural
        {
            names.plural.clone_from(own);
        }
        Resource {
            kind: root.kind.clone(),
            names,
            docs: root.definition.docs.clone(),
            path: root.path.clone(),
            shape: root.shape.clone(),
            scope: self.scope(root, &tags),
            generators: generators(root, facts, &tags),
            verbs: tags.verbs,
            has_status: status && !tags.no_status,
            methods: tags.methods,
            markers: root.notes.iter().map(|note| note.marker.clone()).chain(root.said.clone()).collect(),
            place: place(&root.span),
        }
    }

    /// The REST plural that markers give.
    fn explicit_plural(&mut self, root: &Root, tags: &Tags) -> Option<String> {
        let resource = tags.resource.clone();
        let path = argument(root, "path");
        self.name(resource.as_ref(), "a resource", RESOURCE_RULE, is_label);
        self.name(path.as_ref(), "a resource", RESOURCE_RULE, is_label);
        let own = root.plural.clone().zip(root.plural_span.clone());
        let said: Vec<(String, Span)> = [own, resource.clone(), path.clone()].into_iter().flatten().collect();
        if let Some(((first, first_place), rest)) = said.split_first()
            && let Some((second, second_place)) = rest.iter().find(|(plural, _)| plural != first)
        {
            let problem = LowerProblem::PluralConflict {
                name: root.kind.clone(),
                first: first.clone(),
                second: second.clone(),
            };
            self.diagnostics.push(
                Diagnostic::new(problem, second_place.clone())
                    .with_related(first_place.clone(), "the other one"),
            );
        }
        resource.or(path).map(|(plural, _)| plural)
    }

    /// Whether objects live in namespaces: said by a tag, by `+kubebuilder:resource:scope=` and by the type itself,
    /// which must not contradict each other.
    fn scope(&mut self, root: &Root, tags: &Tags) -> Scope {
        let marker = argument(root, "scope").map(|(text, place)| {
            let scope = if text == "Cluster" { Scope::Cluster } else { Scope::Namespaced };
            (scope, format!("+kubebuilder:resource:scope={text}"), place)
        });
        let own = root.scope.clone().map(|(scope, says)| (scope, says, root.span.clone()));
        let tag = tags
            .non_namespaced
            .clone()
            .map(|place| (Scope::Cluster, "+genclient:nonNamespaced".to_owned(), place));
        let said: Vec<(Scope, String, Span)> = [own, marker, tag].into_iter().flatten().collect();
        let Some((first, rest)) = said.split_first() else { return Scope::Namespaced };
        for other in rest.iter().filter(|other| other.0 != first.0) {
            let words = match first.0 {
                Scope::Namespaced => "in namespaces",
                Scope::Cluster => "outside of namespaces",
            };
            let problem = LowerProblem::ScopeConflict {
                name: root.kind.clone(),
                scope: words,
                first: first.1.clone(),
                second: other.1.clone(),
            };
            self.report(problem, other.2.clone());
        }
        first.0
    }
}

/// An argument of `+kubebuilder:resource` on the root type.
fn argument(root: &Root, name: &str) -> Option<(String, Span)> {
    let markers = root.notes.iter().filter(|note| note.marker.name == "kubebuilder:resource");
    let mut arguments = markers.flat_map(|note| &note.marker.arguments);
    let argument = arguments.find(|argument| argument.name == name)?;
    Some((argument.value.as_text()?.to_owned(), span(&argument.place)))
}

fn generators(root: &Root, facts: &Facts, tags: &Tags) -> Generators {
    let markers: Vec<&Marker> = root.notes.iter().map(|note| &note.marker).collect();
    let off = |name: &str| {
        markers.iter().any(|marker| marker.name == name && marker.value() == Some(&MarkerValue::Bool(false)))
    };
    let has = |verbs: &Verbs, all: [Verb; 2]| all.into_iter().all(|verb| verbs.contains(verb));
    let client = tags.client.is_some();
    let object =
        root.shape == Shape::GoRoot && !off("kubebuilder:object:root") && !off("kubebuilder:object:generate");
    Generators {
        object: object && facts.generators.object,
        client: client && facts.generators.client,
        lister: client && facts.generators.lister && has(&tags.verbs, [Verb::Get, Verb::List]),
        informer: client && facts.generators.informer && has(&tags.verbs, [Verb::List, Verb::Watch]),
        applyconfiguration: client && facts.generators.applyconfiguration && !off("kubebuilder:ac:generate"),
    }
}
