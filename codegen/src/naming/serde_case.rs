//! serde's `rename_all` cases, exactly as serde applies them.

/// A case of `#[serde(rename_all = "..")]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the cases' own names")]
pub enum SerdeCase {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl SerdeCase {
    /// The cases with serde's spelling.
    pub const ALL: [(&'static str, Self); 8] = [
        ("lowercase", Self::Lower),
        ("UPPERCASE", Self::Upper),
        ("PascalCase", Self::Pascal),
        ("camelCase", Self::Camel),
        ("snake_case", Self::Snake),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
        ("kebab-case", Self::Kebab),
        ("SCREAMING-KEBAB-CASE", Self::ScreamingKebab),
    ];

    /// The case of serde's spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(text, _)| *text == name).map(|(_, case)| *case)
    }

    /// The wire name of a field, which is written in snake case in Rust.
    pub fn field(self, field: &str) -> String {
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::ScreamingSnake => field.to_ascii_uppercase(),
            Self::Pascal => pascal_field(field),
            Self::Camel => first_lowered(&pascal_field(field)),
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The wire name of a variant, which is written in Pascal case in Rust.
    pub fn variant(self, variant: &str) -> String {
        match self {
            Self::Pascal => variant.to_owned(),
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Camel => first_lowered(variant),
            Self::Snake => snake_variant(variant),
            Self::ScreamingSnake => snake_variant(variant).to_ascii_uppercase(),
            Self::Kebab => snake_variant(variant).replace('_', "-"),
            Self::ScreamingKebab => snake_variant(variant).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal_field(field: &str) -> String {
    let mut capital = true;
    let mut name = String::with_capacity(field.len());
    for letter in field.chars() {
        if letter == '_' {
            capital = true;
        } else if std::mem::take(&mut capital) {
            name.push(letter.to_ascii_uppercase());
        } else {
            name.push(letter);
        }
    }
    name
}

fn first_lowered(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_lowercase()).chain(letters).collect()
    })
}

fn snake_variant(variant: &str) -> String {
    let mut name = String::with_capacity(variant.len() + 4);
    for (index, letter) in variant.char_indices() {
        if index > 0 && letter.is_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
