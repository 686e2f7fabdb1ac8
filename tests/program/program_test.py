"""The referee as its users use it: the built program, real processes, real TCP."""
import datetime
import json
import os
import re
import resource
import signal
import subprocess
import sys

from harness import LONG, REFEREE, SOURCE, ProgramTest, alive_with, ended, referee, wait_until


class RunTest(ProgramTest):
    def test_plays_bots_of_two_languages_over_pipes_and_tcp(self):
        python = os.path.join(SOURCE, "sample_bots", "python")
        config = self.write("c.json", self.walls([
            self.launched("greedy", "walls-greedy"),
            self.launched("tcp", "walls-greedy", speaks="tcp"),
            self.launched("py", sys.executable, "walls_greedy.py", directory=python),
            self.launched("py-tcp", sys.executable, "walls_random.py", directory=python, speaks="tcp"),
        ]))
        done = self.exits(0, "run", config, "--out", self.path("out"))
        self.assertIn("rank  name", done.stdout)
        self.assertIn("6 of 6 matches", done.stdout)
        standings = json.loads(self.read("out/standings.json"))
        self.assertTrue(standings["finished"])
        self.assertEqual([bot["played"] for bot in standings["bots"]], [3, 3, 3, 3])
        self.assertEqual(sum(bot["points"] for bot in standings["bots"]), 6)
        games = [self.path("out/games/" + name) for name in os.listdir(self.path("out/games"))]
        self.assertEqual(len(games), 12)
        checked = self.exits(0, "trace", "--replay", *games)
        self.assertEqual(checked.stdout.count("all agrees"), 12)
        self.assertEqual(alive_with(self.marker), [])

    def test_a_launched_bot_lives_as_long_as_its_config_says(self):
        greedy = os.path.join(os.path.dirname(REFEREE), "walls-greedy")
        starts = {"tournament": 1, "match": 2, "game": 4}
        bots = [self.launched(name, "sh", "-c", f"echo >> {self.path(name)}; exec {greedy}", lifetime=name) for name in starts]
        # Without a sandbox, in which the bots could not count their starts.
        done = self.exits(0, "run", self.write("c.json", self.walls(bots, no_show_after="1h")), "--out", self.path("out"), "--quiet", "--unsandboxed")
        self.assertRegex(done.stderr, r"\A.*bots run without a sandbox \(--unsandboxed\).*\n\Z")
        self.assertEqual({name: len(self.read(name)) for name in starts}, starts)
        self.assertEqual(alive_with(self.marker), [])

    def test_it_says_for_whom_it_waits_and_interrupted_leaves_nothing_running(self):
        config = self.write("c.json", self.walls([self.launched("b", "tail", "-f", "/dev/null"), {"name": "eve", "token": "t"}]))
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with open(self.path("said"), "w") as said:
                process = self.spawn([REFEREE, "run", config, "--out", self.path(f"out{status}")], stdout=said, stderr=subprocess.DEVNULL)
            wait_until(lambda: alive_with(self.marker) and "t waits for eve to connect, " in self.read("said"), "a bot and what is waited for")
            self.assertEqual(ended(process, number), status)
            self.assertEqual(alive_with(self.marker), [])
            self.assertNotIn("referee ctl", self.read("said"), "nobody takes orders here")


