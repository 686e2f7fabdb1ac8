"""Connections that mean harm, of all kinds at once, until standard input ends. Then prints how often each kind struck, and how
often the referee put an end to it, as JSON.

    enemies.py PORT ADMIN_PORT CONTROL_SOCKET INSIDERS

PORT is where bots dial in, ADMIN_PORT where orders are taken over TCP; INSIDERS bots have names (mal0, mal1, ...) and tokens that
are good, and misbehave after their login. All others come from addresses of which no honest bot comes, and from the one of the
honest bots too. Each kind is a thread that strikes, rests and strikes again. The process runs at the lowest priority, so that
what it takes away is the referee's time and not the machine's.
"""
import collections
import itertools
import json
import os
import random
import socket
import struct
import sys
import threading

PATIENCE_S = 5
# The referee shows out who doesn't log in for 5 s; so with so many at once, each 0.2 s, of both kinds, there are always as many.
IDLE_MOST = 900
IDLE_AT_ONCE = 18
FLOOD_BYTES = 1_000_000
PIECE_BYTES = 16 * 1024
GUESSES_WAITING = 40
LORISES = 40
LORIS_PAUSE_S = 0.05
HONEST_BOTS = 100
ADDRESSES = [f"127.0.1.{number}" for number in range(1, 251)]
HONEST_ADDRESS = "127.0.0.1"
BIND_ADDRESS_NO_PORT = 24  # of Linux; Python names it from 3.12 on
RESET = struct.pack("ii", 1, 0)  # a close that resets the connection
GARBAGE = [b"[" * 5000 + b"\n", b'{"type":"ping"\0,"id":1}\n', b'{"type":"ping","id":' + b"9" * 200 + b"}\n", b"\xc3\x28\n" * 10,
           b'{"type":"login","name":5}\n', b'{"type":"move","game_id":[],"turn":1}\n', b"GET / HTTP/1.1\r\n\r\n", b"\n" * 50]


def line(**message):
    return (json.dumps(message) + "\n").encode()


