"""Plays random games through `referee trace` and compares all that it prints with models.py.

Run by CTest with REFEREE_BIN set; MODEL_GAMES says how many games of each kind.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

from models import MODELS

REFEREE = os.path.join(os.environ["REFEREE_BIN"], "referee")
GAMES = int(os.environ.get("MODEL_GAMES", "60"))
JUNK = [None, True, 0, 5, 1.5, "", " ", "X", "FF", "f", [], [1], [[1, 2]], {}, {"a": 1}, "SWAP", "SCORE 0", -1]


def walls_setup(rng):
    return {"size": rng.choice([3, 5, 7, 9]), "first": rng.randrange(2)}


def walls_move(rng, state, seat, params):
    return rng.choice("FFFLR")


def cycles_setup(rng):
    if rng.random() < 0.2:
        return {"mean_budget_us": rng.choice([50000, 100])}
    width, height, teams, per_team = rng.randint(4, 12), rng.randint(4, 12), rng.randint(2, 4), rng.randint(1, 3)
    cells = [[x, y] for x in range(width) for y in range(height)]
    return {"width": width, "height": height, "teams": teams, "cycles_per_team": per_team,
            "mean_budget_us": rng.choice([50000, 20]), "grace_turns": rng.choice([0, 3]),
            "starts": rng.sample(cells, teams * per_team)}


def cycles_move(rng, state, seat, params):
    per_team = params.get("cycles_per_team", 3)
    move = []
    for x, y in state["cycles"][seat * per_team:(seat + 1) * per_team]:
        dx, dy = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
        move.append([x + dx, y + dy] if rng.random() < 0.97 else rng.choice(JUNK + [[x, y], [x + 1, y + 1]]))
    return move[:-1] if rng.random() < 0.02 else move + [[0, 0]] if rng.random() < 0.02 else move


def snake_setup(rng):
    rows, cols = rng.randint(3, 9), rng.randint(3, 12)
    board = [["#" if r in (0, rows - 1) or c in (0, cols - 1) else rng.choice("     $$$!T#") for c in range(cols)] for r in range(rows)]
    board[rng.randint(1, rows - 2)][rng.choice([0, cols - 1])] = "_"
    board[rng.randint(1, rows - 2)][rng.randint(1, cols - 2)] = "o"
    params = {"board": ["".join(row) for row in board], "max_steps": rng.choice([20, 60, 1000])}
    if rng.random() < 0.4:
        params["on_illegal"] = rng.choice(["stay", "void"])
    return params


def snake_move(rng, state, seat, params):
    length = 1 if rng.random() < 0.7 else rng.randint(2, 12)
    return "".join(rng.choice("NSOENSOENSOEW") for _ in range(length))


def e7_setup(rng):
    rows, cols = rng.randint(2, 8), rng.randint(2, 8)
    grid = [[rng.choice([0, 0, 0, 0, 1, 2, -1]) for _ in range(cols)] for _ in range(rows)]
    cells = [[r, c] for r in range(1, rows + 1) for c in range(1, cols + 1)]
    rng.shuffle(cells)
    for r, c in cells[:2]:
        grid[r - 1][c - 1] = 0
    open_cells = [cell for cell in cells if grid[cell[0] - 1][cell[1] - 1] != -1]
    rng.shuffle(open_cells)
    player = open_cells.pop()
    scraps = [{"location": open_cells.pop(), "value": rng.randint(1, 9)} for _ in range(min(len(open_cells), rng.randint(1, 4)))]
    ghosts = []
    for _ in range(min(len(open_cells), rng.randint(0, 3))):
        r, c = open_cells.pop()
        kind = rng.choice(["towardplayer", "backandforth"])
        before = [None, None]
        if kind == "backandforth":
            before = rng.choice([[r + dr, c + dc] for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
                                 if 1 <= r + dr <= rows and 1 <= c + dc <= cols])
        ghosts.append({"location": [before, [r, c]], "type": kind, "transparency": rng.randrange(3)})
    return {"map": {"grid": grid, "player": {"location": [[None, None], player], "score": 0}, "scraps": scraps,
                    "ghosts": ghosts, "remaining_turns": rng.randint(1, 60)}}


def e7_move(rng, state, seat, params):
    return rng.choice("UDLRUDLR.")


def superball_setup(rng):
    if rng.random() < 0.3:
        return {"pace_us": rng.choice([0, 5000000, 300])}
    return {"rows": rng.randint(1, 9), "cols": rng.randint(1, 9), "min_score_size": rng.randint(1, 4),
            "colors": rng.choice(["p", "pb", "abc", "pbyrg"])}


def superball_move(rng, state, seat, params):
    pieces = [(r, c) for r, row in enumerate(state["board"]) for c, cell in enumerate(row) if cell.isalpha()]
    goals = [(r, c) for r, c in pieces if state["board"][r][c].isupper()]
    least = params.get("min_score_size", 5)
    for r, c in rng.sample(goals, len(goals)):
        letter, found, todo = state["board"][r][c].lower(), {(r, c)}, [(r, c)]
        while todo:
            a, b = todo.pop()
            for cell in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                if cell in set(pieces) - found and state["board"][cell[0]][cell[1]].lower() == letter:
                    found.add(cell)
                    todo.append(cell)
        if len(found) >= least:
            return f"SCORE {r} {c}"
    if len(pieces) < 2:
        return "SWAP 0 0 0 1"
    (a, b), (c, d) = rng.sample(pieces, 2)
    return f"SWAP {a} {b} {c} {d}"


PLAYERS = {"walls": (walls_setup, walls_move, 0.03), "light_cycles": (cycles_setup, cycles_move, 0.01),
           "snake_labyrinth": (snake_setup, snake_move, 0.02), "e7_planets": (e7_setup, e7_move, 0.03),
           "superball": (superball_setup, superball_move, 0.004)}
SEATS = {"walls": lambda params: 2, "light_cycles": lambda params: params.get("teams", 4)}


class ModelsTest(unittest.TestCase):
    def play(self, game, seed):
        rng = random.Random(f"{game} {seed}")
        make_setup, make_move, junk = PLAYERS[game]
        params = make_setup(rng)
        model = MODELS[game](params, seed)
        seats = SEATS.get(game, lambda _: 1)(params)
        expected, lines = [{"turn": 0, "state": model.state()}], []
        while not model.over() and len(lines) < 400:
            state = model.state()
            moves = [rng.choice(JUNK) if rng.random() < junk else make_move(rng, state, seat, params) for seat in range(seats)]
            line = {"moves": moves}
            used = [0] * seats
            if rng.random() < 0.5:
                used = line["used_us"] = [rng.randint(0, 60) for _ in range(seats)]
            lines.append(json.dumps(line))
            model.apply(moves, used)
            expected.append({"turn": len(lines), "state": model.state()})
        expected.append({"outcome": model.outcome() if model.over() else None})
        with tempfile.TemporaryDirectory() as folder:
            setup_file, moves_file = os.path.join(folder, "setup.json"), os.path.join(folder, "moves.ndjson")
            with open(setup_file, "w") as file:
                json.dump({"game": game, "seed": seed, "params": params}, file)
            with open(moves_file, "w") as file:
                file.write("".join(line + "\n" for line in lines))
            done = subprocess.run([REFEREE, "trace", setup_file, moves_file], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, f"{done.stderr}\n{json.dumps(params)}")
        printed = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(printed), len(expected), f"{game} {seed}: {json.dumps(params)}\n" + "\n".join(lines))
        for number, (ours, theirs) in enumerate(zip(expected, printed)):
            theirs.pop("notes", None)
            self.assertEqual(ours, theirs, f"{game} {seed}, line {number}: {json.dumps(params)}\n" + "\n".join(lines[:number + 1]))
            if "state" in theirs:
                self.assertEqual(list(ours["state"]), list(theirs["state"]))


def add(game):
    def test(self):
        for seed in range(1, GAMES + 1):
            with self.subTest(seed=seed):
                self.play(game, seed)
    setattr(ModelsTest, "test_" + game, test)


for each in MODELS:
    add(each)

if __name__ == "__main__":
    unittest.main()
