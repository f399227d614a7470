#!/usr/bin/env bash
# Asks a real API server whether it would accept every CustomResourceDefinition that the generator writes for the cases beside this script.
#
#   codegen/tests/ask-server.sh [KUBECONFIG]
#
# Nothing is stored there. Both ways have to agree: what is written with `refusals=deny` a server accepts, and what is only written
# without it (because controller-gen writes it too) a server refuses. Prints what does not, and ends with 1 then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

kubeconfig=${1:-${KUBECONFIG:-$HOME/.kube/config}}

cargo build --locked --quiet --package kube-codegen --bin controller-gen
generator=$PWD/${CARGO_TARGET_DIR:-target}/debug/controller-gen
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

asked=0 refused=0 wrong=0
server_says() { # a folder of definitions
    local file
    for file in "$1"/*.yaml; do
        [ -e "$file" ] || continue
        kubectl --kubeconfig "$kubeconfig" create --dry-run=server -f "$file" 2>&1 >/dev/null || true
    done
}

ask() { # a name, the folder that paths start at, the options of `crd`, the other words of a command line without the output
    local name=$1 from=$2 options=${3:+,$3} said
    shift 3
    local strict=$made/strict lenient=$made/lenient
    rm -rf "$strict" "$lenient"
    (cd "$from" && "$generator" "crd:refusals=ignore$options" "$@" "output:dir=$lenient") >/dev/null 2>&1 || return 0
    [ -d "$lenient" ] || return 0
    asked=$((asked + 1))
    said=$(server_says "$lenient")
    if (cd "$from" && "$generator" "crd:refusals=deny$options" "$@" "output:dir=$strict") >/dev/null 2>&1; then
        [ -z "$said" ] && return 0
        printf '%s is written, and refused:\n%s\n\n' "$name" "$said"
    else
        refused=$((refused + 1))
        [ -n "$said" ] && return 0
        printf '%s is refused here, and accepted by the server\n\n' "$name"
    fi
    wrong=$((wrong + 1))
}

for case in codegen/tests/goldens/*/; do
    while read -r _ crd rest; do
        [[ ${crd%%:*} == crd ]] || continue
        options=${crd#crd}
        # shellcheck disable=SC2086 # the words of a command line
        ask "$(basename "$case")" "$case" "${options#:}" ${rest//output:stdout/}
    done <"$case/cmd.txt"
done
for file in codegen/tests/shapes/*.rs tests/fixtures/rules/*.rs; do
    ask "$(basename "$file")" . allowDangerousTypes=true "paths=$file"
done
printf '%s definitions asked about, %s refused on both sides, %s judged differently\n' "$asked" "$refused" "$wrong"
[ "$wrong" = 0 ]
