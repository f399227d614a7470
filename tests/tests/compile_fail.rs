//! What the markers of a kind exclude does not compile.
//!
//! After a change of messages: `TRYBUILD=overwrite cargo test -p workspace-tests --test compile_fail`.

#[test]
fn excluded_verbs_and_wrong_scopes_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
