"""Walls a second time, from its rules page alone."""
import copy

from board import STEPS, placing


class Walls:
    def __init__(self, params, seed):
        self.size = params.get("size", 5)
        c = self.size // 2
        self.bricks = {}
        self.players = [{"at": [c, c - 1], "facing": "W", "idle": 0, "stalled": False, "bricks": 0},
                        {"at": [c, c + 1], "facing": "E", "idle": 0, "stalled": False, "bricks": 0}]
        self.mover = params.get("first", 0)
        self.moves, self.notes = 0, []

    def state(self):
        rows = ["".join(self.bricks.get((r, c), ".") for c in range(self.size)) for r in range(self.size)]
        return {"size": self.size, "board": rows, "players": copy.deepcopy(self.players), "to_move": self.mover}

    def over(self):
        return self.mover is None

    def apply(self, moves, used):
        me, it = self.players[self.mover], self.players[1 - self.mover]
        move = moves[self.mover]
        self.moves += 1
        self.notes = []
        laid = False
        if move not in ("F", "L", "R"):
            self.notes.append([self.mover, "missing_move" if move is None else "malformed_move"])
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
            self.notes.append([self.mover, "stalled"])
        if len(self.bricks) == self.size ** 2 or (me["stalled"] and it["stalled"]):
            self.mover = None
        elif not it["stalled"]:
            self.mover = 1 - self.mover

    def outcome(self):
        bricks = [player["bricks"] for player in self.players]
        scores = [1, 1] if bricks[0] == bricks[1] else [2, 0] if bricks[0] > bricks[1] else [0, 2]
        return {"scores": scores, "placing": placing(scores), "detail": {"bricks": bricks, "moves": self.moves}}
