"""Launched bots that come late or never: the built program, real processes."""
import json
import os
import shutil
import subprocess

from harness import BIN, LONG, REFEREE, ProgramTest, left_turner, referee

GREEDY = os.path.join(BIN, "walls-greedy")
# Says goodbye when a game is over, and then writes on until nobody reads any more.
SAYS_TOO_MUCH = left_turner(end='say(type="bye", reason="leaving")\n        while True: say(type="pong", id=1)')


class LaunchingTest(ProgramTest):
    def results(self, out="out"):
        """The result line of each game, by file name."""
        folder = self.path(out + "/games")
        return [json.loads(self.read(f"{out}/games/{name}").splitlines()[-1])["result"] for name in sorted(os.listdir(folder))]

    def play(self, *bots, **tournament):
        shutil.rmtree(self.path("out"), True)
        config = self.write("c.json", self.walls(list(bots), **{"match": {"games": 1}, "no_show_after": "1s", **tournament}))
        done = self.exits(0, "run", config, "--out", self.path("out"), "--quiet")
        return done.stderr

    def no_show(self, name):
        """What the game of a bot that never came says about it."""
        (result,) = self.results()
        self.assertEqual(result["status"], "forfeited")
        (fault,) = result["faults"]
        self.assertEqual((fault["rule"], fault["consequence"]), ("match.no_show", "forfeit"))
        self.assertIn(name + " did not show up", fault["message"])
        return fault


