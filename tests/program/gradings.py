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
    def file(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def text(self, *path):
        with open(os.path.join(self.folder, *path)) as file:
            return file.read()

    def grade(self, bot=None, text=None, out="out", more=(), status=None, **options):
        """A grading; its exit status is looked at where one is expected."""
        arguments = ["grade", "--rubric", self.file("rubric.json", text or rubric()), "--out", os.path.join(self.folder, out), *more]
        if bot is not None:
            arguments += ["--bot", bot]
        for path in READS:
            arguments += ["--reads", path] if bot is not None else []
        return referee(*arguments, **options) if status is None else self.exits(status, *arguments, **options)

    def read(self, *path):
        return json.loads(self.text(*path))

    def games(self, out="out"):
        return rows(os.path.join(self.folder, out, "games", "referee.db"), "SELECT count(*) FROM games")[0][0]

    def submission(self, name, **more):
        folder = os.path.join("class", name.replace(" ", "_"))
        self.file(os.path.join(folder, "bot.py"), left_turner()[2])
        text = {"name": name, "students": [name + "@example.org"], "command": [sys.executable, "bot.py"], "late": False, "deadlines": [],
                "build": {"result": "not_needed"}, **more}
        self.file(os.path.join(folder, "submission.json"), text)

    def script(self, name, first_line):
        path = self.file(f"class/{name}/bot.py", first_line + "\n")
        os.chmod(path, 0o755)
