#!/usr/bin/env bash
# Everything that has to hold before a change is accepted. `just check` and .ci/run call this and nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

before=$(git status --porcelain)

step cargo test --workspace
step cargo fmt --all --check
step cargo clippy --workspace --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --workspace --no-deps
if [ -x hack/verify-codegen.sh ]; then
    step hack/verify-codegen.sh
    step hack/run-codegen.sh kube-codegen rbac --from-usage=exact
else
    printf '\n== skipped: hack/verify-codegen.sh is not there\n'
fi
if cargo deny --version >/dev/null 2>&1; then
    step cargo deny check
else
    printf '\n== skipped: cargo deny (install it with: cargo install --locked cargo-deny)\n'
fi

after=$(git status --porcelain)
if [ "$before" != "$after" ]; then
    printf '\nThe checks changed the working tree; it was and is:\n%s\n--\n%s\n' "$before" "$after" >&2
    exit 1
fi
printf '\nAll checks passed.\n'
