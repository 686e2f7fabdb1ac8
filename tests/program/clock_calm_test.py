"""What a busy machine would move of the clock in the built program, with real processes, and what is told of stalls and of annulled games."""
# calm: bots burn processor time and share one core, the referee is stopped for parts of a second, a little longer than a budget, and what is
# charged is held against what was used.
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from collect_test import zipped
from harness import BIN, LONG, READ, REFEREE, Connection, ProgramTest, alive_with, heard_by, held_port, left_turner, rows, wait_until

# In the sandbox a Python that was not installed with the system is not seen.
PYTHON = shutil.which("python3", path="/usr/bin:/bin")
BUDGET, STOPPED, ANSWERS_AFTER = 0.5, 0.6, 1.3  # seconds


class ClockCalmTest(ProgramTest):
    def run_walls(self, bots, **tournament):
        config = self.write("c.json", self.walls(bots, match={"games": 1}, **tournament))
        self.said = self.exits(0, "run", config, "--out", self.path("out"), "--quiet").stderr
        self.assertEqual(alive_with(self.marker), [], "nothing of a released bot is left")
        return self.result_in("out/games/t_1.1.ndjson")

    def starting(self):
        """Words that start a bot, which works for a while on a core that four other programs want until the test is over."""
        works = f"import os, time\nwhile time.process_time() < 0.75: pass\nos.execv('{BIN}/walls-greedy', ['walls-greedy'])"
        return "taskset", "-c", self.crowded_core(), sys.executable, "-c", works

    def crowded_core(self):
        core = str(min(os.sched_getaffinity(0)))
        for _ in range(4):
            other = subprocess.Popen(["taskset", "-c", core, "sh", "-c", "while :; do :; done"], start_new_session=True)
            self.addCleanup(other.wait)
            self.addCleanup(other.kill)
        return core

    def test_who_waits_for_a_core_before_its_login_is_waited_for(self):
        result = self.run_walls([self.launched("kept", *self.starting(), start_within="1250ms"), self.launched("fine", "walls-greedy", stdout="pipe")])
        self.assertEqual((result["status"], result["faults"]), ("played", []))
        self.assertNotIn("did not log in", self.said)
        self.assertEqual(result["means"], ["kernel receive stamp", "read by the referee"], "a pipe is told from a socket")

    def test_check_bot_waits_for_such_a_start(self):
        done = self.exits(0, "check-bot", "--json", "--game", "walls", "--budget", "3s", "--start-within", "1250ms", *READ, *self.starting())
        start = json.loads(done.stdout)["corners"][0]
        self.assertEqual((start["corner"], start["verdict"]), ("start-up", "good"), start)

    @unittest.skipIf(PYTHON is None, "the system has no Python of its own")
    def test_a_build_that_waits_for_a_core_is_waited_for(self):
        works = "import time; list(iter(lambda: time.process_time() < 0.75, False))"
        files = {"ann/Makefile": f"all:\n\ttaskset -c {self.crowded_core()} {PYTHON} -c '{works}'\n\tcp main.txt bot; chmod +x bot\n",
                 "ann/main.txt": "#!/bin/sh\n"}
        with open(self.path("class.zip"), "wb") as archive:
            archive.write(zipped(files))
        done = self.exits(0, "collect", self.path("class.zip"), "--roster", self.write("students.csv", "name\nann\n"), "--out", self.path("out"),
                          "--build-time", "1250ms")
        self.assertEqual(json.loads(self.read("out/submissions/ann/submission.json"))["build"]["result"], "built", done.stdout)

    def test_processor_time_counts_children_and_not_the_start(self):
        burn = "subprocess.run([sys.executable, '-c', 'import time\\nwhile time.process_time() < 0.15: pass'])"
        result = self.run_walls([
            self.launched("parent", *left_turner(turn=burn, beside="import subprocess\nwhile time.process_time() < 0.5: pass")),
            self.launched("idle", *left_turner(turn="time.sleep(0.05)")),
        ], clock={"measure": "cpu", "budget": "400ms"}, params={"size": 3})
        self.assertEqual((result["status"], result["measure"]), ("played", "cpu"))
        turns = [json.loads(line) for line in self.read("out/games/t_1.1.ndjson").splitlines() if line.startswith('{"moves"')]
        for seat, (least, most) in enumerate([(100_000, 450_000), (0, 50_000)]):
            for us in [turn["used_us"][seat] for turn in turns if turn["moves"][seat] is not None]:
                self.assertLessEqual(least, us, "a child's time is its own")
                self.assertLess(us, most, "neither a start nor sleep is charged")
        self.assertLessEqual(set(result["means"]), {"cgroup-v2", "cgroup-v1", "subreaper", "proc"})

    def stop_for(self, seconds, pids, meanwhile=lambda: None):
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        meanwhile()
        time.sleep(seconds)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)

    def begin_game(self, hands):
        for hand in hands:
            hand.send(type="ready", game_id=hand.read("start")["game_id"])

    def move(self, hand, turn):
        hand.send(type="move", game_id=turn["game_id"], turn=turn["turn"], move="L")

    def test_an_answer_in_time_to_a_stopped_referee_is_in_time_and_one_that_a_stop_may_have_made_late_annuls_its_game(self):
        """First the referee's process alone is stopped, while bot a answers. In its next turn the heartbeat is stopped too, and bot a thinks for
        too long. It is late by less than the stop, so it can't be blamed: the game is annulled, and played again."""
        port = held_port(self)
        config = self.write("c.json", {**self.walls([{"name": name, "token": name * 8} for name in "ab"], match={"games": 1},
                                                    clock={"budget": f"{round(1000 * BUDGET)}ms"}), "listen": {"port": port}})
        words = [REFEREE, "run", config, "--out", self.path("out"), "--quiet"]
        process = self.spawn(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def connected():
            with contextlib.suppress(ConnectionRefusedError):
                return Connection(("127.0.0.1", port))
        a, b = hands = [wait_until(connected, "the referee").log_in(name, token=name * 8) for name in "ab"]
        self.begin_game(hands)
        turn = a.read("turn")
        self.stop_for(2 * STOPPED, [process.pid], lambda: self.move(a, turn))
        self.move(b, b.read("turn"))
        turn = a.read("turn")
        heartbeat = self.read(f"/proc/{process.pid}/task/{process.pid}/children").split()
        self.stop_for(STOPPED, [process.pid, *map(int, heartbeat)])
        time.sleep(ANSWERS_AFTER - STOPPED)
        self.move(a, turn)
        self.begin_game(hands)
        while (heard := heard_by(hands))[1]["type"] != "end":
            if heard[1]["type"] == "turn":
                self.move(*heard)
        screen, log = process.communicate(timeout=LONG)
        for hand in hands:
            hand.close()
        self.assertEqual(process.returncode, 0, log)
        self.assertEqual([status for status, in rows(self.path("out/referee.db"), "SELECT status FROM games ORDER BY attempt")],
                         ["annulled", "played"])
        told = re.search(r"the referee stood still for (\d+)\.\d{3} ms \([^)]*\) while 1 turn ran", log)
        self.assertGreaterEqual(int(told.group(1)), 2 * 1000 * STOPPED - 50, log)
        why = r"the referee itself stood still for \d+\.\d{3} ms in turn 3 \([^)]*\)"
        self.assertRegex(screen, r"\A1 game was annulled, to be played again; the last: game t/1\.1: " + why)
