"""Plays random games through `referee trace` and compares all that it prints with models.py.

Run by CTest with REFEREE_BIN set; MODEL_GAMES says how many games of each kind.
"""
import json
import os
import random
import subprocess
import tempfile
import unittest

from models import MODELS

REFEREE = os.path.join(os.environ["REFEREE_BIN"], "referee")
GAMES = int(os.environ.get("MODEL_GAMES", "150"))
JUNK = [None, None, None, True, 0, 5, 1.5, "", " ", "X", "FF", "f", [], [1], [[1, 2]], {}, {"a": 1}, "SWAP", "SCORE 0", -1, "U ", "\u00c8", 10 ** 19]


def walls_setup(rng):
    return {"size": rng.choice([3, 5, 7, 9]), "first": rng.randrange(2)}


def walls_move(rng, state, seat, params):
    return rng.choice("FFFLR")


def cycles_setup(rng):
    if rng.random() < 0.2:
        return {"mean_budget_us": rng.choice([50000, 100, 25])}
    width, height, teams, per_team = rng.randint(1, 12), rng.randint(3, 12), rng.randint(2, 8), rng.randint(1, 3)
    per_team = max(1, min(per_team, width * height // teams))
    teams = min(teams, width * height // per_team)
    cells = [[x, y] for x in range(width) for y in range(height)]
    starts = cells[:teams * per_team] if rng.random() < 0.1 else rng.sample(cells, teams * per_team)
    return {"width": width, "height": height, "teams": teams, "cycles_per_team": per_team,
            "mean_budget_us": rng.choice([50000, 1, 10, 20, 2 ** 63 - 1]), "grace_turns": rng.choice([0, 1, 3]),
            "starts": starts}


def cycles_move(rng, state, seat, params):
    per_team = params.get("cycles_per_team", 3)
    width, height = params.get("width", 170), params.get("height", 170)
    move, taken = [], state["cycles"]
    for x, y in state["cycles"][seat * per_team:(seat + 1) * per_team]:
        ways = [[x, y + 1], [x + 1, y], [x, y - 1], [x - 1, y]]
        near = [[a, b] for a, b in ways if 0 <= a < width and 0 <= b < height and [a, b] not in taken]
        odd = JUNK + [[x, y], [x + 1, y + 1], [x + 2, y], [-1, y], [x, 2 ** 63], [x, y, 0], [1.0, 2], [x, True], ["1", "0"]]
        move.append(rng.choice(odd) if rng.random() < 0.03 else rng.choice(near or ways))
    return move[:-1] if rng.random() < 0.02 else move + [[0, 0]] if rng.random() < 0.02 else move


def snake_setup(rng):
    level = rng.choice(["challenge1", "challenge2", "challenge3", "final", "final", "final"])
    least = 3 if level == "final" else 5
    rows, cols = rng.randint(least, 9), rng.randint(least, 12)
    inside = {"challenge1": " $", "challenge2": " $!T", "challenge3": "  $$$!T", "final": rng.choice(["     $$$!T#", "$$$$$ !", "##T$ "])}
    board = [["#" if r in (0, rows - 1) or c in (0, cols - 1) else rng.choice(inside[level]) for c in range(cols)] for r in range(rows)]
    if level in ("challenge2", "challenge3"):
        for r, c in ((r, c) for r in range(2, rows - 2, 2) for c in range(2, cols - 2, 2)):
            board[r][c] = rng.choice("# $")
    edge = [(r, c) for r in range(rows) for c in range(cols)
            if (r in (0, rows - 1)) != (c in (0, cols - 1))]
    places = edge if level != "final" else edge + [(r, c) for r in range(rows) for c in range(cols)]
    (r, c), *exits = rng.sample(sorted(set(places)), rng.choice([2, 2, 3]))
    board[r][c] = "o"
    for r, c in exits:
        board[r][c] = "_"
    params = {"board": ["".join(row) for row in board], "max_steps": rng.choice([1, 20, 60, 1000]), "level": level}
    if rng.random() < 0.4:
        params["on_illegal"] = rng.choice(["stay", "void"])
    return params


def snake_move(rng, state, seat, params):
    if params.get("on_illegal") == "void" and rng.random() < 0.9:  # mostly steps that can be made
        (r, c), board = state["head"], params["board"]
        ways = [way for way, a, b in (("N", r - 1, c), ("S", r + 1, c), ("O", r, c - 1), ("E", r, c + 1))
                if 0 <= a < len(board) and 0 <= b < len(board[0]) and state["board"][a][b] != "#"]
        return rng.choice(ways or ["N"])
    length = 1 if rng.random() < 0.7 else rng.randint(2, 12)
    letters = "NSOENSOENSOENSOE" + ("We \u00c8\U0001f40d" if rng.random() < 0.2 else "")
    return "".join(rng.choice(letters) * rng.choice([1, 1, 1, 3]) for _ in range(length))


def e7_setup(rng):
    rows = rng.randint(1, 8)
    cols = rng.randint(6 if rows == 1 else 2, 8)
    kinds = [0] * 6 + [-1] * rng.randint(0, 4) + [rng.randint(1, 4) for _ in range(rng.randint(0, 4))]
    grid = [[rng.choice(kinds) for _ in range(cols)] for _ in range(rows)]
    cells = [[r, c] for r in range(1, rows + 1) for c in range(1, cols + 1)]
    rng.shuffle(cells)
    for r, c in cells[:2]:
        grid[r - 1][c - 1] = 0
    open_cells = [cell for cell in cells if grid[cell[0] - 1][cell[1] - 1] != -1]
    rng.shuffle(open_cells)
    player = open_cells.pop()
    if rng.random() < 0.3:  # all are near one another
        open_cells.sort(key=lambda cell: -abs(cell[0] - player[0]) - abs(cell[1] - player[1]))
    scraps = [{"location": open_cells.pop(), "value": rng.randint(1, 20)} for _ in range(min(len(open_cells), rng.randint(1, 4)))]
    ghosts = []
    for _ in range(min(len(open_cells), rng.randint(0, 4))):
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
    if rng.random() < 0.2:
        return {"pace_us": rng.choice([0, 5000000, 300, 2 ** 63 - 1, 2 ** 64 - 1])}
    if rng.random() < 0.2:
        return {"pace_us": rng.randint(1500, 3000), "min_score_size": 1, "colors": rng.choice(["a", "ab"])}  # long games
    if rng.random() < 0.1:
        return {"rows": 30, "cols": 17, "min_score_size": 3, "colors": "abcdefghijklmnopqrstuvwxyz"}
    return {"rows": rng.randint(1, 9), "cols": rng.randint(1, 9), "min_score_size": rng.randint(1, 4),
            "colors": rng.choice(["a", "p", "pb", "abc", "pbyrg"]), "pace_us": rng.choice([0, 60, 5000000])}


def superball_move(rng, state, seat, params):
    pieces = [(r, c) for r, row in enumerate(state["board"]) for c, cell in enumerate(row) if cell.isalpha()]
    goals = [(r, c) for r, c in pieces if state["board"][r][c].isupper()]
    least = params.get("min_score_size", 5)
    if pieces and rng.random() < 0.006:  # mostly against a rule
        r, c = rng.choice(goals or pieces) if rng.random() < 0.5 else rng.choice(pieces)
        return rng.choice([f"SCORE {r} {c}", f"SCORE {r} {c}", f"SWAP {r} {c} {r} {c}", f"SWAP {r} {c} {r + 1} {c}"])
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
           "superball": (superball_setup, superball_move, 0.003)}
SEATS = {"walls": lambda params: 2, "light_cycles": lambda params: params.get("teams", 4)}


class ModelsTest(unittest.TestCase):
    def play(self, game, seed):
        rng = random.Random(f"{game} {seed}")
        make_setup, make_move, junk = PLAYERS[game]
        params = make_setup(rng)
        model = MODELS[game](params, seed)
        seats = SEATS.get(game, lambda _: 1)(params)
        expected, lines = [{"turn": 0, "state": model.state(), "notes": []}], []
        while not model.over() and len(lines) < 400:
            state = model.state()
            moves = [rng.choice(JUNK) if rng.random() < junk else make_move(rng, state, seat, params) for seat in range(seats)]
            line = {"moves": moves}
            used = [0] * seats
            if rng.random() < 0.5:
                most = 2 ** 63 - 1 if rng.random() < 0.01 else 60
                used = line["used_us"] = [rng.choice([most, rng.randint(0, 60)]) for _ in range(seats)]
            lines.append(json.dumps(line))
            model.apply(moves, used)
            expected.append({"turn": len(lines), "state": model.state(), "notes": model.notes})
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
            if "state" in theirs:
                theirs["notes"] = [[note["seat"], note["code"]] for note in theirs.get("notes", [])]
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
