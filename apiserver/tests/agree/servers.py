"""Two API servers that are asked the same.

In: kubeconfigs. Out: answers, and which of them differ once what no two servers share (uids, versions, times) is left out.
Never decides who is right.
"""

import base64
import concurrent.futures
import http.client
import json
import ssl
import tempfile
import threading
import time
import urllib.parse

import yaml

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"


class Server:
    """One server, by its kubeconfig; each thread has a connection of its own."""

    def __init__(self, kubeconfig):
        with open(kubeconfig, encoding="utf-8") as file:
            config = yaml.safe_load(file)
        named = lambda section, name: next(entry for entry in config[section] if entry["name"] == name)
        context = named("contexts", config["current-context"])["context"]
        cluster = named("clusters", context["cluster"])["cluster"]
        user = named("users", context["user"])["user"]
        self.address = urllib.parse.urlsplit(cluster["server"])
        self.headers = {"Authorization": f"Bearer {user['token']}"} if "token" in user else {}
        self.tls = _tls(cluster, user) if self.address.scheme == "https" else None
        self.local = threading.local()

    def ask(self, method, path, body=None, kind="application/json", accept="application/json"):
        """The answer: its code, its body and its warnings."""
        headers = {**self.headers, "Accept": accept}
        if body is not None:
            headers["Content-Type"] = kind
            body = json.dumps(body).encode()
        for again in (True, True, False):
            try:
                connection = self._connection()
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                text = response.read()
                if response.status == 429 and again:
                    time.sleep(1)
                    continue
                break
            except (OSError, http.client.HTTPException):
                self.local.connection = None
                if not again:
                    raise
        try:
            value = json.loads(text)
        except ValueError:
            value = text.decode(errors="replace")
        return {"code": response.status, "body": value, "warnings": response.msg.get_all("Warning") or []}

    def _connection(self):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            place = (self.address.hostname, self.address.port)
            if self.tls:
                connection = http.client.HTTPSConnection(*place, context=self.tls, timeout=120)
            else:
                connection = http.client.HTTPConnection(*place, timeout=120)
            self.local.connection = connection
        return connection


