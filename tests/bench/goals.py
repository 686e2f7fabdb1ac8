"""The goals of speed, each beside what is measured here: one table, and the same as JSON.

    goals.py BIN [--json FILE] [--rounds N] [--only WORD] [--beside BIN] [--peer NAME=COMMAND]

BIN is the folder of built programs. Each figure is the middle one of N runs (5), with the least and
the most of them; where there is a yardstick, both ran by turns. The ratio is that of the figure to
its goal. Nothing else should run meanwhile.
"""
import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys

import measures


@dataclasses.dataclass
class Goal:
    name: str
    measure: object         # makes a figure from a Bench, once a round; None: it can't be measured
    bound: float
    unit: str = ""
    at_least: bool = False  # else at most
    lacks: str = ""         # why it can't be measured
    once: bool = False      # it takes minutes: in the first round only

    def reached(self, figure):
        return figure >= self.bound if self.at_least else figure <= self.bound

    def told(self):
        return f"at {'least' if self.at_least else 'most'} {self.bound:g} {self.unit}".rstrip()


def share(name, bound, measure):
    return Goal(name, measure, bound, "of raw", at_least=True)


def cpu_share(bots, bound):
    return Goal(f"processor time a turn, {bots:,} bots", lambda b: b.turns(bots)["cpu_us_a_turn"] / b.turns(bots)["raw_cpu_us_a_turn"],
                bound, "of raw's")


GOALS = [
    share("turns a second, 2 bots", 0.9, lambda b: b.turns(2)["ratio"]),
    share("turns a second, 64 bots", 0.8, lambda b: b.turns(64)["ratio"]),
    cpu_share(64, 1.4),
    share("turns a second, 1,024 bots", 0.75, lambda b: b.turns(1024)["ratio"]),
    cpu_share(1024, 1.5),
    share("one match, both sides on one core", 0.8, lambda b: b.turns(2, core=0)["ratio"]),
    share("E7, 35 x 35, whole states, 64 bots", 0.5, lambda b: b.turns(64, game="e7")["ratio"]),
    share("E7, 35 x 35, deltas, 64 bots", 0.8, lambda b: b.turns(64, game="e7-deltas")["ratio"]),
    Goal("from an answer to the next turn, 64 games, 99 of 100", lambda b: b.delays(128)["delay_us_99"], 1000, "us"),
    Goal("the longest of these, the loop's pauses in it", lambda b: b.delays(128)["delay_us_most"], 5000, "us"),
    share("launched bots, frozen between turns", 0.8, lambda b: b.launched(True)["ratio"]),
    share("launched bots, not frozen", 0.8, lambda b: b.launched(False)["ratio"]),
    Goal("100 launched Walls bots, round robin, 9,900 games: files", lambda b: b.launched_class(100)["bytes"] / 1e6, 60, "MB"),
    Goal("the loop's longest pause, 1,024 bots", None, 5, "ms", lacks="the loop tells pauses from 100 ms on only"),
    Goal("connections accepted a second", lambda b: b.door()["accepted_a_second"], 25_000, at_least=True),
    Goal("logins a second", lambda b: b.door()["logged_in_a_second"], 15_000, at_least=True),
    Goal("memory of an idle bot, of 19,900 or as many as descriptors allow", lambda b: b.door()["kib_a_bot"], 6, "KiB"),
    Goal("processor time of as many idle bots", lambda b: 100 * b.door()["idle_cpu"], 0.1, "% of a core"),
    Goal("memory of a running game of Walls with its two bots", lambda b: b.memory_of_a_game(), 16 + 2 * 6, "KiB"),
    Goal("memory after 100,000 games", lambda b: b.launched_class(20, games=527, size=3)["most_mb"], 80, "MB", once=True),
    Goal("from the start to listening", lambda b: b.start_ms(), 10, "ms"),
    Goal("a Swiss round of 2,000 by FIDE's rules", lambda b: b.pairing_ms(2000), 50, "ms"),
    Goal("a Swiss round of 10,000 by FIDE's rules", lambda b: b.pairing_ms(10_000), 2000, "ms"),
    Goal("finished games recorded a second, 1,000 at once", lambda b: b.stored(), 5000, at_least=True),
    Goal("a deadline's error, 50 ms, 100 games, 99 of 100", lambda b: b.deadline_us(), 400, "us"),
    Goal("a processor charge's error, 99 of 100", lambda b: b.charge_us(), 200, "us"),
]