class CheckTest(ProgramTest):
    def test_mistakes_are_told_with_their_lines_by_each_command(self):
        config = self.write("bad.json", '{\n"bots": [{"name": "a"}, {"name": "a"}],\n"tournaments": [{"id": "t", "game": "walls", "formt": {}}]}')
        for command in (["check", config], ["run", config, "--out", self.path("out")]):
            self.exits(2, *command, told=("bad.json:2: bots[1].name:", "bad.json:3: tournaments[0].formt:"))
        self.assertFalse(os.path.exists(self.path("out")))
        told = json.loads(self.exits(2, "check", self.write("bad.json", '{\n"bots": []\n"tournaments": []}'), "--json").stdout)
        (mistake,) = told["mistakes"]
        self.assertEqual((told["status"], told["tournaments"], mistake["line"]), (2, [], 2))

    def test_a_bot_that_can_not_be_launched_is_told_and_tried_again_before_a_run_ends(self):
        config = self.write("c.json", self.walls([self.launched("here", "walls-greedy"), self.launched("gone", "./no-such-bot")],
                                                 match={"games": 1}, no_show_after="1s"))
        done = self.exits(1, "check", config, told="c.json:1: warning: on this machine the bot \"gone\" can't start './no-such-bot': no such file")
        self.assertIn("c.json: not good on this machine: it has a bot that can't start\n", done.stdout)
        self.exits(3, "run", config, "--out", self.path("out"), "--quiet", told=("can't start './no-such-bot'", "4 launches of it have failed"))

    def test_what_it_tells_of_times_and_seeds(self):
        now, day = datetime.datetime.now().replace(microsecond=0), datetime.timedelta(days=1)
        past = (now - day).isoformat()
        tournaments = ({"id": "week", "format": {"kind": "ladder"}, "until": past},
                       {"id": "late", "starts": past, "field": {"ladder": "week", "house": True}}, {"id": "friday", "starts": (now + day).isoformat()},
                       {"id": "chance", "game": "superball", "format": {"kind": "leaderboard"}})
        config = {"bots": [self.launched(name, "walls-greedy") for name in "ab"], "tournaments": [{"game": "walls", **one} for one in tournaments]}
        done = self.exits(0, "check", self.write("c.json", config))
        self.tells(done.stdout, "tournament friday begins on ", "all of the ladder week, house bots among them, clock")
        for warning in ("tournament week ended on .*: no match of it begins", "warning: tournament late was to begin on .*: that moment is past",
                        "tournament chance has the seed .* superball .*\"seed\""):
            self.assertRegex(done.stdout + done.stderr, warning)

    def test_how_long_it_takes(self):
        config = self.write("c.json", self.walls([self.launched(name, "walls-greedy") for name in "abcd"], format={"kind": "swiss", "rounds": 2}))

        def swiss(*more):
            done = self.exits(0, "check", config, "--json", *more)
            told = json.loads(done.stdout)
            self.assertEqual((told["config"], told["status"], told["mistakes"], done.stderr), (config, 0, [], ""))
            return told["tournaments"][0]

        told = swiss()
        self.assertEqual((told["matches"], told["games"], told["turns_most"]), ({"least": 4, "most": 4}, {"least": 8, "most": 8}, 9 * (9 + 2)))
        self.assertNotIn("likely_ms", told)
        self.assertEqual(swiss("--game-time", "30s")["on_cores"][0], {"cores": 1, "likely_ms": 240_000})
        text = self.exits(0, "check", config, "--game-time", "30s").stdout
        self.assertRegex(text, r"t: likely takes \d+ min; never more than .*, as if all bots used up their time in all 99 turns ")
        self.assertTrue(text.endswith(": not tried: whether the ports are free, whether the bots begin and play\n" + config + ": good\n"), text)
        self.exits(2, "check", config, "--game-time", "soon", told="--game-time: expected a time such as 30s or 2500ms, found soon")
        # What the run before tells makes a likely time of it.
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet")
        told = swiss("--out", self.path("out"))
        self.assertEqual((told["games_known"], 0 < told["likely_ms"] <= told["worst_ms"]), (8, True), told)
        self.exits(2, "check", config, "--out", self.path("nowhere"), told="nowhere/referee.db: there is no such store")


class TraceTest(ProgramTest):
    def test_a_game_by_hand(self):
        setup, moves = {"game": "walls", "params": {"size": 5}}, '{"moves":["F",null]}\n{"moves":[null,"F"],"used_us":[0,5]}\n'
        done = self.exits(0, "trace", self.write("s.json", setup), self.write("m.ndjson", moves))
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line.get("turn") for line in lines], [0, 1, 2, None])
        self.assertEqual(lines[2]["state"]["board"], [".....", ".....", ".A.B.", ".....", "....."])
        self.assertEqual(lines[3], {"outcome": None})


class ReportFileTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.trf = self.write("field.trf", "".join(f"001 {number:4}      Bot {number}\n" for number in range(1, 6)))

    def test_a_file_or_the_standard_input_or_what_is_malformed(self):
        text, bad = self.read(self.trf), self.write("bad.trf", "001    x\n")
        for command in (["pair"], ["standings"]):
            self.assertEqual(self.exits(0, "trf", *command, "-", input=text).stdout, self.exits(0, "trf", *command, self.trf).stdout)
        self.refuses(*((command, "bad.trf:1:5: expected ") for command in (["pair", bad], ["pair", "--check", bad], ["standings", bad])), before=["trf"])

    def test_the_next_round_and_the_rounds_that_were_played(self):
        self.assertEqual(self.exits(0, "trf", "pair", self.trf).stdout, "3\n1 3\n4 2\n5 0\n")
        data = os.path.join(SOURCE, "tests/referee/contest/pairing/data/")
        self.assertEqual(self.exits(0, "trf", "pair", "--check", data + "odd.trf").stdout, "rounds checked: 7, different: 0\n")
        self.exits(0, "trf", "pair", data + "odd.trf", told="all 7 rounds are played")
        done = self.exits(1, "trf", "pair", data + "impossible.trf", told=": no legal pairing for round ")
        self.assertEqual(done.stdout, "")
        points = self.write("points.trf", "001    1" + " " * 73 + "1.5    1\n001    2\n")
        self.exits(0, "trf", "pair", points, told="player 1 has 1.5 points in columns 81 to 84, but 0.0 by the results")

    def test_a_full_disk_leaves_the_file_that_was_there(self):
        pairs = self.write("pairs.txt", "as it was")
        self.exits(0, "trf", "pair", self.trf, "-o", pairs)
        whole = self.read(pairs)
        full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4)), "restore_signals": False}
        self.exits(3, "trf", "pair", self.trf, "-o", pairs, **full, told="pairs.txt can't be written: File too large")
        self.assertEqual(self.read(pairs), whole)
        self.assertFalse(os.path.exists(pairs + ".part"))

    def test_nobody_waits_for_who_writes_into_a_pipe(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        self.refuses(*((command, "fifo is a FIFO (a named pipe); expected a") for command in (
            ["trf", "pair", fifo], ["explain", fifo], ["maps", "snake_labyrinth", "--check", fifo], ["trace", fifo, self.write("m.ndjson", "")])))

    def test_an_answer_that_is_lost_is_no_success_and_a_reader_that_is_gone_no_trouble(self):
        reading, gone = os.pipe()
        os.close(reading)
        full = os.open("/dev/full", os.O_WRONLY)
        for out, command, status, told in ((full, "pair", 3, "can't be written"), (full, "standings", 3, "can't be written"), (gone, "pair", 0, "")):
            done = subprocess.run([REFEREE, "trf", command, self.trf], stdout=out, stderr=subprocess.PIPE, text=True, timeout=LONG)
            self.assertEqual((done.returncode, told in done.stderr), (status, True), done.stderr)
        os.close(gone)
        os.close(full)


class HelpTest(ProgramTest):
    def test_every_command_teaches(self):
        listed = self.exits(0, "--help")
        readers = re.split(r"^Commands for (.+):$", listed.stdout, flags=re.M)[1::2]
        self.assertEqual(readers, ["students", "instructors", "courses' machinery"])
        commands = re.findall(r"^  ([a-z-]+) {2,}", listed.stdout.split("Commands for ", 1)[1], re.M)
        self.assertGreaterEqual(len(commands), 20)
        self.assertLessEqual(len(commands), 24)
        for command in [*commands, "job"]:
            self.assertIn("$ referee " + command, self.exits(0, command, "--help").stdout, f"{command} --help shows no example")

    def test_usage_shows_what_may_be_left_out_and_asks_a_reason_only_where_it_is_recorded(self):
        self.assertIn("referee ctl admit [OPTIONS] [TOURNAMENT] BOT", self.exits(0, "ctl", "admit", "--help").stdout)
        for order, recorded in (("pause", True), ("withdraw", True), ("refuse", True), ("start", False), ("admit", False)):
            self.assertEqual("--reason" in self.exits(0, "ctl", order, "--help").stdout, recorded, order)

    def test_a_wrong_command_line_is_bad_input(self):
        self.refuses(([], "--help"), (["run"], "CONFIG"), (["trace"], "SETUP"), (["--log-level", "loud", "check", "x"], "loud"))

    def test_a_value_that_is_no_number_is_answered_with_one_that_is(self):
        self.refuses((["view", "x", "--text", "abc"], "--text: expected a whole number such as 12, found abc\n"),
                     (["review", "x", "--every", "0"], "--every: Value 0 not in range 1 to 2147483647\n"))
        self.assertNotIn("a whole number", self.exits(2, "check", "c.json", "--json=abc").stderr)

    def test_what_is_nearly_a_command_or_an_option_is_suggested(self):
        self.refuses(*((words, f"did you mean `{meant}`?") for words, meant in (
            (["plya", "walls"], "referee play"), (["check", "c.json", "--jsn"], "referee check --json"), (["ctl", "stats", "--out", "x"], "referee ctl status"),
            (["--lgo-level", "info", "check", "x"], "referee --log-level"), (["status"], "referee ctl status"), (["token", "--help"], "referee ctl token"),
            (["ctl", "annul"], "referee ctl replay-game"))))
        self.refuses((["ctl", "--out", "x", "standings"], '"standings" is no command of `referee ctl`; expected one of '),
                     (["ctl", "token", "ann"], '"ann" is no command of `referee ctl token`; expected one of new'))
        for arguments in (["frobnicate"], ["check", "c.json", "--frobnicate"]):
            self.assertNotIn("did you mean", self.exits(2, *arguments).stderr, arguments)


class CompletionTest(ProgramTest):
    """What bash completes behind `referee`: the script is made of --help, and asked by a real bash."""

    def setUp(self):
        super().setUp()
        self.script = self.path("completions/referee")
        subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "scripts/manual"), REFEREE, self.script, "--completion"], check=True)

    def completed(self, *words):
        """What bash offers for the last of the words, by the function that `complete` was told."""
        line = """
            source "$1"; shift
            [[ $(complete -p referee) =~ -F\\ ([a-z_]+) ]] || exit 9
            COMP_WORDS=(referee "$@"); COMP_CWORD=$#
            "${BASH_REMATCH[1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
        """
        done = subprocess.run(["bash", "--norc", "-c", line, "bash", self.script, *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_commands_options_and_files(self):
        self.write("friday.json", "{}")
        for words, offered in ((["pl"], ["play"]), (["ctl", "tok"], ["token"]), (["ctl", "token", ""], ["new"]), (["check", "--js"], ["--json"]),
                               (["run", "--fail"], ["--fail-on-forfeits"]), (["run", "--no-such"], []), (["check", "fri"], ["friday.json"]),
                               (["check", "--out", "x", "fri"], ["friday.json"])):
            self.assertEqual(self.completed(*words), offered, words)
        listed = referee("--help").stdout.split("\nCommands for students:\n")[1]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2:3].isalpha()]
        self.assertGreater(len(commands), 10)
        self.assertLessEqual(set(commands), set(self.completed("")))
