"""A daemon and bots behind long ways: what is allowed for them, and what the log says where that is too little.

The ways are real ones, through a line that holds packets back. Skipped where there are no namespaces to make.
"""
# calm: what bots are charged is held against what they thought, to some milliseconds, by bots of the real-time class.
import collections
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import unittest

from delay_table import Line
from harness import LONG, REFEREE, ProgramTest, referee, wait_until
from namespaces import may_make_namespaces

PORT = 7777
DOOR_MS = 120  # how long a bot takes for all but its moves

# A bot of Walls at an address of its own, which thinks so many milliseconds in each turn, and another number in the tournament
# "late". It tells what it thought by its own clock.
BOT = f"""
import json, os, socket, sys, time
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # so that a busy machine doesn't make it think longer
except OSError:
    pass
address, name, thinks, thinks_late = sys.argv[1:]
link = socket.create_connection(("10.77.0.1", {PORT}), timeout={LONG}, source_address=(address, 0))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
lines = link.makefile("r", encoding="utf-8")
def say(**message):
    link.sendall((json.dumps(message) + "\\n").encode())
def wait(began, ms):
    time.sleep(max(0.0, began + ms / 1000 - time.monotonic()))
for line in lines:
    began = time.monotonic()
    m = json.loads(line)
    if m["type"] == "hello":
        wait(began, {DOOR_MS})
        say(type="login", name=name, token="t", games=["walls"])
    elif m["type"] == "start":
        wait(began, {DOOR_MS})
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        wait(began, float(thinks_late if m["game_id"].startswith("late") else thinks))
        say(type="move", game_id=m["game_id"], turn=m["turn"], move="L", debug=str(1000 * (time.monotonic() - began)))
"""


