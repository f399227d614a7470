//! Names: the pluraliser's table, cases, keywords, the order of versions.

use kube_codegen::naming::{
    GroupNames, MethodNames, PluralExceptions, ResourceNames, SerdeCase, VersionNames, VersionPriority,
    is_version, kube_plural, module_file, nearest, pascal, plural, rust_ident, snake, words,
};
use proptest::prelude::*;

const PLURALS: &[(&str, &str)] = &[
    // s, x, z, ch, sh
    ("Bus", "Buses"),
    ("Status", "Statuses"),
    ("Ingress", "Ingresses"),
    ("StorageClass", "StorageClasses"),
    ("Process", "Processes"),
    ("Alias", "Aliases"),
    ("Box", "Boxes"),
    ("Fox", "Foxes"),
    ("Waltz", "Waltzes"),
    ("Batch", "Batches"),
    ("Patch", "Patches"),
    ("Mesh", "Meshes"),
    ("Graph", "Graphs"),
    ("Path", "Paths"),
    // y
    ("Policy", "Policies"),
    ("NetworkPolicy", "NetworkPolicies"),
    ("Registry", "Registries"),
    ("Gateway", "Gateways"),
    ("Key", "Keys"),
    ("Toy", "Toys"),
    ("Colloquy", "Colloquies"),
    ("Guy", "Guys"),
    // f, fe
    ("Shelf", "Shelves"),
    ("Leaf", "Leaves"),
    ("Wolf", "Wolves"),
    ("Knife", "Knives"),
    ("Ref", "Refs"),
    ("Brief", "Briefs"),
    ("Roof", "Roofs"),
    ("Safe", "Safes"),
    // all else
    ("Pod", "Pods"),
    ("At", "Ats"),
    ("Guestbook", "Guestbooks"),
    ("MyResource", "MyResources"),
    ("HTTPRoute", "HTTPRoutes"),
    ("Quota", "Quotas"),
    ("Repo", "Repos"),
    // plural already
    ("Endpoints", "Endpoints"),
    ("Settings", "Settings"),
    ("Metrics", "Metrics"),
    ("Series", "Series"),
    ("DataSeries", "DataSeries"),
    ("Species", "Species"),
    ("News", "News"),
    ("Data", "Data"),
    ("DNS", "DNSes"),
    // irregular
    ("Child", "Children"),
    ("Person", "People"),
    ("Index", "Indices"),
    ("SearchIndex", "SearchIndices"),
    ("Matrix", "Matrices"),
    ("Analysis", "Analyses"),
    ("Basis", "Bases"),
    ("Axis", "Axes"),
    ("Criterion", "Criteria"),
    ("Quiz", "Quizzes"),
    ("Hero", "Heroes"),
    ("Fish", "Fish"),
    ("Equipment", "Equipment"),
    // one letter, none
    ("X", "Xs"),
    ("", ""),
];

#[test]
fn the_pluraliser_knows_its_table() {
    for (single, expected) in PLURALS {
        assert_eq!(plural(single), *expected, "{single}");
    }
}

#[test]
fn a_derived_kind_has_the_plural_of_the_derive() {
    for (kind, expected) in [
        ("Foo", "foos"),
        ("Bus", "buses"),
        ("Policy", "policies"),
        ("Key", "keys"),
        ("Shelf", "shelfs"),
        ("Series", "serieses"),
    ] {
        assert_eq!(kube_plural(kind), expected, "{kind}");
    }
}

