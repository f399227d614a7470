//! Rust's keywords, and how names that are keywords are written.

/// Keywords that may be written with `r#`.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that no `r#` turns into a name.
const PATH_KEYWORDS: &[&str] = &["Self", "_", "crate", "self", "super"];

/// File names that mean something of their own to Rust.
const SPECIAL_FILES: &[&str] = &["lib", "main", "mod"];

/// Whether a word is a keyword of any edition.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) || PATH_KEYWORDS.contains(&word)
}

/// Whether a word can stand as an identifier, `r#` allowed.
pub fn is_identifier(word: &str) -> bool {
    let plain = word.strip_prefix("r#").unwrap_or(word);
    let mut letters = plain.chars();
    let starts = letters.next().is_some_and(|first| first == '_' || first.is_alphabetic());
    let raw_is_allowed = plain.len() == word.len() || !PATH_KEYWORDS.contains(&plain);
    starts && raw_is_allowed && letters.all(|letter| letter == '_' || letter.is_alphanumeric())
}

/// A name as a Rust identifier: `type` becomes `r#type`; `self`, for which Rust has no raw form, `self_`; what is no
/// letter, digit or underscore becomes an underscore.
pub fn rust_ident(name: &str) -> String {
    let mut clean: String =
        name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    if clean.is_empty() || clean.starts_with(|first: char| first.is_numeric()) {
        clean.insert(0, '_');
    }
    if PATH_KEYWORDS.contains(&clean.as_str()) {
        return format!("{clean}_");
    }
    if KEYWORDS.contains(&clean.as_str()) { format!("r#{clean}") } else { clean }
}

/// A name as a module and the file which holds it: (`r#type`, `type.rs`). Names that Rust gives to special files get an
/// underscore: (`mod_`, `mod_.rs`).
pub fn module_file(name: &str) -> (String, String) {
    let ident = if SPECIAL_FILES.contains(&name) { format!("{name}_") } else { rust_ident(name) };
    let file = format!("{}.rs", ident.strip_prefix("r#").unwrap_or(&ident));
    (ident, file)
}
