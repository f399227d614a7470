//! Names: words that are none, and how a schema's names are written in rules.

/// Words that are no names in rules.
const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Whether a word is no name.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// A name as a schema has it.
pub(super) fn unescaped(name: &str) -> String {
    let keyword = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    if let Some(keyword) = keyword.filter(|keyword| is_reserved(keyword)) {
        return keyword.to_owned();
    }
    let mut name = name.to_owned();
    for (word, letter) in [("__dot__", "."), ("__dash__", "-"), ("__slash__", "/"), ("__underscores__", "__")]
    {
        name = name.replace(word, letter);
    }
    name
}
