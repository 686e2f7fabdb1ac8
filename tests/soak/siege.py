"""A daemon with honest bots that play, by turns left alone (quiet) and among enemies (siege).

    siege.py [--seconds 600] [--slices 5] [--bots 100] [--only launched] [--untimed] [--out FOLDER]

Each side lasts SECONDS in all, in SLICES that take turns, so that a machine that has other work meanwhile slows down both sides. The
enemies are connections of all kinds (enemies.py) and launched bots in the sandbox (hostile_player.py), with tournaments of their own.
They run at the lowest priority, and the honest bots at a high one where that is allowed, as if they had machines of their own: what
enemies cost them is then the referee's time, not that of shared cores.

Ends with 1 if an honest bot lost anything (a game, a turn, its place, its connection), a bot that came was not let in, or the
enemies did nothing; and, unless --untimed, if no honest game ended for GAP_MAX_S, an order was not answered in ORDER_WITHIN_S, or
who came waited for VISIT_WITHIN_S. What is a matter of the machine is only printed: games a second of both sides with their
ratio, and what turns were charged.
"""
# calm: floods, forks and burning bots.
import argparse
import collections
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from soak import BIN, STOP_S, Crowd, Daemon, run

HERE = os.path.dirname(os.path.abspath(__file__))
LOOK_EVERY_S = 2
SETTLE_S = 2  # after a change of sides, before anything is measured
GAP_MAX_S = 5
ORDER_WITHIN_S = 2
VISIT_WITHIN_S = 5
VISITOR_ADDRESS = "127.0.0.9"
INSIDERS = 6
GAMES_AT_ONCE = 1000  # for all games that can begin: no enemy takes the place of an honest game
LOWEST = ["nice", "-n", "19"]
HIGH_NICE = -15
HIGH = ["nice", "-n", str(HIGH_NICE)]  # goes on without where that is not allowed
# What a launched enemy does in each of its turns: an attempt of tests/hostile.
LAUNCHED = {
    "burner": ["burn", "1", "2"], "forker": ["fork_many", "500"], "hoarder": ["take_memory_alone", "256"],
    "hoarders": ["take_memory_together", "4", "40"], "sharer": ["take_shared_memory", "256"], "shouter": ["flood", "1", "8"],
    "grumbler": ["flood", "2", "64"], "filler": ["fill_bytes", "64", "/tmp"], "litterer": ["fill_files", "20000", "/tmp"],
    "daemons": ["leave_daemons"], "sleeper": ["stop_itself"]}
LIMITS = {"memory_mb": 64, "processes": 64, "disk_mb": 16}


def dialling(name):
    return {"name": name, "token": f"token-{name}"}


def launched(name, attempt):
    reads = [BIN, HERE] + ([] if sys.base_prefix == "/usr" else [sys.base_prefix])
    command = [*LOWEST, sys.executable, "-B", os.path.join(HERE, "hostile_player.py"), os.path.join(BIN, "hostile_bot"), *attempt]
    return {"name": name, "launch": command, "reads": reads, **LIMITS}


def config(options, with_launched):
    honest = [dialling(f"b{number}") for number in range(options.bots)]
    insiders = [dialling(f"mal{number}") for number in range(INSIDERS)]
    enemies = [launched(*one) for one in LAUNCHED.items()] if with_launched else []
    walls = {"game": "walls", "params": {"size": 3}, "match": {"games": 1}}

    def tournament(name, bots, **more):
        return {"id": name, "bots": [bot["name"] for bot in bots], **walls, **more}
    # No ladder: every bot that is there would play on it, and enemies shall play among themselves.
    endless = {"kind": "round_robin", "cycles": 10_000}
    rough = {"format": endless, "withdraw_after": 0, "no_show_after": "5s", "starts": "by_order", "clock": {"budget": "1s"}}
    # An honest bot is never away, and never late but by the referee's doing.
    tournaments = [tournament("honest", honest, format=endless, clock={"budget": "5s"}),
                   tournament("insiders", insiders, **rough)]
    if enemies:
        tournaments.append(tournament("launched", enemies, **rough))
    return {"listen": {"port": 0}, "control": {"port": 0, "token": "the token of an instructor"}, "join_within": "30s",
            "registration": {"password": "open sesame"}, "games_at_once": GAMES_AT_ONCE,
            "bots": [*honest, *insiders, *enemies, dialling("visitor")], "tournaments": tournaments}


