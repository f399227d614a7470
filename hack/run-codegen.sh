#!/usr/bin/env bash
# Builds one command of the generator and runs it, with relative paths as the caller means them:
#
#   hack/run-codegen.sh <command> [arguments]
#
# Only the package kube-codegen is built, and only when it is not up to date. The other scripts call this one.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command=$1
shift

# The toolchain and cargo's settings are those of this workspace, wherever the caller is.
build=(cargo build --locked --package kube-codegen --bin "$command")
if ! [ -t 2 ]; then
    build+=(--quiet)
fi
(cd "$root" && "${build[@]}")

target=$(cd "$root" && realpath -m -- "${CARGO_TARGET_DIR:-target}")
exec "$target/debug/$command" "$@"
