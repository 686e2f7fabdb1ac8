"""What the machine does to a daemon: a full disk, a disk that fails, a clock that is set; and what it tells systemd.

CTest gives in FAULT_SHIM a library that makes calls of the C library fail. REFEREE_SANITIZE is not empty where the program has sanitizers.
"""
import contextlib
import json
import os
import signal
import socket
import struct
import threading
import time

from daemon_test import DaemonTest
from harness import LADDER, LONG, Connection, ended, wait_until

SHIM = os.environ["FAULT_SHIM"]
SANITIZED = os.environ.get("REFEREE_SANITIZE", "") != ""


class Player(threading.Thread):
    """A bot that dials in and plays Walls; while it is held, it answers no turn."""

    def __init__(self, address, name):
        super().__init__(daemon=True)
        self.connection = Connection(address)
        self.connection.send(type="login", name=name, games=["walls"])
        self.may_move = threading.Event()
        self.may_move.set()
        self.turn = threading.Event()  # set while a turn waits for its answer
        self.ends, self.faults, self.last = [], [], []
        self.start()

    def run(self):
        with contextlib.suppress(OSError, ValueError):  # closed by the daemon, or by the test
            while line := self.connection.line():
                self.handle(json.loads(line))

    def stop(self):
        self.may_move.set()
        with contextlib.suppress(OSError):  # gone already
            self.connection.socket.shutdown(socket.SHUT_RDWR)
        self.join(LONG)
        self.connection.close()

    def handle(self, message):
        kind, game_id = message["type"], message.get("game_id")
        if kind == "start":
            self.connection.send(type="ready", game_id=game_id)
        elif kind == "turn":
            self.last.append(message.get("last"))
            self.turn.set()
            self.may_move.wait()
            self.turn.clear()
            self.connection.send(type="move", game_id=game_id, turn=message["turn"], move="FLFRF"[message["turn"] % 5])
        elif kind == "end":
            self.ends.append(game_id)
        elif kind == "fault":
            self.faults.append(message)


class OperationsTest(DaemonTest):
    def practice(self, names=("a", "b"), **tournament):
        return self.write("c.json", {
            "listen": {"port": 0}, "connections": {"total": 4000, "per_address": 4000}, "join_within": "1s",
            "bots": [{"name": name} for name in names],
            "tournaments": [{**LADDER, "rest": "10ms", "clock": {"budget": "20s"}, **tournament}]})

    def players(self, *names):
        players = [Player(self.address(), name) for name in names]
        for player in players:
            self.addCleanup(player.stop)
        return players

    def games(self):
        return self.tournament("practice")["games"]

    def recorded(self, players):
        """The games that are; among them are all of which these players were told."""
        told = {game for player in players for game in list(player.ends)}  # looked at first: games go on meanwhile
        recorded = {row[0] for row in self.rows("SELECT game_id FROM plays WHERE ended IS NOT NULL")}
        self.assertLessEqual(told, recorded)
        return recorded

    def shimmed(self, config, **environment):
        """A daemon that fails when the test says so."""
        if SANITIZED:
            self.skipTest("a sanitizer must be loaded first")
        return self.serve(config, env={**os.environ, **environment, "LD_PRELOAD": SHIM})


class FullDiskTest(OperationsTest):
    def fill(self):
        with open(self.path("out/filler"), "ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 4096)

    def test_games_stop_nothing_is_lost_and_it_goes_on(self):
        self.small_disk(40)
        daemon = self.serve(self.practice())
        players = self.players("a", "b")
        wait_until(lambda: self.games() > 2, "games")
        self.fill()

        def full():
            self.fill()  # fills also the room of the deleted reserve
            return self.status()["state"] == "disk full"
        wait_until(full, "the alarm")
        self.exits(3, "serve", self.path("c.json"), "--out", self.path("out"), told="is in use by process")
        status = self.status()
        self.assertIn("trouble", status)
        self.assertIn("TROUBLE: ", self.order("status"))
        wait_until(lambda: self.status()["games_running"] == 0, "running games to end")
        full_at = self.status()["uptime_s"]
        wait_until(lambda: self.status()["uptime_s"] > full_at + 1, "a second of the daemon")
        self.assertEqual(self.status()["games_running"], 0, "no game begins: none could end")
        told = sum(len(player.ends) for player in players)
        recorded = self.recorded(players)
        os.remove(self.path("out/filler"))
        wait_until(lambda: self.status()["state"] == "running", "the end of the alarm")
        wait_until(lambda: sum(len(player.ends) for player in players) > told + 4, "games to go on")
        self.assertNotIn("trouble", self.status())
        self.assertLessEqual(recorded, self.recorded(players))
        self.assertIn("games go on", self.read("log"))
        self.fill()
        wait_until(full, "the alarm")
        self.fill()
        self.assertEqual(ended(daemon), 3)
        self.assertIn("standings.json: can't be written", self.read("log"))


class FailingDiskTest(OperationsTest):
    def test_an_error_of_a_sync_ends_the_daemon_which_says_so(self):
        daemon = self.shimmed(self.practice(), FAULT_SYNC=self.path("broken"))
        players = self.players("a", "b")
        wait_until(lambda: self.games() > 0, "a game")
        self.write("broken", "")
        self.assertEqual(daemon.wait(timeout=LONG), 3)
        self.tells(self.read("log"), "can't write down any more", "I/O error")
        for player in players:
            player.join(LONG)
        self.recorded(players)
        os.remove(self.path("broken"))
        self.serve(self.practice())
        again = self.players("a", "b")
        wait_until(lambda: any(player.ends for player in again), "games to go on with a new disk")


class ClockStepTest(OperationsTest):
    NS = 1_000_000_000

    def step(self, by_s):
        with open(self.path("step"), "r+b") as file:
            file.write(struct.pack("<qq", by_s * self.NS, time.time_ns()))

    def held_turn(self, player, meanwhile):
        """What the player is charged for a turn during which something happens."""
        player.may_move.clear()
        self.assertTrue(player.turn.wait(LONG), "a turn to hold")
        meanwhile()
        seen = len(player.last)
        player.may_move.set()
        # The turn after tells the charge. The first turn of a game tells none: then the turn was the last of its game.
        wait_until(lambda: len(player.last) > seen, "the next turn")
        return (player.last[seen] or {}).get("charged_us", 0)

    def test_nobody_is_charged_for_a_clock_that_is_set(self):
        with open(self.path("step"), "wb") as file:
            file.write(bytes(16))
        # An hour more or less would be noticed at once; a budget of 20 s is far more than a loaded machine takes.
        self.shimmed(self.practice(), FAULT_CLOCK=self.path("step"))
        players = self.players("a", "b")
        wait_until(lambda: self.games() > 2, "games")
        for by_s in (3600, -3600, 86400 * 365, 0):
            self.held_turn(players[0], lambda: self.step(by_s))
            games = self.games()
            wait_until(lambda: self.games() > games + 2, "games after the step")
            # No bot gains time by it either: a turn that took long is charged, unless the machine itself stood still.
            # time: so long is the turn
            wait_until(lambda: self.held_turn(players[0], lambda: time.sleep(0.3)) > 100_000, "a charge for a long turn")
        turns = [last for player in players for last in player.last if last]
        self.assertGreater(len(turns), 50)
        self.assertEqual([fault for player in players for fault in player.faults], [])
        self.assertEqual([turn for turn in turns if turn["late"] or not 0 <= turn["charged_us"] < 20_000_000], [])
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
