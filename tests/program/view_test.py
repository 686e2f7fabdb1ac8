"""`referee view`: games from their replays, as the built program shows them."""

import json
import os
import re

from harness import SOURCE, ProgramTest, referee


class ViewCase(ProgramTest):
    def play(self, game, params, seed=3):
        file = self.path(game + ".ndjson")
        played = referee("play", game, "--params", json.dumps(params), "--seed", str(seed), "--replay", file)
        self.assertTrue(os.path.exists(file), played.stderr)
        return file

    def showing(self, file):
        viewed = referee("view", file, "--json")
        self.assertEqual((viewed.returncode, viewed.stderr), (0, ""))
        return json.loads(viewed.stdout)


class JsonTest(ViewCase):
    def test_a_large_map_stays_small(self):
        """Many turns on 35 x 35 cells, of which each changes little."""
        large = json.loads(self.read(os.path.join(SOURCE, "engines/e7_planets/maps/spiral_ghosts.json")))
        large["remaining_turns"] = 1000
        large["ghosts"] = [ghost for ghost in large["ghosts"] if ghost["transparency"] == 0 and ghost["location"][0][0] == 22]
        viewed = self.exits(0, "view", self.play("e7_planets", {"map": large}), "--json")
        self.assertGreater(len(json.loads(viewed.stdout)["frames"]), 800)
        self.assertLess(len(viewed.stdout), 1_000_000 if '"text"' not in viewed.stdout else 5_000_000)

    def test_a_replay_is_not_overwritten_by_its_page(self):
        file = self.play("walls", {"size": 3})
        before = self.read(file)
        done = referee("view", file, "--html", file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("would be overwritten", done.stderr)
        self.assertEqual(self.read(file), before)

    def test_the_standard_input_is_a_replay_too(self):
        viewed = self.exits(0, "view", "-", "--json", input=self.read(self.play("walls", {})))
        self.assertEqual(json.loads(viewed.stdout)["game"], "walls")


class PageTest(ViewCase):
    def test_a_page_has_all_games_and_loads_nothing(self):
        files = [self.play("walls", {}), self.play("superball", {})]
        out = self.path("games.html")
        viewed = referee("view", *files, "--html", out)
        self.assertEqual((viewed.returncode, viewed.stdout, viewed.stderr), (0, "", ""))
        page = self.read(out)
        texts = re.findall(r'<script type="application/json" class="showing">(.*?)</script>', page)
        self.assertEqual([json.loads(text)["game"] for text in texts], ["walls", "superball"])
        self.assertEqual(json.loads(texts[0]), self.showing(files[0]))
        self.assertNotRegex(page, r"<link|<script[^>]* src=|@import")
        self.assertIn("default-src 'none'", page)

    def test_a_page_that_cannot_be_written(self):
        viewed = self.exits(3, "view", self.play("walls", {}), "--html", self.path("none/page.html"))
        self.assertIn("can't be written", viewed.stderr)


class BadReplayTest(ViewCase):
    def refused(self, text, *words):
        file = self.write("bad.ndjson", text)
        for form in (["--json"], ["--html", self.path("out.html")], ["--text", "0"], []):
            viewed = referee("view", file, *form)
            self.assertEqual((viewed.returncode, viewed.stdout), (2, ""), form)
            for word in words:
                self.assertIn(word, viewed.stderr)
            self.assertFalse(os.path.exists(self.path("out.html")))

    def test_what_is_no_replay_is_told_with_its_line(self):
        lines = self.read(self.play("walls", {})).splitlines(keepends=True)
        self.refused("".join(lines[:3]) + '{"mov\n' + "".join(lines[4:]), "bad.ndjson:4:")


class TextTest(ViewCase):
    def test_a_position_and_what_was_played(self):
        file = self.play("walls", {})
        fourth = json.loads(self.read(file).splitlines()[4])
        viewed = referee("view", file, "--text", "4")
        self.assertEqual((viewed.returncode, viewed.stderr), (0, ""))
        self.assertIn("turn 4 of ", viewed.stdout)
        self.assertIn(json.dumps(fourth["moves"][1]), viewed.stdout)
        self.assertIn("bricks", viewed.stdout)
        self.assertNotIn("\x1b", viewed.stdout)

    def test_a_turn_beyond_the_end(self):
        file = self.play("walls", {})
        for turn in ("-1", "100000"):
            viewed = referee("view", file, "--text=" + turn)
            self.assertEqual((viewed.returncode, viewed.stdout), (2, ""))
            self.assertRegex(viewed.stderr, r"there is no turn .*expected one from 0, .* to \d+")

    def test_several_games_have_no_one_turn(self):
        file = self.play("walls", {})
        for form in (["--json"], ["--text", "1"]):
            viewed = referee("view", file, file, *form)
            self.assertEqual((viewed.returncode, viewed.stdout), (2, ""))
            self.assertIn("expected one replay", viewed.stderr)

    def test_where_there_is_no_terminal_the_end_is_told(self):
        file = self.play("walls", {})
        viewed = referee("view", file)
        self.assertEqual((viewed.returncode, viewed.stderr), (0, ""))
        self.assertIn("played, scores", viewed.stdout)
        self.assertIn("--text TURN, from 0 to", viewed.stdout)
        self.assertIn("It ended after", viewed.stdout)
        self.assertNotIn("\x1b", viewed.stdout)