def beside_goals(other, peers):
    """Goals whose yardstick is another program: `other` is a Bench of it, or None; `peers` tell by name what they said this round."""
    took = None if other is None else lambda b: b.launched_class(100)["whole_seconds"] / other().launched_class(100)["whole_seconds"]
    goals = [Goal("100 launched Walls bots, round robin, 9,900 games", took, 0.3, "of the build beside", lacks="--beside BIN is missing")]
    for name in peers or ["another match runner"]:
        said = (lambda what, name=name: peers[name][-1][what]) if name in peers else None
        rate = said and (lambda b, said=said: b.launched(True)["turns_a_second"] / said("turns_a_second"))
        cost = said and (lambda b, said=said: b.launched(True)["all_cpu_us_a_turn"] / said("cpu_us_a_turn"))
        goals += [Goal(f"launched bots' turns a second beside {name}", rate, 1.5, "of its", at_least=True, lacks="--peer is missing"),
                  Goal(f"processor time a turn, of all processes, beside {name}", cost, 0.5, "of its", lacks="--peer is missing")]
    return goals


def shown(figure):
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.3g}"


def row(goal, figures):
    told = {"what": goal.name, "goal": goal.told(), "unit": goal.unit, "rounds": len(figures)}
    if not figures:
        return {**told, "not_measured": goal.lacks}
    middle = statistics.median(figures)
    return {**told, "figure": middle, "least": min(figures), "most": max(figures), "ratio": middle / goal.bound,
            "reached": goal.reached(middle)}


def line_of(one):
    if "figure" not in one:
        return f"| {one['what']} | {one['goal']} | not measured: {one['not_measured']} | |"
    spread = f" ({shown(one['least'])} to {shown(one['most'])})" if one["rounds"] > 1 else ""
    return (f"| {one['what']} | {one['goal']} | {shown(one['figure'])} {one['unit']}".rstrip() + spread +
            f" | {one['ratio']:.2f}, {'reached' if one['reached'] else 'not reached'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", help="the folder of built programs, such as build/bench/bin")
    parser.add_argument("--json", metavar="FILE", help="the table is written there, too")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (5)")
    parser.add_argument("--only", metavar="WORD", default="", help="only goals with that word in their names")
    parser.add_argument("--beside", metavar="BIN", help="the programs of another build, which play the class of launched bots by turns with ours")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND",
                        help="another match runner: a command that plays and prints {\"turns_a_second\": ..., \"cpu_us_a_turn\": ...}; it runs by turns with ours")
    options = parser.parse_args()
    commands = dict(peer.split("=", 1) for peer in options.peer)
    peers = {name: [] for name in commands}
    bench = other = None
    all_goals = GOALS + beside_goals(options.beside and (lambda: other), peers)
    goals = [goal for goal in all_goals if options.only in goal.name]
    if not goals:
        parser.error(f"no goal has {options.only!r} in its name; the goals are:\n  " + "\n  ".join(goal.name for goal in all_goals))
    figures = {goal.name: [] for goal in goals}
    try:
        for number in range(options.rounds):
            bench = measures.Bench(os.path.abspath(options.bin))
            other = options.beside and measures.Bench(os.path.abspath(options.beside))
            for name, command in commands.items():
                peers[name].append(measures.said_by(["sh", "-c", command]))
            for goal in goals:
                if sys.stderr.isatty():
                    print(f"\r\033[Kround {number + 1} of {options.rounds}: {goal.name}", end="", file=sys.stderr)
                if goal.measure is None or goal.once and number > 0:
                    continue
                try:
                    figures[goal.name].append(goal.measure(bench))
                except subprocess.CalledProcessError as failed:
                    goal.lacks = str(failed)
    except KeyboardInterrupt:
        print("stopped: the table has what was measured before", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    rows = [row(goal, figures[goal.name]) for goal in goals]
    print("| what | goal | measured: middle (least to most) | ratio |")
    print("| --- | --- | --- | --- |")
    for one in rows:
        print(line_of(one))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"cores": os.cpu_count(), "goals": rows, "peers": peers}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
