"""Pairs, cycles, seats and seeds in standings.json, counted again; and `referee fairness`."""
import json
import os
import statistics
import unittest
from collections import defaultdict

from harness import ProgramTest, SOURCE, referee

SCHEMAS = {}
for name in ("certainty", "fairness"):
    with open(os.path.join(SOURCE, "configs/schemas", name + ".json")) as file:
        SCHEMAS[name] = json.load(file)

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}


class SchemaTest(ProgramTest):
    def holds(self, value, schema, of="certainty", path="$"):
        """The few words of JSON Schema that our schemas use."""
        if "$ref" in schema:
            file, _, name = schema["$ref"].partition("#/$defs/")
            of = file.removesuffix(".json") or of
            return self.holds(value, SCHEMAS[of]["$defs"][name], of, path)
        if "oneOf" in schema:
            schema = next(each for each in schema["oneOf"] if (each.get("type") == "null") == (value is None))
            return self.holds(value, schema, of, path)
        if "enum" in schema:
            self.assertIn(value, schema["enum"], path)
        kinds = schema.get("type", [])
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            if kind == "number" and isinstance(value, (int, float)) or kind in KINDS and isinstance(value, KINDS[kind]):
                break
        else:
            self.assertEqual(kinds, [], f"{path}: {value!r}")
        if isinstance(value, dict):
            self.assertLessEqual(set(schema.get("required", [])), set(value), path)
            for key, member in value.items():
                if key in schema.get("properties", {}):
                    self.holds(member, schema["properties"][key], of, f"{path}.{key}")
                else:
                    self.assertNotEqual(schema.get("additionalProperties"), False, f"{path}.{key}")
        if isinstance(value, list):
            for i, each in enumerate(value):
                self.holds(each, schema.get("items", {}), of, f"{path}[{i}]")


class CertaintyTest(SchemaTest):
    def played(self, bots, **tournament):
        config = self.path("config.json")
        with open(config, "w") as file:
            json.dump({"listen": {"address": "127.0.0.1", "port": 0},
                       "bots": [{"name": name, "launch": [command]} for name, command in bots.items()],
                       "tournaments": [{"id": "t", **tournament}]}, file)
        out = self.path("out")
        done = referee("run", config, "--out", out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(out, "standings.txt")) as file:
            text = file.read()
        with open(os.path.join(out, "standings.json")) as file:
            return json.load(file), text

    def test_pairs_and_seats_are_what_was_played(self):
        bots = {"ann": "walls-random", "bob": "walls-random", "cem": "walls-random", "dan": "walls-greedy"}
        standings, text = self.played(bots, game="walls", setups=[{"size": 7}],
                                      format={"kind": "round_robin", "cycles": 4}, match={"games": 2, "seats": "rotate"})
        self.holds(standings, SCHEMAS["certainty"])
        shares = defaultdict(dict)
        first_seat = defaultdict(list)
        for row in standings["bots"]:
            for match in row["matches"]:
                shares[frozenset((row["name"], match["opponents"][0]))].setdefault(row["name"], []).append(match["points"])
        self.assertEqual((standings["matches"], standings["distinct"]), (24, 24))
        pairs = standings["superiority"]["pairs"]
        self.assertEqual((standings["superiority"]["all_pairs"], len(pairs)), (True, 6))
        places = [row["name"] for row in standings["bots"]]
        for pair in pairs:
            self.assertLess(places.index(pair["a"]), places.index(pair["b"]))
            points = shares[frozenset((pair["a"], pair["b"]))][pair["a"]]
            self.assertEqual((pair["matches"], pair["method"]), (4, "matches"))
            self.assertAlmostEqual(pair["share"], statistics.mean(points), delta=0.001)
            low, high = pair["share95"]
            self.assertTrue(0 <= low <= pair["share"] <= high <= 1, pair)
        # What the first seat got against a half, match by match.
        scores = defaultdict(dict)
        for row in standings["bots"]:
            for match in row["matches"]:
                for number, game in enumerate(match["games"]):
                    seat = (match["seat"] + number) % 2
                    scores[game["game"]][seat] = game["score"]
        for game, by_seat in scores.items():
            share = 0.5 if by_seat[0] == by_seat[1] else float(by_seat[0] > by_seat[1])
            first_seat[game.rsplit(".", 1)[0]].append(share - 0.5)
        seat = standings["seats"]["effects"][0]
        self.assertEqual((seat["games"], seat["matches"], seat["method"]), (48, 24, "swapped_seats"))
        self.assertAlmostEqual(seat["advantage"], statistics.mean(map(statistics.mean, first_seat.values())), delta=1e-4)
        self.assertAlmostEqual(standings["seats"]["rotation"][0]["left"], 0)
        self.assertIn("Cycles (a beats b beats c beats a): there are too few matches to tell any", text)
        self.assertEqual(standings["cycles"]["needed"], 8)

    def test_solo_bots_are_compared_seed_by_seed(self):
        bots = {name: "superball-random" for name in ("ann", "bob", "cem")}
        standings, text = self.played(bots, game="superball", format={"kind": "leaderboard"}, match={"games": 8})
        self.holds(standings, SCHEMAS["certainty"])
        told = standings["common_seeds"]
        self.assertEqual((told["seeds"], len(told["bots"]), len(told["neighbours"])), (8, 3, 2))
        scores = {}
        for row in standings["bots"]:
            scores[row["name"]] = [game["score"] for match in row["matches"] for game in match["games"]]
        for bot in told["bots"]:
            self.assertAlmostEqual(bot["mean"], statistics.mean(scores[bot["name"]]), delta=0.006)
        for pair in told["neighbours"]:
            apart = [a - b for a, b in zip(scores[pair["better"]], scores[pair["worse"]])]
            self.assertAlmostEqual(pair["difference"], statistics.mean(apart), delta=0.006)
        self.assertIn("Compared seed by seed, on ", text)
        self.assertNotIn("So few seeds", text, "eight seeds may tell three pairs apart: 3 / 2 ** 7 is below 0.05")

    def test_so_few_seeds_that_they_tell_nothing_are_said(self):
        bots = {name: "superball-random" for name in ("ann", "bob", "cem")}
        _, text = self.played(bots, game="superball", format={"kind": "leaderboard"}, match={"games": 6})
        self.assertIn("So few seeds tell none apart, however they end: it takes 7 at least.", text)


