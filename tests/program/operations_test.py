"""What the machine does to a daemon: a full disk, a clock that is set; and what it tells systemd.

CTest gives in FAULT_SHIM a library that makes calls of the C library fail. REFEREE_SANITIZE is not empty where the program has sanitizers.
"""
import contextlib
import os
import signal
import socket
import struct
import time
import unittest

from daemon_test import DaemonTest
from harness import LADDER, LONG, heard_by, wait_until

SHIM = os.environ["FAULT_SHIM"]
SANITIZED = os.environ.get("REFEREE_SANITIZE", "") != ""


class FullDiskTest(DaemonTest):
    def state(self):
        return self.status()["state"]

    def full(self):
        """Fills also the room of the deleted reserve."""
        with open(self.path("out/filler"), "ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 4096)
        return self.state() == "disk full"

    def test_games_stop_and_go_on(self):
        self.small_disk(40)
        bots = [self.launched(name, "walls-greedy") for name in "ab"]
        self.serve(self.write("c.json", {"listen": {"port": 0}, "bots": bots, "tournaments": [{**LADDER, "rest": "10ms"}]}))

        def games():
            return self.tournament("practice")["games"]

        wait_until(lambda: games() > 2, "games")
        wait_until(self.full, "the alarm")
        self.assertIn("TROUBLE: ", self.order("status"))
        wait_until(lambda: self.status()["games_running"] == 0, "running games to end")
        played, full_at = games(), self.status()["uptime_s"]
        wait_until(lambda: self.status()["uptime_s"] > full_at + 1, "a second of the daemon")
        self.assertEqual((self.status()["games_running"], games()), (0, played), "no game begins: none could end")
        os.remove(self.path("out/filler"))
        wait_until(lambda: self.state() == "running", "the end of the alarm")
        wait_until(lambda: games() > played + 2, "games to go on")
        self.assertNotIn("trouble", self.status())
        self.assertIn("games go on", self.read("log"))


@unittest.skipIf(SANITIZED, "a sanitizer must be loaded first")
class ClockStepTest(DaemonTest):
    NS = 1_000_000_000

    def step(self, by_s):
        with open(self.path("step"), "r+b") as file:  # the daemon has it mapped
            file.write(struct.pack("<qq", by_s * self.NS, time.time_ns()))

    def play(self, turns, meanwhile):
        """So many turns, during each of which something happens; what the turns before them were charged."""
        charged = []
        while turns > 0:
            bot, message = heard_by(self.bots_here)
            self.assertNotEqual(message["type"], "fault", message)
            if message["type"] == "start":
                bot.send(type="ready", game_id=message["game_id"])
            elif message["type"] == "turn":
                turns -= 1
                meanwhile()
                if last := message.get("last"):
                    self.assertFalse(last["late"], last)
                    charged.append(last["charged_us"])
                bot.send(type="move", game_id=message["game_id"], turn=message["turn"], move="FLFRF"[message["turn"] % 5])
        return charged

    def test_nobody_is_charged_for_a_clock_that_is_set(self):
        self.write("step", "\0" * 16)
        bots = [{"name": name, "token": "t"} for name in "ab"]
        config = self.write("c.json", self.walls(bots, match={"games": 100}, clock={"budget": "20s"}))
        self.serve(config, env={**os.environ, "FAULT_CLOCK": self.path("step"), "LD_PRELOAD": SHIM})
        self.bots_here = [self.come_in(name) for name in "ab"]
        # An hour more or less would be noticed at once; a budget of 20 s is far more than a loaded machine takes.
        charged = self.play(20, lambda: None)
        for by_s in (3600, -3600, 86400 * 365, 0):
            self.play(1, lambda: self.step(by_s))
            charged += self.play(20, lambda: None)
            # No bot gains time by it either: a turn that took long is charged, unless the machine itself stood still.
            # time: so long are the turns
            wait_until(lambda: max(self.play(4, lambda: time.sleep(0.3)), default=0) > 100_000, "a charge for a long turn")
        self.assertGreater(len(charged), 50)
        self.assertEqual([one for one in charged if not 0 <= one < 20_000_000], [])
        self.assertEqual(self.rows("SELECT DISTINCT status FROM games"), [("played",)])
        times = [row[0] for row in self.rows("SELECT ended FROM plays WHERE ended IS NOT NULL ORDER BY game_seq")]
        self.assertNotEqual(times, sorted(times), "the steps were seen: the record tells the time of day as it was told")


class SystemdTest(DaemonTest):
    """What a daemon tells systemd: a socket stands in for systemd's."""

    def test_systemd_is_told(self):
        config = self.write("c.json", self.walls([{"name": "ann"}, {"name": "bob"}]))
        address = self.path("notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(address)
            notices.settimeout(LONG)
            daemon = self.serve(config, env={**os.environ, "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000"})
            told = [notices.recv(4096).decode() for _ in range(3)]
            self.assertTrue(told[0].startswith("READY=1\nSTATUS=listening on "), told)
            self.assertEqual(told[1:], ["WATCHDOG=1", "WATCHDOG=1"])
            # Nobody reads, and there is no room for more signs of life: the daemon goes on, and its signs come again when somebody does.
            filled = 0
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as filler:
                filler.connect(address)
                filler.setblocking(False)
                with self.assertRaises(BlockingIOError):
                    while True:
                        filler.send(b"FULL")
                        filled += 1
            for _ in range(5):  # each takes longer than the 10 ms between two signs
                self.assertEqual(self.ctl("status").returncode, 0)
            while filled > 0:
                filled -= notices.recv(4096) == b"FULL"
            self.assertEqual(notices.recv(4096), b"WATCHDOG=1")
            daemon.send_signal(signal.SIGTERM)
            wait_until(lambda: notices.recv(4096) == b"STOPPING=1", "STOPPING=1")
            self.assertEqual(daemon.wait(timeout=LONG), 0)