def _tls(cluster, user):
    tls = ssl.create_default_context()
    if "certificate-authority-data" in cluster:
        tls.load_verify_locations(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
    elif "certificate-authority" in cluster:
        tls.load_verify_locations(cluster["certificate-authority"])
    elif cluster.get("insecure-skip-tls-verify"):
        tls.check_hostname = False
        tls.verify_mode = ssl.CERT_NONE
    if "client-certificate-data" in user:
        with tempfile.NamedTemporaryFile(suffix=".pem") as file:
            for part in ("client-certificate-data", "client-key-data"):
                file.write(base64.b64decode(user[part]) + b"\n")
            file.flush()
            tls.load_cert_chain(file.name)
    return tls


class Pair:
    """The server that counts, and ours; what they answered differently is kept."""

    def __init__(self, theirs, ours, report, jobs):
        self.servers = (Server(theirs), Server(ours))
        self.report = report
        self.pool = concurrent.futures.ThreadPoolExecutor(2 * jobs)

    def both(self, method, path, body=None, kind="application/json", accept="application/json"):
        """The answers of both, at the same time."""
        answers = [self.pool.submit(server.ask, method, path, body, kind, accept) for server in self.servers]
        return [answer.result() for answer in answers]

    def wait(self, what, done, *request, accept="application/json"):
        """Asks both the same until their answers please."""
        until = time.monotonic() + 60
        while not done(self.both(*request, accept=accept)):
            if time.monotonic() > until:
                raise TimeoutError(f"{what}: waited in vain")
            time.sleep(0.05)

    def cleared(self, name):
        """Takes a definition away that an earlier run, broken off, has left."""
        path = f"{DEFINITIONS}/{name}"
        if any(answer["code"] != 404 for answer in self.both("DELETE", path)):
            self.wait(name, lambda answers: all(answer["code"] == 404 for answer in answers), "GET", path)

    def compare(self, area, label, method, path, body=None, kind="application/json"):
        """Asks both and notes whether they agree; the answer of the server that counts, or None where they do not."""
        answers = self.both(method, path, body, kind)
        request = {"method": method, "path": path, "body": body}
        again = (lambda: self.servers[0].ask(method, path, body, kind)) if "dryRun" in path else None
        agree = self.report.note(area, label, request, answers, again)
        return answers[0] if agree else None


def shared(answer):
    """What of an answer two servers have in common."""
    body = answer["body"]
    if isinstance(body, dict) and body.get("kind") == "Status":
        body = _status(body)
    elif isinstance(body, dict):
        body = _object(body)
    return {"code": answer["code"], "body": body, "warnings": sorted(answer["warnings"])}


def _object(body):
    body = json.loads(json.dumps(body))
    metadata = body.get("metadata") or {}
    for name in ("uid", "resourceVersion", "creationTimestamp", "selfLink"):
        metadata.pop(name, None)
    for entry in metadata.get("managedFields") or []:
        entry.pop("time", None)
    # They are sorted by those times.
    (metadata.get("managedFields") or []).sort(key=lambda entry: json.dumps(entry, sort_keys=True))
    conditions = (body.get("status") or {}).get("conditions") if body.get("kind") == "CustomResourceDefinition" else None
    for condition in conditions or []:
        condition.pop("lastTransitionTime", None)
    # Several controllers write them.
    (conditions or []).sort(key=lambda condition: condition["type"])
    return body


def _status(body):
    """A failure; the members of an object are checked in no order, so that of several causes, and their words in the message, is chance."""
    body = json.loads(json.dumps(body))
    causes = (body.get("details") or {}).get("causes")
    if causes and len(causes) > 1:
        causes.sort(key=lambda cause: json.dumps(cause, sort_keys=True))
        body["message"] = "".join(sorted(body["message"]))
    return body


# How often a server is asked before its answer is taken for the only one that it gives.
TRIES = 25


class Report:
    """Counts what was asked, and keeps what was answered differently."""

    def __init__(self, file=None):
        self.counts = {}
        self.chances = 0
        self.differences = []
        self.file = file
        self.lock = threading.Lock()

    def note(self, area, label, request, answers, again=None):
        """`again` asks the first server once more: where its answer is chance (Go's maps have no order), ours is one of its answers."""
        seen = [shared(answer) for answer in answers]
        if seen[0] != seen[1] and again and any(shared(again()) == seen[1] for _ in range(TRIES)):
            seen[0] = seen[1]
            with self.lock:
                self.chances += 1
        with self.lock:
            count = self.counts.setdefault(area, [0, 0])
            count[1] += 1
            if seen[0] == seen[1]:
                count[0] += 1
                return True
            difference = {"area": area, "label": label, "request": request, "theirs": seen[0], "ours": seen[1]}
            self.differences.append(difference)
            if self.file:
                print(json.dumps(difference), file=self.file, flush=True)
            return False

    def show(self, most=20):
        """Prints the differences and how many answers were equal; whether all were."""
        for difference in self.differences[:most]:
            print(f"\n{difference['area']}: {difference['label']}")
            for who in ("theirs", "ours"):
                print(f"  {who}: {brief(difference[who])}")
        if len(self.differences) > most:
            print(f"\n... and {len(self.differences) - most} more")
        print()
        for area, (equal, asked) in self.counts.items():
            print(f"{area}: {equal}/{asked} answers equal")
        if self.chances:
            print(f"of these {self.chances} after the first server was asked again, whose answer is chance")
        return not self.differences


def brief(answer):
    """An answer in a few lines."""
    body = answer["body"]
    if isinstance(body, dict) and body.get("kind") == "Status":
        causes = (body.get("details") or {}).get("causes")
        told = [f"{cause.get('field')}: {cause.get('message')}" for cause in causes or []] or [body.get("message")]
    else:
        told = [json.dumps(body)[:600]]
    return "\n    ".join([str(answer["code"]), *map(str, told[:8]), *answer["warnings"][:4]])
