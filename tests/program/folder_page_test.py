"""The page of an output folder: its index.html and the scripts that it loads, as `run` and `forget` leave them."""

import base64
import json
import os
import re
import stat
import zlib

from harness import ProgramTest, referee


class FolderPageTest(ProgramTest):
    def called(self, function, name):
        """The value with which a script calls a function."""
        text = self.read(name)
        self.assertTrue(text.startswith(function + "(") and text.endswith(");\n"), text[:80])
        return json.loads(text[len(function) + 1:-3])

    def config(self, tournaments=("friday",)):
        config = {"listen": {"address": "127.0.0.1", "port": 0},
                  "bots": [{"name": name, "launch": ["walls-greedy" if name == "greedy" else "walls-random"]}
                           for name in ("greedy", "alice", "bob")],
                  "tournaments": [{"id": name, "game": "walls", "params": {"size": 5}} for name in tournaments]}
        return self.write("config.json", config)

    def run_it(self, *more, **options):
        done = self.exits(0, "run", self.config(**options.pop("config", {})), "--out", self.path("out"), "--quiet", *more, **options)
        return done

    def test_each_game_and_the_standings_have_a_script(self):
        self.run_it()
        replays = sorted(os.listdir(self.path("out/games")))
        self.assertEqual([name.replace(".ndjson", ".js") for name in replays], sorted(os.listdir(self.path("out/page/games"))))
        self.assertEqual(self.called("standings", "out/page/standings.js"), json.loads(self.read("out/standings.json")))
        self.assertEqual(self.called("pairings", "out/page/pairings.js"), json.loads(self.read("out/pairings.json")))
        self.assertEqual(self.called("crosstable", "out/page/crosstable.js"), json.loads(self.read("out/crosstable.json")))
        for name in replays:
            script = self.read("out/page/games/" + name.replace(".ndjson", ".js"))
            packed, size = re.fullmatch(r'packed_showing\("([\w+/=]+)",(\d+)\);\n', script).groups()
            text = zlib.decompress(base64.b64decode(packed))
            self.assertEqual(len(text), int(size))
            shown = json.loads(text)
            viewed = json.loads(referee("view", self.path("out/games/" + name), "--json").stdout)
            for frame in viewed["frames"]:
                frame.pop("debug", None)  # pages are passed on
            self.assertEqual(shown, viewed)

    def test_the_page_loads_what_is_there(self):
        self.run_it()
        page = self.read("out/index.html")
        wanted = re.findall(r'(?:src|href)="([^"]*)"', page)
        self.assertGreater(len(wanted), 3)
        for name in wanted:
            self.assertTrue(os.path.exists(self.path("out/" + name)), name)
        self.assertNotRegex(page, r"<script>|<style>|https?:")

    def test_several_tournaments_have_a_page_each(self):
        self.run_it(config={"tournaments": ("monday", "friday")})
        links = re.findall(r'<a href="([^"]*)">(\w+)</a>(.*)</li>', self.read("out/index.html"))
        self.assertEqual(links, [(name + "/index.html", name, ": walls, round robin") for name in ("friday", "monday")], "the newest first")
        for link, *_ in links:
            self.assertTrue(os.path.exists(self.path("out/" + link)))

    def test_a_bot_whose_name_is_a_word_of_the_page_changes_no_page(self):
        self.run_it()
        page = self.read("out/page/viewer.js")
        self.assertIn("standings", page)
        done = referee("store", "forget", "standings", "--out", self.path("out"), "--dry-run")
        self.assertNotIn("viewer.js", done.stdout + done.stderr)

    def test_open_calls_the_browser(self):
        """Another xdg-open notes what it is asked to open."""
        opener = self.write("bin/xdg-open", f'#!/bin/sh\necho "$1" > {self.path("opened")}\n')
        os.chmod(opener, os.stat(opener).st_mode | stat.S_IXUSR)
        environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"], "DISPLAY": ":7"}
        done = self.run_it("--open", env=environment)
        self.assertEqual(self.read("opened").strip(), os.path.realpath(self.path("out/index.html")))
        self.assertNotIn("index.html", done.stdout)

    def test_where_there_is_no_screen_open_says_where_the_page_is(self):
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = self.run_it("--open", env=environment)
        self.assertIn("for a browser: " + self.path("out/index.html"), done.stdout)
