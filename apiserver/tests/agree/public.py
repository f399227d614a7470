"""Definitions and samples of others: are they taken, stored and refused alike?

In: a folder of YAML and JSON files, in which every CustomResourceDefinition is a definition and every object of a defined kind a sample. Each
definition is made on both servers; each sample is created, then changed in every field, and what comes of it compared.
"""

import concurrent.futures
import json
import pathlib
import random
import time

import yaml

from servers import DEFINITIONS
from values import fitting, member_of, wrong

NAMESPACE = "agree"


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML as JSON has it: times are texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in Loader.yaml_implicit_resolvers.items()
}


def read(folder):
    """The definitions and the other objects in the files of a folder; files that are no plain YAML are passed over."""
    definitions, others = {}, {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix not in (".yaml", ".yml", ".json") or not path.is_file():
            continue
        try:
            documents = list(yaml.load_all(path.read_text(encoding="utf-8"), Loader))
            texts = [json.dumps(document, sort_keys=True) for document in documents]
        except (yaml.YAMLError, ValueError, TypeError):
            continue
        for document, text in zip(documents, texts):
            if not isinstance(document, dict) or not isinstance(document.get("kind"), str):
                continue
            if document.get("apiVersion") == "apiextensions.k8s.io/v1" and document["kind"] == "CustomResourceDefinition":
                definitions.setdefault(text, (path, document))
            elif isinstance(document.get("apiVersion"), str):
                others.setdefault(text, (path, document))
    return list(definitions.values()), list(others.values())


def run(pair, options):
    """Asks about every definition of the folder."""
    definitions, others = read(options.folder)
    print(f"{len(definitions)} definitions and {len(others)} other objects")
    pair.both("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    # Those that could stand in each other's way are asked about one after the other.
    groups = {}
    for path, definition in definitions:
        if isinstance(definition.get("spec"), dict):
            group = definition["metadata"]["name"].partition(".")[2]
            groups.setdefault(group, []).append((path, definition))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(_group, pair, options, group, others) for group in groups.values()]
        for done in concurrent.futures.as_completed(work):
            done.result()


def _group(pair, options, definitions, others):
    for path, definition in definitions:
        try:
            Story(pair, options, path, definition).run(others)
        except (OSError, TimeoutError) as error:
            print(f"{path}: {error}")


class Story:
    """One definition."""

    def __init__(self, pair, options, path, definition):
        self.pair, self.options = pair, options
        self.definition = definition
        self.name = definition["metadata"]["name"]
        self.label = f"{path.name} {self.name}"
        self.path = f"{DEFINITIONS}/{self.name}"
        self.rng = random.Random(f"{options.seed} {self.name}")

    def run(self, others):
        body = {**self.definition, "metadata": {"name": self.name, "annotations": self.definition["metadata"].get("annotations") or {}}}
        body.pop("status", None)
        self.pair.cleared(self.name)
        self.pair.compare("definitions", self.label, "POST", f"{DEFINITIONS}?dryRun=All", body)
        # Webhooks that convert are not there.
        plain = {**body, "spec": {**body["spec"], "conversion": {"strategy": "None"}}}
        made = self.pair.both("POST", DEFINITIONS, plain)
        try:
            if [answer["code"] for answer in made] == [201, 201]:
                self.wait(lambda answers: all(map(_established, answers)))
                self.pair.compare("stored definitions", self.label, "GET", self.path)
                for version in self.definition["spec"]["versions"]:
                    if version.get("served"):
                        self.objects(version, others)
        finally:
            self.pair.both("DELETE", self.path)
            self.wait(lambda answers: all(answer["code"] == 404 for answer in answers))

    def wait(self, done):
        self.pair.wait(self.name, done, "GET", self.path)

    def objects(self, version, others):
        spec = self.definition["spec"]
        api_version = f"{spec['group']}/{version['name']}"
        place = f"/namespaces/{NAMESPACE}" if spec["scope"] == "Namespaced" else ""
        url = f"/apis/{api_version}{place}/{spec['names']['plural']}"
        until = time.monotonic() + 30
        while any(answer["code"] != 200 for answer in self.pair.both("GET", url)) and time.monotonic() < until:
            time.sleep(0.1)
        kind = spec["names"]["kind"]
        found = [object for _, object in others if (object["apiVersion"], object["kind"]) == (api_version, kind)]
        samples = self.rng.sample(found, min(len(found), self.options.samples))
        schema = (version.get("schema") or {}).get("openAPIV3Schema") or {}
        for number, sample in enumerate(map(_cleaned, samples)):
            self.sample(url, schema, f"sample-{number}", sample, "samples")
        for number in range(self.options.made):
            made = fitting(schema, self.rng)
            made = made if isinstance(made, dict) else {}
            made.update(apiVersion=api_version, kind=kind, metadata={})
            self.sample(url, schema, f"made-{number}", made, "made samples")

    def sample(self, url, schema, name, sample, area):
        sample = {**sample, "metadata": {**sample["metadata"], "name": name}}
        answer = self.pair.compare(area, f"{self.label} {name}", "POST", url, sample)
        stored = answer is not None and answer["code"] == 201
        changes = list(_changes(sample, schema, "", self.rng))
        self.rng.shuffle(changes)
        for what, value in changes[: self.options.changes]:
            label = f"{self.label} {name} {what}"
            value["metadata"] = {**value["metadata"], "name": f"{name}-changed"}
            self.pair.compare("changed samples", label, "POST", f"{url}?dryRun=All", value)
        if stored:
            self.updates(f"{url}/{name}", name, changes[-self.options.updates :])

    def updates(self, url, name, changes):
        """Changes of what is there, where what has not changed may stay as it is."""
        versions = [answer["body"]["metadata"]["resourceVersion"] for answer in self.pair.both("GET", url)]
        for what, value in changes:
            bodies = []
            for version in versions:
                metadata = {**value["metadata"], "name": name, "resourceVersion": version}
                bodies.append({**value, "metadata": metadata})
            put = lambda server, body: server.ask("PUT", f"{url}?dryRun=All", body)
            answers = [put(server, body) for server, body in zip(self.pair.servers, bodies)]
            request = {"method": "PUT", "path": url, "body": bodies[1]}
            again = lambda body=bodies[0]: put(self.pair.servers[0], body)
            self.pair.report.note("updates", f"{self.label} {name} {what}", request, answers, again)


def _established(answer):
    conditions = (answer["body"].get("status") or {}).get("conditions") or []
    settled = {condition["type"]: condition["status"] for condition in conditions}
    group = answer["body"]["spec"]["group"]
    if group.endswith((".k8s.io", ".kubernetes.io")) and "KubernetesAPIApprovalPolicyConformant" not in settled:
        return False
    return settled.get("Established") == "True" or settled.get("NamesAccepted") == "False"


def _cleaned(sample):
    """A sample without what ties it to the cluster or the namespace that it is of."""
    metadata = sample.get("metadata") if isinstance(sample.get("metadata"), dict) else {}
    keep = {name: metadata[name] for name in ("labels", "annotations") if metadata.get(name)}
    return {**sample, "metadata": keep}


def _changes(value, schema, path, rng):
    """Every value that differs from this one in one place, with what differs."""
    if path == "" and isinstance(value, dict):
        yield "unknown", {**value, "unknown": 1}
    if isinstance(value, dict):
        for name, member in value.items():
            if path == "" and name in ("apiVersion", "kind", "metadata"):
                continue
            here = f"{path}.{name}"
            yield f"{here} dropped", {other: kept for other, kept in value.items() if other != name}
            below = member_of(schema, name)
            for bad in wrong(member, below, rng):
                yield f"{here} = {json.dumps(bad)[:40]}", {**value, name: bad}
            for what, changed in _changes(member, below, here, rng):
                yield what, {**value, name: changed}
    elif isinstance(value, list):
        below = schema.get("items") or {}
        for index, item in enumerate(value[:2]):
            here = f"{path}[{index}]"
            for bad in wrong(item, below, rng):
                yield f"{here} = {json.dumps(bad)[:40]}", [*value[:index], bad, *value[index + 1 :]]
            for what, changed in _changes(item, below, here, rng):
                yield what, [*value[:index], changed, *value[index + 1 :]]
