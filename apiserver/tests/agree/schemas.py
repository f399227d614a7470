"""Random structural schemas, with every keyword that a definition may use.

In: a source of randomness. Out: schemas; most are ones that a server takes.
"""

from rules import rules
from values import FORMATS, fitting

PATTERNS = ["^[a-z]*$", "a", "^.{2,}$", "[0-9]+", "^(a|b)+$", "\\d{1,3}", "^[^,]*$"]
NAMES = ["a", "b", "c", "name", "key", "matchLabels", "in", "x-y", "a.b", "size"]


def whole(rng):
    """The schema of a whole object with a `spec`, and perhaps a status."""
    spec = node(rng, 0, "object")
    schema = {"type": "object", "properties": {"spec": spec}}
    if rng.random() < 0.3:
        schema["properties"]["status"] = node(rng, 1, "object")
    if rng.random() < 0.2:
        schema["required"] = ["spec"]
    return schema


def node(rng, depth, kind=None):
    """One node, with those below it."""
    leaves = ["string"] * 5 + ["integer"] * 4 + ["number", "number", "boolean", "int-or-string", "int-or-string", "any"]
    if kind is None:
        kind = rng.choice(leaves + (["array"] * 4 + ["object"] * 4 + ["map"] * 2 if depth < 3 else []))
    schema = KINDS[kind](rng, depth)
    if rng.random() < 0.15:
        schema["nullable"] = True
    if kind in ("string", "integer", "number", "boolean", "int-or-string") and rng.random() < 0.12:
        schema["enum"] = [fitting(schema, rng) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.15:
        junctors(schema, rng)
    if rng.random() < 0.3 and kind != "any":
        schema["x-kubernetes-validations"] = rules(schema, rng)
    if depth and rng.random() < 0.2:
        plain = {name: value for name, value in schema.items() if name != "nullable"}
        schema["default"] = fitting(plain, rng)
        if rng.random() < 0.03:
            schema["default"] = rng.choice([None, "x", 3, [], {}])
    return schema


def string(rng, _depth):
    schema = {"type": "string"}
    if rng.random() < 0.6:
        schema["maxLength"] = rng.randint(1, 30)
    if rng.random() < 0.2:
        schema["minLength"] = rng.randint(0, 3)
    if rng.random() < 0.35:
        schema["format"] = rng.choice([*FORMATS, "made-up"])
    elif rng.random() < 0.2:
        schema["pattern"] = rng.choice(PATTERNS)
    return schema


def number(rng, _depth, kind="number", formats=("float", "double")):
    schema = {"type": kind}
    some = (lambda: rng.randint(-5, 60)) if kind == "integer" else (lambda: rng.choice([-1.5, 0, 0.25, 3, 20.5]))
    if rng.random() < 0.25:
        schema["format"] = rng.choice(formats)
    if rng.random() < 0.4:
        schema["minimum"] = some()
        if rng.random() < 0.3:
            schema["exclusiveMinimum"] = True
    if rng.random() < 0.4:
        schema["maximum"] = schema.get("minimum", 0) + rng.choice([0, 1, 7, 50])
        if rng.random() < 0.3:
            schema["exclusiveMaximum"] = True
    if rng.random() < 0.15:
        schema["multipleOf"] = rng.choice([2, 3, 5] if kind == "integer" else [0.5, 0.1, 2])
    return schema


def integer(rng, depth):
    return number(rng, depth, "integer", ("int32", "int64", "int16"))


def int_or_string(rng, _depth):
    schema = {"x-kubernetes-int-or-string": True}
    if rng.random() < 0.3:
        schema["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    if rng.random() < 0.2:
        schema["pattern"] = rng.choice(PATTERNS)
    return schema


def anything(rng, _depth):
    schema = {"x-kubernetes-preserve-unknown-fields": True}
    if rng.random() < 0.5:
        schema["type"] = rng.choice(["object", "string", "array"])
        if schema["type"] == "array":
            schema["items"] = {"type": "string"}
    return schema


def array(rng, depth):
    schema = {"type": "array", "items": node(rng, depth + 1), "maxItems": rng.randint(1, 6)}
    if rng.random() < 0.2:
        schema["minItems"] = rng.randint(0, 2)
    choice = rng.random()
    if choice < 0.2:
        schema["x-kubernetes-list-type"] = "atomic"
    elif choice < 0.4:
        kind = rng.choice([string, integer, boolean])
        schema.update({"x-kubernetes-list-type": "set", "items": kind(rng, depth + 1)})
    elif choice < 0.7:
        keys = {"key": rng.choice([string, integer, boolean])(rng, depth + 1), "name": string(rng, depth + 1)}
        named = rng.choice([["key"], ["key", "name"]])
        item = node(rng, depth + 1, "object")
        item.setdefault("properties", {}).update(keys)
        for name in ("nullable", "default", "anyOf", "oneOf", "allOf", "not", "x-kubernetes-validations", "additionalProperties"):
            item.pop(name, None)
        item["required"] = [name for name in named if rng.random() < 0.8]
        for name in set(named) - set(item["required"]):
            item["properties"][name]["default"] = fitting(item["properties"][name], rng)
        schema.update({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": named, "items": item})
    return schema


def obj(rng, depth):
    names = rng.sample(NAMES, rng.randint(1, 4))
    schema = {"type": "object", "properties": {name: node(rng, depth + 1) for name in names}}
    if rng.random() < 0.5:
        schema["required"] = rng.sample(names, rng.randint(1, len(names)))
    if rng.random() < 0.12:
        schema["x-kubernetes-preserve-unknown-fields"] = True
    if rng.random() < 0.07:
        schema["x-kubernetes-embedded-resource"] = True
        schema["x-kubernetes-preserve-unknown-fields"] = True
    bounds(schema, rng)
    return schema


def mapping(rng, depth):
    schema = {"type": "object", "additionalProperties": node(rng, depth + 1), "maxProperties": rng.randint(1, 6)}
    bounds(schema, rng)
    return schema


def bounds(schema, rng):
    if rng.random() < 0.15:
        schema["x-kubernetes-map-type"] = rng.choice(["atomic", "granular"])
    if rng.random() < 0.1:
        schema["minProperties"] = rng.randint(0, 2)
    if rng.random() < 0.1:
        schema["maxProperties"] = rng.randint(1, 4)


def boolean(_rng, _depth):
    return {"type": "boolean"}


KINDS = {
    "string": string,
    "integer": integer,
    "number": number,
    "boolean": boolean,
    "int-or-string": int_or_string,
    "any": anything,
    "array": array,
    "object": obj,
    "map": mapping,
}


def tightened(schema, rng):
    """The same schema asking for more in some places: what was stored may not fit any more."""
    out = dict(schema)
    for name in ("items", "additionalProperties"):
        if isinstance(out.get(name), dict):
            out[name] = tightened(out[name], rng)
    keys = out.get("x-kubernetes-list-map-keys") or []
    if out.get("properties"):
        out["properties"] = {name: tightened(below, rng) for name, below in out["properties"].items()}
    if keys:
        kept = schema["items"]["properties"]
        out["items"] = {**out["items"], "properties": {**out["items"]["properties"], **{key: kept[key] for key in keys}}}
    if rng.random() < 0.5 or "default" in out:
        return out
    more = {
        "string": [{"maxLength": 1}, {"pattern": "^b"}, {"enum": ["b", "ab"]}, {"minLength": 2}, {"format": "ipv4"}],
        "integer": [{"maximum": 2}, {"minimum": 5}, {"enum": [1, 2]}, {"multipleOf": 7}],
        "number": [{"maximum": 2}, {"minimum": 5.5}],
        "array": [{"maxItems": 1}, {"minItems": 2}],
        "object": [{"maxProperties": 1}, {"minProperties": 3}],
    }.get(out.get("type"), [])
    if more:
        out.update(rng.choice(more))
    if rng.random() < 0.4:
        junctors(out, rng)
    if rng.random() < 0.4 and out.get("type") and "x-kubernetes-preserve-unknown-fields" not in out:
        out["x-kubernetes-validations"] = rules(out, rng)
    return out


def junctors(schema, rng):
    """Adds alternatives, which hold only what judges values."""
    name = rng.choice(["anyOf", "oneOf", "allOf", "not"])
    if name in schema:
        return
    if name == "not":
        schema["not"] = judgement(schema, rng)
    else:
        schema[name] = [judgement(schema, rng) for _ in range(rng.randint(1, 3))]


def judgement(schema, rng):
    kind = schema.get("type")
    if kind == "string":
        return rng.choice([{"pattern": rng.choice(PATTERNS)}, {"minLength": 2}, {"maxLength": 1}, {"enum": ["a", "b"]}, {"format": "ipv4"}])
    if kind in ("integer", "number"):
        return rng.choice([{"minimum": 3}, {"maximum": 2}, {"enum": [1, 2]}, {"multipleOf": 2}, {"minimum": 1, "exclusiveMinimum": True}])
    if kind == "array":
        return rng.choice([{"minItems": 1}, {"maxItems": 1}, {"uniqueItems": True}, {"items": judgement(schema["items"], rng)}])
    if kind == "object" and schema.get("properties"):
        one, other = (rng.choice(list(schema["properties"])) for _ in range(2))
        return rng.choice(
            [
                {"required": [one]},
                {"required": [one, other]},
                {"properties": {one: judgement(schema["properties"][one], rng)}},
                {"minProperties": 2},
                {"not": {"required": [one]}},
                {"anyOf": [{"required": [one]}, {"required": [other]}]},
            ]
        )
    return rng.choice([{"enum": ["a", 1, True]}, {"not": {"enum": ["b", 2]}}, {"minProperties": 1}])
