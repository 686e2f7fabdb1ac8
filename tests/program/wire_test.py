"""What strangers cost a daemon on the wire, beside a game. That floods, guessers and silent ones hurt no honest bot is seen by
tests/soak/siege.py, and what each bad line is answered with by tests/referee/net, tournament/table and tests/protocol."""
# calm: floods, and what the loop spends is counted for some seconds.
import socket
import sys
import time

from daemon_test import DaemonTest
from harness import LONG, Connection

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


class ConnectionFrom(Connection):
    def __init__(self, source, address):
        self.socket, self.rest = socket.create_connection(address, LONG, (source, 0)), b""


class CrowdTest(DaemonTest):
    def comes_in(self, name, source="127.0.0.1"):
        bot = ConnectionFrom(source, self.where)
        self.addCleanup(bot.close)
        bot.log_in(name, token="t").read("welcome")
        return bot

    def loop_seconds(self):
        """Of processor time, that the loop's thread has had."""
        return int(self.read(f"/proc/{self.process.pid}/task/{self.process.pid}/schedstat").split()[0]) / 1e9

    def test_beside_a_game_a_flood_of_connections_takes_a_twentieth_and_keeps_nobody_out(self):
        bots = [{"name": name, "token": "t"} for name in ("ann", "bob", "cleo", "dan", "eve")]
        self.process = self.serve(self.write("c.json", self.walls(bots, bots=["ann", "bob"], clock={"budget": "60s"})))
        self.where = self.address()
        for player in [self.comes_in(name) for name in ("ann", "bob")]:
            self.begin_game(player)
        flooders = [self.spawn([sys.executable, "-c", FLOODER, *map(str, self.where)]) for _ in range(2)]
        began, before = time.monotonic(), self.loop_seconds()
        self.comes_in("cleo", "127.0.0.2")
        time.sleep(FLOOD_SECONDS)
        self.comes_in("dan", "127.0.0.3")
        share = (self.loop_seconds() - before) / (time.monotonic() - began)
        self.assertLess(share, FLOOD_SHARE_MAX)
        for flooder in flooders:
            self.assertIsNone(flooder.poll())
            flooder.kill()
        for _ in range(200):
            self.comes_in("eve", "127.0.0.2").close()
        self.assertLess(self.read("log").count("eve has "), 200, "half of what there was to tell")
