"""Superball a second time, from its rules page alone."""
from board import STEPS


class Superball:
    def __init__(self, params, seed):
        self.rows, self.cols = params.get("rows", 8), params.get("cols", 10)
        self.least, self.colors = params.get("min_score_size", 5), params.get("colors", "pbyrg")
        self.pace = params.get("pace_us", 5000000)
        self.x = (seed << 16) + 0x330E
        self.board = [None] * (self.rows * self.cols)
        self.score = self.moves = self.used = 0
        self.ended_by, self.notes = None, []
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

    def end(self, why, code):
        self.ended_by = why
        self.notes = [[0, code]]
        if why != "pace":
            self.score = 0

    def apply(self, moves, used):
        self.used = min(self.used + used[0], 2 ** 64 - 1)
        if self.pace and self.used > self.pace * (1 + self.score // 1000):
            return self.end("pace", "pace")
        move = moves[0]
        if move is None or (isinstance(move, str) and not move.split()):
            return self.end("missing", "missing_move")
        words = move.split() if isinstance(move, str) else []
        try:
            numbers = [int(word) for word in words[1:]]
        except ValueError:
            numbers = []
        ok = lambda r, c: 0 <= r < self.rows and 0 <= c < self.cols and self.board[r * self.cols + c] is not None
        if words and words[0] == "SWAP" and len(numbers) == 4:
            a, b, c, d = numbers
            if not (ok(a, b) and ok(c, d)) or (a, b) == (c, d):
                return self.end("illegal", "illegal_move")
            one, two = a * self.cols + b, c * self.cols + d
            self.board[one], self.board[two] = self.board[two], self.board[one]
            self.moves += 1
            self.place(5)
        elif words and words[0] == "SCORE" and len(numbers) == 2:
            r, c = numbers
            if not ok(r, c) or not self.goal(r, c):
                return self.end("illegal", "illegal_move")
            cells = self.group(r * self.cols + c)
            if len(cells) < self.least:
                return self.end("illegal", "illegal_move")
            self.score += len(cells) * (2 + self.board[r * self.cols + c])
            for cell in cells:
                self.board[cell] = None
            self.moves += 1
            self.place(3)
        else:
            self.end("illegal", "malformed_move")

    def outcome(self):
        return {"scores": [self.score], "placing": [1],
                "detail": {"score": self.score, "moves": self.moves, "ended_by": self.ended_by}}
