//! The pluraliser: one rule for the REST path, the CRD, the getters and the fake.
//!
//! The rules are client-gen's (`s`, `x`, `z`, `ch`, `sh` take `es`; a consonant and `y` take `ies`; `f` and `fe` take
//! `ves`; all else takes `s`) where they give English. Where they do not, and client-gen and controller-gen therefore
//! disagree about the same kind (`Serieses` and `series`), English wins:
//!
//! - words that are plural already stay (`Endpoints`, `Settings`, `Data`): an `s` after a consonant or an `e`;
//! - irregular words are in a table (`Child`, `Index`, `Analysis`);
//! - `f` takes `ves` only where English does so (`Shelf`, but `Ref` and `Brief` take `s`).
//!
//! Only the last word of a kind counts. An explicit plural (`+resourceName=`, `#[kube(plural = "..")]`,
//! `+kubebuilder:resource:path=`) wins over all of this for the REST path.

use super::case::words;
use super::{is_identifier, is_label};
use std::collections::BTreeMap;

/// Words whose plural follows no rule, with that plural.
const IRREGULAR: &[(&str, &str)] = &[
    ("addendum", "addenda"),
    ("aircraft", "aircraft"),
    ("alumnus", "alumni"),
    ("apex", "apices"),
    ("appendix", "appendices"),
    ("aquarium", "aquaria"),
    ("axis", "axes"),
    ("bacterium", "bacteria"),
    ("beau", "beaux"),
    ("bison", "bison"),
    ("buffalo", "buffaloes"),
    ("cactus", "cacti"),
    ("canvas", "canvas"),
    ("cargo", "cargoes"),
    ("chassis", "chassis"),
    ("chateau", "chateaux"),
    ("child", "children"),
    ("codex", "codices"),
    ("consortium", "consortia"),
    ("corpus", "corpora"),
    ("criteria", "criteria"),
    ("criterion", "criteria"),
    ("data", "data"),
    ("datum", "data"),
    ("deer", "deer"),
    ("dice", "dice"),
    ("die", "dice"),
    ("echo", "echoes"),
    ("embargo", "embargoes"),
    ("emporium", "emporia"),
    ("epoch", "epochs"),
    ("equipment", "equipment"),
    ("erratum", "errata"),
    ("fez", "fezzes"),
    ("fish", "fish"),
    ("focus", "foci"),
    ("foot", "feet"),
    ("fungus", "fungi"),
    ("genus", "genera"),
    ("goose", "geese"),
    ("gymnasium", "gymnasia"),
    ("helix", "helices"),
    ("hero", "heroes"),
    ("index", "indices"),
    ("information", "information"),
    ("larva", "larvae"),
    ("latex", "latices"),
    ("leaf", "leaves"),
    ("locus", "loci"),
    ("louse", "lice"),
    ("man", "men"),
    ("mango", "mangoes"),
    ("matrix", "matrices"),
    ("maximum", "maxima"),
    ("media", "media"),
    ("medium", "media"),
    ("memorandum", "memoranda"),
    ("metadata", "metadata"),
    ("millennium", "millennia"),
    ("minimum", "minima"),
    ("momentum", "momenta"),
    ("money", "money"),
    ("moose", "moose"),
    ("mouse", "mice"),
    ("nebula", "nebulae"),
    ("nucleus", "nuclei"),
    ("offspring", "offspring"),
    ("optimum", "optima"),
    ("ox", "oxen"),
    ("people", "people"),
    ("person", "people"),
    ("phenomenon", "phenomena"),
    ("plateau", "plateaux"),
    ("podium", "podia"),
    ("police", "police"),
    ("potato", "potatoes"),
    ("premium", "premia"),
    ("quiz", "quizzes"),
    ("quotum", "quota"),
    ("radius", "radii"),
    ("referendum", "referenda"),
    ("rice", "rice"),
    ("salmon", "salmon"),
    ("sheep", "sheep"),
    ("shrimp", "shrimp"),
    ("spectrum", "spectra"),
    ("stimulus", "stimuli"),
    ("stratum", "strata"),
    ("swine", "swine"),
    ("syllabus", "syllabi"),
    ("symposium", "symposia"),
    ("tableau", "tableaux"),
    ("testis", "testes"),
    ("tomato", "tomatoes"),
    ("tooth", "teeth"),
    ("tornado", "tornadoes"),
    ("torpedo", "torpedoes"),
    ("trout", "trout"),
    ("tuna", "tuna"),
    ("vertebra", "vertebrae"),
    ("vertex", "vertices"),
    ("veto", "vetoes"),
    ("vortex", "vortices"),
    ("woman", "women"),
    ("zero", "zeroes"),
];

/// Words in `f` or `fe` whose plural is in `ves`.
const VES: &[&str] = &[
    "calf", "dwarf", "elf", "half", "hoof", "knife", "leaf", "life", "loaf", "scarf", "self", "sheaf",
    "shelf", "thief", "wharf", "wife", "wolf",
];

