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

from clock_test import ClockedTest
from collect_test import zipped
from harness import BIN, LONG, READS, REFEREE, Connection, heard_by, held_port, left_turner, rows, wait_until

# In the sandbox a Python that was not installed with the system is not seen.
PYTHON = shutil.which("python3", path="/usr/bin:/bin")
BUDGET, STOPPED, ANSWERS_AFTER = 0.5, 0.6, 1.3  # seconds


class ClockCalmTest(ClockedTest):
    def test_a_bot_that_burns_between_its_turns_gets_nothing_while_it_is_frozen(self):
        # Between its turns it uses processor time; in a turn it tells how much it had used when the turn came.
        burns = "threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()"
        asleep = 0.3
        result = self.run_walls([
            self.launched("burner", *left_turner(turn='debug = str(time.process_time()); time.sleep(0.02); debug += " " + str(time.process_time())',
                                         beside=burns), freeze_between_turns=True),
            self.launched("sleeper", *left_turner(turn=f"time.sleep({asleep})")),
        ])
        self.assertEqual(result["status"], "played")
        turns = [json.loads(line)["debug"].split() for line in self.read("out/debug/burner/t_1.1.ndjson").splitlines()]
        self.assertGreater(len(turns), 3)
        between = sum(float(after[0]) - float(before[1]) for before, after in zip(turns, turns[1:]))
        self.assertLess(between, asleep * (len(turns) - 1) / 3)

    def crowded_core(self):
        """A core that four other programs want until the test is over."""
        core = str(min(os.sched_getaffinity(0)))
        for _ in range(4):
            other = subprocess.Popen(["taskset", "-c", core, "sh", "-c", "while :; do :; done"], start_new_session=True)
            self.addCleanup(other.wait)
            self.addCleanup(other.kill)
        return core

    def is_waited_for(self, *command, **more):
        result = self.run_walls([self.launched("kept", *command, **more), self.launched("fine", "walls-greedy")])
        self.assertEqual((result["status"], result["faults"]), ("played", []))
        self.assertNotIn("did not log in", self.said)

    def test_who_waits_for_a_core_before_its_login_is_waited_for(self):
        starting = f"import os, time\nwhile time.process_time() < 0.75: pass\nos.execv('{BIN}/walls-greedy', ['walls-greedy'])"
        self.is_waited_for("taskset", "-c", self.crowded_core(), sys.executable, "-c", starting, start_within="1250ms")

    def waiting_start(self, bot):
        """Words that start a bot: a program waits for a core and ends, and then the rest of the start takes its time."""
        works = "import time\nwhile time.process_time() < 0.25: pass"
        return ("sh", "-c", 'taskset -c "$1" "$2" -c "$3"; sleep 2.2; exec "$4"', "sh", self.crowded_core(), sys.executable, works,
                os.path.join(BIN, bot))

    def test_a_start_is_waited_for_where_the_program_that_waited_for_a_core_has_ended(self):
        self.is_waited_for(*self.waiting_start("walls-greedy"), start_within="3s")

    def test_check_bot_waits_for_such_a_start(self):
        done = self.exits(0, "check-bot", "--json", "--game", "walls", "--budget", "3s", "--start-within", "3s",
                          *(word for folder in READS for word in ("--reads", folder)), *self.waiting_start("walls-greedy"))
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
        used = [[turn["used_us"][seat] for turn in self.turns() if turn["moves"][seat] is not None] for seat in (0, 1)]
        for us in used[0]:
            self.assertGreater(us, 100_000, "its child's time is its own")
            self.assertLess(us, 450_000, "its start is not charged")
        for us in used[1]:
            self.assertLess(us, 50_000, "sleep is no processor time")
        for means in result["means"]:
            self.assertIn(means, ("cgroup-v2", "cgroup-v1", "subreaper", "proc"))

    def test_an_answer_in_time_to_a_stopped_referee_is_in_time(self):
        """A stop of the referee's process alone changes nothing for a bot that dials in and is stamped by the kernel. Where the heartbeat stands
        still too, it may be the whole machine: clock_news_test."""
        config = self.write("c.json", self.walls([{"name": "a", "token": "plum"}, self.launched("b", *left_turner())],
                                                 match={"games": 1}, clock={"budget": "500ms"}))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1))
            hand = Connection(("127.0.0.1", port))
            hand.read("hello")
            hand.send(type="login", name="a", token="plum", games=["walls"])
            game = hand.read("start")["game_id"]
            hand.send(type="ready", game_id=game)
            self.assertEqual(hand.read("turn")["turn"], 1)
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(0.1)
            hand.send(type="move", game_id=game, turn=1, move="L")
            time.sleep(1.4)
            os.kill(process.pid, signal.SIGCONT)
            hand.read("turn")  # of this game, or of the next attempt
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=LONG)
            hand.close()
        first = self.result_in("out/games", min(os.listdir(self.path("out/games"))))
        self.assertEqual([fault for fault in first["faults"] if fault["seat"] == 0 and fault["turn"] == 1], [])
        self.assertNotEqual(first["status"], "annulled", first["reason"])


