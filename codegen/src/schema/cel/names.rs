//! Names: words that are none, and how a schema's names are written in rules.

/// Words that are no names in rules; Kubernetes shows fields of these names between underscores.
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

/// A field's name as a CEL rule writes it: what is no identifier there is escaped.
pub(in crate::schema) fn accessor(name: &str) -> String {
    if is_reserved(name) {
        return format!("__{name}__");
    }
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if plain && !name.contains("__") {
        return name.to_owned();
    }
    let mut escaped = name.replace("__", "__underscores__");
    for (letter, word) in [(".", "__dot__"), ("-", "__dash__"), ("/", "__slash__")] {
        escaped = escaped.replace(letter, word);
    }
    escaped
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
