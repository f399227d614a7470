"""Random definitions and random objects of them.

In: a seed. Out: how both servers answered. Each round makes one definition on both; where both take it, objects that nearly fit are created
(as dry runs), some in earnest, and those changed.
"""

import concurrent.futures
import json
import random

from schemas import tightened, whole
from servers import DEFINITIONS, MERGE, TABLE
from values import bent, near

GROUP = "agree.example.com"


def run(pair, options):
    """So many values, in rounds of a hundred for each definition."""
    print(f"seed {options.seed}")
    rounds = max(1, -(-options.values // options.each))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(_round, pair, options, number) for number in range(options.first, options.first + rounds)]
        for done in concurrent.futures.as_completed(work):
            done.result()


def _round(pair, options, number):
    for attempt in range(8):
        rng = random.Random(f"{options.seed} {number} {attempt}")
        if _asked(pair, options, f"r{number}-{attempt}", rng):
            return


def _asked(pair, options, plural, rng):
    schema = whole(rng)
    name = f"{plural}.{GROUP}"
    label = f"seed {options.seed} {plural}"
    body = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            "names": {"plural": plural, "kind": plural.replace("-", "x").upper()},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
    if rng.random() < 0.5:
        body["spec"]["versions"][0]["subresources"] = {"status": {}}
    pair.cleared(name)
    dry = pair.compare("definitions", label, "POST", f"{DEFINITIONS}?dryRun=All", body)
    if dry is None or dry["code"] != 201:
        return False
    try:
        pair.both("POST", DEFINITIONS, body)
        url = f"/apis/{GROUP}/v1/{plural}"
        pair.wait(name, lambda answers: all(answer["code"] == 200 for answer in answers), "GET", url)
        kind = {"apiVersion": f"{GROUP}/v1", "kind": body["spec"]["names"]["kind"]}
        stored = _values(pair, options, rng, url, label, kind, schema)
        if stored:
            _tighter(pair, rng, url, label, body, stored)
    finally:
        pair.both("DELETE", f"{DEFINITIONS}/{name}")
    return True


def _values(pair, options, rng, url, label, kind, schema):
    stored = []
    for number in range(options.each):
        value = near(schema, rng, rng.choice([0.0, 0.02, 0.06, 0.2]))
        value = value if isinstance(value, dict) else {}
        value.update(kind, metadata={"name": f"v{number}"})
        here = f"{label} v{number}"
        if stored and rng.random() < 0.3:
            _update(pair, url, here, rng.choice(stored), value)
            continue
        strict = rng.choice(["", "&fieldValidation=Strict", "&fieldValidation=Ignore"])
        answer = pair.compare("values", here, "POST", f"{url}?dryRun=All{strict}", value)
        if answer and answer["code"] == 201 and len(stored) < 5:
            if all(made["code"] == 201 for made in pair.both("POST", url, value)):
                stored.append((value["metadata"]["name"], answer["body"]))
    return stored


def _tighter(pair, rng, url, label, definition, stored):
    """Changes of what was stored before its schema asked for more."""
    version = definition["spec"]["versions"][0]
    schema = tightened(version["schema"]["openAPIV3Schema"], rng)
    # The column tells when the changed definition is served: some time after it was taken, with its schema.
    column = {"name": "Tighter", "type": "string", "jsonPath": ".spec"}
    changed = {**version, "schema": {"openAPIV3Schema": schema}, "additionalPrinterColumns": [column]}
    change = {"spec": {"versions": [changed]}}
    path = f"{DEFINITIONS}/{definition['metadata']['name']}"
    patched = pair.compare("tighter definitions", label, "PATCH", f"{path}?dryRun=All", change, MERGE)
    if patched is None or patched["code"] != 200:
        return
    pair.both("PATCH", path, change, MERGE)
    pair.wait(label, lambda answers: all(map(_has_column, answers)), "GET", url, accept=TABLE)
    for name, old in stored:
        for number in range(8):
            value = bent(old.get("spec"), schema["properties"]["spec"], rng, 0.1)
            value = {**old, "spec": value} if number else old
            _update(pair, url, f"{label} tighter {number}", (name, old), value, "updates under a tighter schema", schema)


def _has_column(table):
    return any(column["name"] == "Tighter" for column in table["body"].get("columnDefinitions") or [])


def _update(pair, url, label, stored, value, area="values", schema=None):
    """The stored object, or another one in its place."""
    name, old = stored
    changed = {**json.loads(json.dumps(old)), **{part: value[part] for part in ("spec", "status") if part in value}}
    bodies = []
    for server in pair.servers:
        version = server.ask("GET", f"{url}/{name}")["body"]["metadata"]["resourceVersion"]
        bodies.append({**changed, "metadata": {"name": name, "resourceVersion": version}})
    put = lambda server, body: server.ask("PUT", f"{url}/{name}?dryRun=All", body)
    answers = [put(server, body) for server, body in zip(pair.servers, bodies)]
    request = {"method": "PUT", "path": url, "body": bodies[1], "old": old, "schema": schema}
    again = lambda: put(pair.servers[0], bodies[0])
    pair.report.note(area, f"{label} over {name}", request, answers, again)