class ClockNewsTest(ClockedTest):
    def children_of(self, pid):
        return [int(child) for child in self.read(f"/proc/{pid}/task/{pid}/children").split()]

    def stop_for(self, seconds, pids):
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)

    def run_with_a_stop(self, *options):
        """Plays a game of two bots in which the referee and its heartbeat are stopped while bot a thinks for too long. It is late by
        less than the stop, so it can't be blamed: the game is annulled, and played again. Returns the screen and the log."""
        port = held_port(self)
        config = self.write("c.json", {**self.walls([{"name": name, "token": name * 8} for name in "ab"], match={"games": 1},
                                                    clock={"budget": f"{round(1000 * BUDGET)}ms"}), "listen": {"port": port}})
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out"), *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            hands = {name: self.log_in(port, name) for name in "ab"}
            self.begin_game(hands.values())
            turn = hands["a"].read("turn")
            self.stop_for(STOPPED, [process.pid, *self.children_of(process.pid)])
            time.sleep(ANSWERS_AFTER - STOPPED)
            self.move(hands["a"], turn)
            self.begin_game(hands.values())
            while (heard := heard_by(list(hands.values())))[1]["type"] != "end":
                if heard[1]["type"] == "turn":
                    self.move(*heard)
            screen, log = process.communicate(timeout=LONG)
            for hand in hands.values():
                hand.close()
            self.assertEqual(process.returncode, 0, log)
        self.assertEqual([status for status, in rows(self.path("out/referee.db"), "SELECT status FROM games ORDER BY attempt")],
                         ["annulled", "played"])
        return screen, log

    def log_in(self, port, name):
        def connected():
            with contextlib.suppress(ConnectionRefusedError):
                return Connection(("127.0.0.1", port))
        return wait_until(connected, "the referee").log_in(name, token=name * 8)

    def begin_game(self, hands):
        for hand in hands:
            hand.send(type="ready", game_id=hand.read("start")["game_id"])

    def move(self, hand, turn):
        hand.send(type="move", game_id=turn["game_id"], turn=turn["turn"], move="L")

    WHY = r"the referee itself stood still for \d+\.\d{3} ms in turn 1 \([^)]*\)"

    def test_a_quiet_run_logs_a_long_stall_and_counts_annulled_games_at_the_end(self):
        screen, log = self.run_with_a_stop("--quiet")
        told = re.findall(r"the referee stood still for (\d+)\.\d{3} ms \(([^)]*)\) while (\d+) turns? ran", log)
        self.assertEqual(len(told), 1, log)
        self.assertGreaterEqual(int(told[0][0]), 1000 * STOPPED - 50)
        self.assertEqual(told[0][2], "1")
        self.assertRegex(screen, r"\A1 game was annulled, to be played again; the last: game t/1\.1: " + self.WHY)
        self.assertEqual(screen.count("\n"), 1, "and nothing else: " + screen)
