//! The notation of manifests: the same bytes as the Go tools print.

use kube_codegen::output::yaml;
use serde_json::{Value, json};

fn line(value: &Value) -> String {
    yaml::document(&json!({ "key": value }))
}

#[test]
fn text_is_quoted_only_where_it_would_be_read_as_something_else() {
    let table = [
        ("plain", "plain"),
        ("two words", "two words"),
        ("", "\"\""),
        ("*", "'*'"),
        ("true", "\"true\""),
        ("Yes", "\"Yes\""),
        ("null", "\"null\""),
        ("12", "\"12\""),
        ("1.5", "\"1.5\""),
        ("1e3", "\"1e3\""),
        ("0x1f", "\"0x1f\""),
        ("100Mi", "100Mi"),
        ("10/24", "10/24"),
        ("2024-01-15", "\"2024-01-15\""),
        ("2024-01-15T10:00:00Z", "\"2024-01-15T10:00:00Z\""),
        ("1:30", "\"1:30\""),
        ("v1", "v1"),
        ("- x", "'- x'"),
        ("-x", "-x"),
        ("a: b", "'a: b'"),
        ("a:b", "a:b"),
        ("a #b", "'a #b'"),
        ("a#b", "a#b"),
        ("it's", "it's"),
        ("'x'", "'''x'''"),
        ("x ", "'x '"),
        ("^[a-z]+$", "^[a-z]+$"),
        ("[1]", "'[1]'"),
        ("@here", "'@here'"),
        ("tab\there", "\"tab\\there\""),
        (".spec.size", ".spec.size"),
        (
            "!request.userInfo.username.startsWith('system:')",
            "'!request.userInfo.username.startsWith(''system:'')'",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(line(&json!(text)), format!("key: {expected}\n"), "{text:?}");
    }
}

#[test]
fn what_is_printed_is_read_back_as_the_same_value() {
    let values = json!({
        "texts": ["", " ", "a\nb", "a\n", "a\n\n", " a\nb", "\n", "a \nb", "x: y", "# no", "~", "é", "\u{7}", "a\n  b", "0", "-1", "<<", "=", "|", "a'b\"c\\"],
        "long": "word ".repeat(60).trim_end(),
        "quoted": format!("'{}", "word ".repeat(60).trim_end()),
        "doubled": format!("\t{}", "word  word ".repeat(40).trim_end()),
        "numbers": [0, -1, 1.5, 1e30, 1e-7, 9_007_199_254_740_993_u64],
        "empty": [[], {}, null, true, [[1, 2], [{"a": [{}]}]]],
        "a b": { "": 1, "true": 2, "1": 3, "*": 4 },
    });
    let text = yaml::document(&values);
    let read: Value = serde_saphyr::from_str(&text).unwrap();
    assert_eq!(read, values, "{text}");
}

#[test]
fn keys_are_in_natural_order_and_lists_are_not_indented() {
    let value = json!({ "v10": 1, "v2": [{ "name": "a", "items": ["x", "y"] }], "Z": {}, "-": [] });
    assert_eq!(
        yaml::document(&value),
        "'-': []\nZ: {}\nv2:\n- items:\n  - x\n  - \"y\"\n  name: a\nv10: 1\n"
    );
}

#[test]
fn lines_are_kept_in_blocks_and_long_ones_folded() {
    let value = json!({ "description": "First line.\nSecond line." });
    assert_eq!(yaml::document(&value), "description: |-\n  First line.\n  Second line.\n");
    let long =
        "Servers should convert recognized schemas to the latest internal value, and may reject others.";
    let value = json!({ "outer": { "description": long } });
    assert_eq!(
        yaml::document(&value),
        "outer:\n  description: Servers should convert recognized schemas to the latest internal value,\n    and may reject others.\n"
    );
}
