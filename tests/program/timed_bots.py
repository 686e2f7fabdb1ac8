"""Bots of Walls that think for exactly so long, and know it: from the kernel's stamp of the turn to the sending.

    timed_bots.py [--games N] [--pings] ADDRESS PORT TRUTH NAME=THINKS_MS ...

Each plays N games at once on its one connection. With --pings a ping follows each answer, in the same packet. All in one loop that other processes don't disturb, where that is permitted. Writes to the file TRUTH, a line for each
turn: game id, turn, name, and the milliseconds from the turn's arrival to the answer's sending.
"""
import argparse
import heapq
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
        at = time.time()
        for level, kind, value in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
                seconds, nanoseconds = struct.unpack("qq", value)
                at = seconds + nanoseconds / 1e9
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in lines if line], at


def hear(bot, message, at, due, games):
    if message["type"] == "hello":
        bot.say({"type": "login", "name": bot.name, "token": "t", "games": ["walls"], "parallel": games})
    elif message["type"] == "start":
        bot.say({"type": "ready", "game_id": message["game_id"]})
    elif message["type"] == "turn":
        heapq.heappush(due, (at + bot.thinks, bot.name, at, message["game_id"], message["turn"]))


def play(bots, truth, games, ping):
    by_socket, by_name, due = {bot.socket: bot for bot in bots}, {bot.name: bot for bot in bots}, []
    while by_socket:
        wait = max(0.0, due[0][0] - time.time()) if due else None
        for link in select.select(list(by_socket), [], [], wait)[0]:
            got = by_socket[link].read()
            if got is None:
                del by_socket[link]
                continue
            for message in got[0]:
                hear(by_socket[link], message, got[1], due, games)
        while due and due[0][0] <= time.time():
            _, name, at, game, turn = heapq.heappop(due)
            try:
                by_name[name].say({"type": "move", "game_id": game, "turn": turn, "move": "L"}, *ping)
            except OSError:
                continue
            print(game, turn, name, 1000 * (time.time() - at), file=truth)


def main():
    try:
        # time: for tests of the calm lane and benchmarks, which hold charges against what bots thought
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--pings", action="store_true")
    for name in ("address", "port", "truth"):
        parser.add_argument(name)
    parser.add_argument("bots", nargs="+")
    options = parser.parse_args()
    named = [text.split("=") for text in options.bots]
    bots = [Bot((options.address, int(options.port)), name, float(thinks) / 1000) for name, thinks in named]
    with open(options.truth, "w") as truth:
        play(bots, truth, options.games, [{"type": "ping", "id": 1}] if options.pings else [])


if __name__ == "__main__":
    main()
