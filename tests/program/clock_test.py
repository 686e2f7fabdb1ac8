"""The clock in the built program, with real processes. CTest runs it in the same way as program_test.py."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from harness import LONG, REFEREE, Connection, ProgramTest, alive_with, referee

# A bot of Walls that always turns left. Each test fills in what it does in its turns and between them.
BOT = """
import json, os, sys, threading, time
def say(**message):
    print(json.dumps(message), flush=True)
{beside}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["walls"])
    elif m["type"] == "start":
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        debug = ""
        {turn}
        say(type="move", game_id=m["game_id"], turn=m["turn"], move="L", debug=debug)
"""


def bot(turn="pass", beside=""):
    return [sys.executable, "-c", BOT.format(turn=turn, beside=beside)]


class ClockTest(ProgramTest):
    def run_walls(self, bots, **tournament):
        config = self.write("c.json", self.walls(bots, match={"games": 1}, **tournament))
        done = referee("run", config, "--out", self.path("out"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(alive_with(self.marker), [], "nothing of a released bot is left")
        return self.result("t_1.1")

    def result(self, game):
        return json.loads(self.read(f"out/games/{game}.ndjson").splitlines()[-1])["result"]

    def test_a_bot_that_burns_between_its_turns_gets_nothing_while_it_is_frozen(self):
        # Between its turns it uses processor time; in a turn it tells how much it had used when the turn came.
        burns = "threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()"
        asleep = 0.3
        result = self.run_walls([
            self.launched("burner", *bot(turn='debug = str(time.process_time()); time.sleep(0.02); debug += " " + str(time.process_time())',
                                         beside=burns), freeze_between_turns=True),
            self.launched("sleeper", *bot(turn=f"time.sleep({asleep})")),
        ])
        self.assertEqual(result["status"], "played")
        turns = [json.loads(line)["debug"].split() for line in self.read("out/debug/burner/t_1.1.ndjson").splitlines()]
        self.assertGreater(len(turns), 3)
        between = sum(float(after[0]) - float(before[1]) for before, after in zip(turns, turns[1:]))
        self.assertLess(between, asleep * (len(turns) - 1) / 3)

    def test_processor_time_counts_children_and_not_the_start(self):
        burn = "subprocess.run([sys.executable, '-c', 'import time\\nwhile time.process_time() < 0.15: pass'])"
        result = self.run_walls([
            self.launched("parent", *bot(turn=burn, beside="import subprocess\nwhile time.process_time() < 0.5: pass")),
            self.launched("idle", *bot(turn="time.sleep(0.05)")),
        ], clock={"measure": "cpu", "budget": "400ms"}, params={"size": 3})
        self.assertEqual((result["status"], result["measure"]), ("played", "cpu"))
        used = [[turn["used_us"][seat] for turn in self.turns() if turn["moves"][seat] is not None] for seat in (0, 1)]
        for us in used[0]:
            self.assertGreater(us, 100_000, "its child's time is its own")
            self.assertLess(us, 450_000, "its start is not charged")
        for us in used[1]:
            self.assertLess(us, 50_000, "sleep is no processor time")
        for means in result["means"]:
            self.assertIn(means, ("cgroup-v2", "cgroup-v1", "subreaper", "proc"))

    def turns(self):
        return [json.loads(line) for line in self.read("out/games/t_1.1.ndjson").splitlines()[1:-1] if line.startswith('{"moves"')]

    def test_a_referee_that_was_stopped_blames_nobody(self):
        config = self.write("c.json", self.walls([self.launched("a", *bot(turn="time.sleep(0.1)")),
                                                  self.launched("b", *bot(turn="time.sleep(0.1)"))],
                                                 match={"games": 1}, clock={"budget": "1s"}))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + LONG
            while len(alive_with(self.marker)) < 2 and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(0.7)  # now a turn is under way
            process.send_signal(signal.SIGSTOP)
            time.sleep(2.5)
            process.send_signal(signal.SIGCONT)
            _, errors = process.communicate(timeout=LONG)
            self.assertEqual(process.returncode, 0, errors)
        games = sorted(name[:-len(".ndjson")] for name in os.listdir(self.path("out/games")))
        results = [self.result(game) for game in games]
        for result in results:
            self.assertEqual([fault for fault in result["faults"] if fault["code"] == "late" and fault["turn"] > 0], [], result)
        self.assertEqual([result["status"] for result in results if result["status"] != "annulled"], ["played"])

    def test_a_short_stop_blames_nobody_who_is_stamped_by_the_kernel(self):
        budget, stopped = "100ms", 0.15
        config = self.write("c.json", self.walls([{"name": "a", "token": "plum"}, self.launched("b", *bot())],
                                                 match={"games": 1}, clock={"budget": budget}))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1))
            hand = Connection(("127.0.0.1", port))
            hand.read("hello")
            hand.send(type="login", name="a", token="plum", games=["walls"])
            game = hand.read("start")["game_id"]
            hand.send(type="ready", game_id=game)
            self.assertEqual(hand.read("turn")["turn"], 1)
            process.send_signal(signal.SIGSTOP)
            time.sleep(stopped)
            hand.send(type="move", game_id=game, turn=1, move="L")
            process.send_signal(signal.SIGCONT)
            turn = hand.read("turn")["turn"]  # of this game, or of the next attempt where the machine was too busy to tell
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=LONG)
            hand.close()
        self.assertIn(turn, (1, 3))
        for name in os.listdir(self.path("out/games")):
            result = self.result(name[:-len(".ndjson")])
            self.assertEqual([fault for fault in result["faults"] if fault["seat"] == 0 and fault["turn"] == 1], [])

    # Stops the referee in the bot's first turn, and lets it go on after a while; the bot answers at once.
    STOPS = """
