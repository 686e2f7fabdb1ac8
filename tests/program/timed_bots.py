"""Bots of Walls that think for exactly so long, and know it: from the kernel's stamp of the turn to the sending.

    timed_bots.py ADDRESS PORT TRUTH NAME=THINKS_MS ...

All in one loop that other processes don't disturb, where that is permitted. Writes to the file TRUTH, a line for each turn: game id,
turn, name, and the milliseconds from the turn's arrival to the answer's sending.
"""
import contextlib
import heapq
import itertools
import json
import os
import select
import socket
import struct
import sys
import time

SO_TIMESTAMPNS = 35
BYTES = 65536


class Bot:
    def __init__(self, address, name, thinks):
        self.name, self.thinks, self.rest = name, thinks, b""
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        # All connect at once: one after the other, behind a long path, the first would be too late to log in.
        self.socket.setblocking(False)
        self.socket.connect_ex(address)

    def say(self, **message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

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
        at = time.time()
        for level, kind, value in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
                seconds, nanoseconds = struct.unpack("qq", value)
                at = seconds + nanoseconds / 1e9
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in lines if line], at


def play(bots, truth):
    """What all of them are asked, and what is due when."""
    by_socket, due, order = {bot.socket: bot for bot in bots}, [], itertools.count()

    def answer(bot, game, turn, came):
        bot.say(type="move", game_id=game, turn=turn, move="L")
        print(game, turn, bot.name, 1000 * (time.time() - came), file=truth)

    while by_socket:
        wait = max(0.0, due[0][0] - time.time()) if due else None
        for link in select.select(list(by_socket), [], [], wait)[0]:
            bot = by_socket[link]
            got = bot.read()
            if got is None:
                del by_socket[link]
                continue
            for message in got[0]:
                if message["type"] == "hello":
                    bot.say(type="login", name=bot.name, token="t", games=["walls"])
                elif message["type"] == "start":
                    bot.say(type="ready", game_id=message["game_id"])
                elif message["type"] == "turn":
                    heapq.heappush(due, (got[1] + bot.thinks, next(order), bot, message["game_id"], message["turn"], got[1]))
        while due and due[0][0] <= time.time():
            with contextlib.suppress(OSError):
                answer(*heapq.heappop(due)[2:])


def main():
    with contextlib.suppress(OSError):
        # time: for tests of the calm lane and benchmarks, which hold charges against what bots thought
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    address, port, truth_file, *named = sys.argv[1:]
    bots = [Bot((address, int(port)), name, float(thinks) / 1000) for name, thinks in (text.split("=") for text in named)]
    with open(truth_file, "w") as truth:
        play(bots, truth)


if __name__ == "__main__":
    main()
