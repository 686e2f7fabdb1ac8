"""Each game a second time, from its rules page alone and in another language: plain, slow, and
without a line in common with the engines. models_test.py plays random games through
`referee trace` and compares every state and every outcome."""
import copy

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def placing(keys):
    """1, 2, 2, 4 for keys of which greater is better."""
    return [1 + sum(other > key for other in keys) for key in keys]


class Walls:
    def __init__(self, params, seed):
        self.size = params.get("size", 5)
        c = self.size // 2
        self.bricks = {}
        self.players = [{"at": [c, c - 1], "facing": "W", "idle": 0, "stalled": False, "bricks": 0},
                        {"at": [c, c + 1], "facing": "E", "idle": 0, "stalled": False, "bricks": 0}]
        self.mover = params.get("first", 0)
        self.moves = 0

    def state(self):
        rows = ["".join(self.bricks.get((r, c), ".") for c in range(self.size)) for r in range(self.size)]
        return {"size": self.size, "board": rows, "players": copy.deepcopy(self.players), "to_move": self.mover}

    def over(self):
        return self.mover is None

    def apply(self, moves, used):
        me, it = self.players[self.mover], self.players[1 - self.mover]
        move = moves[self.mover]
        self.moves += 1
        laid = False
        if move in ("L", "R") and isinstance(move, str):
            me["facing"] = "NESW"[("NESW".index(me["facing"]) + (1 if move == "R" else 3)) % 4]
        elif move == "F":
            dr, dc = STEPS[me["facing"]]
            r, c = me["at"][0] + dr, me["at"][1] + dc
            letter, other = "AB"[self.mover], "BA"[self.mover]
            if 0 <= r < self.size and 0 <= c < self.size and self.bricks.get((r, c)) != other and [r, c] != it["at"]:
                if tuple(me["at"]) not in self.bricks:
                    self.bricks[tuple(me["at"])] = letter
                    me["bricks"] += 1
                    laid = True
                me["at"] = [r, c]
        me["idle"] = 0 if laid else me["idle"] + 1
        if me["idle"] >= 9:
            me["stalled"] = True
        if len(self.bricks) == self.size ** 2 or (me["stalled"] and it["stalled"]):
            self.mover = None
        elif not it["stalled"]:
            self.mover = 1 - self.mover

    def outcome(self):
        bricks = [player["bricks"] for player in self.players]
        scores = [1, 1] if bricks[0] == bricks[1] else [2, 0] if bricks[0] > bricks[1] else [0, 2]
        return {"scores": scores, "placing": placing(scores), "detail": {"bricks": bricks, "moves": self.moves}}


