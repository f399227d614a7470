//! JSON as `serde_json::json!` takes it: Rust's literals, in lists and objects that may end with a comma.
//!
//! In: the tokens. Out: the value, where they hold nothing that code works out.

use proc_macro2::TokenStream;
use serde_json::{Map, Number, Value};
use syn::parse::{Parse, ParseStream};
use syn::{Lit, LitStr, Token, braced, bracketed, token};

/// The value of tokens.
pub(super) fn read(tokens: TokenStream) -> Option<Value> {
    syn::parse2::<Json>(tokens).ok().map(|json| json.0)
}

/// A value.
struct Json(Value);

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        Ok(Self(if input.peek(token::Brace) {
            braced!(content in input);
            let members = content.parse_terminated(Member::parse, Token![,])?;
            Value::Object(members.into_iter().map(|member| (member.key, member.value)).collect::<Map<_, _>>())
        } else if input.peek(token::Bracket) {
            bracketed!(content in input);
            let items = content.parse_terminated(Self::parse, Token![,])?;
            Value::Array(items.into_iter().map(|item| item.0).collect())
        } else if input.peek(syn::Ident) {
            let word: syn::Ident = input.parse()?;
            if word != "null" {
                return Err(syn::Error::new(word.span(), "this is worked out"));
            }
            Value::Null
        } else {
            let minus: Option<Token![-]> = input.parse()?;
            scalar(&input.parse()?, if minus.is_some() { "-" } else { "" })?
        }))
    }
}

/// `"key": value`.
struct Member {
    key: String,
    value: Value,
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.parse::<LitStr>()?.value();
        input.parse::<Token![:]>()?;
        Ok(Self { key, value: input.parse::<Json>()?.0 })
    }
}

/// The value of a literal, of which numbers may have a sign.
fn scalar(literal: &Lit, sign: &str) -> syn::Result<Value> {
    let number = |digits: &str| {
        let number: Result<Number, _> = serde_json::from_str(&format!("{sign}{digits}"));
        number.map(Value::Number).map_err(|error| syn::Error::new(literal.span(), error))
    };
    match literal {
        Lit::Int(digits) => number(digits.base10_digits()),
        Lit::Float(digits) => number(digits.base10_digits()),
        Lit::Str(text) if sign.is_empty() => Ok(Value::String(text.value())),
        Lit::Bool(flag) if sign.is_empty() => Ok(Value::Bool(flag.value)),
        _ => Err(syn::Error::new(literal.span(), "this is no JSON")),
    }
}
