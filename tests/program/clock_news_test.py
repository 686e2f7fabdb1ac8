"""What the log and the screen tell of stalls and of annulled games."""
# calm: the referee is stopped for a little longer than a budget, and a bot answers a little later: a busy machine adds to both.
import os
import re
import signal
import subprocess
import time

from harness import LONG, REFEREE, Connection, ProgramTest, heard_by, held_port, rows, wait_until

BUDGET, STOPPED, ANSWERS_AFTER = 0.5, 0.6, 1.3  # seconds


class ClockNewsTest(ProgramTest):
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
            for hand in hands.values():
                hand.send(type="ready", game_id=hand.read("start")["game_id"])
            turn = hands["a"].read("turn")
            self.stop_for(STOPPED, [process.pid, *self.children_of(process.pid)])
            time.sleep(ANSWERS_AFTER - STOPPED)
            self.move(hands["a"], turn)
            for hand in hands.values():
                hand.send(type="ready", game_id=hand.read("start")["game_id"])
            self.play(list(hands.values()))
            screen, log = process.communicate(timeout=LONG)
            for hand in hands.values():
                hand.close()
            self.assertEqual(process.returncode, 0, log)
        self.assertEqual([status for status, in rows(self.path("out/referee.db"), "SELECT status FROM games ORDER BY attempt")],
                         ["annulled", "played"])
        return screen, log

    def log_in(self, port, name):
        return wait_until(lambda: self.connected(port), "the referee").log_in(name, token=name * 8)

    @staticmethod
    def connected(port):
        try:
            return Connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            return None

    def play(self, hands):
        """They take turns, and turn left until the game is over."""
        while (heard := heard_by(hands))[1]["type"] != "end":
            if heard[1]["type"] == "turn":
                self.move(*heard)

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
