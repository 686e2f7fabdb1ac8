"""The shipped configs: `referee run` checks each one and plays it for real, and each is valid by the schema. And the shipped rubrics, as
`referee rubric` shows them."""
import glob
import json
import os
import re
import subprocess
import unittest

try:
    import jsonschema
except ImportError:  # Debian has it as python3-jsonschema
    jsonschema = None

from harness import SOURCE, ProgramTest, fits, read_json, referee

CONFIGS = os.path.join(SOURCE, "configs")
GAMES = {game.replace("_", "-"): game
         for game in read_json(os.path.join(CONFIGS, "schema.json"))["$defs"]["tournament"]["properties"]["game"]["enum"]}
SOLO = {name for name in GAMES if os.path.exists(os.path.join(CONFIGS, name + "-leaderboard.json"))}
PLAYED_ELSEWHERE = {"demo", "class-week", "cluster"}
RUBRICS = sorted(glob.glob(os.path.join(CONFIGS, "rubrics", "*.json")))
SMALL = {"title": "Walls", "game": "walls", "bots": [{"name": "greedy", "launch": ["walls-greedy"]}],
         "series": [{"id": "s", "opponents": ["greedy"], "match": {"games": 3}, "hidden": True}],
         "steps": [{"id": "x", "title": "wins", "points": 5, "series": ["s"], "rule": {"kind": "wins", "at_least": 2}}]}


def configs():
    names = (os.path.basename(path)[:-len(".json")] for path in glob.glob(os.path.join(CONFIGS, "*.json")))
    return sorted(name for name in names if not name.endswith("schema"))


def read_config(name):
    return read_json(os.path.join(CONFIGS, name + ".json"))


class ConfigsTest(ProgramTest):
    def test_each_game_has_its_formats(self):
        for name, game in GAMES.items():
            for kind in ("leaderboard",) if name in SOLO else ("swiss", "round-robin"):
                with self.subTest(game=game, kind=kind):
                    tournament = read_config(f"{name}-{kind}")["tournaments"][0]
                    self.assertEqual(tournament["game"], game)
                    self.assertEqual(tournament.get("format", {}).get("kind", "round_robin"), kind.replace("-", "_"))

    def test_each_is_good_and_as_the_schema_says(self):
        for name in configs():
            with self.subTest(config=name):
                fits(read_config(name), "schema.json")
                self.exits(0, "check", os.path.join(CONFIGS, name + ".json"))

    def test_the_schema_has_the_members_that_are_read_and_the_reference_is_made_of_it(self):
        """`check` lists the members that it knows where it meets one that it doesn't."""
        odd = {"?": 1}
        config = {name: odd for name in ("connections", "registration", "control", "submissions", "sandbox")}
        tournament = {**odd, "id": "t", "game": "walls", **{name: odd for name in ("match", "clock", "faults", "field")}}
        config |= {**odd, "listen": {**odd, "web": odd, "tls": odd}, "bots": [{**odd, "name": "ada"}], "tournaments": [
            {**tournament, "format": odd}, {**tournament, "format": {"kind": "stages", "stages": [{**odd, "kind": "swiss"}]}}]}
        told = self.exits(2, "check", self.write("odd.json", config)).stderr
        schema = read_json(os.path.join(CONFIGS, "schema.json"))
        read, members = {}, {}  # by where the schema has the object
        for path, names in re.findall(r"(\S*)\?: no such member here; expected (.*)", told):
            node, where = schema, ""
            for step in re.findall(r"[a-z_]+", path):
                node, where = node["properties"][step], f"{where} {step}"
                node = node.get("items", node)
                if node.get("$ref"):
                    where = node["$ref"][len("#/$defs/"):]
                    node = schema["$defs"][where]
            members[where] = sorted(node["properties"])
            read.setdefault(where, set()).update(re.findall(r'"([^"]+)"', names))
        self.assertEqual({where: sorted(names) for where, names in read.items()}, members)
        self.assertGreater(sum(map(len, members.values())), 150)
        made = subprocess.run([os.path.join(SOURCE, "scripts", "reference"), "--check"], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)

    def test_each_is_played(self):
        for name in configs():
            if name in PLAYED_ELSEWHERE:
                continue
            with self.subTest(config=name):
                out = self.path(name)
                self.exits(0, "run", os.path.join(CONFIGS, name + ".json"), "--out", out, "--quiet")
                self.check_files(read_config(name)["tournaments"][0], out)

    def check_files(self, tournament, out):
        """That points are those of the matches is seen by the simulator."""
        standings = json.loads(self.read(out, "standings.json"))
        self.assertTrue(fits(standings, "schemas/certainty.json")["finished"])
        self.assertNotIn("ended_early", standings)
        # Each game of each match has a replay with the same result, and nobody forfeits.
        told = {game["game"] for bot in standings["bots"] for match in bot["matches"] for game in match["games"]}
        replays = {game.replace("/", "_") + ".ndjson" for game in told}
        self.assertEqual(replays, set(os.listdir(os.path.join(out, "games"))))
        files = [os.path.join(out, "games", name) for name in sorted(replays)]
        checked = referee("trace", "--replay", *files)
        self.assertEqual(checked.stdout.count("all agrees"), len(files), checked.stdout)
        self.assertEqual({self.result_in(path)["status"] for path in files}, {"played"})
        # For matches of two there is a report file; from it the pairings of a Swiss are derived again.
        report = os.path.join(out, "report.trf")
        pairs = all(len(match["opponents"]) == 1 for bot in standings["bots"] for match in bot["matches"])
        self.assertEqual(os.path.exists(report), pairs)
        if pairs:
            table = self.exits(0, "trf", "standings", report).stdout.splitlines()[1:]
            self.assertEqual(sorted(float(line.split("\t")[2]) for line in table), sorted(bot["points"] for bot in standings["bots"]))
            if tournament.get("format", {}).get("kind") == "swiss":
                self.exits(0, "trf", "pair", "--check", report)