#[test]
fn exceptions_win_over_the_pluraliser() {
    let (kind, many) = PluralExceptions::parse("Moose:Meese").expect("a pair");
    let mut exceptions = PluralExceptions::default();
    exceptions.insert(kind, many);
    assert_eq!(exceptions.plural("Moose"), "Meese");
    assert_eq!(exceptions.plural("Goose"), "Geese");
    for wrong in ["Moose", ":Meese", "Moose:", "a:b:c"] {
        assert_eq!(PluralExceptions::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn words_of_a_name() {
    let table: [(&str, &[&str]); 10] = [
        ("HTTPRoute", &["HTTP", "Route"]),
        ("MyResource", &["My", "Resource"]),
        ("podIP", &["pod", "IP"]),
        ("URLs", &["URLs"]),
        ("PodURLsList", &["Pod", "URLs", "List"]),
        ("EC2Instance", &["EC2", "Instance"]),
        ("K8sCluster", &["K8s", "Cluster"]),
        ("hyphen-group", &["hyphen", "group"]),
        ("snake_case.name", &["snake", "case", "name"]),
        ("", &[]),
    ];
    for (name, expected) in table {
        assert_eq!(words(name), expected, "{name}");
    }
    assert_eq!(snake("HTTPRouteURLs"), "http_route_urls");
    assert_eq!(pascal("hyphen-group"), "HyphenGroup");
}

#[test]
fn keywords_become_raw_or_get_an_underscore() {
    assert_eq!(rust_ident("type"), "r#type");
    assert_eq!(rust_ident("gen"), "r#gen");
    assert_eq!(rust_ident("self"), "self_");
    assert_eq!(rust_ident("crate"), "crate_");
    assert_eq!(rust_ident("3d-print"), "_3d_print");
    assert_eq!(module_file("type"), ("r#type".to_owned(), "type.rs".to_owned()));
    assert_eq!(module_file("mod"), ("mod_".to_owned(), "mod_.rs".to_owned()));
    assert_eq!(module_file("lib"), ("lib_".to_owned(), "lib_.rs".to_owned()));
}

#[test]
fn names_of_a_group() {
    let group = GroupNames::new("cnat.ishankhare.dev", None, "cnat");
    assert_eq!(
        (group.go_name.as_str(), group.snake.as_str(), group.module.as_str()),
        ("Cnat", "cnat", "cnat")
    );
    let hyphen = GroupNames::new("hyphen-group.example.com", None, "hyphen_group");
    assert_eq!((hyphen.go_name.as_str(), hyphen.snake.as_str()), ("HyphenGroup", "hyphen_group"));
    let mixed = GroupNames::new("example.com", Some("MixedCASE"), "MixedCase");
    assert_eq!((mixed.snake.as_str(), mixed.folder.as_str()), ("mixed_case", "mixed_case"));
    let keyword = GroupNames::new("type.example.com", None, "type");
    assert_eq!((keyword.module.as_str(), keyword.folder.as_str()), ("r#type", "type"));
    assert_eq!(keyword.client_module, "type_client");
    assert_eq!(GroupNames::new("", None, "core").go_name, "Core");

    let version = VersionNames::new(&group, "v1alpha1");
    assert_eq!(version.accessor, "cnat_v1alpha1");
    assert_eq!(version.group_version, "CnatV1alpha1");
}

#[test]
fn names_of_a_kind() {
    let at = ResourceNames::new("At", "Ats", None);
    assert_eq!((at.plural.as_str(), at.client.as_str(), at.getter.as_str()), ("ats", "Ats", "ats"));
    assert_eq!((at.list_kind.as_str(), at.file.as_str()), ("AtList", "at.rs"));
    let endpoints = ResourceNames::new("Endpoints", "Endpoints", None);
    assert_eq!((endpoints.client.as_str(), endpoints.getter.as_str()), ("EndpointsClient", "endpoints"));
    let keyword = ResourceNames::new("Type", "Types", None);
    assert_eq!((keyword.variable.as_str(), keyword.file.as_str()), ("r#type", "type.rs"));
    let explicit = ResourceNames::new("Shelf", "Shelves", Some("racks"));
    assert_eq!((explicit.plural.as_str(), explicit.getter.as_str()), ("racks", "shelves"));
    assert!(explicit.plural_is_explicit);
    let method = MethodNames::new("GetScale");
    assert_eq!((method.function.as_str(), method.function_with.as_str()), ("get_scale", "get_scale_with"));
}

#[test]
fn versions_are_in_the_order_of_kubernetes() {
    let mut versions = [
        "foo10",
        "v1beta1",
        "v10",
        "v2",
        "v1alpha10",
        "v11alpha2",
        "v3beta1",
        "v1",
        "v1alpha2",
        "foo1",
        "v12alpha1",
        "v11beta2",
        "v10beta3",
    ];
    versions.sort_by_key(|version| VersionPriority::of(version));
    let expected = [
        "v10",
        "v2",
        "v1",
        "v11beta2",
        "v10beta3",
        "v3beta1",
        "v1beta1",
        "v12alpha1",
        "v11alpha2",
        "v1alpha10",
        "v1alpha2",
        "foo1",
        "foo10",
    ];
    assert_eq!(versions, expected);
    assert!(
        is_version("v1alpha1") && !is_version("v01") && !is_version("v1gamma1") && !is_version("v1alpha")
    );
    assert!(is_version("v99999999999999999999").eq(&false), "a number that fits nowhere is no version");
}

#[test]
fn cases_are_those_of_serde() {
    let table = [
        ("lowercase", "very_tasty", "verytasty"),
        ("UPPERCASE", "VERY_TASTY", "VERYTASTY"),
        ("PascalCase", "VeryTasty", "VeryTasty"),
        ("camelCase", "veryTasty", "veryTasty"),
        ("snake_case", "very_tasty", "very_tasty"),
        ("SCREAMING_SNAKE_CASE", "VERY_TASTY", "VERY_TASTY"),
        ("kebab-case", "very-tasty", "very-tasty"),
        ("SCREAMING-KEBAB-CASE", "VERY-TASTY", "VERY-TASTY"),
    ];
    for (name, field, variant) in table {
        let case = SerdeCase::from_name(name).expect(name);
        assert_eq!(
            (case.field("very_tasty"), case.variant("VeryTasty")),
            (field.to_owned(), variant.to_owned())
        );
    }
    assert_eq!(SerdeCase::Camel.field("cluster_i_p"), "clusterIP");
    assert_eq!(SerdeCase::Camel.field("_private"), "private");
    assert_eq!(SerdeCase::from_name("Camel"), None);
}

#[test]
fn a_slip_of_the_pen_has_a_hint_and_nonsense_has_none() {
    let known = ["deleteCollection", "delete", "get", "list"];
    assert_eq!(nearest("deletecollection", known), Some("deleteCollection"));
    assert_eq!(nearest("lsit", known), Some("list"));
    assert_eq!(nearest("frobnicate", known), None);
    assert_eq!(nearest("", known), None);
}

proptest! {
    #[test]
    fn names_are_made_of_any_text(text in any::<String>()) {
        let many = plural(&text);
        let names = ResourceNames::new(&text, &many, None);
        let group = GroupNames::new(&text, None, &text);
        VersionNames::new(&group, &text);
        VersionPriority::of(&text);
        nearest(&text, ["genclient", names.plural.as_str()]);
        prop_assert!(syn::parse_str::<syn::Ident>(names.variable.trim_start_matches("r#")).is_ok() || names.variable.starts_with("r#") || !text.is_ascii());
    }

    #[test]
    fn a_plural_in_small_letters_is_the_plural_of_small_letters(kind in "[A-Z][a-z]{2,12}") {
        prop_assert_eq!(plural(&kind).to_lowercase(), plural(&kind.to_lowercase()));
    }
}