class Side:
    """What was seen while the honest bots were left alone, or were not."""

    def __init__(self, name):
        self.name, self.games, self.seconds, self.cpu_s, self.annulled = name, 0, 0.0, 0.0, 0
        self.charges = collections.Counter()
        self.orders, self.visits = [], []

    def games_a_second(self):
        return self.games / self.seconds if self.seconds else 0.0

    def charged_us(self, share):
        """The charge below which this share of the turns is."""
        left = share * sum(self.charges.values())
        for charged_us, count in sorted(self.charges.items()):
            left -= count
            if left <= 0:
                return charged_us
        return 0

    def __str__(self):
        turns = sum(self.charges.values())
        return (f"{self.name:6} {self.games_a_second():7.1f} games/s in {self.seconds:.0f} s; of the referee's processor time "
                f"{1000 * self.cpu_s / max(self.games, 1):.2f} ms a game, {self.cpu_s / max(self.seconds, 1):.2f} s a second; "
                f"{turns} turns charged, median {self.charged_us(0.5)} us, p99 {self.charged_us(0.99)} us; {self.annulled} games annulled; "
                f"slowest of {len(self.orders)} orders {max(self.orders, default=0):.3f} s, "
                f"of {len(self.visits)} visits {max(self.visits, default=0):.3f} s")


