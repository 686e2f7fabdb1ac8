"""A daemon under a crowd of bots that drop and return, on a ladder and in scheduled tournaments.

    soak.py [--minutes 5] [--bots 1000] [--stay 30] [--away 2] [--rest 10] [--out FOLDER]

Prints every few seconds what goes on. Ends with 1 if memory or descriptors grew by more than is allowed,
or a promise was broken: a bot told an end twice, a login refused, a game recorded twice, the daemon gone.
"""
# calm: a crowd of bots, and what the daemon keeps of memory and descriptors in that time.
import argparse
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

BIN = os.environ["REFEREE_BIN"]
REFEREE = os.path.join(BIN, "referee")
SAMPLE_S = 5
TOURNAMENT_EVERY_S = 20
FIELD = 32
STOP_S = 60
MB = 1024 * 1024
# A ladder never ends, and keeps what each of its matches came to for its ratings, its standings and
# orders to play a game again: about 2,000 bytes for each game, as measured. All else must stay as it
# is, but for the allocator's slack.
BYTES_PER_GAME_MAX = 2560
SLACK_BYTES = 16 * MB
DESCRIPTORS_SLACK = 16


def config(options, tournaments):
    bots = [{"name": f"b{number}", "token": f"token-b{number}"} for number in range(options.bots)]
    walls = {"game": "walls", "params": {"size": 3}, "clock": {"budget": "2s"}, "no_show_after": "5s"}
    ladder = {"id": "ladder", "format": {"kind": "ladder"}, "rest": f"{int(options.rest * 1000)}ms", **walls}
    weekly = [{"id": f"week{number}", "format": {"kind": "swiss", "rounds": 3}, "field": {"ladder": "ladder", "best": FIELD}, **walls}
              for number in range(tournaments)]
    room = 2 * options.bots + 64
    return {"listen": {"port": 0}, "connections": {"total": room, "per_address": room}, "join_within": "1s", "bots": bots,
            "tournaments": [ladder, *weekly]}


