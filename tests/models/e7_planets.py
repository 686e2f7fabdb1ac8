"""E7 Planets a second time, from its rules page alone."""
import copy


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
        self.ended, self.notes = False, []

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
        self.notes = []
        if moves[0] == ".":
            pass
        elif moves[0] not in ("U", "D", "L", "R"):
            self.notes.append([0, "missing_move" if moves[0] is None else "malformed_move"])
        elif self.wait[0] >= 0:
            self.notes.append([0, "waiting"])
        else:
            dr, dc = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[moves[0]]
            cell = [(old[0] - 1 + dr) % self.rows + 1, (old[1] - 1 + dc) % self.cols + 1]
            if self.map["grid"][cell[0] - 1][cell[1] - 1] != -1:
                new = cell
            else:
                self.notes.append([0, "bumped"])
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
        ends = [("caught", self.same or self.switch), ("won", player["score"] == self.total),
                ("out_of_turns", self.map["remaining_turns"] == 0)]
        codes = [code for code, true in ends if true]
        self.ended = bool(codes)
        self.notes += [[0, code] for code in codes[:1]]

    def outcome(self):
        score = self.map["player"]["score"]
        caught = bool(self.same or self.switch)
        return {"scores": [score], "placing": [1],
                "detail": {"win": not caught and score == self.total, "max_turns": self.max_turns, "n_turns": self.turns,
                           "score": score, "scraps_total_value": self.total, "scraps_picked_up": self.picked,
                           "scraps_left": self.map["scraps"], "caught": caught,
                           "ghosts_catch_samespot": self.same, "ghosts_catch_switch": self.switch}}
