"""Values for a schema: some that fit, and some that nearly do.

In: a schema as a definition has it, a source of randomness. Out: values.
"""

FORMATS = {
    "bsonobjectid": "507f1f77bcf86cd799439011",
    "byte": "aGVsbG8=",
    "cidr": "10.0.0.0/8",
    "creditcard": "4111111111111111",
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:30:00Z",
    "datetime": "2024-02-29T12:30:00.000Z",
    "duration": "1h30m",
    "email": "a@example.com",
    "hexcolor": "#a0b1c2",
    "hostname": "www.example.com",
    "ipv4": "10.0.0.1",
    "ipv6": "fd00::1",
    "isbn": "978-3-16-148410-0",
    "isbn10": "316148410X",
    "isbn13": "9783161484100",
    "k8s-long-name": "a.example.com",
    "k8s-short-name": "a-name",
    "mac": "00:00:5e:00:53:01",
    "password": "secret",
    "rgbcolor": "rgb(1,2,3)",
    "ssn": "123-45-6789",
    "uri": "https://example.com/a?b=c",
    "uuid": "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
    "uuid3": "0a1b2c3d-4e5f-3a6b-8c7d-9e0f1a2b3c4d",
    "uuid4": "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
    "uuid5": "0a1b2c3d-4e5f-5a6b-8c7d-9e0f1a2b3c4d",
}
TEXTS = ["", "a", "b", "ab", "abc", "x-1", "10", "1.5Gi", "A", "zz", "a,b", "\u00e9\u00e8", "\U0001f600", "10.0.0.1", "1h", "true", " a", "a\nb"]
NUMBERS = [0, 1, 2, 3, 5, 7, 10, -1, 100, 1.5, 0.1, 2.0, 1e3, -0.5, 2**31, 2**53 + 1, 2**63 - 1, 1e30]
OTHERS = [None, True, False, 7, 2.5, "x", "7", [], {}, ["x"], {"zz": 1}, [None], [[]]]


def fitting(schema, rng, depth=0):
    """A value that fits, as far as this can be seen from types, bounds and enumerations."""
    if schema.get("enum"):
        return rng.choice(schema["enum"])
    if schema.get("nullable") and rng.random() < 0.1:
        return None
    if schema.get("x-kubernetes-int-or-string"):
        return rng.choice([1, 8080, "10%", "http"])
    make = {
        "string": _text,
        "integer": _number,
        "number": _number,
        "boolean": lambda _schema, rng: rng.random() < 0.5,
        "array": lambda schema, rng: _list(schema, rng, depth),
        "object": lambda schema, rng: _object(schema, rng, depth),
    }.get(schema.get("type"))
    return make(schema, rng) if make else rng.choice([1, "a", {"a": 1}, [1]])


def _text(schema, rng):
    if schema.get("format") in FORMATS and rng.random() < 0.9:
        return FORMATS[schema["format"]]
    if "default" in schema and schema.get("pattern"):
        return schema["default"]
    least, most = schema.get("minLength", 0), schema.get("maxLength", 40)
    fits = [text for text in TEXTS if least <= len(text) <= most]
    return rng.choice(fits) if fits else "a" * least


def _number(schema, rng):
    whole = schema.get("type") == "integer"
    least, most = schema.get("minimum", -100), schema.get("maximum", 100)
    if isinstance(least, float) and whole:
        least = int(least)
    step = schema.get("multipleOf") or 1
    value = rng.choice([least, most, least + step, (least + most) // 2, 0, 1, 3])
    value = min(max(value, least), most)
    if schema.get("multipleOf"):
        value = value // step * step
    return int(value) if whole else value


def _list(schema, rng, depth):
    items = schema.get("items") or {}
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", 3), max(least, 3))
    if depth > 6:
        most = least
    count = rng.randint(min(least, most), most)
    return [fitting(items, rng, depth + 1) for _ in range(count)]


def _object(schema, rng, depth):
    out = {}
    if schema.get("x-kubernetes-embedded-resource"):
        out = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "embedded"}}
    required = schema.get("required") or []
    for name, member in (schema.get("properties") or {}).items():
        if name in out:
            continue
        if name in required or rng.random() < (0.6 if depth < 4 else 0.15):
            out[name] = fitting(member, rng, depth + 1)
    additional = schema.get("additionalProperties")
    if isinstance(additional, dict):
        for name in rng.sample(["a", "b", "c-d"], rng.randint(0, 2)):
            out.setdefault(name, fitting(additional, rng, depth + 1))
    return out


def near(schema, rng, rate=0.06):
    """A value that fits but for a few places."""
    return bent(fitting(schema, rng), schema, rng, rate)


def bent(value, schema, rng, rate):
    """The same value but for a few places."""
    if rng.random() < rate:
        return rng.choice(wrong(value, schema, rng))
    if isinstance(value, dict):
        out = {}
        for name, member in value.items():
            if rng.random() < rate:
                continue
            out[name] = bent(member, member_of(schema, name), rng, rate)
        if rng.random() < rate:
            out["unknown"] = rng.choice(OTHERS)
        return out
    if isinstance(value, list):
        out = [bent(item, schema.get("items") or {}, rng, rate) for item in value]
        if out and rng.random() < 2 * rate:
            out.append(rng.choice(out))
        return out
    return value


def member_of(schema, name):
    """The schema of a member."""
    additional = schema.get("additionalProperties")
    other = additional if isinstance(additional, dict) else {}
    return (schema.get("properties") or {}).get(name, other)


def wrong(value, schema, rng):
    """What may stand in the place of a value and does not fit, or only just."""
    out = [other for other in OTHERS if type(other) is not type(value)]
    rng.shuffle(out)
    out = [None, *out[:3]]
    if schema.get("enum"):
        out += ["not-one-of-them", 99]
    if isinstance(value, str):
        out += ["", "\u00a7 \u00a7", "x" * min(schema.get("maxLength", 300) + 1, 5000), rng.choice(TEXTS)]
        if schema.get("minLength"):
            out.append("x" * (schema["minLength"] - 1))
        if schema.get("format"):
            out += [schema["format"], FORMATS.get(schema["format"], "")[1:], rng.choice(list(FORMATS.values()))]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        out += [rng.choice(NUMBERS), value + 0.5, float(value), -value]
        for bound, step in (("minimum", -1), ("maximum", 1)):
            if bound in schema:
                out += [schema[bound], schema[bound] + step]
        if schema.get("multipleOf"):
            out.append(value + 1)
    if isinstance(value, list):
        out += [value + value[:1], value[:1] * (min(schema.get("maxItems", 5), 300) + 1), value[1:], value[:1] + [None], value[::-1]]
    if isinstance(value, dict):
        out += [{**value, "unknown": 1}, {**value, "": "x"}, {**value, "a": None}]
    return out
