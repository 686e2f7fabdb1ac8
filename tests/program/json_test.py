"""What --json of check, play and explain prints, as configs/README.md promises it."""
import json

from harness import ProgramTest, referee


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
        told = referee("check", config).stdout
        self.assertEqual(told.count("good"), 1, told)
        self.assertTrue(told.endswith(": not tried: whether the ports are free, whether the bots begin and play\n" + config + ": good\n"), told)
        said = ("check", config, "--game-time", "30s")
        (swiss,) = json.loads(referee(*said, "--json").stdout)["tournaments"]
        self.assertEqual((swiss["games_known"], swiss["on_cores"][0]), (0, {"cores": 1, "likely_ms": 240_000}))
        self.assertRegex(referee(*said).stdout, r"t: likely takes \d+ min; never more than .*, as if all bots used up their time in all 99 turns .*\n")
        self.assertIn("--game-time: expected a time such as 30s or 2500ms, found soon", self.exits(2, "check", config, "--game-time", "soon").stderr)
        # What the run before tells makes a likely time of it.
        self.assertEqual(referee("run", config, "--out", self.path("out"), "--quiet").returncode, 0)
        (swiss,) = json.loads(referee("check", config, "--json", "--out", self.path("out")).stdout)["tournaments"]
        self.assertEqual(swiss["games_known"], 8)
        self.assertTrue(0 < swiss["likely_ms"] <= swiss["worst_ms"], swiss)
        done = self.exits(2, "check", config, "--out", self.path("nowhere"))
        self.assertIn("nowhere/referee.db: there is no such store\nexpected the output folder of an earlier run", done.stderr)

        bad = referee("check", self.write("bad.json", '{\n"bots": []\n"tournaments": []}'), "--json")
        self.assertEqual((bad.returncode, bad.stderr), (2, ""))
        told = json.loads(bad.stdout)
        self.assertEqual((told["status"], told["tournaments"], [mistake["line"] for mistake in told["mistakes"]]), (2, [], [2]))
        self.assertIn("a comma is missing", told["mistakes"][0]["text"])

    def test_play_and_explain(self):
        replay = self.path("replay.ndjson")
        arguments = ["play", "walls", "--params", '{"size": 3}', "--json", "--replay", replay]
        done = referee(*arguments, "--bot", "walls-greedy", "--bot", "random")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual((told["status"], told["result"]["status"]), (0, "played"))
        self.assertEqual(len(told["result"]["used_us"]), 2)
        explained = self.exits(0, "explain", replay, "--json")
        story = json.loads(explained.stdout)
        self.assertEqual((story["replay"], story["result"]), (replay, told["result"]))
        self.assertEqual(referee("explain", replay).stdout, story["story"] + f"Where was it lost? `referee review {replay}`. See it: `referee view {replay}`.\n")
        missing = self.exits(3, *arguments, "--bot", "./gone", "--bot", "random")
        told = json.loads(missing.stdout)
        self.assertEqual((told["status"], "result" in told), (3, False))
        self.assertIn("can't start './gone'", told["message"])
