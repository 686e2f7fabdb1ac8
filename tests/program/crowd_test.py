"""A crowd at the door of a real daemon: floods of connections. Who belongs there gets in beside them."""
# calm: what the loop spends on as many connections as come is counted for some seconds.
import sys
import time

from daemon_test import DaemonTest
from wire import Wire, line, login

BOTS_TOKEN = "the token of bots"
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


class CrowdTest(DaemonTest):
    def daemon(self, starts="by_order", **tournament):
        bots = [{"name": name, "token": BOTS_TOKEN} for name in ("ann", "bob", "cleo", "dan")]
        self.process = self.serve(self.write("c.json", self.walls(bots, starts=starts, **tournament)))
        return self.address()

    def comes_in(self, address, name, source="127.0.0.1"):
        wire = Wire(address, source=source)
        self.addCleanup(wire.close)
        wire.send(login(name, BOTS_TOKEN))
        wire.until("welcome")
        return wire

    def loop_seconds(self):
        """Of processor time, that the loop's thread has had."""
        return int(self.read(f"/proc/{self.process.pid}/task/{self.process.pid}/schedstat").split()[0]) / 1e9

    def test_beside_a_game_a_flood_of_connections_takes_a_twentieth_and_keeps_nobody_out(self):
        address = self.daemon(starts="at_once", bots=["ann", "bob"], clock={"budget": "60s"})
        for player in [self.comes_in(address, name) for name in ("ann", "bob")]:
            player.send(line(type="ready", game_id=player.until("start")["game_id"]))
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
