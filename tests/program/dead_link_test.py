"""A link that goes down without a word: two network namespaces, a cable between them, the built program. Skipped where there are
no namespaces to make.
"""
import os
import subprocess
import sys
import time
import unittest

from daemon_test import DaemonTest
from harness import LONG, REFEREE, wait_until
from namespaces import Namespace, join, may_make_namespaces

PORT = 7777
ESTABLISHED = "01"

# Logs in, and then only answers.
BOT = f"""
import json, socket, sys
link = socket.create_connection((sys.argv[1], {PORT}), timeout={LONG}, source_address=(sys.argv[3], 0) if sys.argv[3] else None)
def say(**message):
    link.sendall((json.dumps(message) + "\\n").encode())
for line in link.makefile("r", encoding="utf-8"):
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=sys.argv[2], games=["walls"])
    elif m["type"] == "start":
        say(type="ready", game_id=m["game_id"])
"""


@unittest.skipUnless(may_make_namespaces(cable=True), "needs root, veth and ip (package iproute2)")
class DeadLinkTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.ends = [Namespace(), Namespace()]
        for end in self.ends:
            self.addCleanup(end.end)
        self.assertTrue(join(*self.ends, ("end_a", "end_b")))
        for number in range(2):
            end = "end_" + "ab"[number]
            for command in (f"addr add 10.78.0.{number + 1}/24 dev {end}", f"link set {end} up", "link set lo up"):
                self.ip(number, command)

    def ip(self, number, command):
        subprocess.run(self.ends[number].command("ip", *command.split()), check=True)

    def inside(self, number, *command, **options):
        return self.spawn(self.ends[number].command(*command), **options)

    def connected(self):
        return {name for name, bot in self.bots().items() if bot["connected"]}

    def begin(self):
        config = self.walls([{"name": name} for name in ("near", "far", "moving", "gone")], starts="by_order", clock={"budget": "200s"})
        config["tournaments"][0]["bots"] = ["near", "moving"]
        config["listen"] = {"address": "0.0.0.0", "port": PORT}
        config["control"] = {"address": "0.0.0.0", "port": PORT + 1, "token": "the admin token", "tls": True}
        self.out = "out"
        log = self.enterContext(open(self.path("log"), "a"))
        daemon = self.inside(0, REFEREE, "serve", self.write("c.json", config), "--out", self.path("out"), stdout=log, stderr=log)
        wait_until(lambda: os.path.exists(self.path("out/control.sock")), "the daemon")
        return daemon

    def log_in(self, number, address, name, source=""):
        self.inside(number, sys.executable, "-c", BOT, address, name, source)
        wait_until(lambda: name in self.connected(), name)

    def silent_order(self, daemon, number, address, *options):
        """Shakes hands at the port for orders, and then says nothing."""
        words = ("openssl", "s_client", "-connect", f"10.78.0.1:{PORT + 1}", *options)
        ctl = self.inside(number, *words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.connections(daemon, address) == 1, "a silent order")
        return ctl

    def connections(self, daemon, address):
        """How many of that address are open at the port for orders."""
        peer = "".join(f"{int(part):02X}" for part in reversed(address.split(".")))
        rows = [row.split() for row in self.read(f"/proc/{daemon.pid}/net/tcp").splitlines()[1:]]
        return sum(row[1].endswith(f":{PORT + 1:04X}") and row[2].startswith(peer) and row[3] == ESTABLISHED for row in rows)

    def test_who_has_no_link_is_forgotten_and_a_cable_that_is_put_back_loses_nothing(self):
        """The cable is taken out, of which neither side is told, and put back before anybody is forgotten. But one of its addresses
        doesn't come back with it: who had that is forgotten, whether it was to move, or nothing was said."""
        daemon = self.begin()
        lost = "10.78.0.3"
        self.ip(1, f"addr add {lost}/24 dev end_b")
        self.log_in(0, "127.0.0.1", "near")
        self.log_in(1, "10.78.0.1", "far")
        for name in ("moving", "gone"):
            self.log_in(1, "10.78.0.1", name, lost)
        # One that is as silent, and came before, has a link that stands.
        beside = self.silent_order(daemon, 0, "10.78.0.1")
        self.silent_order(daemon, 1, lost, "-bind", lost)
        self.ip(1, "link set end_b down")
        self.ip(1, f"addr del {lost}/24 dev end_b")
        self.order("start", "t")
        time.sleep(8)  # time: so long the cable is out
        self.ip(1, "link set end_b up")
        wait_until(lambda: self.connected() == {"near", "far"}, "the bots without a link to be away")
        for name in ("moving", "gone"):
            self.assertIn(f"{name} has left: the connection broke", self.read("log"))
        wait_until(lambda: self.connections(daemon, lost) == 0, "the order's connection to be dropped too")
        self.assertIsNone(beside.poll(), "not for its silence")
