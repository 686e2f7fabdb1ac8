"""What the goals of speed are measured by: one figure at a time."""
import functools
import json
import os
import re
import resource
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import time

MS_OF_THINKING = 20     # of a bot whose opponent's delay is looked at: nobody waits for the processor then
GAMES_OF_LAUNCHED = 20  # of each pair: some 25,000 turns
STARTS = 10
RECORDED = 20_000
SECONDS_OF_DEADLINES = 5
ROUNDS_OF_CHARGES = 200


def said_by(command):
    """What a program says in one line of JSON."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def cpu_of_children():
    """Processor seconds of all programs that have ended here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Bench:
    """One round of measuring. What several goals look at is measured once."""

    def __init__(self, folder):
        self.folder = folder
        self.referee = self.program("referee")

    def program(self, name):
        path = os.path.join(self.folder, name)
        if not os.access(path, os.X_OK):
            raise SystemExit(f"{path} is missing; build it by: scripts/bench goals")
        return path

    @functools.cache
    def turns(self, bots, game="walls", core=None):
        bound = [] if core is None else ["taskset", "-c", str(core)]
        return said_by([*bound, self.program("turn_bench"), self.referee, "--json", "--rounds", "1", "--game", game, str(bots)])

    def memory_of_a_game(self):
        few, many = self.turns(64), self.turns(1024)
        return (many["server_kib"] - few["server_kib"]) / (512 - 32)

    @functools.cache
    def delays(self, bots):
        return said_by([self.program("turn_bench"), self.referee, "--json", "--rounds", "1", "--thinks", str(MS_OF_THINKING), str(bots)])

    @functools.cache
    def door(self):
        return said_by([self.program("door_bench"), self.referee, "--json"])

    @functools.cache
    def launched(self, frozen):
        """Pairs of launched instant bots, as many as there are cores, and the raw ping-pong of as many."""
        pairs = os.cpu_count()
        bots = [{"name": f"b{i}", "launch": [self.program("launched_bot"), f"b{i}"], "freeze_between_turns": frozen} for i in range(2 * pairs)]
        tournaments = [{"id": f"t{i}", "game": "walls", "params": {"size": 35}, "clock": {"budget": "10s"}, "match": {"games": GAMES_OF_LAUNCHED},
                        "bots": [f"b{2 * i}", f"b{2 * i + 1}"]} for i in range(pairs)]
        run = self.run({"listen": {"port": 0}, "bots": bots, "tournaments": tournaments})
        bytes_of_turn = self.turns(2)["turn_bytes"]
        raw = said_by([self.program("launched_ping_pong"), str(pairs), str(bytes_of_turn), str(run["turns"] // pairs), "--", self.program("launched_bot")])
        rate = run["turns"] / run["seconds"]
        return {"turns_a_second": rate, "ratio": rate / raw["turns_a_second"], "all_cpu_us_a_turn": run["all_cpu_us"] / run["turns"]}

    @functools.cache
    def launched_class(self, bots, games=2, **params):
        names = [{"name": f"b{i}", "launch": [self.program("walls-random")]} for i in range(bots)]
        return self.run({"listen": {"port": 0}, "bots": names, "tournaments": [
            {"id": "t", "game": "walls", "params": params, "format": {"kind": "round_robin"}, "match": {"games": games}}]})

    def run(self, config):
        """A whole run: its turns, the seconds from its first start of a game to the last end and of the program, processor time of all
        processes, bytes of its files, the most memory of one process."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "config.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
            out = os.path.join(folder, "out")
            began, before = time.monotonic(), cpu_of_children()
            run = subprocess.Popen([self.referee, "run", path, "--out", out, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            if run.returncode != 0:
                raise subprocess.CalledProcessError(run.returncode, run.args)
            whole, cpu = time.monotonic() - began, cpu_of_children() - before
            with sqlite3.connect(os.path.join(out, "referee.db")) as store:
                (turns, last) = store.execute("SELECT sum(turns), max(time_ms) FROM games").fetchone()
                (first,) = store.execute("SELECT min(time_ms) FROM starts").fetchone()
            written = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(out) for name in names)
        return {"turns": turns, "seconds": (last - first) / 1000, "whole_seconds": whole, "all_cpu_us": 1e6 * cpu, "bytes": written,
                "most_mb": used.ru_maxrss * 1024 / 1e6}

    def start_ms(self):
        """From the start of the program to the first connection that it takes."""
        took = []
        for _ in range(STARTS):
            with tempfile.TemporaryDirectory() as folder, socket.socket() as held:
                held.bind(("127.0.0.1", 0))
                port = held.getsockname()[1]
                held.close()
                path = os.path.join(folder, "config.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"listen": {"port": port}, "bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls"}]}, file)
                began = time.monotonic()
                process = subprocess.Popen([self.referee, "serve", path, "--out", os.path.join(folder, "out")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                while True:
                    with socket.socket() as guest:
                        if guest.connect_ex(("127.0.0.1", port)) == 0:
                            break
                took.append(1000 * (time.monotonic() - began))
                process.kill()
                process.wait()
        return statistics.median(took)

    @functools.cache
    def pairing_ms(self, players):
        done = subprocess.run([self.program("pairing_bench"), f"--benchmark_filter=players:{players}/played:5$", "--benchmark_format=json"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        return json.loads(done.stdout)["benchmarks"][0]["real_time"]

    def stored(self):
        with tempfile.TemporaryDirectory() as folder:
            replay = os.path.join(folder, "game.ndjson")
            subprocess.run([self.referee, "play", "walls", "--bot", self.program("walls-greedy"), "--bot", self.program("walls-random"), "--quiet",
                            "--replay", replay], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            done = subprocess.run([self.program("store_bench"), folder, replay, str(RECORDED)], stdout=subprocess.PIPE, text=True, check=True)
        return float(re.search(r"^ *1000 +(\d+)", done.stdout, re.MULTILINE).group(1))

    def deadline_us(self):
        done = subprocess.run([self.program("deadline_bench"), str(SECONDS_OF_DEADLINES), "50", "100"], stdout=subprocess.PIPE, text=True, check=True)
        return max(float(found) for found in re.findall(r"^ *50 ms +100 +-?\d+ +(\d+)", done.stdout, re.MULTILINE))

    def charge_us(self):
        done = subprocess.run([self.program("cpu_charge_bench"), str(ROUNDS_OF_CHARGES)], stdout=subprocess.PIPE, text=True, check=True)
        return max(float(found) for found in re.findall(r"^\S+ +idle +\d+ +-?\d+ +(-?\d+)", done.stdout, re.MULTILINE))
