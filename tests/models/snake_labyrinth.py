"""Snake Labyrinth a second time, from its rules page alone."""


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
        self.drilled, self.illegal, self.path, self.notes = 0, 0, "", []

    def state(self):
        return {"board": ["".join(row) for row in self.board], "head": list(self.head), "body": [list(s) for s in self.body],
                "coins": self.coins, "drill": self.drill, "steps": self.steps, "score": 1000 + 10 * self.coins - self.steps,
                "finished": self.finished}

    def over(self):
        return self.ended

    def fail(self, code):
        if not self.notes:  # of a plan the first is told
            self.notes.append([0, code])
        self.illegal += 1
        if self.void:
            self.ended = True
        else:
            self.steps += 1
            self.ended = self.steps >= self.max_steps

    def apply(self, moves, used):
        move = moves[0]
        self.notes = []
        if not isinstance(move, str) or move == "":
            self.fail("no_move" if move is None or move == "" else "malformed_move")
            move = ""
        for letter in move:
            if self.ended:
                self.notes.append([0, "plan_rest_ignored"])
                break
            self.step(letter)
        if not self.finished and self.steps >= self.max_steps:
            self.notes.append([0, "out_of_steps"])

    def step(self, letter):
        if letter not in self.WAYS:
            return self.fail("malformed_letter")
        dr, dc = self.WAYS[letter]
        r, c = self.head[0] + dr, self.head[1] + dc
        if not (0 <= r < len(self.board) and 0 <= c < len(self.board[0])):
            return self.fail("edge_ahead")
        cell = self.board[r][c]
        if cell == "#":
            if self.drill == 0:
                return self.fail("wall_ahead")
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
