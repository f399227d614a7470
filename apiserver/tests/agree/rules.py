"""Random rules in CEL for a schema.

In: the schema that the rules stand in, a source of randomness. Out: entries of `x-kubernetes-validations`. They compile, but for the odd one.
"""

import re

TEXT = [
    "{s}.size() < 4",
    "{s}.startsWith('a')",
    "{s}.endsWith('b') || {s} == ''",
    "{s}.contains('x')",
    "{s}.matches('^[a-z0-9.]*$')",
    "{s} in ['a', 'b', 'ab']",
    "{s} != 'a'",
    "{s} < 'b'",
    "{s} + 'x' != 'ax'",
    "int({s}) > 3",
    "double({s}) < 2.5",
    "isQuantity({s}) && quantity({s}).isGreaterThan(quantity('1'))",
    "quantity({s}).sign() >= 0",
    "isIP({s}) || isURL({s})",
    "ip({s}).family() == 4",
    "duration({s}) > duration('1m')",
    "timestamp({s}).getFullYear() > 2000",
    "{s}.lowerAscii() == {s}",
    "{s}.split(',').size() < 2",
    "{s}.replace('a', 'b').indexOf('b') == 0",
    "{s}.substring(1) != 'b'",
    "{s}.charAt(0) != 'z'",
    "{s}.find('[0-9]+') != ''",
    "{s}.findAll('[a-z]').size() > 0",
    "{s}.trim() == {s}",
    "bool({s})",
    "!format.dns1123Label().validate({s}).hasValue()",
    "'%s!'.format([{s}]).size() < 6",
    "url({s}).getScheme() == 'https'",
    "semver({s}).major() > 0",
]
NUMBER = [
    "{s} > {n}",
    "{s} <= {n}",
    "{s} * {s} != {n}",
    "10{f} / {s} > 2{f}",
    "{s} + 9223372036854775807{f} > 0{f}",
    "-{s} < {n}",
    "string({s}) != '3'",
    "{s} in [{n}, 1{f}, 2{f}]",
    "{s} == {s} && ({s} > {n} || {s} < 1{f})",
    "[{s}, {n}].sum() < 50{f}",
    "'%d'.format([{s}]) != '1'",
]
WHOLE = ["{s} % 2 == 0", "{s} % {s} == 0", "double({s}) < 10.5", "uint({s}) < 9u", "{s} < 2.5"]
FRACTION = ["int({s}) == 1", "{s} == 1.0", "{s} / {s} == 1.0"]


def rules(schema, rng):
    return [entry(schema, rng) for _ in range(rng.choice([1, 1, 2]))]


def entry(schema, rng):
    condition = test("self", schema, rng, 0)
    if rng.random() < 0.15:
        condition = rng.choice(["{} || {}", "{} && {}", "{} ? {} : true"]).format(f"({condition})", f"({test('self', schema, rng, 0)})")
    out = {"rule": condition}
    if rng.random() < 0.2 and "type" in schema:
        out["rule"] = rng.choice(["self == oldSelf", f"{condition} || self == oldSelf", f"self != oldSelf || {condition}"])
        if rng.random() < 0.3:
            optional = rng.choice(["!oldSelf.hasValue() || oldSelf.value() == self", "oldSelf.orValue(self) == self"])
            out.update(rule=optional, optionalOldSelf=True)
    if rng.random() < 0.3:
        out["message"] = rng.choice(["must fit", "is {not} \"right\"", "says: no"])
    if rng.random() < 0.25:
        out["messageExpression"] = expression(schema, rng)
    if rng.random() < 0.2:
        out["reason"] = rng.choice(["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"])
    properties = schema.get("properties")
    if rng.random() < 0.15 and properties:
        name = rng.choice(list(properties))
        out["fieldPath"] = f".{name}" if re.fullmatch("[A-Za-z_]+", name) else f"['{name}']"
    return out


def expression(schema, rng):
    kind = schema.get("type")
    told = {
        "string": "'got ' + self",
        "integer": "'got ' + string(self)",
        "number": "'%s is wrong'.format([self])",
        "boolean": "self ? 'was true' : ''",
        "array": "'of %d: %s'.format([self.size(), self])",
    }
    return rng.choice([told.get(kind, "'is ' + 'wrong'"), "'one line'", "'two\\nlines'", "''"])