class LightCycles:
    def __init__(self, params, seed):
        self.width, self.height = params.get("width", 170), params.get("height", 170)
        self.teams, self.per_team = params.get("teams", 4), params.get("cycles_per_team", 3)
        self.mean, self.grace = params.get("mean_budget_us", 50000), params.get("grace_turns", 0)
        starts = params.get("starts") or [[169, 45], [169, 85], [169, 125], [45, 169], [85, 169], [125, 169],
                                          [0, 45], [0, 85], [0, 125], [45, 0], [85, 0], [125, 0]]
        self.cycles = [list(start) for start in starts]
        self.trails = [{tuple(start)} for start in starts]
        self.used = [0] * self.teams
        self.turn = 0
        self.out = [None] * self.teams

    def state(self):
        return {"turn": self.turn, "cycles": [list(cycle) for cycle in self.cycles], "used_us": list(self.used)}

    def living(self, team):
        return any(self.cycles[i] != [-1, -1] for i in range(team * self.per_team, (team + 1) * self.per_team))

    def over(self):
        return sum(self.living(team) for team in range(self.teams)) <= 1

    def apply(self, moves, used):
        self.turn += 1
        self.used = [a + b for a, b in zip(self.used, used)]
        occupied = set().union(*(trail for i, trail in enumerate(self.trails) if self.cycles[i] != [-1, -1]))
        dead, chosen = set(), {}
        for i, cycle in enumerate(self.cycles):
            if cycle == [-1, -1]:
                continue
            team = i // self.per_team
            if self.turn > self.grace and self.used[team] > self.mean * self.turn:
                dead.add(i)
                continue
            move = moves[team]
            entry = move[i % self.per_team] if isinstance(move, list) and len(move) > i % self.per_team else None
            good = isinstance(entry, list) and len(entry) == 2 and all(is_int(x) for x in entry)
            if not good or not (0 <= entry[0] < self.width and 0 <= entry[1] < self.height) \
                    or abs(entry[0] - cycle[0]) + abs(entry[1] - cycle[1]) != 1 or tuple(entry) in occupied:
                dead.add(i)
            else:
                chosen[i] = tuple(entry)
        for cell in set(chosen.values()):
            rivals = [i for i in chosen if chosen[i] == cell and i not in dead]
            if len(rivals) < 2:
                continue
            times = [self.used[i // self.per_team] for i in rivals]
            least = min(times)
            for i, time in zip(rivals, times):
                if time > least or times.count(least) > 1:
                    dead.add(i)
        before = [self.living(team) for team in range(self.teams)]
        for i in dead:
            self.cycles[i], self.trails[i] = [-1, -1], set()
        for i, cell in chosen.items():
            if i not in dead:
                self.cycles[i] = list(cell)
                self.trails[i].add(cell)
        for team in range(self.teams):
            if before[team] and not self.living(team):
                self.out[team] = self.turn

    def outcome(self):
        lasted = [turn if turn is not None else float("inf") for turn in self.out]
        scores = [sum(a > b for b in lasted) + (lasted.count(a) - 1) / 2 for a in lasted]
        winner = self.out.index(None) if None in self.out else None
        survivors = 0
        if winner is not None:
            cycles = self.cycles[winner * self.per_team:(winner + 1) * self.per_team]
            survivors = sum(cycle != [-1, -1] for cycle in cycles)
        return {"scores": scores, "placing": placing(lasted),
                "detail": {"winner": winner, "eliminated_turn": self.out, "turns": self.turn, "survivors": survivors}}


class Snake:
    WAYS = {"N": (-1, 0), "S": (1, 0), "O": (0, -1), "E": (0, 1)}

    def __init__(self, params, seed):
        self.board = [list(row) for row in params["board"]]
        self.with_body = params.get("level", "final") in ("challenge3", "final")
        self.max_steps = params.get("max_steps", 1000)
        self.void = params.get("on_illegal", "stay") == "void"
        self.head = next((r, c) for r, row in enumerate(self.board) for c, cell in enumerate(row) if cell == "o")
        self.board[self.head[0]][self.head[1]] = " "
        self.body, self.coins, self.drill, self.steps = [], 0, 0, 0
        self.finished = self.ended = False
        self.drilled, self.illegal, self.path = 0, 0, ""

    def state(self):
        return {"board": ["".join(row) for row in self.board], "head": list(self.head), "body": [list(s) for s in self.body],
                "coins": self.coins, "drill": self.drill, "steps": self.steps, "score": 1000 + 10 * self.coins - self.steps,
                "finished": self.finished}

    def over(self):
        return self.ended

    def fail(self):
        self.illegal += 1
        if self.void:
            self.ended = True
        else:
            self.steps += 1
            self.ended = self.steps >= self.max_steps

    def apply(self, moves, used):
        move = moves[0]
        if not isinstance(move, str) or move == "":
            self.fail()
            return
        for letter in move:
            if self.ended:
                return
            self.step(letter)

    def step(self, letter):
        if letter not in self.WAYS:
            return self.fail()
        dr, dc = self.WAYS[letter]
        r, c = self.head[0] + dr, self.head[1] + dc
        if not (0 <= r < len(self.board) and 0 <= c < len(self.board[0])):
            return self.fail()
        cell = self.board[r][c]
        if cell == "#":
            if self.drill == 0:
                return self.fail()
            self.drill -= 1
            self.drilled += 1
            self.board[r][c] = " "
        self.path += letter
        self.steps += 1
        old = [self.head] + self.body
        self.head = (r, c)
        if self.with_body:
            self.body = old[:len(self.body)]
        if cell == "$":
            self.coins += 1
            if self.with_body:
                self.body = old
        elif cell == "!":
            self.coins //= 2
            self.body = self.body[:self.coins] if self.with_body else []
        elif cell == "T":
            self.drill += 3
        if cell in "$!T":
            self.board[r][c] = " "
        if self.with_body and self.head in self.body:
            self.body = self.body[:self.body.index(self.head)]
            self.coins = len(self.body)
        if cell == "_":
            self.finished = self.ended = True
        elif self.steps >= self.max_steps:
            self.ended = True

    def outcome(self):
        score = 1000 + 10 * self.coins - self.steps if self.finished else 0
        return {"scores": [score], "placing": [1],
                "detail": {"finished": self.finished, "coins": self.coins, "steps": self.steps, "drilled": self.drilled,
                           "illegal_moves": self.illegal, "path": self.path}}


class E7:
    def __init__(self, params, seed):
        self.map = copy.deepcopy(params["map"])
        grid = self.map["grid"]
        self.rows, self.cols = len(grid), len(grid[0])
        value = lambda cell: max(grid[cell[0] - 1][cell[1] - 1], 0)
        self.wait = [value(self.map["player"]["location"][-1])] + [value(g["location"][-1]) for g in self.map["ghosts"]]
        self.total = sum(scrap["value"] for scrap in self.map["scraps"])
        self.max_turns, self.turns = self.map["remaining_turns"], 0
        self.same, self.switch, self.picked = [], [], []
        self.ended = False

    def state(self):
        return copy.deepcopy(self.map)

    def over(self):
        return self.ended

    def inside(self, cell):
        return 1 <= cell[0] <= self.rows and 1 <= cell[1] <= self.cols

    def free(self, cell, transparency):
        return self.inside(cell) and (transparency == 2 or self.map["grid"][cell[0] - 1][cell[1] - 1] != -1)

    def toward(self, ghost, player):
        (r, c), t = ghost["location"][-1], ghost["transparency"]
        dr, dc = player[0] - r, player[1] - c
        sign = lambda x: (x > 0) - (x < 0)
        vertical, horizontal = [r + sign(dr), c], [r, c + sign(dc)]
        if dr == 0 and dc == 0:
            return [r, c]
        if dr == 0 or dc == 0:
            go = vertical if dc == 0 else horizontal
        else:
            v, h = self.free(vertical, t), self.free(horizontal, t)
            if v != h:
                go = vertical if v else horizontal
            elif abs(dr) != abs(dc):
                go = vertical if abs(dr) > abs(dc) else horizontal
            else:
                go = vertical if self.rows > self.cols else horizontal
        return go if self.free(go, t) else [r, c]

    def back_and_forth(self, ghost):
        history, t = ghost["location"], ghost["transparency"]
        r, c = history[-1]
        other = next(cell for cell in reversed(history) if cell != [r, c])
        dr, dc = r - other[0], c - other[1]
        sign = lambda x: (x > 0) - (x < 0)
        dr, dc = sign(dr), sign(dc)
        ahead, behind = [r + dr, c + dc], [r - dr, c - dc]
        if self.free(ahead, t):
            return ahead
        return behind if self.free(behind, t) else [r, c]

    def apply(self, moves, used):
        player = self.map["player"]
        old = player["location"][-1]
        self.turns += 1
        new = list(old)
        self.wait = [w - 1 for w in self.wait]
        if moves[0] in ("U", "D", "L", "R") and isinstance(moves[0], str) and self.wait[0] < 0:
            dr, dc = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[moves[0]]
            cell = [(old[0] - 1 + dr) % self.rows + 1, (old[1] - 1 + dc) % self.cols + 1]
            if self.map["grid"][cell[0] - 1][cell[1] - 1] != -1:
                new = cell
        goes = []
        for i, ghost in enumerate(self.map["ghosts"]):
            here = ghost["location"][-1]
            go = self.toward(ghost, old) if ghost["type"] == "towardplayer" else self.back_and_forth(ghost)
            if ghost["transparency"] == 0 and self.wait[i + 1] >= 0:
                go = list(here)
            goes.append(go)
        for i, (ghost, go) in enumerate(zip(self.map["ghosts"], goes)):
            here = ghost["location"][-1]
            if go == new:
                self.same.append(i + 1)
            elif go == old and here == new:
                self.switch.append(i + 1)
                go = list(here)
            ghost["location"].append(list(go))
            if go != here:
                self.wait[i + 1] = max(self.map["grid"][go[0] - 1][go[1] - 1], 0)
        player["location"].append(new)
        if new != old:
            self.wait[0] = self.map["grid"][new[0] - 1][new[1] - 1]
        for scrap in self.map["scraps"]:
            if scrap["location"] == new:
                self.map["scraps"].remove(scrap)
                self.picked.append(scrap)
                player["score"] += scrap["value"]
                break
        self.map["remaining_turns"] -= 1
        self.ended = bool(self.same or self.switch) or player["score"] == self.total or self.map["remaining_turns"] == 0

    def outcome(self):
        score = self.map["player"]["score"]
        caught = bool(self.same or self.switch)
        return {"scores": [score], "placing": [1],
                "detail": {"win": not caught and score == self.total, "max_turns": self.max_turns, "n_turns": self.turns,
                           "score": score, "scraps_total_value": self.total, "scraps_picked_up": self.picked,
                           "scraps_left": self.map["scraps"], "caught": caught,
                           "ghosts_catch_samespot": self.same, "ghosts_catch_switch": self.switch}}


class Superball:
    def __init__(self, params, seed):
        self.rows, self.cols = params.get("rows", 8), params.get("cols", 10)
        self.least, self.colors = params.get("min_score_size", 5), params.get("colors", "pbyrg")
        self.pace = params.get("pace_us", 5000000)
        self.x = (seed << 16) + 0x330E
        self.board = [None] * (self.rows * self.cols)
        self.score = self.moves = self.used = 0
        self.ended_by = None
        self.place(5)

    def goal(self, r, c):
        if self.cols == 1:
            return self.rows >= 5 and 1 <= r <= self.rows - 2
        return 2 <= r <= self.rows - 3 and c in (0, 1, self.cols - 2, self.cols - 1)

    def draw(self):
        self.x = (0x5DEECE66D * self.x + 0xB) % 2 ** 48
        return self.x >> 17

    def place(self, count):
        for _ in range(count):
            if None not in self.board:
                self.ended_by = "full"
                return
            while True:
                cell = self.draw() % (self.rows * self.cols)
                if self.board[cell] is None:
                    break
            self.board[cell] = self.draw() % len(self.colors)

    def state(self):
        rows = []
        for r in range(self.rows):
            row = ""
            for c in range(self.cols):
                piece = self.board[r * self.cols + c]
                letter = "." if piece is None else self.colors[piece]
                if self.goal(r, c):
                    letter = "*" if piece is None else letter.upper()
                row += letter
            rows.append(row)
        return {"board": rows, "empty": self.board.count(None), "score": self.score, "over": self.ended_by is not None}

    def over(self):
        return self.ended_by is not None

    def group(self, cell):
        found, todo = {cell}, [cell]
        while todo:
            at = todo.pop()
            r, c = divmod(at, self.cols)
            for dr, dc in STEPS.values():
                rr, cc = r + dr, c + dc
                other = rr * self.cols + cc
                if 0 <= rr < self.rows and 0 <= cc < self.cols and other not in found and self.board[other] == self.board[cell]:
                    found.add(other)
                    todo.append(other)
        return found

    def end(self, why):
        self.ended_by = why
        if why != "pace":
            self.score = 0

    def apply(self, moves, used):
        self.used += used[0]
        if self.pace and self.used > self.pace * (1 + self.score // 1000):
            return self.end("pace")
        move = moves[0]
        if move is None or (isinstance(move, str) and not move.split()):
            return self.end("missing")
        words = move.split() if isinstance(move, str) else []
        try:
            numbers = [int(word) for word in words[1:]]
        except ValueError:
            return self.end("illegal")
        ok = lambda r, c: 0 <= r < self.rows and 0 <= c < self.cols and self.board[r * self.cols + c] is not None
        if words and words[0] == "SWAP" and len(numbers) == 4:
            a, b, c, d = numbers
            if not (ok(a, b) and ok(c, d)) or (a, b) == (c, d):
                return self.end("illegal")
            one, two = a * self.cols + b, c * self.cols + d
            self.board[one], self.board[two] = self.board[two], self.board[one]
            self.moves += 1
            self.place(5)
        elif words and words[0] == "SCORE" and len(numbers) == 2:
            r, c = numbers
            if not ok(r, c) or not self.goal(r, c):
                return self.end("illegal")
            cells = self.group(r * self.cols + c)
            if len(cells) < self.least:
                return self.end("illegal")
            self.score += len(cells) * (2 + self.board[r * self.cols + c])
            for cell in cells:
                self.board[cell] = None
            self.moves += 1
            self.place(3)
        else:
            self.end("illegal")

    def outcome(self):
        return {"scores": [self.score], "placing": [1],
                "detail": {"score": self.score, "moves": self.moves, "ended_by": self.ended_by}}


MODELS = {"walls": Walls, "light_cycles": LightCycles, "snake_labyrinth": Snake, "e7_planets": E7, "superball": Superball}