class LaunchedTest(LaunchingTest):
    def test_a_closed_pipe_behind_the_last_word_is_no_news(self):
        config = self.walls([self.launched("talks", *SAYS_TOO_MUCH), self.launched("a", "walls-greedy"),
                             self.launched("slow", "sh", "-c", f"sleep 2; exec {GREEDY}")])  # time: a bot that is slow by design
        (friday,) = config["tournaments"]
        config["tournaments"] = [{**friday, "id": name, "match": {"games": 1}, "bots": bots, "format": {"kind": "round_robin"}}
                                 for name, bots in (("t", ["talks", "a"]), ("u", ["a", "slow"]))]
        done = self.exits(0, "run", self.write("c.json", config), "--out", self.path("out"), "--quiet")
        self.assertNotIn("its process has ended", done.stderr)

    def test_who_is_too_slow_is_told_so(self):
        said = self.play(self.launched("fine", "walls-greedy"),
                         self.launched("slow", "sh", "-c", "echo still compiling >&2; exec tail -f /dev/null", start_within="1500ms", speaks="tcp"))
        fault = self.no_show("slow")
        self.assertIn("did not log in within 1500 ms of its launch", fault["message"])
        self.assertEqual(fault["evidence"]["stderr_tail"], "still compiling\n")
        self.assertNotIn("exit_status", fault["evidence"])
        self.assertIn("slow: it did not log in within 1500 ms of its launch", said)
        self.assertIn("\"start_within\"", said)
        self.assertIn("still compiling", said)
        self.assertNotIn("has ended", said)

    def test_who_says_something_else_than_its_login_is_told_so(self):
        for line, code, told in (("hello?", "invalid_json", "found hello?"),
                                 ('{"type":"login","name":"odd","token":"guessed","games":["walls"]}', "wrong_token", "the token is not the one")):
            said = self.play(self.launched("fine", "walls-greedy"),
                             self.launched("odd", "sh", "-c", f"read hello; echo '{line}'; exec tail -f /dev/null", start_within="1500ms"))
            message = self.no_show("odd")["message"]
            for text in (f"the referee answered it by an error ({code}): ", told):
                self.assertIn(text, message)
                self.assertIn(text, said)

    def test_whose_login_is_refused_is_waited_for_a_moment(self):
        wrong = 'say(type="login", name=os.environ["REFEREE_NAME"], games=["walls"], version="2" * 70)'
        said = self.play(self.launched("fine", "walls-greedy"), self.launched("odd", *left_turner(hello=wrong + "; continue"), start_within="100s"))
        message = self.no_show("odd")["message"]
        for text in ("its login was refused, and it brought no other one", "(invalid_value): "):
            self.assertIn(text, message)
            self.assertIn(text, said)
        self.assertNotIn("did not log in within", said)
        self.play(self.launched("fine", "walls-greedy"), self.launched("mends", *left_turner(hello=wrong)))
        self.assertEqual(self.results()[0]["status"], "played")

    def test_without_a_loopback_a_pipe_does_and_that_is_said(self):
        apart = ["unshare", "--net", "--map-root-user"]
        if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
            self.skipTest("no network namespace can be made here")
        replay = self.path("replay.ndjson")
        # Without a sandbox: who is root only in a namespace of its own has no other users for the bots.
        done = subprocess.run([*apart, REFEREE, "play", "walls", "--unsandboxed", "--quiet", "--params", '{"size": 3}', "--replay", replay,
                               "--bot", "walls-greedy", "--bot", "walls-greedy"], capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = [line for line in done.stdout.splitlines() if "is a pipe and no socket" in line]
        self.assertEqual(len(said), 1, done.stdout)
        self.assertIn("127.0.0.1", said[0])
        self.assertEqual(json.loads(self.read("replay.ndjson").splitlines()[-1])["result"]["means"], ["read by the referee"] * 2)


class OutcomeTest(LaunchingTest):
    def test_a_run_tells_a_ci_job_of_its_submission(self):
        crashes = self.launched("frail", "sh", "-c", "exit 3")
        config = self.write("c.json", self.walls([self.launched("fine", "walls-greedy"), crashes], match={"games": 1}))

        def run(out, *more):
            return referee("run", config, "--out", self.path(out), "--quiet", *more)

        plain = run("out")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        told = "frail forfeited 1 of its 1 game by its own faults; the last: game t/1.1: "
        self.assertIn(told, plain.stderr)
        # The same command again judges what was played.
        self.assertEqual(run("out", "--fail-on-forfeits", "frail").returncode, 1)
        self.assertEqual(run("out", "--fail-on-forfeits", "fine").returncode, 0)
        anew = run("anew", "--fail-on-forfeits", "fine", "--fail-on-forfeits", "frail")
        self.assertEqual(anew.returncode, 1, anew.stderr)
        self.assertIn(told, anew.stderr)
        self.assertNotIn("fine forfeited", anew.stderr)
        unknown = run("none", "--fail-on-forfeits", "frial")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn('no bot of the config has the name "frial"; expected one of fine, frail', unknown.stderr)

    def test_who_never_moves_fails_its_ci_job(self):
        bots = [self.launched("fine", "walls-greedy"), self.launched("mute", *left_turner(turn="continue"))]
        config = self.write("c.json", self.walls(bots, match={"games": 1}, clock={"budget": "500ms"}))
        done = self.exits(1, "run", config, "--out", self.path("out"), "--quiet", "--fail-on-forfeits", "mute")
        self.assertIn("mute gave no valid move in 1 of its 1 game", done.stderr)
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet", "--fail-on-forfeits", "fine")

    def test_a_single_game_finds_its_bots_from_where_one_stands(self):
        shutil.copy(GREEDY, self.path("mine"))
        self.write("mine.sh", "#!/bin/sh\n. ./beside\n")
        self.write("beside", "exec ./mine\n")
        os.chmod(self.path("mine.sh"), 0o755)
        for command in (["./mine"], ["./mine.sh", "--reads", "."], ["sh mine.sh", "--reads", "."]):
            self.exits(0, "play", "walls", "--quiet", "--params", '{"size": 3}', "--bot", "random", "--bot", *command, cwd=self.folder)

    def test_a_single_game_tells_of_its_first_bot(self):
        crash = self.write("crash.sh", "#!/bin/sh\nread line\nexit 4\n")
        os.chmod(crash, 0o755)
        base = ["play", "walls", "--quiet", "--params", '{"size": 3}', "--reads", BIN, "--reads", self.folder]
        for first, second, status in (("walls-greedy", "random", 0), (crash, "random", 1), ("random", "walls-greedy", 0), ("false", "random", 1),
                                      ("random", "false", 2), ("./gone", "random", 3), ("random", "./gone", 3)):
            done = self.exits(status, *base, "--bot", first, "--bot", second)
        self.assertIn("can't start './gone'", done.stderr)

    def test_a_single_game_tells_who_did_not_come(self):
        dead = self.exits(2, "play", "walls", "--bot", "walls-greedy", "--bot", "false")
        self.assertIn("false: its process ended before it logged in: exit status 1", dead.stderr)
