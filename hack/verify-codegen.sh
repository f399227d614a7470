#!/usr/bin/env bash
# Compares the generated code of this workspace with what the generators make. Prints a diff and ends with 1 when they differ.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

exec hack/run-codegen.sh kube-codegen all --check --repair-command=./hack/update-codegen.sh "$@"
