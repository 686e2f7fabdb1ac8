"""How often a rubric's steps are wrong: programs just under and just over each threshold, graded again and again.

    grading_soak.py [--gradings 200] [--known 2000] [--seed 1] [--out FOLDER]

A program in C plays Walls well, and with a chance that is given to it a game badly. Its share of the points against the rubric's
opponent is measured by KNOWN games; from them the chances are chosen that give the shares of the thresholds, and those are measured
again. Then GRADINGS submissions of each, all with other luck, are graded. Prints a table: how many passed each step, beside what the
rubric's page promises for the share that was measured. Ends with 1 where that can't be luck.
"""
# calm: a whole grading, with bots that have budgets of real time.
import argparse
import json
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

BIN = os.environ["REFEREE_BIN"]
SOURCE = os.environ.get("REFEREE_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
REFEREE = os.path.join(BIN, "referee")
KIT = os.path.join(SOURCE, "sample_bots", "c")
GAMES, WINS = 10, 6
FAIR, WORSE, OVER = 0.5, 0.35, 0.7
FAILS_FAIR, PASSES_WORSE = 0.01, 0.05
SIGMAS = 4  # of luck: one such run of fifteen thousand is wrong without a bug
GAMES_A_MATCH = 100  # while a share is measured

CHOOSE = """
// By lot, of the game's id and the seed: no two submissions have the same luck.
static int plays_badly(const rb_game* game) {
    unsigned long long hash = 1469598103934665603ULL;
    for (const char* c = lot; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
    for (const char* c = game->id; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccdULL;
    hash ^= hash >> 33;
    return (double)(hash >> 11) / 9007199254740992.0 < badly;
}

static void choose(rb_game* game) {
    rb_move_text(game, "%c", plays_badly(game) ? 'L' : greedy_move(game));
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"walls", choose}, {NULL, NULL}};
    if (argc > 2) badly = atof(argv[1]), lot = argv[2];
    return rb_play(1, argv, "mixed", players);
}
"""


def rubric(steps, series):
    return {"title": "Thresholds", "game": "walls", "bots": [{"name": "random", "launch": ["walls-random"]}], "series": series, "steps": steps}


def series(name, **more):
    return {"id": name, "opponents": ["random"], "params": {"size": 3}, **more}


MEASURING = rubric([{"id": "any", "title": "any", "points": 1, "series": ["many"], "rule": {"kind": "each_win"}}],
                   [series("many", match={"games": GAMES_A_MATCH})])
THRESHOLDS = rubric(
    [{"id": "wins", "title": "wins", "points": 1, "series": ["ten"], "rule": {"kind": "wins", "at_least": WINS}},
     {"id": "good", "title": "as good", "points": 1, "series": ["test"], "rule": {"kind": "is_as_good"}}],
    [series("ten", match={"games": GAMES}),
     series("test", match={"games": 2}, as_good_as={"fair": FAIR, "worse": WORSE, "fails_fair": FAILS_FAIR, "passes_worse": PASSES_WORSE})])


def at_least(win, games, wins):
    return sum(math.comb(games, won) * win ** won * (1 - win) ** (games - won) for won in range(wins, games + 1))


class Soak:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.program = os.path.join(folder, "mixed")
        self.wrong = 0

    def build(self):
        with open(os.path.join(KIT, "walls_greedy.c")) as file:
            text = file.read()
        text = text[:text.index("static void choose(")]
        source = os.path.join(self.folder, "mixed.c")
        with open(source, "w") as file:
            file.write("#include <stdlib.h>\nstatic double badly = 0;\nstatic const char* lot = \"\";\n" + text + CHOOSE)
        subprocess.run(["cc", "-O2", "-std=c99", "-I", KIT, "-o", self.program, source, os.path.join(KIT, "referee_bot.c"),
                        os.path.join(KIT, "referee_json.c")], check=True)

    def grade(self, name, text, programs):
        """Grades programs, each a chance to play badly with a number of submissions; gives the folder of the grades."""
        place = os.path.join(self.folder, name)
        for kind, (badly, many) in programs.items():
            for number in range(many):
                own = os.path.join(place, "in", f"{kind}-{number}")
                os.makedirs(own)
                shutil.copy(self.program, own)
                with open(os.path.join(own, "submission.json"), "w") as file:
                    json.dump({"name": f"{kind}-{number}", "command": ["./mixed", str(badly), f"{self.options.seed}-{name}-{kind}-{number}"]}, file)
        with open(os.path.join(place, "rubric.json"), "w") as file:
            json.dump(text, file)
        out = os.path.join(place, "out")
        began = time.monotonic()
        done = subprocess.run([REFEREE, "grade", "--rubric", os.path.join(place, "rubric.json"), "--all", os.path.join(place, "in"), "--out", out,
                               "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"grading ended with {done.returncode}: {done.stderr[-2000:]}")
        print(f"{name}: {(time.monotonic() - began) / 60:.1f} min", flush=True)
        return out

    def measured(self, name, chances):
        """By kind: the share of games that are won, and the share of points."""
        many = -(-self.options.known // GAMES_A_MATCH)
        out = self.grade(name, MEASURING, {kind: (badly, many) for kind, badly in chances.items()})
        found = {}
        with sqlite3.connect(f"file:{out}/games/referee.db?mode=ro", uri=True) as store:
            rows = store.execute("SELECT own.bot, own.place, other.place FROM game_seats own JOIN game_seats other ON own.seq = other.seq "
                                 "JOIN games g ON g.seq = own.seq WHERE g.status = 'played' AND own.bot LIKE '%-%' AND other.bot LIKE 'random%' "
                                 "AND own.bot NOT LIKE 'random%'").fetchall()
        for kind in chances:
            places = [(own, other) for bot, own, other in rows if bot.rsplit("-", 1)[0] == kind]
            won = sum(own < other for own, other in places)
            level = sum(own == other for own, other in places)
            found[kind] = (won / len(places), (won + level / 2) / len(places), len(places))
        return found

    def row(self, kind, step, passed, promised, least, most):
        many = self.options.gradings
        luck = SIGMAS * math.sqrt(max(promised * (1 - promised), 1 / many) / many)
        good = least - luck <= passed / many <= most + luck
        self.wrong += not good
        print(f"| {kind} | {step} | {passed} of {many} | {promised:.1%} | {'' if good else 'BROKEN'} |", flush=True)

    def play(self):
        self.build()
        ends = self.measured("ends", {"well": 0, "badly": 1})
        well, badly = ends["well"][1], ends["badly"][1]
        targets = {"worse": WORSE, "fair": FAIR, "over": OVER}
        if not badly < WORSE or not well > OVER:
            sys.exit(f"the program's shares, {badly} to {well}, don't hold the thresholds")
        chances = {kind: (well - share) / (well - badly) for kind, share in targets.items()}
        known = self.measured("known", chances)
        for kind, (win, share, games) in known.items():
            print(f"{kind}: plays badly in {chances[kind]:.3f} of its games; of {games} games it won {win:.3f}, share of the points {share:.3f}")
        out = self.grade("graded", THRESHOLDS, {kind: (badly, self.options.gradings) for kind, badly in chances.items()})
        print("| program | step | passed | promised | |\n| --- | --- | --- | --- | --- |")
        for kind, (win, _, games) in known.items():
            grades = []
            for number in range(self.options.gradings):
                with open(os.path.join(out, f"{kind}-{number}", "grade.json")) as file:
                    grades.append({step["id"]: step["verdict"] == "passed" for step in json.load(file)["steps"]})
            spread = math.sqrt(win * (1 - win) / games)
            low, high = (at_least(win + by * 2 * spread, GAMES, WINS) for by in (-1, 1))
            self.row(kind, f"wins {WINS} of {GAMES}", sum(grade["wins"] for grade in grades), at_least(win, GAMES, WINS), low, high)
            promised, least, most = {"worse": (PASSES_WORSE, 0, PASSES_WORSE)}.get(kind, (1 - FAILS_FAIR, 1 - FAILS_FAIR, 1))
            self.row(kind, "is as good", sum(grade["good"] for grade in grades), promised, least, most)
        return 1 if self.wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradings", type=int, default=200)
    parser.add_argument("--known", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="keeps what was made there; expected to be new")
    options = parser.parse_args()
    folder = os.path.abspath(options.out) if options.out else tempfile.mkdtemp(prefix="referee-gradings-")
    os.makedirs(folder, exist_ok=True)
    try:
        return Soak(options, folder).play()
    finally:
        if not options.out:
            shutil.rmtree(folder, True)


if __name__ == "__main__":
    sys.exit(main())
