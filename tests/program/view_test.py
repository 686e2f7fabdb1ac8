"""`referee view`: games from their replays, as the built program shows them."""

import json
import os
import re

from harness import SOURCE, ProgramTest, referee


class ViewTest(ProgramTest):
    def played(self, game, params):
        file = self.path(game + ".ndjson")
        played = referee("play", game, "--params", json.dumps(params), "--seed", "3", "--replay", file)
        self.assertTrue(os.path.exists(file), played.stderr)
        return file

    def view(self, *words, **options):
        """What it prints, and nothing on standard error."""
        done = self.exits(0, "view", *words, **options)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, *words):
        done = self.exits(2, "view", *words)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_a_large_map_stays_small(self):
        """Many turns on 35 x 35 cells, of which each changes little."""
        large = json.loads(self.read(os.path.join(SOURCE, "engines/e7_planets/maps/spiral_ghosts.json")))
        large["remaining_turns"] = 1000
        large["ghosts"] = [ghost for ghost in large["ghosts"] if ghost["transparency"] == 0 and ghost["location"][0][0] == 22]
        viewed = self.view(self.played("e7_planets", {"map": large}), "--json")
        self.assertGreater(len(json.loads(viewed)["frames"]), 800)
        self.assertLess(len(viewed), 1_000_000 if '"text"' not in viewed else 5_000_000)

    def test_a_page_has_all_games_and_loads_nothing(self):
        files, out = [self.played("walls", {}), self.played("superball", {})], self.path("games.html")
        self.assertEqual(self.view(*files, "--html", out), "")
        page = self.read(out)
        showings = [json.loads(text) for text in re.findall(r'<script type="application/json" class="showing">(.*?)</script>', page)]
        self.assertEqual([showing["game"] for showing in showings], ["walls", "superball"])
        self.assertEqual(showings[0], json.loads(self.view(files[0], "--json")))
        self.assertEqual(showings[0], json.loads(self.view("-", "--json", input=self.read(files[0]))))
        self.assertNotRegex(page, r"<link|<script[^>]* src=|@import")
        self.assertIn("default-src 'none'", page)
        self.assertIn("can't be written", self.exits(3, "view", files[0], "--html", self.path("none/page.html")).stderr)

    def test_a_position_or_the_end_is_told_as_text(self):
        file = self.played("walls", {})
        shown, end = self.view(file, "--text", "4"), self.view(file)
        for word in ("turn 4 of ", json.dumps(json.loads(self.read(file).splitlines()[4])["moves"][1]), "bricks"):
            self.assertIn(word, shown)
        for word in ("played, scores", "--text TURN, from 0 to", "It ended after"):
            self.assertIn(word, end)
        self.assertNotIn("\x1b", shown + end)

    def test_what_cannot_be_shown_is_refused(self):
        file, page = self.played("walls", {}), self.path("out.html")
        before = self.read(file)
        self.assertIn("would be overwritten", self.refused(file, "--html", file))
        self.assertEqual(self.read(file), before)
        for turn in ("-1", "100000"):
            self.assertRegex(self.refused(file, "--text=" + turn), r"there is no turn .*expected one from 0, .* to \d+")
        for form in (["--json"], ["--text", "1"]):
            self.assertIn("expected one replay", self.refused(file, file, *form))
        lines = before.splitlines(keepends=True)
        bad = self.write("bad.ndjson", "".join(lines[:3]) + '{"mov\n' + "".join(lines[4:]))
        for form in (["--json"], ["--html", page], ["--text", "0"], []):
            self.assertIn("bad.ndjson:4:", self.refused(bad, *form))
        self.assertFalse(os.path.exists(page))