def test(what, schema, rng, depth):
    """A condition on the value that the expression `what` gives."""
    if schema.get("x-kubernetes-int-or-string"):
        return rng.choice(["type({s}) == int || {s} == 'a'", "{s} == 8080", "type({s}) == string ? {s}.size() < 3 : {s} > 2", "string({s}) != '1'"]).format(s=what)
    kind = schema.get("type")
    if kind == "string":
        return text(what, schema, rng)
    if kind in ("integer", "number"):
        more = WHOLE if kind == "integer" else FRACTION
        point = "" if kind == "integer" else ".0"
        return rng.choice(NUMBER + more).format(s=what, n=f"{rng.randint(-2, 20)}{point}", f=point)
    if kind == "boolean":
        return rng.choice(["{s}", "!{s}", "{s} == true", "string({s}) != 'true'"]).format(s=what)
    if kind == "array":
        return items(what, schema, rng, depth)
    if kind == "object" and schema.get("properties"):
        return members(what, schema, rng, depth)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return entries(what, schema, rng, depth)
    return "true"


def text(what, schema, rng):
    made = schema.get("format")
    if made == "byte":
        return f"size({what}) < 6"
    if made in ("date", "date-time"):
        return rng.choice(["{s}.getFullYear() > 2000", "{s} > timestamp('2020-01-01T00:00:00Z')"]).format(s=what)
    if made == "duration":
        return rng.choice(["{s} > duration('1m')", "{s}.getSeconds() < 9000"]).format(s=what)
    return rng.choice(TEXT).format(s=what)


def items(what, schema, rng, depth):
    name = "xyzuvw"[depth % 6]
    inner = test(name, schema["items"], rng, depth + 1) if depth < 2 else "true"
    shapes = [
        "{s}.size() < 3",
        "{s}.all({x}, {t})",
        "{s}.exists({x}, {t})",
        "{s}.exists_one({x}, {t})",
        "{s}.filter({x}, {t}).size() > 0",
        "{s}.map({x}, {t}).all(done, done)",
        "{s}.all(i, {x}, i < 2 || {t})",
        "{s}.size() == 0 || {s}[0] == {s}[{s}.size() - 1]",
        "{s}[1] == {s}[0]",
        "{s} == {s} + []",
        "{s}.map({x}, {x}).size() == {s}.size()",
    ]
    if schema["items"].get("type") in ("integer", "number", "string") and not schema["items"].get("format"):
        shapes += ["{s}.isSorted()", "{s}.max() == {s}[0]", "{s}.indexOf({s}[0]) == 0"]
    if schema["items"].get("type") == "string" and not schema["items"].get("format"):
        shapes += ["{s}.join(',').size() < 9", "sets.contains(['a', 'b'], {s})"]
    return rng.choice(shapes).format(s=what, x=name, t=inner)


def members(what, schema, rng, depth):
    name = rng.choice(list(schema["properties"]))
    below = schema["properties"][name]
    if not re.fullmatch("[A-Za-z_]+", name):
        name = name.replace("-", "__dash__").replace(".", "__dot__")
    if name == "in":
        name = "__in__"
    there = f"{what}.{name}"
    inner = test(there, below, rng, depth + 1) if depth < 3 else "true"
    shapes = ["has({m}) && {t}", "!has({m}) || {t}", "!has({m}) || {t}", "has({m})", "{t}"]
    if depth == 0:
        shapes += ["{s}.?{n}.hasValue()", "{s}.?{n}.optMap(o, true).orValue(false)"]
    return rng.choice(shapes).format(s=what, m=there, n=name, t=inner)


def entries(what, schema, rng, depth):
    inner = test(f"{what}[k]", schema["additionalProperties"], rng, depth + 1) if depth < 2 else "true"
    shapes = [
        "{s}.size() > 0",
        "{s}.all(k, k.size() < 3)",
        "{s}.exists(k, {t})",
        "{s}.all(k, {t})",
        "'a' in {s}",
        "{s}['a'] == {s}['b']",
        "{s}.map(k, k).size() < 2",
        "{s}.all(k, v, k != 'b' && {s}[k] == v)",
    ]
    return rng.choice(shapes).format(s=what, t=inner)
