//! Crates that are so well known that nobody looks for their source.
//!
//! In: a crate's own name. Out: whether it is one of them. What their types look like is `schema`'s.

/// Crates whose types are known by the crate's own name, whatever it is called in a manifest.
const CRATES: [&str; 18] = [
    "bytes",
    "chrono",
    "ipnet",
    "ipnetwork",
    "jiff",
    "k8s_openapi",
    "kube",
    "kube_client",
    "kube_codegen_runtime",
    "kube_core",
    "kube_runtime",
    "secrecy",
    "semver",
    "serde_json",
    "serde_yaml",
    "time",
    "url",
    "uuid",
];

/// Whether a crate is one of them.
pub(super) fn is_well_known(name: &str) -> bool {
    CRATES.contains(&name)
}

/// Whether nobody looks for the source of a crate: it is well known, or comes with the compiler, or is the one that is being read.
pub(super) fn is_at_hand(name: &str) -> bool {
    is_well_known(name) || matches!(name, "std" | "core" | "alloc" | "crate")
}
