"""What costs a daemon work on the wire, while it plays games of two honest bots: one row each, and a crowd at the door. What each bad
line is answered with is told by tests/referee/net, tournament/table and tests/protocol.

Each row says what must come back. In each the honest bots must go on as before: no fault, no lost connection, and what their turns
are charged doesn't move. The bots answer after THINK. The median of what their turns were charged while a row ran may be MOVED_MAX
times the median of the quiet time before the first row. A median moves only if half of the turns do, so single hiccups of the
machine don't count; and a daemon that stood still for a row would be far above it, because the turns have a budget of seconds.
"""
# calm: floods, and beside them what two bots are charged must not move, and what the loop spends is counted for some seconds.
import contextlib
import json
import os
import re
import socket
import statistics
import sys
import time

from daemon_test import DaemonTest
from harness import Connection, left_turner, thinks, wait_until

# Seconds after which an answer counts as missing: longer than anything that the referee waits for.
ANSWER_WITHIN = 30
THINK = 0.005
MOVED_MAX = 5  # the quiet time itself has THINK and what the machine adds
TURNS_QUIET = 60
TURNS_OF_A_ROW = 15
FLOOD = 2_000_000  # bytes: far beyond the credit that a connection has
# What an honest bot notes: what each turn was charged, and all that went wrong.
CHARGED = r"'last' in m and notes.write('%f %d\n' % (time.monotonic(), m['last']['charged_us'])); "  # time: in the calm lane
WRONG = "m['type'] in ('error', 'fault', 'bye') and m.get('seat', 0) is not None and notes.write('# ' + line)"
FLOOD_SECONDS = 5
# Of the loop's thread, while connections flood it: a twentieth, what was not taken before, and what waking up for it costs the kernel.
# Unbounded it is 0.4 and more.
FLOOD_SHARE_MAX = 0.25
# Connects, says nonsense, and resets, as fast as one process can.
FLOODER = """
import socket, struct, sys
while True:
    link = socket.socket()
    try:
        link.connect((sys.argv[1], int(sys.argv[2])))
        link.setblocking(False)
        link.send(b"nonsense\\n" * 900)
    except OSError:
        pass
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()
"""


def line(**message):
    return (json.dumps(message) + "\n").encode()


def login(name="row", token="t"):
    return line(type="login", name=name, token=token, games=["walls"])


class Wire(Connection):
    """A connection that may do anything."""

    def __init__(self, address, receive_bytes=0, source=None):
        self.socket, self.rest = socket.socket(), b""
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(ANSWER_WITHIN)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(address)

    def send(self, data):
        self.socket.sendall(data)

    def flood(self, data):
        """The other side may end the connection meanwhile."""
        with contextlib.suppress(OSError):
            self.socket.sendall(data)

    def ended(self):
        """It is closed, after whatever is still on the way; the last error of that."""
        errors = [message["code"] for message in iter(self.heard, None) if message["type"] == "error"]
        return errors[-1] if errors else None

    def alive(self):
        self.send(line(type="ping", id=4711))
        while self.read("pong")["id"] != 4711:
            pass


class WireFaultsTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.serve(self.write("c.json", {
            "listen": {"port": 0}, "join_within": "1s", "bots": [{"name": name, "token": "t"} for name in ("ann", "bob", "row", "other")], "tournaments": [
                {"id": "quiet", "game": "walls", "params": {"size": 5}, "bots": ["ann", "bob"], "withdraw_after": 0, "clock": {"budget": "20s"},
                 "format": {"kind": "round_robin", "cycles": 10_000}, "match": {"games": 1}, "no_show_after": "1h"}]}))
        self.daemon_address = self.address()
        self.wires = []
        self.bots = {}
        for name in ("ann", "bob"):
            bot = left_turner(CHARGED + thinks(THINK), beside=f"notes = open({self.path(name)!r}, 'a', buffering=1)", each=WRONG)
            self.bots[name] = self.spawn(bot, env={**os.environ, "REFEREE_ADDRESS": "%s:%d" % self.daemon_address, "REFEREE_NAME": name, "REFEREE_TOKEN": "t"})
        wait_until(lambda: len(self.charges(0)) >= TURNS_QUIET, "quiet turns")
        self.quiet = statistics.median(self.charges(0))

    # The honest bots.

    def notes(self):
        return [row for name in ("ann", "bob") if os.path.exists(self.path(name)) for row in self.read(name).splitlines()]

    def charges(self, since):
        """Of turns whose charge was told after that time, in seconds."""
        rows = (row.split() for row in self.notes() if not row.startswith("#") and row.count(" ") == 1)
        return [int(charged) / 1e6 for at, charged in rows if charged and float(at) > since]

    def expect_undisturbed(self, since):
        found = wait_until(lambda: (rows := self.charges(since)) and len(rows) >= TURNS_OF_A_ROW and rows, "turns of the honest bots")
        median = statistics.median(found)
        self.assertLess(median, self.quiet * MOVED_MAX)
        self.assertEqual([row for row in self.notes() if row.startswith("#")], [])
        for name in ("ann", "bob"):
            self.assertIsNone(self.bots[name].poll(), name)
        return median

    # Connections of the rows.

    def wire(self, **more):
        wire = Wire(self.daemon_address, **more)
        self.wires.append(wire)
        return wire

    def stranger(self, **more):
        wire = self.wire(**more)
        wire.read("hello")
        return wire

    def inside(self, name="row", **more):
        wire = self.stranger(**more)
        wire.send(login(name))
        wire.read("welcome")
        return wire

    def expect_shown_out(self, wire, one):
        """For a flood of such lines. Who doesn't read meanwhile may miss the error, because the connection is reset; the log has it."""
        def shown_out():
            return len(re.findall("row has left: it (?:sent more than it was asked for|did not read)", self.read("log")))
        before = shown_out()
        wire.flood(one * (FLOOD // len(one)))
        wire.ended()
        wait_until(lambda: shown_out() > before, "the end of the flood")

    # The rows.

    def row_never_a_whole_line(self):
        wire = self.stranger()
        while True:  # until the time for the login is over
            wire.flood(b" ")
            wire.socket.settimeout(0.1)
            try:
                message = wire.heard()
            except TimeoutError:
                continue
            self.assertEqual(message["code"], "login_timeout")
            return

    def row_floods(self):
        self.expect_shown_out(self.inside(receive_bytes=4096), line(type="ping", id=1))
        for one in (line(type="move", game_id="g", turn=1, move="F"), login(), b"\n"):
            self.expect_shown_out(self.inside(), one)

    def row_flood_before_the_login(self):
        wire = self.stranger()
        wire.flood(b"\n" * FLOOD)
        self.assertIn(wire.ended(), ("flooding", "login_timeout", None))

    def row_never_reading(self):
        wire = self.inside(receive_bytes=4096)
        for _ in range(200):
            wire.flood(b"x\n" * 20)
            time.sleep(0.005)
        self.expect_shown_out(wire, b"x\n")

    def row_connected_and_gone(self):
        for _ in range(300):
            Wire(self.daemon_address).close()

    def row_small_packets(self):
        wire = self.inside()
        for _ in range(10_000):
            wire.send(b" ")
        wire.send(b"\n")
        self.assertEqual(wire.read("error")["code"], "invalid_json")
        wire.alive()

    def row_urgent_data(self):
        wire = self.inside()
        for _ in range(100):
            wire.socket.send(b"!", socket.MSG_OOB)
        wire.send(b"\n")  # those that the kernel did not keep apart are a bad line
        wire.alive()

    def row_guesses(self):
        guesses = [self.stranger() for _ in range(40)]
        for guess in guesses:
            guess.send(login("other", "guessed"))
        self.assertEqual({guess.ended() for guess in guesses}, {"wrong_token", "too_many_tries"})

    def test_disturb_nobody(self):
        rows = [name for name in dir(self) if name.startswith("row_")]
        self.assertGreaterEqual(len(rows), 8)
        print(f"charged in quiet: {1000 * self.quiet:.2f} ms (median); beside each fault:")
        for row in rows:
            with self.subTest(row=row):
                began = time.monotonic()
                try:
                    getattr(self, row)()
                finally:
                    for wire in self.wires:
                        wire.close()
                    self.wires.clear()
                print(f"{1000 * self.expect_undisturbed(began):6.2f} ms  {row.removeprefix('row_').replace('_', ' ')}")


class CrowdTest(DaemonTest):
    def daemon(self, starts="by_order", **tournament):
        bots = [{"name": name, "token": "t"} for name in ("ann", "bob", "cleo", "dan")]
        self.process = self.serve(self.write("c.json", self.walls(bots, starts=starts, **tournament)))
        return self.address()

    def comes_in(self, address, name, source="127.0.0.1"):
        wire = Wire(address, source=source)
        self.addCleanup(wire.close)
        wire.send(login(name))
        wire.read("welcome")
        return wire

    def loop_seconds(self):
        """Of processor time, that the loop's thread has had."""
        return int(self.read(f"/proc/{self.process.pid}/task/{self.process.pid}/schedstat").split()[0]) / 1e9

    def test_beside_a_game_a_flood_of_connections_takes_a_twentieth_and_keeps_nobody_out(self):
        address = self.daemon(starts="at_once", bots=["ann", "bob"], clock={"budget": "60s"})
        for player in [self.comes_in(address, name) for name in ("ann", "bob")]:
            player.send(line(type="ready", game_id=player.read("start")["game_id"]))
        flooders = [self.spawn([sys.executable, "-c", FLOODER, *map(str, address)]) for _ in range(2)]
        began, before = time.monotonic(), self.loop_seconds()
        self.comes_in(address, "cleo", "127.0.0.2").alive()
        time.sleep(FLOOD_SECONDS)
        self.comes_in(address, "dan", "127.0.0.3").alive()
        share = (self.loop_seconds() - before) / (time.monotonic() - began)
        self.assertLess(share, FLOOD_SHARE_MAX)
        for flooder in flooders:
            self.assertIsNone(flooder.poll())

    def test_a_bot_that_comes_and_goes_without_end_fills_no_log(self):
        address = self.daemon()
        for _ in range(200):
            self.comes_in(address, "ann").close()
        self.assertLess(self.read("log").count("ann has "), 200, "half of what there was to tell")
