#!/usr/bin/env python3
"""A long ladder on a real server: what it weighs on disk, what a browser asks for when the standings change (requests, bytes both ways), and
what 300 such browsers at once cost the daemon beside one. Two launched bots play on, so that the standings change. Prints only.

    ladder_viewers.py [MATCHES [VIEWERS [SECONDS]]]

Takes `referee`, the sample bots and `ladder_store` from REFEREE_BIN.
"""
import glob
import gzip
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

BIN = os.environ["REFEREE_BIN"]
BOTS = 40
ASK_AFTER = 0.3, 1.5  # seconds, as referee/watch/pages/server.js waits
API = "/api/v1/tournaments/practice"


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def program(name):
    return os.path.join(BIN, name)


def written(folder, name, config):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        json.dump(config, file)
    return path


def bot(number):
    return {"name": f"bot{number:02}", **({"launch": [program("walls-greedy" if number else "walls-random")]} if number < 2 else {"token": "secret" * 3})}


class Viewer(threading.Thread):
    """A page of a ladder's standings: it waits for news, and then asks for what changed."""

    def __init__(self, address, over):
        super().__init__(daemon=True)
        self.address, self.over = address, over
        self.tags, self.version = {}, ""
        self.refreshes, self.took, self.bytes, self.news, self.requests, self.refused = 0, [], 0, 0, 0, 0
        self.connection = socket.create_connection(address)

    def get(self, path):
        tag = f"If-None-Match: {self.tags[path]}\r\n" if path in self.tags else ""
        request = f"GET {path} HTTP/1.1\r\nHost: localhost:{self.address[1]}\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n{tag}\r\n".encode()
        begun = time.monotonic()
        self.connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.connection.recv(65536) or exit()
        head, _, body = answer.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        while length and len(body) < int(length[1]):
            body += self.connection.recv(65536) or exit()
        self.took.append(time.monotonic() - begun)
        self.bytes += len(request) + len(head) + 4 + len(body)
        self.requests += 1
        self.refused += head.split()[1] not in (b"200", b"304")
        if found := re.search(rb"(?i)etag: (\S+)", head):
            self.tags[path] = found[1].decode()
        return head, body

    def refresh(self):
        head, body = self.get(f"{API}/table" + (f"?since={self.version}" if self.version else ""))
        if b" 200 " in head.split(b"\r\n")[0]:
            self.version = json.loads(gzip.decompress(body) if b"gzip" in head else body)["version"]
        self.get(f"{API}/matches")

    def run(self):
        self.refresh()
        self.first = self.bytes
        self.bytes, self.requests, self.took = 0, 0, []
        stream = socket.create_connection(self.address)
        stream.sendall(f"GET /api/v1/events?only=standings HTTP/1.1\r\nHost: localhost:{self.address[1]}\r\n\r\n".encode())
        stream.settimeout(1)
        while not self.over.is_set():
            try:
                news = stream.recv(65536)
            except socket.timeout:
                continue
            self.news += len(news)
            if b"event: standings" in news:
                time.sleep(random.uniform(*ASK_AFTER))
                self.refresh()
                self.refreshes += 1


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def weight(folder):
    return sum(os.path.getsize(os.path.join(path, file)) for path, _, files in os.walk(folder) for file in files) / 1e6


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        words = stat.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def watched(address, pid, viewers, seconds):
    over = threading.Event()
    all_of_them = [Viewer(address, over) for _ in range(viewers)]
    for viewer in all_of_them:
        viewer.start()
    time.sleep(5)
    before, begun = processor_seconds(pid), time.monotonic()
    time.sleep(seconds)
    share = (processor_seconds(pid) - before) / (time.monotonic() - begun)
    over.set()
    for viewer in all_of_them:
        viewer.join()
    refreshes = sum(viewer.refreshes for viewer in all_of_them) or sys.exit(f"no standings changed within {seconds} s")
    took = sorted(one for viewer in all_of_them for one in viewer.took)
    median, late = statistics.median(took) * 1000, took[len(took) * 99 // 100] * 1000
    print(f"{viewers} viewers, {refreshes} refreshes: {sum(v.requests for v in all_of_them) / refreshes:.2f} requests and "
          f"{sum(v.bytes for v in all_of_them) / refreshes:,.0f} bytes each (the first look {statistics.mean(v.first for v in all_of_them):,.0f}; "
          f"news between them {sum(v.news for v in all_of_them) / refreshes:,.0f}), {sum(v.refused for v in all_of_them)} refused; an answer after "
          f"{median:.1f} ms (99 %: {late:.1f} ms); the daemon took {share * 100:.1f} % of a core and has {resident(pid):.0f} MB", flush=True)


def main():
    matches, viewers, seconds = ([int(word) for word in sys.argv[1:]] + [50000, 300, 60][len(sys.argv) - 1:])[:3]
    with tempfile.TemporaryDirectory() as folder:
        two = [{"name": "seat0", "launch": [program("walls-greedy")]}, {"name": "seat1", "launch": [program("walls-random")]}]
        walls = {"game": "walls", "params": {"size": 5}}
        replays = []
        for seed in range(10):
            out = os.path.join(folder, f"games{seed}")
            game = {"id": "t", **walls, "seed": seed, "format": {"kind": "round_robin"}, "match": {"games": 1}}
            run(program("referee"), "run", written(folder, "games.json", {"listen": {"port": 0}, "bots": two, "tournaments": [game]}), "--out", out)
            replays += glob.glob(out + "/games/*.ndjson")
        ladder = {"id": "practice", **walls, "format": {"kind": "ladder"}, "rest": "1s", "match": {"games": 2}}
        config = written(folder, "ladder.json", {"listen": {"port": 0, "web": {"port": 0}}, "bots": [bot(number) for number in range(BOTS)], "tournaments": [ladder]})
        out = os.path.join(folder, "out")
        print(run(program("ladder_store"), config, out, matches, *replays), end="", flush=True)
        with open(os.path.join(folder, "log"), "w") as log:
            begun = time.monotonic()
            daemon = subprocess.Popen([program("referee"), "serve", config, "--out", out, "--unsandboxed"], stdout=log, stderr=log)
        try:
            while subprocess.run([program("referee"), "ctl", "--out", out, "status"], capture_output=True).returncode:
                time.sleep(0.2)
            print(f"the daemon was there {time.monotonic() - begun:.1f} s after its start", flush=True)
            status = json.loads(run(program("referee"), "ctl", "--out", out, "status", "--json"))
            address = "127.0.0.1", int(status["listening_web"].rstrip("/").rsplit(":", 1)[1])
            time.sleep(10)  # its first standings
            watched(address, daemon.pid, 1, seconds)
            watched(address, daemon.pid, viewers, seconds)
            print(f"the folder has {weight(out):.0f} MB")
        finally:
            daemon.terminate()
            daemon.wait()


if __name__ == "__main__":
    main()
