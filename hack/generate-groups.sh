#!/usr/bin/env bash
# Generates clients, fakes, listers, informers and apply configurations for groups of annotated types:
#
#   hack/generate-groups.sh <generators> <output> <apis> "<group>:<v1>,<v2> <group2>:<v1>" [flags]
#   hack/generate-groups.sh all        everything, as the kube-codegen.toml around the caller says
#
# Generators: `all`, or a comma list of object (also spelt deepcopy), client, lister, informer, applyconfiguration.
# `--help` has the rest. Paths are relative to the caller's folder; the caller may be in a crate of its own.
#
# The script of this name in k8s.io/code-generator is a stub by now that ends with an error; kube_codegen.sh has replaced
# it there. Ours keeps the old form on purpose: it is short, people know it, and it says everything in one line. One difference: with two
# or three arguments upstream's ended with success; here that is an error.
set -euo pipefail

hack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -eq 0 ]; then
    exec "$hack/run-codegen.sh" generate-groups --help
fi
# Who calls from outside of any crate means the types of this workspace.
exec "$hack/run-codegen.sh" generate-groups "$@" --called-as="$0" --fallback-config="$hack/../kube-codegen.toml"
