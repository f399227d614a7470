#!/usr/bin/env bash
# Builds the in-memory API server and runs it; `--help` says with which options. Relative paths are the caller's.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
(cd "$root" && cargo build --quiet --locked --package kube-codegen-apiserver --features cli --bin kube-codegen-apiserver)
target=$(cd "$root" && realpath -m -- "${CARGO_TARGET_DIR:-target}")
exec "$target/debug/kube-codegen-apiserver" "$@"