/// Plurals that the user has set, by kind (`--plural-exceptions Kind:Plural`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PluralExceptions(BTreeMap<String, String>);

impl PluralExceptions {
    /// Adds one exception; a later one for the same kind wins.
    pub fn insert(&mut self, kind: impl Into<String>, plural: impl Into<String>) {
        self.0.insert(kind.into(), plural.into());
    }

    /// Reads `Kind:Plural`. `None` when the text has another form.
    pub fn parse(text: &str) -> Option<(String, String)> {
        let (kind, plural) = text.split_once(':')?;
        let (kind, plural) = (kind.trim(), plural.trim());
        Self::is_pair(kind, plural).then(|| (kind.to_owned(), plural.to_owned()))
    }

    /// Whether these can be a kind and its plural: names in code that are names of resources, too.
    pub fn is_pair(kind: &str, plural: &str) -> bool {
        is_identifier(kind) && is_identifier(plural) && is_label(&plural.to_lowercase())
    }

    /// The plural of a kind in the kind's own case: the exception, else the pluraliser's.
    pub fn plural(&self, kind: &str) -> String {
        self.0.get(kind).cloned().unwrap_or_else(|| plural(kind))
    }
}

/// The plural of a kind, in the kind's own case: `HTTPRoute` gives `HTTPRoutes`.
pub fn plural(kind: &str) -> String {
    let Some(last) = words(kind).pop() else { return kind.to_owned() };
    let Some(stem) = kind.strip_suffix(last.as_str()) else { return regular(kind) };
    let lower = last.to_lowercase();
    match irregular(&lower) {
        Some(plural) => format!("{stem}{}", like(&last, plural)),
        None => format!("{stem}{}", regular(&last)),
    }
}

fn irregular(word: &str) -> Option<&'static str> {
    IRREGULAR.iter().find(|(single, _)| *single == word).map(|(_, plural)| *plural)
}

/// `plural` with the first letter in the case of `single`'s.
fn like(single: &str, plural: &str) -> String {
    let upper = single.starts_with(char::is_uppercase);
    let mut letters = plural.chars();
    match letters.next() {
        Some(first) if upper => first.to_uppercase().chain(letters).collect(),
        _ => plural.to_owned(),
    }
}

fn regular(word: &str) -> String {
    let lower = word.to_lowercase();
    if lower.chars().count() < 2 {
        return format!("{word}s");
    }
    // Letters that are spoken one by one: `DNSes`.
    if word.ends_with('S') && word.chars().all(char::is_uppercase) {
        return format!("{word}es");
    }
    match ending(&lower) {
        Ending::Plural => word.to_owned(),
        Ending::Append(suffix) => format!("{word}{suffix}"),
        Ending::Replace(count, suffix) => {
            let kept = word.chars().count().saturating_sub(count);
            word.chars().take(kept).chain(suffix.chars()).collect()
        }
    }
}

enum Ending {
    /// The word is a plural.
    Plural,
    /// Letters are added.
    Append(&'static str),
    /// So many letters give way to others.
    Replace(usize, &'static str),
}

fn ending(word: &str) -> Ending {
    let mut back = word.chars().rev();
    let (last, before) = (back.next().unwrap_or_default(), back.next().unwrap_or_default());
    match (before, last) {
        ('i', 's') if word.ends_with("sis") => Ending::Replace(2, "es"),
        ('s' | 'a' | 'i' | 'o' | 'u', 's') => Ending::Append("es"),
        (_, 's') => Ending::Plural,
        (_, 'x' | 'z') | ('c' | 's', 'h') => Ending::Append("es"),
        ('a' | 'e' | 'o', 'y') => Ending::Append("s"),
        ('u', 'y') if !word.ends_with("quy") => Ending::Append("s"),
        ('i', 'y') => Ending::Append("s"),
        (_, 'y') => Ending::Replace(1, "ies"),
        _ if VES.contains(&word) && last == 'e' => Ending::Replace(2, "ves"),
        _ if VES.contains(&word) => Ending::Replace(1, "ves"),
        _ => Ending::Append("s"),
    }
}

/// The plural which `#[derive(CustomResource)]` gives to a kind without `plural = ".."`. The derive's `plural()` decides
/// what a client of such a kind asks for, so CRD, fake and client follow it.
pub fn kube_plural(kind: &str) -> String {
    let word = kind.to_lowercase();
    let mut back = word.chars().rev();
    let (last, before) = (back.next().unwrap_or_default(), back.next().unwrap_or_default());
    match (before, last) {
        (_, 's' | 'x' | 'z') | ('c' | 's', 'h') => format!("{word}es"),
        (before, 'y') if word.len() > 1 && !"aeiou".contains(before) => {
            format!("{}ies", word.strip_suffix('y').unwrap_or(&word))
        }
        _ => format!("{word}s"),
    }
}
