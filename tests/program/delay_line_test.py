"""Bots are charged for thinking, not for the path. Two bots think alike, one behind a path of 20 ms each way.

The one place where a test asserts a time: the charge is what is tested. It is a median over many turns, and what the
bot itself measured of its thinking is what it is held against. Skipped where there are no namespaces to make.
"""
# calm: what bots are charged is held against what they thought, to some milliseconds, by bots of the real-time class.
import json
import os
import statistics
import subprocess
import sys
import unittest

import delay_table
from harness import LONG, REFEREE, ProgramTest
from namespaces import may_make_namespaces

DELAY_MS = 20
THINKS_MS = 30
WITHIN_MS = 3
PORT = 7777

BOT = f"""
import json, os, socket, sys, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # so that a busy machine doesn't make it think longer
link = socket.create_connection((sys.argv[1], {PORT}), timeout={LONG})
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
lines = link.makefile("r", encoding="utf-8")
def say(**message):
    link.sendall((json.dumps(message) + "\\n").encode())
for line in lines:
    began = time.monotonic()
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=sys.argv[2], token="t", games=["walls"])
    elif m["type"] == "start":
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        time.sleep(began + {THINKS_MS / 1000} - time.monotonic())
        say(type="move", game_id=m["game_id"], turn=m["turn"], move="L", debug=str(time.monotonic() - began))
"""


@unittest.skipUnless(may_make_namespaces(), "needs root, /dev/net/tun and ip (package iproute2)")
class DelayLineTest(ProgramTest):
    def play(self):
        """For each bot by name: the charge of each turn, and the time that the bot itself measured, in ms."""
        out = self.path("out" + str(len(os.listdir(self.folder))))
        config = self.write("c.json", self.walls([{"name": "far", "token": "t"}, {"name": "near", "token": "t"}],
                                                 match={"games": 2}, clock={"budget": "1s"}))
        stored = json.loads(self.read("c.json"))
        stored["listen"] = {"address": "0.0.0.0", "port": PORT}
        # Both ends are in a private network, where nobody is so far away.
        stored["network"] = [{"range": "10.77.0.0/16", "allowance_max": "1s"}]
        self.write("c.json", stored)
        os.chmod(config, 0o600)  # else the first line warns of the tokens
        with delay_table.Line(2 * DELAY_MS) as line:
            referee = line.inside(0, REFEREE, "run", config, "--out", out, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.addCleanup(referee.kill)
            self.assertIn("listening", referee.stdout.readline())
            bots = [line.inside(1, sys.executable, "-c", BOT, line.address, "far"),
                    line.inside(0, sys.executable, "-c", BOT, "127.0.0.1", "near")]
            said = delay_table.said_to_the_end(referee, bots)
            self.assertEqual(referee.returncode, 0, said)
            for bot in bots:
                bot.wait(LONG)
        charged, thought = {"far": [], "near": []}, {"far": [], "near": []}
        for name in os.listdir(out + "/games"):
            with open(f"{out}/games/{name}") as file:
                lines = [json.loads(line) for line in file]
            for turn in lines[1:-1]:
                for seat, bot in enumerate(lines[0]["bots"]):
                    if turn["moves"][seat] is not None:
                        charged[bot].append(turn["used_us"][seat] / 1000)
            for bot, texts in thought.items():
                with open(f"{out}/debug/{bot}/{name}") as file:
                    texts += [1000 * float(json.loads(line)["debug"]) for line in file]
        return {bot: (statistics.median(charged[bot]), statistics.median(thought[bot])) for bot in charged}

    def test_the_way_is_not_charged(self):
        medians = self.play()
        print(f"charged, and thought by its own clock, in ms: {medians}", file=sys.stderr)
        for bot, (charged, thought) in medians.items():
            self.assertAlmostEqual(charged, thought, delta=WITHIN_MS, msg=bot)
            self.assertAlmostEqual(charged, THINKS_MS, delta=WITHIN_MS, msg=bot)