parent = lambda pid: int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
referee = parent(os.getppid())
def stop():
    import subprocess
    waker = subprocess.Popen([sys.executable, "-c", f"print(flush=True); import time, os; time.sleep(0.6); os.kill({referee}, 18)"], stdout=subprocess.PIPE)
    waker.stdout.readline()
    os.kill(referee, 19)
"""

    def test_a_short_stop_takes_nothing_from_a_launched_bot(self):
        # A pipe has no stamps: there the stop annuls the turn, or is excused.
        result = self.run_walls([self.launched("a", *bot(turn="if m['turn'] == 1: stop()", beside=self.STOPS)), self.launched("b", *bot())],
                                clock={"budget": "500ms"})
        self.assertEqual((result["status"], result["faults"]), ("played", []))
        self.assertEqual(result["means"][0], "kernel receive stamp")
        self.assertEqual(os.listdir(self.path("out/games")), ["t_1.1.ndjson"], "no attempt was annulled")

    def test_a_wait_for_a_core_is_not_charged(self):
        # Programs that want all cores; beside them a bot needs several times as long for its thought.
        thought = 0.035
        hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3 * os.cpu_count())]
        try:
            burn = f"end = time.process_time() + {thought}\n        while time.process_time() < end: pass\n        debug = str(time.monotonic() - begun)"
            result = self.run_walls([self.launched("thinks", *bot(turn=f"begun = time.monotonic()\n        {burn}")), self.launched("idle", *bot())],
                                    clock={"budget": "60ms"}, params={"size": 3})
        finally:
            for hog in hogs:
                hog.kill()
                hog.wait()
        self.assertEqual((result["status"], result["faults"]), ("played", []))
        charged = [turn["used_us"][0] for turn in self.turns() if turn["moves"][0] is not None]
        walls = [float(json.loads(line)["debug"]) for line in self.read("out/debug/thinks/t_1.1.ndjson").splitlines()]
        self.assertGreater(max(walls), 0.120, "nothing stood in its way, so nothing was tried")
        self.assertGreaterEqual(min(charged), thought * 1e6 * 0.99)

    def test_a_pipe_is_told_from_a_socket(self):
        result = self.run_walls([self.launched("a", *bot()), self.launched("b", *bot(), stdout="pipe")])
        self.assertEqual((result["status"], result["means"]), ("played", ["kernel receive stamp", "read by the referee"]))

    def test_processor_time_between_turns_is_not_free(self):
        # It thinks for its next turn while the other one's turn lasts.
        ponders = "threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()"
        asleep = 0.3
        result = self.run_walls([
            self.launched("ponders", *bot(turn='debug = str(time.process_time()); time.sleep(0.02); debug += " " + str(time.process_time())',
                                          beside=ponders)),
            self.launched("sleeper", *bot(turn=f"time.sleep({asleep})")),
        ], clock={"measure": "cpu", "budget": "500ms"}, params={"size": 3})
        self.assertEqual(result["status"], "played")
        turns = [json.loads(line)["debug"].split() for line in self.read("out/debug/ponders/t_1.1.ndjson").splitlines()]
        self.assertGreater(len(turns), 1)
        between = sum(float(after[0]) - float(before[1]) for before, after in zip(turns, turns[1:]))
        self.assertLess(between, asleep * (len(turns) - 1) / 6)

    def test_explain_tells_a_late_turn(self):
        self.run_walls([self.launched("late", *bot(turn="time.sleep(1 if m['turn'] == 1 else 0)")), self.launched("good", *bot())],
                       clock={"budget": "500ms"})
        for arguments in ((self.path("out/games/t_1.1.ndjson"),), ("t/1.1", "--out", self.path("out"))):
            done = referee("explain", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Turn 1, late: late", done.stdout)
            self.assertIn("no answer had come by then, though it is connected", done.stdout)
            self.assertIn("rule clock.turn_budget:", done.stdout)
        for arguments, expected in ((("nothing",), "nothing: can't be read"), (("t/9.9", "--out", self.path("out")), "has no game t/9.9")):
            done = referee("explain", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
