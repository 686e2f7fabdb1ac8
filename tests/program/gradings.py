"""What the tests of `referee grade` share: a small rubric, submissions, what was written."""
import json
import os
import sys

from harness import READS, ProgramTest, left_turner, referee, rows

# Who moves first on the board of size 3 wins if it plays well.
SIZE_3 = {"size": 3}


def rubric(**more):
    return {"title": "Walls", "game": "walls", "pass": 15,
            "bots": [{"name": "random", "launch": ["walls-random"]}, {"name": "greedy", "launch": ["walls-greedy"]}],
            "series": [{"id": "random", "opponents": ["random"], "params": SIZE_3, "match": {"games": 4}},
                       {"id": "greedy", "opponents": ["greedy"], "params": SIZE_3, "match": {"games": 2}}],
            "steps": [{"id": "legal", "title": "Plays without a fault", "points": 10, "series": ["random", "greedy"],
                       "rule": {"kind": "faultless"}},
                      {"id": "beats", "title": "Beats random", "points": 5, "series": ["random"], "rule": {"kind": "wins", "at_least": 3}},
                      {"id": "level", "title": "Wins against greedy", "points": 5, "series": ["greedy"], "rule": {"kind": "each_win"}}],
            **more}


class GradingTest(ProgramTest):
    def grade(self, bot=None, text=None, out="out", more=(), status=None, **options):
        """A grading; its exit status is looked at where one is expected."""
        arguments = ["grade", "--rubric", self.write("rubric.json", text or rubric()), "--out", self.path(out), *more]
        if bot is not None:
            arguments += ["--bot", bot]
        for path in READS:
            arguments += ["--reads", path] if bot is not None else []
        return referee(*arguments, **options) if status is None else self.exits(status, *arguments, **options)

    def json(self, *path):
        return json.loads(self.read(*path))

    def games(self, out="out"):
        return rows(self.path(out, "games", "referee.db"), "SELECT count(*) FROM games")[0][0]

    def submission(self, name, **more):
        folder = os.path.join("class", name.replace(" ", "_"))
        self.write(os.path.join(folder, "bot.py"), left_turner()[2])
        text = {"name": name, "students": [name + "@example.org"], "command": [sys.executable, "bot.py"], "late": False, "deadlines": [],
                "build": {"result": "not_needed"}, **more}
        self.write(os.path.join(folder, "submission.json"), text)

    def script(self, name, first_line):
        path = self.write(f"class/{name}/bot.py", first_line + "\n")
        os.chmod(path, 0o755)
