#!/usr/bin/env bash
# Asks a real API server about every CustomResourceDefinition that the generators write for the cases beside this script.
#
#   codegen/tests/ask-server.sh [KUBECONFIG]
#
# Nothing is stored there. Three things have to hold, and what does not is printed, with 1 as the end:
# - whatever `kube-codegen crd` writes a server accepts;
# - what only `controller-gen` writes (with a warning, as its namesake does) a server refuses;
# - of the cases from Go those, and only those, are refused that goldens/decided.toml names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

kubeconfig=${1:-${KUBECONFIG:-$HOME/.kube/config}}

cargo build --locked --quiet --package kube-codegen --bin controller-gen --bin kube-codegen
programs=$PWD/${CARGO_TARGET_DIR:-target}/debug
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
touch "$made/nothing.toml"
decided=$(sed -n '/^\[\[refused\]\]/,/^reason/s/^case = "\(.*\)"/\1/p' codegen/tests/goldens/decided.toml)

accepted=0 refused=0 wrong=0
server_says() { # a folder of definitions
    local file
    for file in "$1"/*.yaml; do
        [ -e "$file" ] || continue
        kubectl --kubeconfig "$kubeconfig" create --dry-run=server -f "$file" 2>&1 >/dev/null || true
    done
}

strict_options() { # the options of controller-gen's `crd`, in the words of `kube-codegen crd`
    local option
    for option in ${1//,/ }; do
        case $option in
        allowDangerousTypes=true) echo --allow-floats ;;
        generateEmbeddedObjectMeta=true) echo --embedded-metadata ;;
        maxDescLen=*) echo "--max-description-length=${option#*=}" ;;
        esac
    done
}

complain() {
    printf '%s\n\n' "$*"
    wrong=$((wrong + 1))
}

ask() { # a name, the folder that paths start at, the options of `crd`, the path for `kube-codegen`, the paths for `controller-gen`
    local name=$1 from=$2 options=$3 path=$4 paths=$5 said strict=$made/strict lenient=$made/lenient
    rm -rf "$strict" "$lenient"
    (cd "$from" && "$programs/controller-gen" "crd:refusals=ignore${options:+,$options}" "$paths" "output:dir=$lenient") >/dev/null 2>&1 || return 0
    [ -d "$lenient" ] || return 0
    # shellcheck disable=SC2046 # words of a command line
    if (cd "$from" && "$programs/kube-codegen" crd "$path" --config "$made/nothing.toml" --output "$strict" $(strict_options "$options")) >/dev/null 2>&1; then
        accepted=$((accepted + $(find "$strict" -name '*.yaml' | wc -l)))
        said=$(server_says "$strict")
        [ -z "$said" ] || complain "$name is written by kube-codegen crd, and the server refuses it:" "$said"
        diff -rq "$strict" "$lenient" >/dev/null || complain "$name is written in two ways by kube-codegen crd and controller-gen"
    else
        refused=$((refused + 1))
        said=$(server_says "$lenient")
        [ -n "$said" ] || complain "$name is refused by kube-codegen crd, and the server accepts it"
        printf '%s is refused on both sides: %s\n' "$name" "${said%%$'\n'*}" | cut -c1-200
        [[ $from == . ]] || grep -qx "$name" <<<"$decided" || complain "$name is refused, and decided.toml does not say so"
        decided=$(grep -vx "$name" <<<"$decided" || true)
    fi
}

for case in codegen/tests/goldens/*/; do
    while read -r _ crd rest; do
        [[ ${crd%%:*} == crd ]] || continue
        options=${crd#crd}
        ask "$(basename "$case")" "$case" "${options#:}" . "${rest%% *}"
    done <"$case/cmd.txt"
done
for name in $decided; do
    complain "$name stands in decided.toml as refused, and is not"
done
for file in codegen/tests/shapes/*.rs tests/fixtures/rules/*.rs; do
    ask "$(basename "$file")" . allowDangerousTypes=true "$file" "paths=$file"
done
printf '%s definitions written and accepted, %s cases refused on both sides, %s wrong\n' "$accepted" "$refused" "$wrong"
[ "$wrong" = 0 ]
