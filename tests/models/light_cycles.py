"""Light Cycles a second time, from its rules page alone."""
from board import is_int, placing


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
        self.turn, self.notes = 0, []
        self.out = [None] * self.teams

    def state(self):
        return {"turn": self.turn, "cycles": [list(cycle) for cycle in self.cycles], "used_us": list(self.used)}

    def living(self, team):
        return any(self.cycles[i] != [-1, -1] for i in range(team * self.per_team, (team + 1) * self.per_team))

    def over(self):
        return sum(self.living(team) for team in range(self.teams)) <= 1

    def inside(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height

    def judge(self, move, i, occupied):
        """Why the move terminates the cycle; None where it doesn't."""
        if not isinstance(move, list):
            return "missing_move" if move is None else "malformed_move"
        if len(move) <= i % self.per_team:
            return "missing_cell"
        entry, cycle = move[i % self.per_team], self.cycles[i]
        if not isinstance(entry, list) or len(entry) != 2 or not all(is_int(x) for x in entry):
            return "malformed_cell"
        if not self.inside(*entry):
            return "outside"
        if abs(entry[0] - cycle[0]) + abs(entry[1] - cycle[1]) != 1:
            return "not_a_step"
        return "occupied" if tuple(entry) in occupied else None

    def apply(self, moves, used):
        self.turn += 1
        self.used = [min(a + b, 2 ** 63 - 1) for a, b in zip(self.used, used)]
        occupied = set().union(*(trail for i, trail in enumerate(self.trails) if self.cycles[i] != [-1, -1]))
        dead, chosen = {}, {}  # the dead ones' codes, the others' cells
        for i, cycle in enumerate(self.cycles):
            if cycle == [-1, -1]:
                continue
            team = i // self.per_team
            if self.turn > self.grace and self.used[team] > self.mean * self.turn:
                dead[i] = "over_mean"
                continue
            code = self.judge(moves[team], i, occupied)
            if code is None:
                chosen[i] = tuple(moves[team][i % self.per_team])
                continue
            x, y = cycle
            ways = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            is_shut_in = not any(self.inside(*cell) and cell not in occupied for cell in ways)
            dead[i] = "shut_in" if is_shut_in and isinstance(moves[team], list) else code
        for cell in set(chosen.values()):
            rivals = [i for i in chosen if chosen[i] == cell and i not in dead]
            if len(rivals) < 2:
                continue
            times = [self.used[i // self.per_team] for i in rivals]
            least = min(times)
            for i, time in zip(rivals, times):
                if time > least or times.count(least) > 1:
                    dead[i] = "contest_lost" if time > least else "contest_tied"
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
        self.notes = []
        for team in range(self.teams):
            codes = [dead[i] for i in range(team * self.per_team, (team + 1) * self.per_team) if i in dead]
            if codes[:1] in (["over_mean"], ["missing_move"], ["malformed_move"]):
                codes = codes[:1]  # of the whole team
            if before[team] and not self.living(team):
                codes.append("team_out")
            self.notes += [[team, code] for code in codes]

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
