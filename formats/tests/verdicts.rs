//! Texts with the formats that kube-apiserver 1.37.2 finds in them, `texts.tsv`.

use std::collections::BTreeSet;

use kube_codegen_formats::has;

#[rustfmt::skip]
const FORMATS: [&str; 29] = [
    "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13",
    "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "date-time", "datetime", "k8s-short-name",
    "k8s-long-name", "binary", "regex",
];

#[test]
fn texts_have_the_formats_that_a_server_finds_in_them() {
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for line in include_str!("texts.tsv").lines() {
        let (text, found) = line.split_once('\t').unwrap();
        let text: String = serde_json::from_str(text).unwrap();
        let found: BTreeSet<&str> = found.split(',').collect();
        for format in FORMATS {
            asked += 1;
            if has(format, &text) != found.contains(format) {
                wrong.push(format!("{format} {text:?}"));
            }
        }
    }
    assert!(asked > 20_000 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