class Enemies:
    def __init__(self, port, admin_port, control_socket, insiders):
        self.port, self.admin_port, self.control_socket = port, admin_port, control_socket
        self.insiders = itertools.cycle(f"mal{number}" for number in range(insiders))
        self.addresses = itertools.cycle(ADDRESSES)
        self.stopping = threading.Event()
        self.strikes = collections.Counter()
        self.shown_out = collections.Counter()
        self.idle = collections.deque()
        self.idle_orders = collections.deque()
        self.waiting = collections.deque()
        # Each kind with how long it rests after a strike, in seconds.
        self.kinds = [
            (self.idle_strangers, 0.2), (self.idle_strangers_of_one_address, 0.2), (self.idle_orders_of_one, 0.1),
            (self.guess_a_token, 0.02), (self.guess_the_password, 0.05), (self.guess_the_admin_token, 0.05),
            (self.come_byte_by_byte, 0.5), (self.flood_before_the_login, 0.3), (self.send_no_line_feed, 0.3),
            (self.send_garbage, 0.1), (self.leave_half_a_line, 0.02), (self.reset, 0.02),
            (self.flood_of_pings, 0.3), (self.flood_of_moves, 0.3), (self.never_read, 0.5), (self.play_badly, 0.2),
            (self.log_in_again, 0.1)]

    def run(self):
        threads = [threading.Thread(target=self.strike, args=kind, daemon=True) for kind in self.kinds]
        for thread in threads:
            thread.start()
        sys.stdin.read()
        self.stopping.set()
        for thread in threads:
            thread.join(PATIENCE_S)
        print(json.dumps({kind.__name__: [self.strikes[kind.__name__], self.shown_out[kind.__name__]] for kind, _ in self.kinds}))

    def strike(self, kind, rest):
        while not self.stopping.is_set():
            self.strikes[kind.__name__] += 1
            try:
                kind()
            except (OSError, ValueError):  # it was refused or shown out, perhaps within a line
                self.shown_out[kind.__name__] += 1
            self.stopping.wait(rest)

    # Connections.

    def dial(self, source=None, port=None, receive_bytes=0):
        wire = socket.socket()
        wire.settimeout(PATIENCE_S)
        if receive_bytes:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        # The port is chosen at the connect, so that many connections may share an address.
        wire.setsockopt(socket.IPPROTO_IP, BIND_ADDRESS_NO_PORT, 1)
        wire.bind((source or next(self.addresses), 0))
        wire.connect(("127.0.0.1", port or self.port))
        return wire

    def inside(self, **more):
        wire = self.dial(HONEST_ADDRESS, **more)
        name = next(self.insiders)
        wire.sendall(line(type="login", name=name, token=f"token-{name}", games=["walls"], parallel=2))
        return wire

    def flood(self, wire, one):
        piece = one * (PIECE_BYTES // len(one))
        with wire:
            for _ in range(FLOOD_BYTES // len(piece)):
                wire.sendall(piece)

    def keep(self, wires, wire, most):
        wires.append(wire)
        if len(wires) > most:
            wires.popleft().close()

    # Strangers.

    def idle_strangers(self):
        for _ in range(IDLE_AT_ONCE):
            self.keep(self.idle, self.dial(), IDLE_MOST)

    def idle_strangers_of_one_address(self):
        for _ in range(IDLE_AT_ONCE):
            self.keep(self.idle, self.dial(HONEST_ADDRESS), IDLE_MOST)

    def idle_orders_of_one(self):
        wire = socket.socket(socket.AF_UNIX)
        wire.settimeout(PATIENCE_S)
        wire.connect(self.control_socket)
        wire.sendall(b'{"command":')
        self.keep(self.idle_orders, wire, IDLE_MOST)
        self.keep(self.idle_orders, self.dial(HONEST_ADDRESS, self.admin_port), IDLE_MOST)

    def guess(self, **login):
        wire = self.dial()
        wire.sendall(line(type="login", games=["walls"], **login))
        self.keep(self.waiting, wire, GUESSES_WAITING)

    def guess_a_token(self):
        self.guess(name=f"b{random.randrange(HONEST_BOTS)}", token="guessed")

    def guess_the_password(self):
        self.guess(name=f"new{random.randrange(1000)}", token="a token of mine", password="guessed")

    def guess_the_admin_token(self):
        with self.dial(port=self.admin_port) as wire:
            wire.sendall(line(command="status", token="guessed"))
            wire.recv(PIECE_BYTES)

    def come_byte_by_byte(self):
        wires = [self.dial() for _ in range(LORISES)]
        for byte in line(type="login", name="b0", token="guessed", games=["walls"])[:-1]:
            if self.stopping.wait(LORIS_PAUSE_S):
                break
            for wire in wires:
                wire.sendall(bytes([byte]))
        for wire in wires:
            wire.close()

    def flood_before_the_login(self):
        self.flood(self.dial(), random.choice((b"\n", line(type="ping", id=1), b"x\n")))

    def send_no_line_feed(self):
        self.flood(self.dial(), b"x")

    def send_garbage(self):
        with self.dial() as wire:
            wire.sendall(random.choice(GARBAGE))
            wire.recv(PIECE_BYTES)

    def leave_half_a_line(self):
        with self.dial() as wire:
            wire.sendall(b'{"type":"lo')

    def reset(self):
        with self.dial() as wire:
            wire.sendall(b'{"type":"lo')
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    # Those who are let in.

    def flood_of_pings(self):
        self.flood(self.inside(receive_bytes=4096), line(type="ping", id=1))

    def flood_of_moves(self):
        self.flood(self.inside(), line(type="move", game_id="g", turn=1, move="F"))

    def never_read(self):
        with self.inside(receive_bytes=4096) as wire:
            for _ in range(100):
                wire.sendall(b"x\n" * 20)
                self.stopping.wait(LORIS_PAUSE_S)

    def log_in_again(self):
        with self.inside() as wire:
            wire.sendall(line(type="login", name="b1", token="token-b1", games=["walls"]))
            wire.recv(PIECE_BYTES)

    def play_badly(self):
        """Plays as it should, but for moves that are none; and leaves in the middle."""
        with self.inside() as wire:
            for text in wire.makefile("r", encoding="utf-8", newline="\n"):
                message = json.loads(text)
                if message["type"] == "start":
                    wire.sendall(line(type="ready", game_id=message["game_id"]))
                elif message["type"] == "turn":
                    bad = {"type": "move", "game_id": message["game_id"], "turn": message["turn"], "move": {"a": [1] * 100}}
                    wire.sendall(line(**bad) * random.randrange(1, 5))
                    if random.random() < 0.1:
                        return
                elif self.stopping.is_set():
                    return


def main():
    os.nice(19)
    port, admin_port, control_socket, insiders = sys.argv[1:]
    Enemies(int(port), int(admin_port), control_socket, int(insiders)).run()
    os._exit(0)  # a thread may still wait for an answer


if __name__ == "__main__":
    main()
