"""The shipped configs: `referee run` checks each one and plays it for real, and each is valid by the schema."""
import glob
import json
import os
import re
import subprocess

from harness import SOURCE, ProgramTest, fits, read_json, referee

CONFIGS = os.path.join(SOURCE, "configs")
GAMES = {game.replace("_", "-"): game
         for game in read_json(os.path.join(CONFIGS, "schema.json"))["$defs"]["tournament"]["properties"]["game"]["enum"]}
SOLO = {name for name in GAMES if os.path.exists(os.path.join(CONFIGS, name + "-leaderboard.json"))}
PLAYED_ELSEWHERE = {"demo", "class-week", "cluster"}


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
        standings = json.loads(self.read(os.path.join(out, "standings.json")))
        self.assertTrue(fits(standings, "schemas/certainty.json")["finished"])
        self.assertNotIn("ended_early", standings)
        # Each game of each match has a replay with the same result, and nobody forfeits.
        told = {game["game"] for bot in standings["bots"] for match in bot["matches"] for game in match["games"]}
        replays = {game.replace("/", "_") + ".ndjson" for game in told}
        self.assertEqual(replays, set(os.listdir(os.path.join(out, "games"))))
        files = [os.path.join(out, "games", name) for name in sorted(replays)]
        checked = referee("trace", "--replay", *files)
        self.assertEqual(checked.stdout.count("all agrees"), len(files), checked.stdout)
        for path in files:
            result = json.loads(self.read(path).splitlines()[-1])["result"]
            self.assertEqual(result["status"], "played", path)
        # The points of the standings are those of the matches and byes.
        points = {bot["name"]: 0 for bot in standings["bots"]}
        for each in json.loads(self.read(os.path.join(out, "pairings.json")))["rounds"]:
            self.assertTrue(all(match["over"] for match in each["matches"]))
            for one in [seat for match in each["matches"] for seat in match["seats"]] + each["byes"]:
                points[one["name"]] += one["points"]
        self.assertEqual(points, {bot["name"]: bot["points"] for bot in standings["bots"]})
        # For matches of two there is a report file; from it the pairings of a Swiss are derived again.
        report = os.path.join(out, "report.trf")
        pairs = all(len(match["opponents"]) == 1 for bot in standings["bots"] for match in bot["matches"])
        self.assertEqual(os.path.exists(report), pairs)
        if pairs:
            table = self.exits(0, "trf", "standings", report).stdout.splitlines()[1:]
            self.assertEqual(sorted(float(line.split("\t")[2]) for line in table), sorted(points.values()))
            if tournament.get("format", {}).get("kind") == "swiss":
                self.exits(0, "trf", "pair", "--check", report)