class FairnessTest(SchemaTest):
    def told(self, *arguments):
        done = referee("fairness", *arguments, "--json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        told = json.loads(done.stdout)
        self.holds(told, SCHEMAS["fairness"], "fairness")
        self.assertEqual(done.returncode, int(told["real"]))
        return told

    def test_the_same_seed_is_the_same_table(self):
        command = ("walls", "--games", "10", "--params", '{"size": 3}', "--params", '{"size": 5}')
        once, again, other = (self.told(*command, "--seed", seed) for seed in ("3", "3", "4"))
        self.assertEqual(once, again)
        self.assertNotEqual(once["all"], other["all"])
        self.assertEqual([effect["kind"] for effect in once["all"]["seats"]["effects"]], ["seat", "setup", "setup"])
        self.assertEqual(once["played"], 10)

    def test_who_moves_first_is_told_apart_from_the_seat(self):
        told = self.told("walls", "--games", "12", "--params", '{"size": 3, "first": 0}', "--params", '{"size": 3, "first": 1}')
        self.assertIn("first_move", [effect["kind"] for effect in told["all"]["seats"]["effects"]])

    def test_bots_play_each_other_and_themselves(self):
        told = self.told("walls", "--games", "7", "--params", '{"size": 3}', "--bot", "random", "--bot", "walls-greedy")
        self.assertEqual(told["played"], 7 + 7 + 8)
        self.assertEqual([each["bot"] for each in told["self_play"]], ["random", "walls-greedy"])
        self.assertGreater(told["repeated_matches"], 0, "walls-greedy plays without chance")

    def test_too_few_games_are_said(self):
        done = referee("fairness", "walls", "--games", "3", "--params", '{"size": 3}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("too few, 3 games of 3 matches; it takes 6 matches at least.", done.stdout)
        done = referee("fairness", "walls", "--games", "8", "--params", '{"size": 3}')
        self.assertRegex(done.stdout, r"About \d+ matches would find 5\.0%\.")

    def test_bots_that_only_forfeit_are_not_called_fair(self):
        done = referee("fairness", "walls", "--games", "2", "--params", '{"size": 3}', "--bot", "/bin/false")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("Nothing here is beyond chance", done.stdout)

    def test_mistakes_are_told(self):
        for arguments, said in (
                (("wals",), 'there is no game "wals" here (did you mean "walls"?)'),
                (("snake_labyrinth", "--params", '{"maze": "handout"}'), "expected a game of two or more, such as walls"),
                (("walls", "--params", "{"), "--params: "),
                (("walls", "--games", "0"), "--games: Value 0 not in range 1 to 100000"),
                (("light_cycles", "--params", '{"seats": 1}'), "--params: "),
        ):
            with self.subTest(arguments):
                done = referee("fairness", *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(said, done.stderr)
        done = referee("fairness", "walls", "--bot", "/nowhere/bot", "--games", "1")
        self.assertEqual(done.returncode, 3, done.stderr)


if __name__ == "__main__":
    unittest.main()
