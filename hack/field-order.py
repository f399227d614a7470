#!/usr/bin/env python3
"""Writes apiserver/data/order.bin: the members of built-in types in the order in which a real server writes them, which is that of their Go
structs. It reads the Go sources of Kubernetes in a module cache, so it is run by hand:

    hack/field-order.py $(go env GOMODCACHE)/k8s.io v0.37.2

One type a line: its name in OpenAPI documents, then its members. Types whose members come by name are left out. Deflated.
"""
import pathlib, re, sys, zlib

root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
FOLDERS = {
    f"api@{version}": "io.k8s.api",
    f"apimachinery@{version}/pkg": "io.k8s.apimachinery.pkg",
    f"apiextensions-apiserver@{version}/pkg": "io.k8s.apiextensions-apiserver.pkg",
    f"kube-aggregator@{version}/pkg": "io.k8s.kube-aggregator.pkg",
}
STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.M | re.S)
FIELD = re.compile(r"^\t(?:(\w+)[ \t]+)?([^\s`]+)[ \t]+`[^`]*json:\"([^\",]*)(,[^\"]*)?\"", re.M)


def members(types, name):
    for field, kind, tag, marks in FIELD.findall(types.get(name, "")):
        if "inline" in marks or not (field or tag):
            inner = kind.lstrip("*").split(".")[-1]
            yield from ["kind", "apiVersion"] if inner == "TypeMeta" else members(types, inner)
        elif tag and tag != "-":
            yield tag


lines = []
for folder, prefix in FOLDERS.items():
    for package in sorted({path.parent for path in (root / folder).rglob("types*.go")} | {path.parent for path in (root / folder).rglob("*/v1/*types*.go")}):
        sources = [path for path in package.glob("*.go") if not re.search(r"_test|generated|register|conversion", path.name)]
        types = {name: body for path in sources for name, body in STRUCT.findall(path.read_text())}
        # `io.k8s.api.core.v1`, as OpenAPI documents have it.
        place = ".".join([prefix, *package.relative_to(root / folder).parts])
        for name in sorted(types):
            order = list(dict.fromkeys(members(types, name)))
            if order != sorted(order):
                lines.append(" ".join([f"{place}.{name}", *order]))
deflate = zlib.compressobj(9, wbits=-15)
data = deflate.compress("\n".join(lines).encode()) + deflate.flush()
pathlib.Path(__file__).parent.parent.joinpath("apiserver/data/order.bin").write_bytes(data)
print(f"{len(lines)} types, {len(data)} bytes")
