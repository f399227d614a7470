//! Tokens to text. Items are printed one by one with a blank line between (the printer puts none), members of an `impl`
//! likewise; comments cannot travel in tokens, so the header is put before as text. Never reads or writes a file.

use proc_macro2::TokenStream;

use super::{Generator, Header};

/// The items of a Rust file, in order.
#[derive(Clone, Debug, Default)]
pub struct Items(Vec<TokenStream>);

impl Items {
    /// Adds items: one, several, or none.
    pub fn push(&mut self, item: TokenStream) {
        if !item.is_empty() {
            self.0.push(item);
        }
    }

    /// Takes over all items of another list.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl Extend<TokenStream> for Items {
    fn extend<I: IntoIterator<Item = TokenStream>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl FromIterator<TokenStream> for Items {
    fn from_iter<I: IntoIterator<Item = TokenStream>>(items: I) -> Self {
        let mut all = Self::default();
        all.extend(items);
        all
    }
}

/// A Rust file before it is text.
#[derive(Clone, Debug)]
pub struct RustFile {
    /// What stands above the code.
    pub header: Header,
    /// Who made it.
    pub generator: Generator,
    /// The `//!` lines: what this module is. Empty for files that are included into a module.
    pub docs: Vec<String>,
    /// The code.
    pub items: Items,
}

impl RustFile {
    /// The text of the file.
    ///
    /// # Errors
    ///
    /// When the tokens are not Rust items.
    pub fn print(self) -> syn::Result<String> {
        let mut text = self.header.lines(self.generator);
        if !self.docs.is_empty() {
            text.push('\n');
        }
        for line in &self.docs {
            text.push_str(if line.is_empty() { "//!" } else { "//! " });
            text.push_str(line);
            text.push('\n');
        }
        let mut previous = Kind::Header;
        for tokens in self.items.0 {
            for item in syn::parse2::<syn::File>(tokens)?.items {
                let kind = Kind::of(&item);
                if !(kind == previous && kind.stays_together()) {
                    text.push('\n');
                }
                text.push_str(&print_item(item));
                previous = kind;
            }
        }
        Ok(text)
    }
}

/// What an item is, as far as the space around it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Header,
    Use,
    Reexport,
    Module,
    Other,
}

impl Kind {
    fn of(item: &syn::Item) -> Self {
        match item {
            syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Inherited) => Self::Use,
            syn::Item::Use(_) => Self::Reexport,
            syn::Item::Mod(_) => Self::Module,
            _ => Self::Other,
        }
    }

    fn stays_together(self) -> bool {
        matches!(self, Self::Use | Self::Reexport | Self::Module)
    }
}

fn print_item(item: syn::Item) -> String {
    let spaced = match &item {
        syn::Item::Impl(block) => block.items.iter().any(|member| matches!(member, syn::ImplItem::Fn(_))),
        _ => false,
    };
    let text = unparse(item);
    if spaced { spaced_members(&text) } else { text }
}

/// An `impl` with a blank line between its members. They are told by their last lines, which are the only ones that
/// stand at their depth: a brace, or a type or constant in one line.
fn spaced_members(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let one_line = line.starts_with("    type ") || line.starts_with("    const ");
        let ends_member = line == "    }" || (one_line && line.ends_with(';'));
        if ends_member && lines.peek().is_some_and(|next| *next != "}") {
            out.push('\n');
        }
    }
    out
}

fn unparse(item: syn::Item) -> String {
    prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    })
}
