#!/usr/bin/env python3
"""What spectators cost the bots of the game that they watch: spectators_bench.py REFEREE [--spectators 500] [--rounds 3]

Two bots play Walls on a board of 35 and answer each turn after 20 ms of sleep, so what they are charged beyond that is the machine's and the
referee's. They play with nobody looking on and with the spectators by turns, in one daemon. Each spectator reads the events of the game that is played, and
goes on with the next one. Prints the charges beyond the sleep, and their ratio. All runs on this machine: what the spectators
themselves use of the processors (nice 19) is in it too.
"""
import argparse
import http.client
import json
import mmap
import os
import selectors
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

SLEEP_MS = 20
BOT = f"""
import json, os, random, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["walls"])
    elif m["type"] == "start":
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        time.sleep({SLEEP_MS / 1000})
        say(type="move", game_id=m["game_id"], turn=m["turn"], move=random.choice("FFFLR"))
"""
GAMES_A_ROUND = 3


class Crowd:
    """Spectators of whatever game is played, in a process of its own."""

    def __init__(self, port, size):
        self.read = mmap.mmap(-1, 8)  # bytes that they read, counted by the child
        self.child = os.fork()
        if self.child:
            return
        os.nice(19)
        try:
            watch(port, size, self.read)
        finally:
            os._exit(0)

    def end(self):
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)
        return struct.unpack("q", self.read)[0]


def ask(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text)


def watch(port, size, read):
    total = 0
    while True:
        games = ask(port, "/api/v1/games")[1]["games"]
        if not games:
            time.sleep(0.05)
            continue
        status, showing = ask(port, f"/api/v1/games/{games[0]['game_id']}/showing")
        if status != 200 or not showing["live"]:
            continue
        selector = selectors.DefaultSelector()
        for _ in range(size):
            stream = socket.create_connection(("127.0.0.1", port))
            stream.sendall(f"GET /api/v1/games/{games[0]['game_id']}/live?from={len(showing['frames'])} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            stream.setblocking(False)
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                piece = key.fileobj.recv(1 << 20)
                total += len(piece)
                read[:] = struct.pack("q", total)
                if not piece:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()


def charges(folder, since):
    """Of the games that began and ended since."""
    found = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name in since or not name.endswith(".ndjson"):
            continue
        with open(path) as file:
            for line in file:
                for used in json.loads(line).get("used_us", []) if line.startswith('{"moves"') else []:
                    if used:
                        found.append(used - SLEEP_MS * 1000)
        since.add(name)
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("referee")
    arguments.add_argument("--spectators", type=int, default=500)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = {"listen": {"port": 0, "web": {"port": 0, "connections": given.spectators + 100}},
                  "bots": [{"name": name, "launch": [sys.executable, "-c", BOT]} for name in "ab"],
                  "tournaments": [{"id": "t", "game": "walls", "params": {"size": 35}, "format": {"kind": "ladder"}, "rest": "1ms"}]}
        path = os.path.join(folder, "c.json")
        with open(path, "w") as file:
            json.dump(config, file)
        out = os.path.join(folder, "out")
        with subprocess.Popen([given.referee, "serve", path, "--out", out, "--unsandboxed"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as daemon:
            try:
                measure(given, out)
            finally:
                daemon.terminate()


def port_of(given, out):
    while True:
        done = subprocess.run([given.referee, "ctl", "--out", out, "status", "--json"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return int(json.loads(done.stdout)["listening_web"].rstrip("/").rsplit(":", 1)[1])
        time.sleep(0.1)


def measure(given, out):
    port = port_of(given, out)
    games = os.path.join(out, "t/games")
    read = 0
    seen, beyond = set(), {"nobody": [], "spectators": []}
    for _ in range(given.rounds):
        for who in beyond:
            crowd = Crowd(port, given.spectators) if who == "spectators" else None
            first = len(os.listdir(games))
            while len(os.listdir(games)) <= first:  # a game that began before the crowd came
                time.sleep(0.05)
            charges(games, seen)
            first = len(os.listdir(games))
            while len(os.listdir(games)) < first + GAMES_A_ROUND:
                time.sleep(0.05)
            beyond[who] += charges(games, seen)
            if crowd:
                read += crowd.end()
    middles = {}
    for who, found in beyond.items():
        ordered = sorted(found)
        middles[who] = statistics.median(ordered)
        print(f"{who:>10}: {len(ordered)} turns, beyond the sleep: median {middles[who]:.0f} us, "
              f"99 of 100 within {ordered[len(ordered) * 99 // 100]} us, most {ordered[-1]} us")
    print(f"the spectators read {read / 1e6:.1f} MB of events")
    print(f"ratio of the medians: {middles['spectators'] / middles['nobody']:.3f}")


if __name__ == "__main__":
    main()
