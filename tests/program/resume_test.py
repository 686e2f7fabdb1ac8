"""Runs that are cut off and then go on: the built program, real processes, real signals."""
import json
import os
import shlex
import signal
import subprocess

from harness import BIN, LONG, REFEREE, ProgramTest, wait_until


class ResumeTest(ProgramTest):
    def greedy_class(self, **tournament):
        return self.write("c.json", self.walls([self.launched(name, "walls-greedy") for name in ("a", "b", "c", "d", "e")],
                                               clock={"kind": "none"}, **tournament))

    def played(self, config):
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet")

    def test_a_bot_that_is_launched_otherwise_is_told(self):
        def run(**changed):
            bots = [self.launched("a", "walls-greedy"), {**self.launched("b", "walls-greedy"), **changed}]
            return self.exits(0, "run", self.write("c.json", self.walls(bots)), "--out", self.path("out"), "--quiet").stderr

        self.assertNotIn("has changed", run())
        own = {"launch": ["walls-random"], "directory": self.folder, "environment": {"KEY": "plum-4242", "MORE": "1"}}
        told = run(**own)
        self.tells(told, 'b: its "launch" has changed: it was ["walls-greedy"], and is ["walls-random"]', '"environment" has changed: KEY, MORE')
        self.assertNotIn("a: its", told)
        self.assertNotIn("has changed", run(**own), "once")
        own["environment"]["KEY"] = "plum-2424"
        told = run(**own)
        self.assertIn('b: its "environment" has changed: KEY (', told)
        self.assertNotIn("plum", told + self.read("out/launches.json"))
        self.assertEqual(os.stat(self.path("out/launches.json")).st_mode & 0o777, 0o600)

    def test_after_ctrl_c_it_says_how_to_go_on(self):
        config = self.greedy_class(match={"games": 50})
        process = self.spawn([REFEREE, "run", config, "--out", self.path("out"), "--statistics"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        wait_until(lambda: len(os.listdir(self.path("out/games"))) > 5, "games")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=LONG)
        self.assertEqual(process.returncode, 130)
        command = told.strip().splitlines()[-1].strip()
        self.assertTrue(command.startswith("referee run "), told)
        self.assertIn("--statistics", command)
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=LONG,
                              env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("10 of 10 matches", done.stdout)

    def test_another_config_is_refused_with_what_differs_and_files_that_are_gone_are_made_again(self):
        def files():
            return {name: self.read(f"out/{folder}/{name}") for folder in ("games", "page/games") for name in os.listdir(self.path("out", folder))}

        config = self.greedy_class()
        self.played(config)
        classic = json.loads(self.read("c.json"))
        for change, expected in (({"seed": 9}, '"seed" was not there and is 9'), ({"format": {"kind": "swiss"}}, '"format"'),
                                 ({"bots": ["b", "a", "c", "d", "e"]}, "list"), ({"id": "other"}, "another run's folder")):
            changed = self.write("changed.json", {**classic, "tournaments": [{**classic["tournaments"][0], **change}]})
            self.exits(2, "run", changed, "--out", self.path("out"), told=expected)
        before = files()
        for name in before:
            if name.endswith(".js") or name <= "t_3":
                os.remove(self.path("out", "page/games" if name.endswith(".js") else "games", name))
        os.remove(self.path("out/standings.json"))
        self.played(self.greedy_class(tie_breaks=["wins"], no_show_after="5s"))
        self.assertEqual(files(), before)
        self.assertTrue(os.path.exists(self.path("out/standings.json")))

    def test_results_whose_store_is_gone_are_not_written_over(self):
        config = self.greedy_class()
        self.played(config)
        before = self.read("out/standings.json")
        os.rename(self.path("out/referee.db"), self.path("kept.db"))
        self.exits(3, "run", config, "--out", self.path("out"), told=("referee.db is gone, but results of it are there", "standings.json. Put the file back"))
        self.assertEqual((self.read("out/standings.json"), os.path.exists(self.path("out/referee.db"))), (before, False))
        os.rename(self.path("kept.db"), self.path("out/referee.db"))
        self.played(config)
        os.remove(self.path("out/referee.db"))
        os.remove(self.path("out/standings.json"))
        self.played(config)
