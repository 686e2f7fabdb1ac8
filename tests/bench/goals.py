"""The goals of speed, each beside what is measured here: one table, and the same as JSON.

    goals.py BIN [--json FILE] [--rounds N] [--only WORD] [--peer NAME=COMMAND]

BIN is the folder of built programs. Each figure is the middle one of N runs (5), with the least and
the most of them; where there is a yardstick, both ran by turns. Nothing else should run meanwhile.
"""
import argparse
import dataclasses
import json
import os
import statistics
import sys

import measures


@dataclasses.dataclass
class Goal:
    name: str
    measure: object         # makes a figure from a Bench, once a round
    bound: float
    unit: str = ""
    at_least: bool = False  # else at most

    def reached(self, figure):
        return figure >= self.bound if self.at_least else figure <= self.bound

    def told(self):
        return f"at {'least' if self.at_least else 'most'} {self.bound:g} {self.unit}".rstrip()


def share(name, bound, measure):
    return Goal(name, measure, bound, "of raw", at_least=True)


GOALS = [
    share("turns a second, 2 bots", 0.9, lambda b: b.turns(2)["ratio"]),
    share("turns a second, 64 bots", 0.8, lambda b: b.turns(64)["ratio"]),
    share("turns a second, 1,024 bots", 0.75, lambda b: b.turns(1024)["ratio"]),
    share("one match, both sides on one core", 0.8, lambda b: b.turns(2, core=0)["ratio"]),
    Goal("processor time a turn beyond raw, 64 bots", lambda b: b.beyond_raw(64), 1.5, "us"),
    Goal("processor time a turn beyond raw, 1,024 bots", lambda b: b.beyond_raw(1024), 2, "us"),
    share("E7, 35 x 35, whole states, 64 bots", 0.5, lambda b: b.turns(64, game="e7")["ratio"]),
    share("E7, 35 x 35, deltas, 64 bots", 0.8, lambda b: b.turns(64, game="e7-deltas")["ratio"]),
    Goal("from an answer to the next turn, 64 games, 99 of 100", lambda b: b.delays(128)["delay_us_99"], 1000, "us"),
    share("launched bots, frozen between turns", 0.8, lambda b: b.launched(True)["ratio"]),
    share("launched bots, not frozen", 0.8, lambda b: b.launched(False)["ratio"]),
    Goal("processor time a turn, launched bots", lambda b: b.launched(True)["cpu_us_a_turn"], 12, "us"),
    Goal("100 launched Walls bots, round robin, 9,900 games", lambda b: b.launched_class(100), 10, "s"),
    Goal("connections accepted a second", lambda b: b.door()["accepted_a_second"], 25_000, at_least=True),
    Goal("logins a second", lambda b: b.door()["logged_in_a_second"], 15_000, at_least=True),
    Goal("memory of an idle bot, 19,900 of them", lambda b: b.door()["kib_a_bot"], 6, "KiB"),
    Goal("processor time of 19,900 idle bots", lambda b: 100 * b.door()["idle_cpu"], 0.1, "% of a core"),
    Goal("memory of a running game of Walls with its two bots", lambda b: b.memory_of_a_game(), 16 + 2 * 6, "KiB"),
    Goal("from the start to listening", lambda b: b.start_ms(), 10, "ms"),
    Goal("a Swiss round of 2,000 by FIDE's rules", lambda b: b.pairing_ms(2000), 3000, "ms"),
    Goal("a Swiss round of 10,000 by FIDE's rules", lambda b: b.pairing_ms(10_000), 2000, "ms"),
    Goal("finished games recorded a second, 1,000 at once", lambda b: b.stored(), 5000, at_least=True),
    Goal("a deadline's error, 50 ms, 100 games, 99 of 100", lambda b: b.deadline_us(), 400, "us"),
    Goal("a processor charge's error, 99 of 100", lambda b: b.charge_us(), 200, "us"),
]


def shown(figure):
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.3g}"


def row(goal, figures):
    middle = statistics.median(figures)
    return {"what": goal.name, "goal": goal.told(), "figure": middle, "least": min(figures), "most": max(figures), "rounds": len(figures),
            "unit": goal.unit, "reached": goal.reached(middle)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", help="the folder of built programs, such as build/bench/bin")
    parser.add_argument("--json", metavar="FILE", help="the table is written there, too")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (5)")
    parser.add_argument("--only", metavar="WORD", default="", help="only goals with that word in their names")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND",
                        help="another match runner: a command that plays and prints {\"turns_a_second\": ..., \"cpu_us_a_turn\": ...}; it runs by turns with ours")
    options = parser.parse_args()
    goals = [goal for goal in GOALS if options.only in goal.name]
    if not goals:
        parser.error(f"no goal has {options.only!r} in its name; the goals are:\n  " + "\n  ".join(goal.name for goal in GOALS))
    figures = {goal.name: [] for goal in goals}
    peers = {}
    for number in range(options.rounds):
        bench = measures.Bench(os.path.abspath(options.bin))
        for goal in goals:
            if sys.stderr.isatty():
                print(f"\r\033[Kround {number + 1} of {options.rounds}: {goal.name}", end="", file=sys.stderr)
            figures[goal.name].append(goal.measure(bench))
        for peer in options.peer:
            name, _, command = peer.partition("=")
            peers.setdefault(name, []).append(measures.said_by(["sh", "-c", command]))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    rows = [row(goal, figures[goal.name]) for goal in goals]
    print("| what | goal | here: middle (least to most) | |")
    print("| --- | --- | --- | --- |")
    for one in rows:
        spread = f" ({shown(one['least'])} to {shown(one['most'])})" if one["rounds"] > 1 else ""
        print(f"| {one['what']} | {one['goal']} | {shown(one['figure'])} {one['unit']}".rstrip() + f"{spread} | {'reached' if one['reached'] else 'not reached'} |")
    for name, said in peers.items():
        rates = [one["turns_a_second"] for one in said]
        costs = [one["cpu_us_a_turn"] for one in said]
        print(f"| {name}: turns a second; processor time a turn | | {shown(statistics.median(rates))} ({shown(min(rates))} to {shown(max(rates))}); "
              f"{shown(statistics.median(costs))} us | |")
        rows.append({"what": name, "turns_a_second": rates, "cpu_us_a_turn": costs})
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"cores": os.cpu_count(), "goals": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