class Siege:
    def __init__(self, options, folder, with_launched):
        self.options, self.troubles = options, []
        self.daemon = Daemon(folder, config(options, with_launched), "info")
        self.status = self.daemon.wait_for_status()
        if self.status is None:
            self.daemon.process.kill()
            raise SystemExit("the daemon did not begin; its log: " + self.log()[-2000:])
        self.address = ("127.0.0.1", int(self.status["listening"].rsplit(":", 1)[1]))
        self.crowd = None
        self.with_launched = with_launched
        self.with_dialling = options.only != "launched"
        self.hostile = ["insiders"] * self.with_dialling + ["launched"] * with_launched
        self.begun = False
        self.strikes, self.shown_out = collections.Counter(), collections.Counter()
        self.quiet, self.siege = Side("quiet"), Side("siege")

    def log(self):
        with open(self.daemon.log) as log:
            return log.read()

    def admin_port(self):
        found = next(row for row in self.log().splitlines() if "orders are taken on " in row and "too" in row)
        return found.split("orders are taken on ")[1].split()[0].rsplit(":", 1)[1]

    # What is asked of the daemon.

    def order(self, *words):
        done = self.daemon.ctl(*words)
        if done.returncode != 0:
            self.troubles.append(f"{' '.join(words)}: {done.stderr.strip()}")

    def ask(self, side):
        """The honest tournament's status, with its time."""
        begun = time.monotonic()
        status = self.daemon.status()
        if status is None:
            raise RuntimeError("the daemon does not answer")
        side.orders.append(time.monotonic() - begun)
        self.must_be_quick(side, "an order was answered", side.orders[-1], ORDER_WITHIN_S)
        self.status = {one["id"]: one for one in status["tournaments"]}
        return time.monotonic(), self.status["honest"]

    def must_be_quick(self, side, what, seconds, most):
        if seconds > most and not self.options.untimed:
            self.troubles.append(f"{side.name}: {what} after {seconds:.1f} s; allowed are {most} s")

    def visit(self, side):
        """Another honest bot comes, and must be let in."""
        begun = time.monotonic()
        try:
            with socket.create_connection(self.address, STOP_S, source_address=(VISITOR_ADDRESS, 0)) as wire:
                wire.sendall(json.dumps({"type": "login", **dialling("visitor"), "games": ["walls"]}).encode() + b"\n")
                told = [json.loads(text)["type"] for _, text in zip(range(2), wire.makefile("r", encoding="utf-8"))]
            if told != ["hello", "welcome"]:
                self.troubles.append(f"{side.name}: a bot that came was told {told}")
        except OSError as error:
            self.troubles.append(f"{side.name}: a bot that came was not let in: {error}")
        side.visits.append(time.monotonic() - begun)
        self.must_be_quick(side, "a bot was let in", side.visits[-1], VISIT_WITHIN_S)

    # The sides.

    def measure(self, side, seconds):
        time.sleep(SETTLE_S)
        begun, before = self.ask(side)
        charges, cpu_s = collections.Counter(self.crowd.seen["charges"]), self.daemon.cpu_s()
        now, after = begun, before
        while now - begun < seconds:
            time.sleep(min(LOOK_EVERY_S, seconds - (now - begun)))
            self.visit(side)
            now, after = self.ask(side)
        side.games += after["games"] - before["games"]
        side.annulled += after["annulled"] - before["annulled"]
        side.seconds += now - begun
        side.cpu_s += self.daemon.cpu_s() - cpu_s
        for charged_us, count in (collections.Counter(self.crowd.seen["charges"]) - charges).items():
            side.charges[int(charged_us)] += count
        print(f"{side.name:6} {(after['games'] - before['games']) / (now - begun):7.1f} games/s, {self.crowd.seen['connected']} bots there",
              flush=True)

    def enemies_come(self):
        for name in self.hostile:
            self.order("resume" if self.begun else "start", name)
        self.begun = True
        self.wait_for(lambda: not self.with_launched or self.status["launched"]["running"], "a game of launched enemies to begin")
        if not self.with_dialling:
            return None
        return subprocess.Popen([*LOWEST, sys.executable, "-B", os.path.join(HERE, "enemies.py"), str(self.address[1]), self.admin_port(),
                                 os.path.join(self.daemon.out, "control.sock"), str(INSIDERS)],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def enemies_go(self, enemies):
        for name in self.hostile:
            self.order("abort", name)  # not paused: with the lowest priority its games may go on for minutes, and none is charged for it
        told = json.loads(enemies.communicate(timeout=STOP_S)[0]) if enemies else {}
        for kind, (strikes, ends) in told.items():
            self.strikes[kind] += strikes
            self.shown_out[kind] += ends
            if strikes == 0:
                self.troubles.append(f"no enemy came to {kind}")
        self.wait_for(lambda: not any(self.status[name]["running"] for name in self.hostile), "the enemies' games to end")

    def wait_for(self, condition, what):
        deadline = time.monotonic() + STOP_S
        self.ask(self.siege)
        while not condition():
            if time.monotonic() > deadline:
                self.troubles.append(f"waited {STOP_S} s for {what}")
                return
            time.sleep(1)
            self.ask(self.siege)

    def run(self):
        self.crowd = Crowd(self.address[1], argparse.Namespace(bots=self.options.bots, stay=0, away=0), HIGH)
        put_before_other_sessions(self.crowd.process.pid)
        deadline = time.monotonic() + STOP_S
        while self.crowd.seen.get("logins", 0) < self.options.bots and time.monotonic() < deadline:
            time.sleep(0.1)
        for _ in range(self.options.slices):
            self.measure(self.quiet, self.options.seconds / self.options.slices)
            enemies = self.enemies_come()
            try:
                self.measure(self.siege, self.options.seconds / self.options.slices)
            finally:
                self.enemies_go(enemies)

    def end(self):
        """Nobody has left until now; the records tell the rest."""
        if self.crowd:
            self.look_at_the_crowd(self.crowd.seen)
        self.daemon.process.send_signal(signal.SIGTERM)
        try:
            if self.daemon.process.wait(STOP_S) != 0:
                self.troubles.append(f"the daemon ended with {self.daemon.process.returncode}; its log: {self.log()[-2000:]}")
        except subprocess.TimeoutExpired:
            self.daemon.process.kill()
            self.troubles.append("the daemon did not end when it was told to")
        if self.crowd:
            self.crowd.stop()

    def look_at_the_crowd(self, seen):
        bots = self.options.bots
        if (seen["connected"], seen["logins"], seen["drops"]) != (bots, bots, 0):
            self.troubles.append(f"honest bots lost their connections: {seen['connected']} of {bots} are there, "
                                 f"{seen['logins']} logins, {seen['drops']} drops")
        if seen["faults"]:
            self.troubles.append(f"honest bots were told of faults of theirs: {seen['faults']}")
        if seen["broken"]:
            self.troubles += [f"{seen['broken']} broken promises, the first of them:", *seen["first_broken"]]


def records(store, troubles, untimed):
    """What the records say of the honest bots; in words, what they say of the enemies."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        def rows(query):
            return connection.execute(query).fetchall()
        for bot, code, consequence, message, count in rows(
                "SELECT s.bot, f.code, f.consequence, f.message, count(*) FROM faults f JOIN games g ON g.seq = f.seq "
                "LEFT JOIN game_seats s ON s.seq = f.seq AND s.seat = f.seat WHERE g.tournament = 'honest' GROUP BY 1, 2, 3 LIMIT 10"):
            troubles.append(f"a fault of {bot}: {code}, {consequence}, {count} times: {message}")
        for status, reason, count in rows("SELECT status, reason, count(*) FROM games WHERE tournament = 'honest' "
                                          "AND status NOT IN ('played', 'annulled') GROUP BY 1, 2 LIMIT 10"):
            troubles.append(f"{count} games of honest bots ended as {status}: {reason}")
        for table in ("withdrawals", "drops"):
            for row in rows(f"SELECT * FROM {table} WHERE tournament = 'honest' LIMIT 10"):
                troubles.append(f"{table} of the honest: {row}")
        ends = [one for one, in rows("SELECT time_ms FROM games WHERE tournament = 'honest' AND status = 'played' ORDER BY seq")]
        gap = max((later - earlier for earlier, later in zip(ends, ends[1:])), default=None)
        if gap is None or gap > GAP_MAX_S * 1000 and not untimed:
            troubles.append(f"no game of honest bots ended for {gap} ms")
        told = f"longest time without an end of an honest game: {gap} ms, of {len(ends)} games"
        for name, status, count in rows("SELECT tournament, status, count(*) FROM games WHERE tournament <> 'honest' GROUP BY 1, 2"):
            told += f"\ngames of the {name} that were {status}: {count}"
        for name, code, count in rows("SELECT g.tournament, f.code, count(*) FROM faults f JOIN games g ON g.seq = f.seq "
                                      "WHERE g.tournament <> 'honest' GROUP BY 1, 2"):
            told += f"\nfaults of the {name}, {code}: {count}"
    return told


def put_before_other_sessions(pid):
    """Where the kernel shares processors among sessions first, niceness counts only within one; and each launched bot has its own."""
    try:
        with open(f"/proc/{pid}/autogroup", "w") as file:
            file.write(str(HIGH_NICE))
    except OSError:
        pass  # there are no such groups, or it is not allowed


def launches(options, folder):
    """Whether this machine gives a sandbox in which enemies may be launched."""
    path = os.path.join(folder, "checked.json")
    with open(path, "w") as file:
        json.dump({**config(options, True), "sandbox": {"min_tier": "B"}}, file)
    check = subprocess.run([os.path.join(BIN, "referee"), "check", path], capture_output=True, text=True, timeout=STOP_S)
    if check.returncode not in (0, 3):
        raise SystemExit(check.stdout + check.stderr)
    return check.returncode == 0


def soak(options, folder):
    wanted = options.only != "dialling"
    with_launched = wanted and launches(options, folder)
    if wanted and not with_launched:
        print("this machine gives no sandbox of tier B or better: no enemies are launched, only those that dial in are there")
    siege = Siege(options, folder, with_launched)
    try:
        siege.run()
    except RuntimeError as error:
        siege.troubles.append(str(error))
    finally:
        siege.end()
    print(records(os.path.join(siege.daemon.out, "referee.db"), siege.troubles, options.untimed))
    print("strikes, and those that the referee put an end to: " +
          ", ".join(f"{kind} {count} ({siege.shown_out[kind]})" for kind, count in siege.strikes.items()))
    print(siege.quiet)
    print(siege.siege)
    if siege.quiet.games:
        print(f"among enemies, as a share of the quiet: games a second {siege.siege.games_a_second() / siege.quiet.games_a_second():.3f}")
    return siege.troubles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="how long with enemies, and as long without (default 600)")
    parser.add_argument("--slices", type=int, default=5, help="how often the sides take turns (default 5)")
    parser.add_argument("--bots", type=int, default=100, help="how many honest bots (default 100)")
    parser.add_argument("--only", choices=("dialling", "launched"), help="only these enemies come; left out: all")
    parser.add_argument("--untimed", action="store_true", help="on a machine that has other work: how long anything takes is only printed")
    parser.add_argument("--out", help="where to write, and keep; left out: a folder that is removed")
    run(parser, "siege", soak)


if __name__ == "__main__":
    main()
