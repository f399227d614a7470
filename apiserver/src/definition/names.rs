//! Which names a definition gets: those that no other definition of its group has.
//!
//! In: a definition and the names that are taken. Out: the accepted names and the two conditions about them.

use std::collections::BTreeSet;

use super::{Definition, Names};

/// The names that the definitions of a group have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    resources: BTreeSet<String>,
    kinds: BTreeSet<String>,
}

/// What a review has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reviewed {
    pub names: Names,
    /// Reason and message of the first conflict of each kind; none where all names are free.
    pub conflict: Option<(&'static str, String)>,
}

impl Taken {
    /// Adds the names that a definition has got.
    pub(crate) fn add(&mut self, names: &Names) {
        self.resources.insert(names.plural.clone());
        self.resources.insert(names.singular.clone());
        self.resources.extend(names.short_names.iter().cloned());
        self.kinds.insert(names.kind.clone());
        self.kinds.insert(names.list_kind.clone());
    }
}

/// Looks which of the asked-for names are free. The last conflict is the one that is told.
pub(crate) fn review(definition: &Definition, taken: &Taken) -> Reviewed {
    let (asked, had) = (&definition.names, &definition.accepted);
    let mut names = had.clone();
    let mut conflict = None;
    let in_use = |name: &str, had: &str, taken: &BTreeSet<String>| {
        (name != had && taken.contains(name)).then(|| format!("\"{name}\" is already in use"))
    };
    let mut take =
        |place: &mut String, (asked, had): (&str, &str), taken: &BTreeSet<String>, reason| match in_use(
            asked, had, taken,
        ) {
            Some(why) => conflict = Some((reason, why)),
            None => *place = asked.to_owned(),
        };
    take(&mut names.plural, (&asked.plural, &had.plural), &taken.resources, "PluralConflict");
    take(&mut names.singular, (&asked.singular, &had.singular), &taken.resources, "SingularConflict");
    // What is asked for twice is told once.
    let mut clashes: Vec<String> = Vec::new();
    let new = asked.short_names.iter().filter(|name| !had.short_names.contains(name));
    for clash in new.filter_map(|name| in_use(name, "", &taken.resources)) {
        if !clashes.contains(&clash) {
            clashes.push(clash);
        }
    }
    let short_names = match clashes.as_slice() {
        [] => {
            names.short_names.clone_from(&asked.short_names);
            None
        }
        [one] => Some(one.clone()),
        many => Some(format!("[{}]", many.join(", "))),
    };
    let take = |place: &mut String, (asked, had): (&str, &str), reason| match in_use(asked, had, &taken.kinds)
    {
        Some(why) => Some((reason, why)),
        None => {
            *place = asked.to_owned();
            None
        }
    };
    let kind = take(&mut names.kind, (&asked.kind, &had.kind), "KindConflict");
    let list_kind = take(&mut names.list_kind, (&asked.list_kind, &had.list_kind), "ListKindConflict");
    names.categories.clone_from(&asked.categories);
    let short_names = short_names.map(|why| ("ShortNamesConflict", why));
    Reviewed { names, conflict: list_kind.or(kind).or(short_names).or(conflict) }
}
