"""What costs a daemon work on the wire, one row each, while it plays games of two honest bots. What each bad line is answered with is
told by tests/referee/net, tournament/table and tests/protocol.

Each row says what must come back. In each the honest bots must go on as before: no fault, no lost connection, and what their turns
are charged doesn't move. The bots answer after THINK. The median of what their turns were charged while a row ran may be MOVED_MAX
above the median of the quiet time before the first row. A median moves only if half of the turns do, so single hiccups of the
machine don't count; and a daemon that stood still for a row would be far above it, because the turns have a budget of seconds.
"""
# calm: floods, and beside them what two bots are charged must not move.
import os
import re
import socket
import statistics
import time

from daemon_test import DaemonTest
from harness import left_turner, thinks, wait_until
from wire import Wire, line, login

THINK = 0.005
MOVED_MAX = 0.025  # seconds
TURNS_QUIET = 60
TURNS_OF_A_ROW = 15
FLOOD = 2_000_000  # bytes: far beyond the credit that a connection has
BOTS = ("ann", "bob", "row", "other")
# What an honest bot notes: what each turn was charged, and all that went wrong.
CHARGED = r"'last' in m and notes.write('%f %d\n' % (time.monotonic(), m['last']['charged_us'])); "  # time: in the calm lane
WRONG = "m['type'] in ('error', 'fault', 'bye') and m.get('seat', 0) is not None and notes.write('# ' + line)"


class WireFaultsTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.serve(self.write("c.json", {
            "listen": {"port": 0}, "join_within": "1s", "bots": [{"name": name, "token": "t"} for name in BOTS], "tournaments": [
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
        self.assertLess(median, self.quiet + MOVED_MAX)
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
        wire.until("hello")
        return wire

    def inside(self, name="row", **more):
        wire = self.stranger(**more)
        wire.send(login(name))
        wire.until("welcome")
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
        wire.error("invalid_json")
        wire.alive()

    def row_urgent_data(self):
        wire = self.inside()
        for _ in range(100):
            wire.socket.send(b"!", socket.MSG_OOB)
        wire.send(b"\n")  # those that the kernel did not keep apart are a bad line
        wire.alive()

    def row_guesses(self):
        codes = []
        for _ in range(40):
            wire = self.stranger()
            wire.send(login("other", "guessed"))
            codes.append(wire)
        found = {wire.ended() for wire in codes}
        self.assertEqual(found, {"wrong_token", "too_many_tries"})

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
