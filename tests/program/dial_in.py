"""A daemon whose bots dial in, for the tests of orders that concern them."""
import json
import os
import subprocess

from daemon_test import DaemonTest
from harness import BIN, wait_until


class DialInTest(DaemonTest):
    def dial_in(self, name, version=None, program="walls-greedy"):
        host, port = self.address()
        environment = {**os.environ, "REFEREE_ADDRESS": f"{host}:{port}", "REFEREE_NAME": name, "REFEREE_TOKEN": "t"}
        environment.pop("REFEREE_VERSION", None)
        if version is not None:
            environment["REFEREE_VERSION"] = version
        bot = self.spawn([os.path.join(BIN, program)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return bot

    def is_here(self, name):
        return {bot["name"]: bot["connected"] for bot in json.loads(self.order("bots", "--json"))["bots"]}.get(name, False)

    def come(self, versions):
        bots = {name: self.dial_in(name, version) for name, version in versions.items()}
        wait_until(lambda: all(map(self.is_here, versions)), "all bots")
        return bots

    def config(self, names="abc", **tournament):
        return self.write("c.json", {
            "listen": {"port": 0}, "bots": [{"name": name, "token": "t"} for name in names],
            "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}, "match": {"games": 2}, **tournament}]})

    def finished(self):
        wait_until(lambda: self.tournament("t")["state"] == "finished", "the tournament")
