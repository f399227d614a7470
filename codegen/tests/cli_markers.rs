//! `docs/markers.md` is what the marker registry says.

use std::path::Path;

#[test]
fn the_reference_of_markers_is_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/markers.md");
    expect_test::expect_file![page].assert_eq(&kube_codegen::cli::marker_reference());
}

#[test]
fn every_marker_has_a_row() {
    let page = kube_codegen::cli::marker_reference();
    for definition in kube_codegen::marker::definitions() {
        let name = format!("`+{}", definition.name);
        assert!(page.contains(&name), "{name}");
    }
}
