"""What --json of check, play and explain prints, as configs/README.md promises it."""
import json

from harness import ProgramTest


class JsonTest(ProgramTest):
    def test_check(self):
        config = self.write("c.json", self.walls([self.launched(name, "walls-greedy") for name in "abcd"], format={"kind": "swiss", "rounds": 2}))
        done = self.exits(0, "check", config, "--json")
        told = json.loads(done.stdout)
        self.assertEqual((told["config"], told["status"], told["mistakes"], done.stderr), (config, 0, [], ""))
        (swiss,) = told["tournaments"]
        self.assertEqual((swiss["id"], swiss["game"], swiss["format"], swiss["bots"]), ("t", "walls", "swiss", 4))
        self.assertEqual((swiss["matches"], swiss["games"]), ({"least": 4, "most": 4}, {"least": 8, "most": 8}))
        self.assertNotIn("likely_ms", swiss)
        self.assertEqual((swiss["turns_most"], swiss["bottleneck"]), (9 * (9 + 2), "bots"))
        self.assertGreater(swiss["worst_ms"], 0)
        told = self.exits(0, "check", config, "--game-time", "30s").stdout
        self.assertRegex(told, r"t: likely takes \d+ min; never more than .*, as if all bots used up their time in all 99 turns .*\n")
        self.assertTrue(told.endswith(": not tried: whether the ports are free, whether the bots begin and play\n" + config + ": good\n"), told)
        (swiss,) = json.loads(self.exits(0, "check", config, "--game-time", "30s", "--json").stdout)["tournaments"]
        self.assertEqual((swiss["games_known"], swiss["on_cores"][0]), (0, {"cores": 1, "likely_ms": 240_000}))
        self.assertIn("--game-time: expected a time such as 30s or 2500ms, found soon", self.exits(2, "check", config, "--game-time", "soon").stderr)
        # What the run before tells makes a likely time of it.
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet")
        (swiss,) = json.loads(self.exits(0, "check", config, "--json", "--out", self.path("out")).stdout)["tournaments"]
        self.assertEqual((swiss["games_known"], 0 < swiss["likely_ms"] <= swiss["worst_ms"]), (8, True), swiss)
        done = self.exits(2, "check", config, "--out", self.path("nowhere"))
        self.assertIn("nowhere/referee.db: there is no such store\nexpected the output folder of an earlier run", done.stderr)

        told = json.loads(self.exits(2, "check", self.write("bad.json", '{\n"bots": []\n"tournaments": []}'), "--json").stdout)
        (mistake,) = told["mistakes"]
        self.assertEqual((told["status"], told["tournaments"], mistake["line"]), (2, [], 2))
        self.assertIn("a comma is missing", mistake["text"])

    def test_play_and_explain(self):
        replay = self.path("replay.ndjson")
        arguments = ["play", "walls", "--params", '{"size": 3}', "--json", "--replay", replay]
        told = json.loads(self.exits(0, *arguments, "--bot", "walls-greedy", "--bot", "random").stdout)
        self.assertEqual((told["status"], told["result"]["status"], len(told["result"]["used_us"])), (0, "played", 2))
        story = json.loads(self.exits(0, "explain", replay, "--json").stdout)
        self.assertEqual((story["replay"], story["result"]), (replay, told["result"]))
        self.assertEqual(self.exits(0, "explain", replay).stdout,
                         story["story"] + f"Where was it lost? `referee review {replay}`. See it: `referee view {replay}`.\n")
        told = json.loads(self.exits(3, *arguments, "--bot", "./gone", "--bot", "random").stdout)
        self.assertEqual((told["status"], "result" in told), (3, False))
        self.assertIn("can't start './gone'", told["message"])