@unittest.skipUnless(may_make_namespaces(), "needs root, /dev/net/tun and ip (package iproute2)")
class WaysTest(ProgramTest):
    def config(self, name, bots, *tournaments):
        dialling_in = [{"name": bot, "token": "t"} for bot in bots]
        return self.write(name, {"listen": {"address": "0.0.0.0", "port": PORT}, "bots": dialling_in,
                                 "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}, **one} for one in tournaments]})

    def serve(self, line, config):
        """A daemon at the near end of the line."""
        log = open(self.path("log"), "w")
        self.addCleanup(log.close)
        daemon = line.inside(0, REFEREE, "serve", config, "--out", self.path("out"), stdout=log, stderr=log)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.kill)
        wait_until(lambda: daemon.poll() is not None or self.ctl("status").returncode == 0, "the daemon")
        self.assertIsNone(daemon.poll(), self.read("log"))
        return daemon

    def bot(self, line, address, name, thinks_ms, thinks_late_ms=0):
        process = line.inside(1, sys.executable, "-c", BOT, address, name, str(thinks_ms), str(thinks_late_ms), stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

    def ctl(self, *arguments):
        return referee("ctl", "--out", self.path("out"), *arguments)

    def asked(self, *arguments):
        done = self.ctl(*arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def wait_for_the_end(self, tournament):
        def ended():
            return all(one["state"] == "finished" for one in self.asked("status")["tournaments"] if one["id"] == tournament)
        wait_until(ended, f"the end of {tournament}")

    def test_the_log_names_who_is_too_far_away_for_a_budget_and_a_budget_that_is_fair(self):
        config = self.config("c.json", ["far", "away"], {"match": {"games": 1}, "clock": {"budget": "50ms"}})
        with Line(40) as line:
            daemon = self.serve(line, config)
            self.bot(line, "10.77.0.2", "far", 5)
            self.bot(line, "10.77.0.3", "away", 5)
            self.wait_for_the_end("t")
            daemon.terminate()
            daemon.wait()
        told = re.findall(r"bot (\w+) in tournament t: its way takes (\S+) ms, and 20.000 ms are allowed: of each turn's budget of "
                          r"50.000 ms it loses (\S+) ms; a budget of (\S+) ms, or a higher cap for its range of addresses", self.read("log"))
        self.assertEqual(sorted(bot for bot, *_ in told), ["away", "far"], self.read("log"))
        for _, way, lost, fair in told:
            self.assertGreaterEqual(float(way), 40, "as long as the line makes it")
            self.assertLess(float(way), 60)
            self.assertAlmostEqual(float(lost), float(way) - 20, places=3)
            self.assertAlmostEqual(float(fair), 10 * float(lost), places=1)

    # The cap of private networks, and what a bot may have above the median of its peers.
    CAP_MS, MARGIN_MS = 20, 5
    BLUR_MS = 3

    def test_who_delays_its_acknowledgements_gains_no_more_than_its_peers_need(self):
        held = 95
        budget = 300
        # Late by more than its peers need, the margin and jitter. Were the delay believed, both would be in time.
        in_time, late = 130, budget + self.CAP_MS + 25
        honest = {"ann": "10.77.0.2", "bob": "10.77.0.3", "cid": "10.77.0.4"}
        clock = {"clock": {"budget": f"{budget}ms"}, "faults": {"late": "missing_move"}}
        config = self.config("c.json", [*honest, "cheat"], {"match": {"games": 2}, **clock},
                             {"id": "late", "bots": ["cheat", "ann"], "starts": "by_order", **clock})
        with Line(2, held_ms=held, held_from="10.77.0.9") as line:
            daemon = self.serve(line, config)
            for name, address in honest.items():
                self.bot(line, address, name, in_time, in_time)
            # Nobody's way is bounded by fewer than three others.
            wait_until(lambda: sum(bot["connected"] for bot in self.asked("bots")["bots"]) == len(honest), "the honest bots")
            self.bot(line, "10.77.0.9", "cheat", in_time, late)
            self.wait_for_the_end("t")
            bots = {bot["name"]: bot for bot in self.asked("bots")["bots"]}
            table, status = self.ctl("bots", "--network").stdout, self.ctl("status", "--verbose").stdout
            self.assertEqual(self.ctl("start", "late").returncode, 0)
            self.wait_for_the_end("late")
            daemon.terminate()
            daemon.wait()
        ways = {name: bot["round_trip_us"] / 1000 for name, bot in bots.items()}
        self.assertGreaterEqual(ways["cheat"], held, "its way does look long")
        others = sorted(ways[name] for name in honest)
        self.assertLess(others[-1], self.CAP_MS)
        allowed = others[1] + max(self.MARGIN_MS, others[1])
        self.assertAlmostEqual(bots["cheat"]["allowance_us"] / 1000, allowed, delta=0.5)
        self.assertEqual({name: bot["outlier"] for name, bot in bots.items()},
                         {"ann": False, "bob": False, "cid": False, "cheat": True})
        self.assertRegex(table, r"cheat .* ms by its peers: an outlier")
        told = r"bot cheat: round trip \S+ ms, its network's median \S+ ms: allowed"
        self.assertRegex(status, told)
        self.assertRegex(self.read("log"), told)
        turns = self.turns("t")
        gains = sorted(thought - charged for charged, thought in turns["cheat"])
        print(f"the cheat's gain, in ms: {statistics.median(gains):.2f}, at most {gains[-1]:.2f}", file=sys.stderr)
        self.assertGreater(len(turns["cheat"]), 30)
        self.assertLess(gains[-1], allowed, "it gains no more")
        for bot in honest:
            self.assertLess(abs(statistics.median(charged - thought for charged, thought in turns[bot])), self.BLUR_MS, bot)
        # Its first late answer is the one that counts: the next turn comes before it, and so it acknowledges that one too.
        head, *_, end = map(json.loads, self.read("out/late/games/late_1.1.ndjson").splitlines())
        first = end["result"]["faults"][0]
        self.assertEqual((head["bots"][first["seat"]], first["turn"], first["code"]), ("cheat", 1, "late"), first)

    def turns(self, tournament):
        """Of each bot's turns, in ms: what it was charged, with what was corrected because the referee itself stood still; and
        what it thought by its own clock."""
        found = collections.defaultdict(list)
        for path in glob.glob(self.path(f"out/{tournament}/games/*.ndjson")):
            with open(path) as file:
                head, *turns, end = [json.loads(line) for line in file]
            corrected = {(turn["turn"], turn["seat"]): turn.get("corrected_us", 0) for turn in end.get("times", [])}
            turns = [turn for turn in turns if "moves" in turn]
            for seat, bot in enumerate(head["bots"]):
                with open(self.path(f"out/{tournament}/debug/{bot}/{os.path.basename(path)}")) as file:
                    thoughts = {line["turn"]: float(line["debug"]) for line in map(json.loads, file)}
                found[bot] += [((turns[turn - 1]["used_us"][seat] + corrected.get((turn, seat), 0)) / 1000, thought)
                               for turn, thought in thoughts.items()]
        return found
