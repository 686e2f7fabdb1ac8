"""The clock in the built program, with real processes.

What needs the machine for itself is in clock_calm_test.py.
"""
import json

from harness import ProgramTest, alive_with, left_turner, thinks


class ClockedTest(ProgramTest):
    def run_walls(self, bots, *arguments, **tournament):
        config = self.write("c.json", self.walls(bots, match={"games": 1}, **tournament))
        self.said = self.exits(0, "run", config, "--out", self.path("out"), "--quiet", *arguments).stderr
        self.assertEqual(alive_with(self.marker), [], "nothing of a released bot is left")
        return self.result_in("out/games/t_1.1.ndjson")

    def turns(self, game="t_1.1.ndjson"):
        return [json.loads(line) for line in self.read("out/games/" + game).splitlines()[1:-1] if line.startswith('{"moves"')]


class ClockTest(ClockedTest):
    def test_a_pipe_is_told_from_a_socket_and_a_late_turn_is_explained(self):
        late = left_turner(turn=thinks("1 if m['turn'] == 1 else 0"))
        result = self.run_walls([self.launched("late", *late), self.launched("good", *left_turner(), stdout="pipe")], clock={"budget": "500ms"})
        self.assertEqual(sorted(result["means"]), ["kernel receive stamp", "read by the referee"])
        for arguments in ((self.path("out/games/t_1.1.ndjson"),), ("t/1.1", "--out", self.path("out"))):
            self.tells(self.exits(0, "explain", *arguments).stdout,
                       "Turn 1, late: late", "nothing came by then: it slept or waited for input", "rule clock.turn_budget:")
        self.refuses((["nothing"], "nothing can't be read"), (["t/9.9", "--out", self.path("out")], "has no game t/9.9"), before=["explain"])
