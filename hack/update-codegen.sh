#!/usr/bin/env bash
# Regenerates all generated code of this workspace.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

exec hack/run-codegen.sh kube-codegen all "$@"