class Daemon:
    def __init__(self, folder, text, log_level="warn"):
        self.out = os.path.join(folder, "out")
        path = os.path.join(folder, "config.json")
        with open(path, "w") as file:
            json.dump(text, file)
        self.log = os.path.join(folder, "log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([REFEREE, "--log-level", log_level, "serve", path, "--out", self.out],
                                            stderr=log, stdout=log, start_new_session=True)  # as a service has it

    def ctl(self, *arguments):
        return subprocess.run([REFEREE, "ctl", "--out", self.out, *arguments], capture_output=True, text=True, timeout=STOP_S)

    def status(self):
        answer = self.ctl("status", "--json")
        return json.loads(answer.stdout) if answer.returncode == 0 else None

    def wait_for_status(self):
        for _ in range(STOP_S * 10):
            status = self.status()
            if status or self.process.poll() is not None:
                return status
            time.sleep(0.1)
        return None

    def rss(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


class Crowd:
    def __init__(self, port, options, before=()):
        self.process = subprocess.Popen(
            [*before, os.path.join(BIN, "soak_bots"), str(port), str(options.bots), str(int(options.stay * 1000)), str(int(options.away * 1000))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)  # ends with its standard input
        self.seen = {}
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.seen = json.loads(line)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(STOP_S)
        self.reader.join(STOP_S)


def thirds(samples):
    third = len(samples) // 3
    return samples[:third], samples[len(samples) - third:]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def growth(samples, troubles):
    """What grew between the first third and the last, in words; too much is trouble."""
    first, last = thirds(samples)
    if not first:
        return "too short to tell whether anything grows"
    games = mean(one["games"] for one in last) - mean(one["games"] for one in first)
    memory = mean(one["rss"] for one in last) - mean(one["rss"] for one in first)
    descriptors = mean(one["own_descriptors"] for one in last) - mean(one["own_descriptors"] for one in first)
    allowed = SLACK_BYTES + BYTES_PER_GAME_MAX * games
    if memory > allowed:
        troubles.append(f"memory grew by {memory / MB:.1f} MB over {games:.0f} games; allowed are {allowed / MB:.1f} MB")
    if descriptors > DESCRIPTORS_SLACK:
        troubles.append(f"{descriptors:.0f} more descriptors are open that are no bot's; allowed are {DESCRIPTORS_SLACK}")
    return (f"from the first third to the last: memory {memory / MB:+.1f} MB over {games:.0f} games "
            f"({memory / max(games, 1):.0f} bytes a game), descriptors {descriptors:+.1f}")


def recorded_twice(store):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        check = connection.execute("PRAGMA quick_check").fetchone()[0]
        twice = connection.execute("SELECT tournament, match, number, seat, count(*) FROM results "
                                   "GROUP BY tournament, match, number, seat HAVING count(*) > 1 LIMIT 5").fetchall()
        games = connection.execute("SELECT count(*) FROM games").fetchone()[0]
    return games, ([] if check == "ok" else [f"the store: {check}"]) + [f"recorded twice: {row}" for row in twice]


def watch(daemon, crowd, options, troubles):
    samples, begun, started = [], time.monotonic(), 0
    games_before, time_before = 0, begun
    while time.monotonic() - begun < options.minutes * 60:
        time.sleep(min(SAMPLE_S, options.minutes * 60 / 4))
        status = daemon.status()
        if status is None or crowd.process.poll() is not None:
            troubles.append("the daemon does not answer" if status is None else "the bots are gone")
            break
        now, seen = time.monotonic(), crowd.seen
        games = sum(one["games"] for one in status["tournaments"])
        descriptors, rss = daemon.descriptors(), daemon.rss()
        finished = sum(one["state"] == "finished" for one in status["tournaments"])
        samples.append({"games": games, "rss": rss, "own_descriptors": descriptors - status["connections"]})
        print(f"{now - begun:6.0f} s  {(games - games_before) / (now - time_before):7.1f} games/s  {games:8} games  "
              f"{status['games_running']:5} running  {status['connections']:5} connections  {seen['drops']:7} drops  "
              f"{seen['resumed']:6} resumed  {rss / MB:7.1f} MB  {descriptors:5} descriptors  {daemon.cpu_s():6.1f} s CPU  "
              f"{finished} of {started} tournaments", flush=True)
        games_before, time_before = games, now
        if now - begun > TOURNAMENT_EVERY_S * started + SAMPLE_S and f"week{started}" in (one["id"] for one in status["tournaments"]):
            answer = daemon.ctl("start", f"week{started}")
            if answer.returncode != 0:
                troubles.append(f"week{started} did not begin: {answer.stderr.strip()}")
            started += 1
    return samples


def soak(options, folder):
    troubles = []
    daemon = Daemon(folder, config(options, int(options.minutes * 60 / TOURNAMENT_EVERY_S)))
    status = daemon.wait_for_status()
    if status is None:
        daemon.process.kill()
        return ["the daemon did not begin; its log: " + open(daemon.log).read()[-2000:]]
    crowd = Crowd(status["listening"].rsplit(":", 1)[1], options)
    try:
        samples = watch(daemon, crowd, options, troubles)
    finally:
        daemon.process.send_signal(signal.SIGTERM)
        try:
            if daemon.process.wait(STOP_S) != 0:
                troubles.append(f"the daemon ended with {daemon.process.returncode}")
        except subprocess.TimeoutExpired:
            daemon.process.kill()
            troubles.append("the daemon did not end when it was told to")
        crowd.stop()
    games, wrong = recorded_twice(os.path.join(daemon.out, "referee.db"))
    print(f"{crowd.seen['logins']} logins, {crowd.seen['turns']} turns, {crowd.seen['ends']} ends told, {games} plays recorded; "
          f"faults of the bots that dropped: {crowd.seen['faults'] or 'none'}")
    print(growth(samples, troubles))
    if crowd.seen["ends"] == 0:
        troubles.append("no bot has seen a game's end")
    if crowd.seen["broken"]:
        troubles += [f"{crowd.seen['broken']} broken promises, the first of them:", *crowd.seen["first_broken"]]
    if os.path.getsize(daemon.log):
        with open(daemon.log) as log:
            print("the daemon's log ends: " + log.read()[-500:].strip())
    return troubles + wrong


def run(parser, name, troubles_of):
    """Runs a soak in the folder that the options ask for, prints what it found, and ends the program."""
    options = parser.parse_args()
    folder = options.out or tempfile.mkdtemp(prefix=f"referee-{name}-")
    os.makedirs(folder, exist_ok=True)
    try:
        troubles = troubles_of(options, folder)
    finally:
        if not options.out:
            shutil.rmtree(folder, True)
    for trouble in troubles:
        print("TROUBLE: " + trouble)
    print(f"{name}: " + ("not good" if troubles else "good"))
    sys.exit(1 if troubles else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5, help="how long (default 5)")
    parser.add_argument("--bots", type=int, default=1000, help="how many bots (default 1000)")
    parser.add_argument("--stay", type=float, default=30, help="seconds for which a bot stays, on average (default 30)")
    parser.add_argument("--away", type=float, default=2, help="seconds for which it is away then, on average (default 2)")
    parser.add_argument("--rest", type=float, default=10, help="seconds for which it rests after a match on the ladder (default 10)")
    parser.add_argument("--out", help="where to write, and keep; left out: a folder that is removed")
    run(parser, "soak", soak)


if __name__ == "__main__":
    main()
