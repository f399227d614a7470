//! `patterns.txt` holds expressions with what Go's `regexp` says of them, which is why one cannot be read, or which of the texts below it
//! finds something in.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use kube_codegen_go_regex::read;
use serde_json::Value;

const TEXTS: [&str; 6] = ["", "ab", "aab zz", "é日é", "a-b_c 12", "{2}(x)"];

fn patterns() -> impl Iterator<Item = (String, Value)> {
    include_str!("patterns.txt").lines().map(|line| serde_json::from_str(line).unwrap())
}

fn refused(pattern: &str) -> String {
    read(pattern).map(|expression| expression.text().to_owned()).unwrap_err().to_string()
}

#[test]
fn what_go_cannot_read_is_refused_in_its_words() {
    let mut count = 0;
    for (pattern, error) in patterns().filter(|(_, answer)| answer.is_string()) {
        assert_eq!(refused(&pattern), error, "{pattern}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

#[test]
fn what_is_read_finds_what_it_finds_in_go() {
    let mut count = 0;
    for (pattern, found) in patterns().filter(|(_, answer)| answer.is_array()) {
        let expression = read(&pattern).unwrap();
        if expression.height() > 50 {
            continue;
        }
        let compiled = regex::Regex::new(expression.text()).unwrap();
        let finds: Vec<&str> = TEXTS.into_iter().filter(|text| compiled.is_match(text)).collect();
        assert_eq!(Value::from(finds), found, "{pattern}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

#[test]
fn what_only_rust_knows_is_refused_or_plain_text() {
    for pattern in ["(?x)a", "(?=a)", "(?<!a)", r"\p{alpha}", r"\p{sc=Greek}", r"\u{61}", "a++", "(?P<a-b>a)"]
    {
        refused(pattern);
    }
    for (pattern, text) in [("[a&&b]", "&"), ("[[a]]", "a]"), (r"\b{start}", "a{start}"), ("[a~~b]", "~")] {
        let compiled = regex::Regex::new(read(pattern).unwrap().text()).unwrap();
        assert!(compiled.is_match(text), "{pattern}");
    }
}

#[test]
fn what_only_go_knows_is_read() {
    for (pattern, text) in
        [("a{,5}", "a{,5}"), (r"\Q..\E", ".."), (r"\_", "_"), ("(?P<1>a)", "a"), (r"\07", "\u{7}")]
    {
        let compiled = regex::Regex::new(read(pattern).unwrap().text()).unwrap();
        assert!(compiled.is_match(text) && !compiled.is_match("zzz"), "{pattern}");
    }
}

#[test]
fn an_expression_may_be_as_deep_as_for_go_and_no_deeper() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(read(&nested(999)).unwrap().height(), 1000);
    assert!(refused(&nested(1000)).contains("expression nests too deeply"));
    assert!(refused(&format!("{}b", nested(999))).contains("expression nests too deeply"));
}

#[test]
fn an_expression_may_be_as_large_as_for_go_and_no_larger() {
    let classes = |count: usize| format!("({}){{1000}}", "[a-c]".repeat(count));
    assert!(read(&classes(3_300)).is_ok());
    assert!(refused(&classes(3_400)).contains("expression too large"));
    // Go asks for the size only where there are many parts: letters in a row are one, and a repetition that is all there is counts thrice.
    let letters = format!("({}){{1000}}", "abc".repeat(2_000));
    assert!(refused(&letters).contains("expression too large"));
    assert!(read(&format!("x{letters}y")).is_ok());
}

#[test]
fn an_error_names_the_part_that_is_at_fault() {
    let error = read("ab(?=c)d").unwrap_err();
    assert_eq!((error.what(), error.part()), ("invalid or unsupported Perl syntax", "(?="));
}