class RubricTest(ProgramTest):
    def test_each_is_shown_to_both(self):
        self.assertGreaterEqual(len(RUBRICS), 10)
        for path in RUBRICS:
            with self.subTest(rubric=path):
                page, whole = self.exits(0, "rubric", path).stdout, self.exits(0, "rubric", path, "--instructor").stdout
                self.assertTrue(page.startswith("# "))
                self.assertNotIn("matchs", page)
                self.assertGreater(page.count("\n## "), 0)
                self.assertEqual(page.count("\n## "), whole.count("\n## "))

    def test_mistakes_are_told_with_their_lines(self):
        text = json.dumps({**SMALL, "pass": 6}, indent=1).replace('"points": 5', '"points": 0')
        line = text[:text.index('"points": 0')].count("\n") + 1
        self.refuses(([self.write("bad.json", text)], f"bad.json:{line}: steps[0].points: expected a number from 0.01"),
                     ([self.path("none.json")], "expected a rubric such as"), before=["rubric"])

    def test_what_a_grading_would_refuse_is_found_here(self):
        series = SMALL["series"][0]
        for change, told in (({"series": [{**series, "params": {"size": 4}}]}, "series[0].params"),
                             ({"series": [{**series, "maps": "nowhere"}]}, "series[0].maps"),
                             ({"limits": {"memory_mb": -1}}, "limits.memory_mb")):
            path = self.write("r.json", {**SMALL, **change})
            self.refuses((["rubric", path], told), (["grade", "--rubric", path, "--bot", "walls-greedy", "--out", self.path("out")], told))

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not there")
    def test_each_is_as_the_schema_says(self):
        schema = json.loads(self.read(os.path.join(CONFIGS, "rubric-schema.json")).replace("schema.json#/", "#/"))
        # As though in one file.
        schema["$defs"] = {**read_json(os.path.join(CONFIGS, "schema.json"))["$defs"], **schema["$defs"]}
        validator = jsonschema.Draft202012Validator(schema)
        for rubric in [SMALL, *map(read_json, RUBRICS)]:
            self.assertEqual([error.message for error in validator.iter_errors(rubric)], [], rubric["title"])
        wrong = [{**SMALL, "pas": 5}, {**SMALL, "game": "chess"}, {**SMALL, "steps": [{**SMALL["steps"][0], "rule": {"kind": "wins"}}]},
                 {**SMALL, "series": [{**SMALL["series"][0], "match": {"game": 3}}]}]
        for rubric in wrong:
            self.assertFalse(validator.is_valid(rubric), rubric)
