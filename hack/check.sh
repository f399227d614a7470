#!/usr/bin/env bash
# Everything that has to hold before a change is accepted. `just check` and .ci/run call this and nothing else. What it cannot check for
# want of a tool it says, there and in its last lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

skipped=()
skip() {
    printf '\n== skipped: %s\n' "$*"
    skipped+=("$*")
}

before=$(git status --porcelain)

# Tests that need kubectl end well without it, and what they print then is not shown.
command -v kubectl >/dev/null || skip "all that needs kubectl, which is not on the PATH: its transcripts, the session of the README, the tutorial"
step cargo test --workspace
step cargo fmt --all --check
step cargo clippy --workspace --all-targets --all-features -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --workspace --no-deps --all-features
step hack/verify-codegen.sh
step hack/run-codegen.sh kube-codegen rbac --from-usage=exact
if cargo deny --version >/dev/null 2>&1; then
    step cargo deny check
else
    skip "cargo deny (install it with: cargo install --locked cargo-deny)"
fi

after=$(git status --porcelain)
if [ "$before" != "$after" ]; then
    printf '\nThe checks changed the working tree; it was and is:\n%s\n--\n%s\n' "$before" "$after" >&2
    exit 1
fi
printf '\nAll checks passed.\n'
for what in ${skipped[@]+"${skipped[@]}"}; do
    printf 'Not checked: %s\n' "$what"
done
