# Short names for what a developer does every day. `just` lists them.

_list:
    @just --list

# Everything that CI checks.
check:
    hack/check.sh

# The tests, or those of one crate: `just test -p kube-codegen-runtime`.
test *args:
    cargo test --workspace {{args}}

# Writes all generated code anew.
generate:
    hack/update-codegen.sh

# The benchmarks of one crate, with their peers beside them.
bench crate *args:
    cargo bench -p {{crate}} {{args}}
