#!/usr/bin/env bash
# Asks a real API server whether it would accept every CustomResourceDefinition that the generator writes for the cases beside this script.
#
#   codegen/tests/ask-server.sh [KUBECONFIG]
#
# Nothing is stored there. Prints what is refused, and ends with 1 when anything is that is not on the list below.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

kubeconfig=${1:-${KUBECONFIG:-$HOME/.kube/config}}
# Cases that controller-gen writes in the same way, and no server takes: rules without bounds, a list without items.
known=" cel-rules recursion-schemaless "

cargo build --locked --quiet --package kube-codegen --bin controller-gen
generator=$PWD/${CARGO_TARGET_DIR:-target}/debug/controller-gen
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

asked=0 refused=0
ask() { # a name, a folder of definitions
    for file in "$2"/*.yaml; do
        [ -e "$file" ] || continue
        asked=$((asked + 1))
        if ! said=$(kubectl --kubeconfig "$kubeconfig" create --dry-run=server -f "$file" 2>&1); then
            [[ $known == *" $1 "* ]] && continue
            refused=$((refused + 1))
            printf '%s: %s\n%s\n\n' "$1" "${file##*/}" "$said"
        fi
    done
}

for case in codegen/tests/goldens/*/; do
    name=$(basename "$case")
    while read -r _ crd rest; do
        [[ ${crd%%:*} == crd ]] || continue
        folder=$made/$name-$RANDOM
        mkdir -p "$folder"
        # shellcheck disable=SC2086 # the words of a command line
        (cd "$case" && "$generator" "$crd" ${rest//output:stdout/} "output:dir=$folder") >/dev/null 2>&1 || continue
        ask "$name" "$folder"
    done <"$case/cmd.txt"
done
for file in codegen/tests/shapes/*.rs tests/fixtures/rules/*.rs; do
    folder=$made/$(basename "$file" .rs)
    mkdir -p "$folder"
    "$generator" crd:allowDangerousTypes=true "paths=$file" "output:dir=$folder"
    ask "$(basename "$file")" "$folder"
done
printf '%s definitions asked about, %s refused\n' "$asked" "$refused"
[ "$refused" = 0 ]
