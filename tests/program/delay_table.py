"""How well bots behind a long path are charged: prints a table. Needs root, /dev/net/tun and ip.

    delay_table.py REFEREE [--rtt MS ...] [--jitter MS ...] [--budget MS ...] [--pairs N] [--games N]

For each path and budget bots play that think 0.9 and 0.98 of it (they are in time) and 1.05 and 1.15 of it (they are
late). They measure their own thinking, from the kernel's stamp of the turn to the sending of the answer. Against that
stand the charge (its error: the median, and what 95% of turns stay below, of the honest ones) and the verdict: how many
of those in time were called late, and how many of the late ones in time. Turns that a busy machine has brought over or
under the budget count as what they were. Of the late ones a bot's first turns are left out: there jitter is plausible.
A pair's game has some eighteen turns.
"""
# calm: it measures
import argparse
import collections
import glob
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from namespaces import Namespace

HERE = os.path.dirname(os.path.abspath(__file__))
PORT = 7777
SHARES = (0.9, 0.98, 1.05, 1.15)
PAIRS = 2  # for each share
LONG = 600

Turn = collections.namedtuple("Turn", "share thought charged late first")
# Of a new bot jitter is plausible, so that late answers may pass: its first turns are no case of those.
FIRST_TURNS = 16


class Line:
    """Two network namespaces with a long path between them: the referee is in the first, bots in the second."""

    address = "10.77.0.1"

    def __init__(self, rtt_ms, jitter_ms=0):
        self.ends = []
        self.line = None
        self.how = [str(rtt_ms / 2), str(jitter_ms)]

    def __enter__(self):
        self.ends = [Namespace(), Namespace()]
        self.line = subprocess.Popen([sys.executable, os.path.join(HERE, "delay_line.py"), *(end.path for end in self.ends), *self.how],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.line.stdout.readline() != "ready\n":
            raise RuntimeError("the line did not come up")
        return self

    def __exit__(self, *_):
        self.line.stdin.close()
        self.line.wait()
        self.line.stdout.close()
        for end in self.ends:
            end.end()

    def inside(self, end, *command, **options):
        return subprocess.Popen(self.ends[end].command(*command), text=True, **options)


def config_of(bots, budget_ms, games):
    pairs = [bots[i:i + 2] for i in range(0, len(bots), 2)]
    return {
        "listen": {"address": "0.0.0.0", "port": PORT},
        # Both ends are in a private network, where nobody is so far away, and the bots have one address.
        "network": [{"range": "10.77.0.0/16", "allowance_max": "1s", "peers": False}],
        "bots": [{"name": bot, "token": "t"} for bot in bots],
        "tournaments": [{"id": pair[0], "game": "walls", "params": {"size": 3}, "bots": pair, "match": {"games": games},
                         # What is late is a turn without a move, and nothing else: the games go on.
                         "clock": {"budget": f"{budget_ms:.0f}ms"}, "faults": {"late": "missing_move"}} for pair in pairs],
    }


def turns_of(out, truths, first, shares):
    """All turns whose thinking is known, from the files of games and what the bots wrote down."""
    for path in glob.glob(f"{out}/**/games/*.ndjson", recursive=True):
        with open(path) as file:
            head, *turns = [json.loads(line) for line in file]
        nothing = [0] * len(head["bots"])
        for number, turn in enumerate((turn for turn in turns if "moves" in turn), 1):
            for seat, bot in enumerate(head["bots"]):
                thought = truths.get((head["game_id"], number, bot))
                if thought is not None:
                    yield Turn(shares[bot], thought, turn.get("used_us", nothing)[seat] / 1000, turn["moves"][seat] is None,
                               (head["game_id"], number, bot) in first)


def first_turns(truths):
    """The first ones of each bot, in whatever games. The bots wrote down their turns in the order of playing."""
    seen = collections.Counter()
    first = set()
    for game, turn, bot in truths:
        seen[bot] += 1
        if seen[bot] <= FIRST_TURNS:
            first.add((game, turn, bot))
    return first


def said_to_the_end(referee, bots):
    """What it printed until it ended. It waits in vain for bots that end badly before, as one that may not have its class does."""
    until = time.monotonic() + LONG
    while True:
        try:
            return referee.communicate(timeout=1)[0]
        except subprocess.TimeoutExpired:
            ended = [f"a bot ended with status {bot.returncode}: {bot.args}" for bot in bots if bot.poll()]
            if ended or time.monotonic() > until:
                referee.kill()
                raise RuntimeError("\n".join([*ended, "the referee said:", referee.communicate()[0]])) from None


def measure(referee, budget_ms, line, games=2, pairs=PAIRS):
    """Plays, and returns its turns."""
    share_of = {f"b{share * 100:.0f}p{pair}{seat}": share for share in SHARES for pair in range(pairs) for seat in "ab"}
    folder = tempfile.mkdtemp(prefix="delay-table-")
    config, out, truth = (os.path.join(folder, name) for name in ("c.json", "out", "truth"))
    with open(config, "w") as file:
        json.dump(config_of(list(share_of), budget_ms, games), file)
    try:
        with line:
            run = line.inside(0, referee, "run", config, "--out", out, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            said = []
            while "listening" not in (said or [""])[-1]:
                said.append(run.stdout.readline())
                if not said[-1]:
                    raise RuntimeError("".join(said))
            thinking = [f"{bot}={share * budget_ms}" for bot, share in share_of.items()]
            bots = line.inside(1, sys.executable, os.path.join(HERE, "timed_bots.py"), line.address, str(PORT), truth, *thinking)
            said = said_to_the_end(run, [bots])
            bots.wait(LONG)
            if run.returncode != 0:
                raise RuntimeError(said)
        with open(truth) as file:
            rows = [line.split() for line in file]
        truths = {(game, int(turn), bot): float(ms) for game, turn, bot, ms in rows}
        return list(turns_of(out, truths, first_turns(truths), share_of))
    finally:
        shutil.rmtree(folder, True)


def rates(turns, budget_ms):
    """Of the turns in time the share that was called late, and of the late ones the share called in time."""
    in_time = [turn.late for turn in turns if turn.thought <= budget_ms]
    late = [not turn.late for turn in turns if turn.thought > budget_ms and not turn.first]
    return in_time, late


def percent(flags):
    return f"{100 * sum(flags) / len(flags):5.1f}% of {len(flags):5}" if flags else f"{'none':^15}"


def row(turns, budget_ms):
    errors = sorted(turn.charged - turn.thought for turn in turns if turn.thought <= budget_ms and not turn.late)
    sizes = sorted(abs(error) for error in errors)
    middle = f"{statistics.median(errors):7.2f} {sizes[int(0.95 * (len(sizes) - 1))]:7.2f}" if errors else "      -       -"
    cells = []
    for share in SHARES:
        in_time, late = rates([turn for turn in turns if turn.share == share], budget_ms)
        cells.append(percent(in_time if share <= 1 else late))
    return middle + "   " + "   ".join(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("referee")
    parser.add_argument("--rtt", type=float, nargs="+", default=[0, 10, 40, 150])
    parser.add_argument("--jitter", type=float, nargs="+", default=[0, 2, 10])
    parser.add_argument("--budget", type=float, nargs="+", default=[50, 1000])
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of bots, for each share of the budget")
    parser.add_argument("--games", type=int, default=6, help="of each pair, one after the other")
    options = parser.parse_args()
    referee = os.path.abspath(options.referee)
    print("budget    rtt jitter   error p50    p95     false late: at 0.90       at 0.98      false in time: at 1.05   at 1.15")
    for budget, rtt, jitter in itertools.product(options.budget, options.rtt, options.jitter):
        turns = measure(referee, budget, Line(rtt, jitter), options.games, options.pairs)
        print(f"{budget:6.0f} {rtt:6.0f} {jitter:6.0f}     {row(turns, budget)}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
