"""Bots of Walls that think for exactly so long, and know it: from the kernel's stamp of the turn to the sending.

    timed_bots.py [--games N] [--pings] [--late-acks] [--reconnects] ADDRESS PORT TRUTH NAME=THINKS_MS ...

Each plays N games at once on its one connection. With --pings a ping follows each answer, in the same packet. With --late-acks
its kernel acknowledges a turn up to 25 ms late, by lot. With --reconnects it connects anew before each answer. All in one
loop that other processes don't disturb, where that is permitted. Writes to the file TRUTH, a line for each
turn: game id, turn, name, and the milliseconds from the turn's arrival to the answer's sending.
"""
import argparse
import contextlib
import heapq
import itertools
import json
import os
import random
import select
import socket
import struct
import time

SO_TIMESTAMPNS = 35
BYTES = 65536
ACK_LATE = 0.025
# What a new connection takes until it has the turn again: some round trips.
RECONNECTS_WITHIN = 0.03


class Bot:
    def __init__(self, address, name, thinks, late_acks):
        self.address, self.name, self.thinks, self.late_acks = address, name, thinks, late_acks
        self.asked = {}  # when each turn came first
        self.connect()

    def connect(self):
        self.rest = b""
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        # All connect at once: one after the other, behind a long path, the first would be too late to log in.
        self.socket.setblocking(False)
        self.socket.connect_ex(self.address)

    def acknowledge(self, now):
        for quick in (1, 0) if now else (0,):
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, quick)

    def say(self, *messages):
        self.socket.sendall("".join(json.dumps(message) + "\n" for message in messages).encode())

    def read(self):
        """The messages that came, and when the last of them did; None at the end."""
        try:
            data, ancillary, _, _ = self.socket.recvmsg(BYTES, 256)
        except BlockingIOError:
            return [], 0.0
        except OSError:
            return None
        if not data:
            return None
        if self.late_acks:
            self.acknowledge(now=False)
        at = time.time()
        for level, kind, value in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
                seconds, nanoseconds = struct.unpack("qq", value)
                at = seconds + nanoseconds / 1e9
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in lines if line], at


class Play:
    """All of them: what they are asked, and what is due when."""

    def __init__(self, bots, truth, options):
        self.by_socket = {bot.socket: bot for bot in bots}
        self.truth, self.options, self.due, self.order = truth, options, [], itertools.count()

    def later(self, when, call):
        heapq.heappush(self.due, (when, next(self.order), call))

    def hear(self, bot, message, at):
        if message["type"] == "hello":
            bot.say({"type": "login", "name": bot.name, "token": "t", "games": ["walls"], "parallel": self.options.games})
        elif message["type"] == "start":
            bot.say({"type": "ready", "game_id": message["game_id"]})
        elif message["type"] == "turn":
            turn = message["game_id"], message["turn"]
            again, first = turn in bot.asked, bot.asked.setdefault(turn, at)
            if bot.late_acks:
                self.later(at + random.uniform(0, ACK_LATE), lambda: bot.acknowledge(now=True))
            if self.options.reconnects and not again:
                self.later(first + bot.thinks - RECONNECTS_WITHIN, lambda: self.reconnect(bot))
            else:
                self.later(first + bot.thinks, lambda: self.answer(bot, *turn))

    def reconnect(self, bot):
        if self.by_socket.pop(bot.socket, None):
            bot.socket.close()
            bot.connect()
            self.by_socket[bot.socket] = bot

    def answer(self, bot, game, turn):
        pings = [{"type": "ping", "id": 1}] if self.options.pings else []
        bot.say({"type": "move", "game_id": game, "turn": turn, "move": "L"}, *pings)
        print(game, turn, bot.name, 1000 * (time.time() - bot.asked[game, turn]), file=self.truth)

    def run(self):
        while self.by_socket:
            wait = max(0.0, self.due[0][0] - time.time()) if self.due else None
            for link in select.select(list(self.by_socket), [], [], wait)[0]:
                bot = self.by_socket[link]
                got = bot.read()
                if got is None:
                    del self.by_socket[link]
                    continue
                for message in got[0]:
                    self.hear(bot, message, got[1])
            while self.due and self.due[0][0] <= time.time():
                with contextlib.suppress(OSError):
                    heapq.heappop(self.due)[-1]()


def main():
    try:
        # time: for tests of the calm lane and benchmarks, which hold charges against what bots thought
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1)
    for flag in ("--pings", "--late-acks", "--reconnects"):
        parser.add_argument(flag, action="store_true")
    for name in ("address", "port", "truth"):
        parser.add_argument(name)
    parser.add_argument("bots", nargs="+")
    options = parser.parse_args()
    named = [text.split("=") for text in options.bots]
    bots = [Bot((options.address, int(options.port)), name, float(thinks) / 1000, options.late_acks) for name, thinks in named]
    with open(options.truth, "w") as truth:
        Play(bots, truth, options).run()


if __name__ == "__main__":
    main()
