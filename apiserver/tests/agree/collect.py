"""Owners and dependents: does every order of what clients do end alike?

In: small sets of acts. Out: how both servers ended, each order in a namespace of its own, with the collector let done after each act. The server
that counts needs a kube-controller-manager. What is done before the collector has finished is chance there; the tests of our server play that.
"""

import concurrent.futures
import itertools
import json
import time

MAPS = "/api/v1/namespaces/{}/configmaps"
POLICIES = ["Background", "Foreground", "Orphan"]


def sets():
    """The sets of acts, with the owners that are there before."""
    for policy in POLICIES:
        gone = ("delete", "owner", policy)
        child = ("child", "one", ["owner"], True)
        yield ["owner"], [gone, child, ("child", "two", ["owner"], False)]
        yield ["owner"], [gone, child, ("delete", "one", "Background")]
        yield ["owner"], [gone, child, ("child", "grandchild", ["one"], True)]
        yield ["owner"], [gone, child, ("make", "owner")]
        yield ["owner"], [gone, child, ("free", "one")]
        yield ["owner"], [gone, ("held", "one", ["owner"]), ("delete", "one", policy)]
        for other in POLICIES:
            yield ["owner", "other"], [gone, ("delete", "other", other), ("child", "one", ["owner", "other"], True)]


def run(pair, options):
    """Plays every order of every set."""
    stories = [(owners, order) for owners, acts in sets() for order in itertools.permutations(acts)]
    print(f"{len(stories)} orders")
    # Namespaces of an earlier run may still be there.
    run = int(time.time())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(_story, pair, f"collect-{run}-{number}", *story) for number, story in enumerate(stories)]
        for done in concurrent.futures.as_completed(work):
            done.result()


def _story(pair, namespace, owners, order):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda server: Story(server, namespace).play(owners, order), pair.servers))
    answers = [{"code": 200, "body": end, "warnings": []} for end in ends]
    pair.report.note("ends of garbage collection", json.dumps([owners, *order]), {"namespace": namespace}, answers)


class Story:
    """One order on one server."""

    def __init__(self, server, namespace):
        self.server, self.namespace = server, namespace
        self.maps = MAPS.format(namespace)
        self.uids = {}

    def play(self, owners, order):
        self.server.ask("POST", "/api/v1/namespaces", {"metadata": {"name": self.namespace}})
        for owner in owners:
            self.make(owner, {})
        for act in order:
            self.act(*act)
            end = self.settled()
        for name in end:
            self.server.ask("PATCH", f"{self.maps}/{name}", {"metadata": {"finalizers": None}}, "application/merge-patch+json")
        self.server.ask("DELETE", f"/api/v1/namespaces/{self.namespace}")
        return end

    def make(self, name, meta):
        answer = self.server.ask("POST", self.maps, {"metadata": {"name": name, **meta}})
        if answer["code"] == 201:
            self.uids.setdefault(name, answer["body"]["metadata"]["uid"])

    def act(self, kind, name, *rest):
        path = f"{self.maps}/{name}"
        if kind == "make":
            self.make(name, {})
        elif kind == "delete":
            self.server.ask("DELETE", path, {"propagationPolicy": rest[0]})
        elif kind == "free":
            change = {"metadata": {"ownerReferences": None}}
            self.server.ask("PATCH", path, change, "application/merge-patch+json")
        else:
            owners, blocks = rest[0], kind == "held" or rest[1]
            known = [owner for owner in owners if owner in self.uids]
            meta = {"ownerReferences": [self.reference(owner, blocks) for owner in known]}
            if kind == "held":
                meta["finalizers"] = ["example.com/hold"]
            self.make(name, meta)

    def reference(self, name, blocks):
        return {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": self.uids[name], "blockOwnerDeletion": blocks}

    def settled(self):
        """What is there once nothing has changed for a while."""
        before, since = None, time.monotonic()
        while time.monotonic() - since < 1.5:
            now = self.look()
            if now != before:
                before, since = now, time.monotonic()
            time.sleep(0.1)
        return before

    def look(self):
        items = self.server.ask("GET", self.maps)["body"].get("items") or []
        return {
            item["metadata"]["name"]: {
                "owners": [owner["name"] for owner in item["metadata"].get("ownerReferences") or []],
                "finalizers": item["metadata"].get("finalizers") or [],
                "ending": "deletionTimestamp" in item["metadata"],
            }
            for item in items
            if item["metadata"]["name"] != "kube-root-ca.crt"
        }
