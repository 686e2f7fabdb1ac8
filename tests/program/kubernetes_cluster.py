"""What of a Kubernetes cluster kubectl needs to see: the API server's answers about Jobs and pods.

It isn't Kubernetes: nothing is played. It keeps the Jobs that it is given, and pods as a test has them by the reference of the API.
What kubectl asks and prints is kubectl's own: tests use the real one.
"""
import http.server
import json
import re
import threading
import urllib.parse

VERBS = ["get", "list", "create", "delete", "patch"]
# What kubectl asks first: which kinds there are.
DISCOVERY = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
        {"name": "batch", "versions": [{"groupVersion": "batch/v1", "version": "v1"}], "preferredVersion": {"groupVersion": "batch/v1", "version": "v1"}}]},
    **{path: {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group, "resources": [
        {"name": name, "singularName": kind.lower(), "namespaced": True, "kind": kind, "verbs": VERBS}]}
       for path, group, name, kind in (("/api/v1", "v1", "pods", "Pod"), ("/apis/batch/v1", "batch/v1", "jobs", "Job"))},
}


def expanded(text, environment):
    """A word of a container's command: $(NAME) is a variable of its, where there is such, and $$ a dollar."""
    return re.sub(r"\$\$|\$\(([^()]*)\)", lambda found: "$" if found[0] == "$$" else environment.get(found[1], found[0]), text)


def selected(objects, selector):
    """Those whose labels are as `a=b,c in (d,e)` says."""
    wanted = {}
    for name, values, value in re.findall(r"([\w-]+) *(?:in *\(([^)]*)\)|=([^,]*))", selector):
        wanted[name] = [one.strip() for one in values.split(",")] if values else [value]
    return [one for one in objects if all(one["metadata"]["labels"].get(name) in values for name, values in wanted.items())]


class Cluster:
    def __init__(self):
        self.jobs, self.pods = {}, {}  # by name
        self.lock = threading.Lock()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def config(self):
        return json.dumps({"apiVersion": "v1", "kind": "Config", "current-context": "here", "preferences": {},
                           "clusters": [{"name": "here", "cluster": {"server": "http://127.0.0.1:%d" % self.server.server_port}}],
                           "users": [{"name": "me", "user": {}}], "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me"}}]})

    def create(self, job):
        """Its pod waits for a node."""
        name = job["metadata"]["name"]
        self.jobs[name] = {**job, "status": {}}
        template = job["spec"]["template"]
        self.pods[name] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name + "-x2v7q", "labels": template["metadata"]["labels"]},
                           "spec": template["spec"], "status": {"phase": "Pending", "conditions": [
                               {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes are available"}]}}

    def begin(self, name):
        self.pods[name]["spec"]["nodeName"] = "node1"
        self.pods[name]["status"] = {"phase": "Running", "conditions": [{"type": "PodScheduled", "status": "True"}]}
        self.jobs[name]["status"] = {"active": 1}

    def end(self, name, condition):
        """`condition`: "Complete" or "Failed"."""
        self.pods[name]["status"] = {"phase": {"Complete": "Succeeded", "Failed": "Failed"}[condition]}
        self.jobs[name]["status"] = {"conditions": [{"type": condition, "status": "True"}]}

    def answer(self, method, path, query, body):
        """(status, object)"""
        if path in DISCOVERY:
            return 200, DISCOVERY[path]
        found = re.fullmatch(r"/(?:api|apis/batch)/v1/namespaces/tournaments/(pods|jobs)(?:/([\w.-]+))?", path)
        if not found:
            return 404, status_of(404, "NotFound", path)
        kind, name = found.groups()
        objects = self.jobs if kind == "jobs" else self.pods
        if name is None and method == "GET":
            chosen = selected(objects.values(), query.get("labelSelector", [""])[0])
            return 200, {"kind": kind[:-1].capitalize() + "List", "apiVersion": "batch/v1" if kind == "jobs" else "v1", "metadata": {}, "items": chosen}
        if name is None and method == "POST":
            self.create(body)
            return 201, body
        if name not in objects:
            return 404, status_of(404, "NotFound", f'jobs.batch "{name}" not found')
        if method == "DELETE":
            del self.jobs[name], self.pods[name]
            return 200, {"kind": "Status", "apiVersion": "v1", "status": "Success"}
        return 200, objects[name]


def handler_of(cluster):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def serve(self):
            url = urllib.parse.urlsplit(self.path)
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
            with cluster.lock:
                status, answer = cluster.answer(self.command, url.path, urllib.parse.parse_qs(url.query), body)
                text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_DELETE = do_PATCH = serve

        def log_message(self, *_):
            pass

    return Handler


def status_of(code, reason, message):
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": reason, "message": message, "code": code}
