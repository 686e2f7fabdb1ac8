"""Launched bots that come late or never: the built program, real processes."""
import json
import os
import shutil
import subprocess

from harness import BIN, LONG, REFEREE, ProgramTest, left_turner, referee, thinks

GREEDY = os.path.join(BIN, "walls-greedy")
# Longer than a connection may take for its login.
SLOW_S = 7

# Connects at once, but takes its time between the referee's hello and its own login.
CONNECTS_FIRST = left_turner(hello=thinks(SLOW_S))
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
        done = referee("run", config, "--out", self.path("out"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
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
    def test_start_up_is_free_however_the_bot_comes(self):
        starting = f"sleep {SLOW_S}; exec {GREEDY}"  # time: a bot that is slow by design
        self.play(self.launched("pipes", "sh", "-c", starting), self.launched("dials", "sh", "-c", starting, speaks="tcp"),
                  self.launched("connects", *CONNECTS_FIRST, speaks="tcp"))
        results = self.results()
        self.assertEqual([(result["status"], result["faults"]) for result in results], [("played", [])] * 3)

    def test_a_closed_pipe_behind_the_last_word_is_no_news(self):
        config = self.walls([self.launched("talks", *SAYS_TOO_MUCH), self.launched("a", "walls-greedy"),
                             self.launched("slow", "sh", "-c", f"sleep 2; exec {GREEDY}")])  # time: a bot that is slow by design
        (friday,) = config["tournaments"]
        config["tournaments"] = [{**friday, "id": name, "match": {"games": 1}, "bots": bots, "format": {"kind": "round_robin"}}
                                 for name, bots in (("t", ["talks", "a"]), ("u", ["a", "slow"]))]
        done = referee("run", self.write("c.json", config), "--out", self.path("out"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("its process has ended", done.stderr)

    def test_the_result_names_the_program_that_played(self):
        def names():
            self.play(self.launched("own", "./bot", directory="own"), self.launched("shares", GREEDY))
            (result,) = self.results()
            return dict(zip(("own", "shares"), result["program"])), result["sandbox"]

        os.mkdir(self.path("own"))
        shutil.copy(GREEDY, self.path("own/bot"))
        first, sandbox = names()
        for name in first.values():
            self.assertRegex(name, "^sha256:[0-9a-f]{64}$")
        self.assertEqual(len(sandbox), 2)
        self.assertTrue(set(sandbox) <= {"A", "B", "C", "none"}, sandbox)
        self.assertEqual(names()[0], first, "the same program, played again")
        self.write("own/table", "1 2 3")
        second, _ = names()
        self.assertNotEqual(second["own"], first["own"])
        self.assertEqual(second["shares"], first["shares"])
        (replay,) = os.listdir(self.path("out/games"))
        told = referee("explain", self.path("out/games/" + replay)).stdout
        self.assertIn("program " + second["own"], told)

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

    def test_who_dies_before_its_login_is_told_so(self):
        said = self.play(self.launched("fine", "walls-greedy"), self.launched("frail", "sh", "-c", "echo no module numpy >&2; exit 3"))
        fault = self.no_show("frail")
        self.assertIn("its process ended before it logged in: exit status 3", fault["message"])
        self.assertEqual((fault["evidence"]["exit_status"], fault["evidence"]["stderr_tail"]), (3, "no module numpy\n"))
        self.assertIn("frail: its process ended before it logged in: exit status 3", said)
        self.assertIn("; it printed: no module numpy\n", said)
        self.assertNotIn("no module numpy\n\n", said)

    def test_who_opens_its_output_by_a_path_is_told_what_helps(self):
        opens = ("sh", "-c", "exec walls-greedy > /dev/stdout")
        environment = {"PATH": BIN + ":" + os.environ["PATH"]}
        said = self.play(self.launched("fine", "walls-greedy"), self.launched("opens", *opens, environment=environment, start_within="2s"))
        self.assertIn("No such device or address", self.no_show("opens")["evidence"]["stderr_tail"])
        self.assertIn('give the bot "stdout": "pipe" in the config', said)
        said = self.play(self.launched("fine", "walls-greedy"), self.launched("opens", *opens, environment=environment, stdout="pipe"))
        self.assertEqual([result["status"] for result in self.results()], ["played"])
        self.assertNotIn("stdout", said)
        single = ["play", "walls", "--quiet", "--reads", BIN, "--params", '{"size": 3}', "--bot", "walls-greedy", "--bot", f"sh -c 'exec {GREEDY} > /dev/stdout'"]
        done = referee(*single)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--stdout pipe", done.stderr)
        self.assertEqual(referee(*single, "--stdout", "pipe").returncode, 0)
        self.assertIn("--stdout", referee(*single, "--stdout", "file").stderr)

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
    def test_who_cannot_be_launched_is_told_so(self):
        config = self.write("c.json", self.walls([self.launched("fine", "walls-greedy"), self.launched("gone", "./no-such-bot")]))
        done = referee("run", config, "--out", self.path("out"), "--quiet")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("gone can't be launched: can't start './no-such-bot'", done.stderr)
        self.assertIn(f"go on with:\n  referee run {config}", done.stderr)
        self.assertEqual(os.listdir(self.path("out/games")), [], "nobody forfeits a game for that")
        # The same command goes on when the program is there.
        shutil.copy(GREEDY, self.path("no-such-bot"))
        done = referee("run", config, "--out", self.path("out"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({result["status"] for result in self.results()}, {"played"})

    def test_a_run_tells_a_ci_job_of_its_submission(self):
        crashes = self.launched("frail", "sh", "-c", "exit 3")
        config = self.write("c.json", self.walls([self.launched("fine", "walls-greedy"), crashes], match={"games": 1}))

        def run(out, *more):
            return referee("run", config, "--out", self.path(out), "--quiet", *more)

        plain = run("out")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        told = "frail forfeited 1 of its 1 games by its own faults; the last: game t/1.1: "
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
        done = referee("run", config, "--out", self.path("out"), "--quiet", "--fail-on-forfeits", "mute")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("mute gave no valid move in 1 of its 1 games", done.stderr)
        done = referee("run", config, "--out", self.path("out"), "--quiet", "--fail-on-forfeits", "fine")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_single_game_finds_its_bots_from_where_one_stands(self):
        shutil.copy(GREEDY, self.path("mine"))
        self.write("mine.sh", "#!/bin/sh\n. ./beside\n")
        self.write("beside", "exec ./mine\n")
        os.chmod(self.path("mine.sh"), 0o755)
        for command in (["./mine"], ["./mine.sh", "--reads", "."], ["sh mine.sh", "--reads", "."]):
            done = referee("play", "walls", "--quiet", "--params", '{"size": 3}', "--bot", "random", "--bot", *command, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_single_game_tells_of_its_first_bot(self):
        crash = self.write("crash.sh", "#!/bin/sh\nread line\nexit 4\n")
        os.chmod(crash, 0o755)
        base = ["play", "walls", "--quiet", "--params", '{"size": 3}', "--reads", BIN, "--reads", self.folder]
        for first, second, status in (("walls-greedy", "random", 0), (crash, "random", 1), ("random", "walls-greedy", 0), ("false", "random", 1),
                                      ("random", "false", 2), ("./gone", "random", 3), ("random", "./gone", 3)):
            done = referee(*base, "--bot", first, "--bot", second)
            self.assertEqual(done.returncode, status, f"{first} {second}: {done.stdout} {done.stderr}")
        self.assertIn("can't start './gone'", done.stderr)

    def test_a_single_game_tells_who_did_not_come(self):
        dead = referee("play", "walls", "--bot", "walls-greedy", "--bot", "false")
        self.assertEqual(dead.returncode, 2, dead.stdout)
        self.assertIn("false: its process ended before it logged in: exit status 1", dead.stderr)
        wrong = referee("play", "walls", "--bot", "walls-greedy", "--bot", "walls-greedy", "--start-within", "soon")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--start-within: expected a time such as 30s", wrong.stderr)
