"""Launched bots that come late or never: the built program, real processes."""
import os
import shutil
import subprocess
import sys

from harness import BIN, LONG, REFEREE, ProgramTest, left_turner

GREEDY = os.path.join(BIN, "walls-greedy")
# Its login has a version that is too long.
LONG_VERSION = 'say(type="login", name=os.environ["REFEREE_NAME"], games=["walls"], version="2" * 70)'


class LaunchedTest(ProgramTest):
    def test_who_does_not_come_in_is_told_why_in_its_games_and_in_the_log(self):
        hangs = "exec tail -f /dev/null"
        guess = '{"type":"login","name":"guesses","token":"guessed","games":["walls"]}'
        ways = {"slow": (["sh", "-c", "echo still compiling >&2; " + hangs], {"start_within": "1500ms", "speaks": "tcp"},
                         ("did not log in within 1500 ms of its launch", "still compiling")),
                "mute": (["sh", "-c", hangs], {"start_within": "1500ms"}, ("did not log in within 1500 ms", "flush its output")),
                "chats": (["sh", "-c", f"read hello; echo 'hello?'; {hangs}"], {"start_within": "1500ms"},
                          ("the referee answered it by an error (invalid_json): ", "found hello?")),
                "guesses": (["sh", "-c", f"read hello; echo '{guess}'; {hangs}"], {"start_within": "1500ms"},
                            ("the referee answered it by an error (wrong_token): ", "the token is not the one")),
                "needy": ([sys.executable, "-c", "bytearray(300 << 20)"], {"memory_mb": 100},
                          ("its process ended before it logged in: ", "may have 100 MB (\"memory_mb\" in the config gives more)")),
                "insists": (left_turner(hello=LONG_VERSION + "; continue"), {"start_within": "100s"},
                            ("its login was refused, and it brought no other one", "(invalid_value): "))}
        bots = [self.launched("fine", "walls-greedy"), self.launched("mends", *left_turner(hello=LONG_VERSION)),
                *(self.launched(name, *command, **more) for name, (command, more, _) in ways.items())]
        config = self.walls(bots, match={"games": 1}, format={"kind": "leaderboard", "opponents": ["fine"]}, no_show_after="1s")
        said = self.exits(0, "run", self.write("c.json", config), "--out", self.path("out"), "--quiet").stderr
        self.assertEqual(self.result_of("fine", "mends")["status"], "played")
        for name, (_, _, told) in ways.items():
            result = self.result_of("fine", name)
            (fault,) = result["faults"]
            self.assertEqual((result["status"], fault["rule"], fault["consequence"]), ("forfeited", "match.no_show", "forfeit"))
            self.tells(str(fault), name + " did not show up", *told)
            self.tells(said, *told)
            if name == "slow":
                self.assertEqual((fault["evidence"]["stderr_tail"], fault["evidence"].get("exit_status")), ("still compiling\n", None))
        self.assertIn("\"start_within\"", said)

    def test_without_a_loopback_a_pipe_does_and_that_is_said(self):
        apart = ["unshare", "--net", "--map-root-user"]
        if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
            self.skipTest("no network namespace can be made here")
        replay = self.path("replay.ndjson")
        # Without a sandbox: who is root only in a namespace of its own has no other users for the bots.
        done = subprocess.run([*apart, REFEREE, "play", "walls", "--unsandboxed", "--quiet", "--params", '{"size": 3}', "--replay", replay,
                               "--bot", "walls-greedy", "--bot", "walls-greedy"], capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stderr)
        (said,) = [line for line in done.stdout.splitlines() if "is a pipe and no socket" in line]
        self.assertIn("127.0.0.1", said)
        self.assertEqual(self.result_in(replay)["means"], ["read by the referee"] * 2)


class OutcomeTest(ProgramTest):
    def ci_job(self, *judged, out="out", status=0, told=()):
        return self.exits(status, "run", self.path("c.json"), "--out", self.path(out), "--quiet",
                          *(word for name in judged for word in ("--fail-on-forfeits", name)), told=told).stderr

    def test_a_run_tells_a_ci_job_of_its_submission(self):
        ways = {"frail": ("exit 3", " by its own faults"),
                "lacks": ("exit 127", ", perhaps by no fault of its own: it ended before its login with exit status 126 or 127, ")}
        bots = [self.launched("fine", "walls-greedy"), *(self.launched(name, "sh", "-c", ends) for name, (ends, _) in ways.items()),
                self.launched("mute", *left_turner(turn="continue"))]
        self.write("c.json", self.walls(bots, match={"games": 1}, format={"kind": "leaderboard", "opponents": ["fine"]}, clock={"budget": "500ms"}))
        told = [f"{name} forfeited 1 of its 1 game{why}" for name, (_, why) in ways.items()]
        self.ci_job(told=[*told, "; the last: game t/1.1: "])
        # The same command again judges what was played.
        self.ci_job("frail", status=1)
        self.ci_job("mute", status=1, told="mute gave no valid move in 1 of its 1 game")
        self.assertNotIn("fine forfeited", self.ci_job("fine"))
        self.ci_job("frial", out="none", status=2, told='no bot of the config has the name "frial"; expected one of fine, frail, lacks, mute')

    def test_a_single_game_finds_its_bots_from_where_one_stands(self):
        shutil.copy(GREEDY, self.path("mine"))
        self.write("mine.sh", "#!/bin/sh\n. ./beside\n")
        self.write("beside", "exec ./mine\n")
        os.chmod(self.path("mine.sh"), 0o755)
        for command in (["./mine"], ["./mine.sh", "--reads", "."], ["sh mine.sh", "--reads", "."]):
            self.exits(0, "play", "walls", "--quiet", "--params", '{"size": 3}', "--bot", "random", "--bot", *command, cwd=self.folder)

    def test_a_single_game_tells_of_its_first_bot_and_who_did_not_come(self):
        base = ["play", "walls", "--quiet", "--params", '{"size": 3}', "--reads", BIN]
        for first, second, status, told in (("false", "random", 1, ""), ("random", "./gone", 3, "can't start './gone'"),
                                            ("random", "false", 2, "false: its process ended before it logged in: exit status 1")):
            self.exits(status, *base, "--bot", first, "--bot", second, told=told)
