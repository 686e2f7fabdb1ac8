"""`referee grade`: points for what was played, nobody's zero for the referee's trouble, nothing played twice."""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree

from gradings import GradingTest, rubric
from harness import LONG, READS, REFEREE, left_turner, referee, rows, thinks, wait_until


class GradeTest(GradingTest):
    # One submission.

    def test_points_are_what_the_games_say(self):
        done = self.grade("walls-minimax")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        grade = self.read("out", "grade.json")
        self.assertEqual((grade["points"], grade["of"], grade["passed"]), (grade["points"], 20, True))
        wins = {step["id"]: step for step in grade["steps"]}
        self.assertEqual(wins["legal"]["points"], 10)
        self.assertEqual(wins["beats"]["points"], 5)
        store = os.path.join(self.folder, "out", "games", "referee.db")
        won = rows(store, "SELECT count(*) FROM games g JOIN game_seats s ON s.seq = g.seq WHERE s.bot = 'submission' AND s.place = 1 "
                          "AND g.tournament LIKE 'submission-greedy-%' AND NOT EXISTS (SELECT 1 FROM game_seats o WHERE o.seq = g.seq "
                          "AND o.bot <> 'submission' AND o.place = 1)")[0][0]
        self.assertEqual(wins["level"]["points"], 5 * won / 2)
        self.assertEqual(grade["points"], 15 + 5 * won / 2)

    def test_a_grade_names_what_it_was_made_of(self):
        self.grade("walls-minimax")
        grade = self.read("out", "grade.json")
        store = os.path.join(self.folder, "out", "games", "referee.db")
        program = rows(store, "SELECT DISTINCT program FROM game_seats WHERE bot = 'submission'")
        self.assertEqual([(grade["program"],)], program)
        self.assertRegex(grade["rubric"]["hash"], "^sha256:[0-9a-f]{64}$")
        self.assertIn("core", grade["machine"])

    def test_a_program_that_crashes_gets_nothing_and_is_told_why(self):
        done = self.grade(" ".join([sys.executable, "-c", "'raise SystemExit(\"it went wrong\")'"]))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        grade = self.read("out", "grade.json")
        self.assertEqual(grade["points"], 0)
        self.assertIn("it went wrong", done.stdout)
        first, *others = [step["advice"][0] for step in grade["steps"]]
        self.assertIn("the program ended before its first move: exit status 1", first)
        self.assertIn('; the last line on its standard error is "it went wrong"', first)
        for told in others:
            self.assertRegex(told, 'in [0-9]+ games? the same went wrong as in "Plays without a fault"', "a fault stands once")
        kind = '"build": {"kind": "walls-lines"}; or --bot walls-lines:FILE, or collect --kind walls-lines'
        self.assertRegex(done.stdout, "warning: submission never logged in: .*" + re.escape(kind))
        self.assertNotIn("show this page to your course", done.stdout, "its own words say what it is")
        with open(self.path("out/report.txt")) as file:
            self.assertIn(kind, file.read(), "the instructor's, as students can't say it")
        with open(self.path("out/feedback.md")) as file:
            self.assertNotIn("walls-lines", file.read())

    def test_the_zero_of_a_program_that_ends_without_a_word_is_not_final(self):
        done = self.grade("true")
        self.assertIn("not final, 0 of", done.stdout)
        self.assertIn("show this page to your course", done.stdout)
        self.assertIn(": the program ended by itself, without an error, before its first move\n", done.stdout)
        self.assertNotRegex(done.stdout, "\\[failed\\]|fault in|faults in|logged in: exit")

    def hidden(self):
        text = rubric()
        text["series"][1]["hidden"] = True
        return text

    def test_what_stopped_a_program_is_shown_to_its_student_beside_hidden_steps(self):
        bot = self.file("bot.py", "def play(:\n")
        done = self.grade(f"{sys.executable} {bot}", self.hidden())
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for page in ("feedback.md", "feedback.html", "grade.json"):
            with open(os.path.join(self.folder, "out", page)) as file:
                text = file.read()
            self.assertIn("SyntaxError", text, page)
            self.assertNotIn(self.folder, text, "where its file lies here tells a student nothing")
        with open(self.path("out/feedback.md")) as file:
            self.assertRegex(file.read(), "hidden: the program gave no valid move in any of the 6 games of this grade: the program ended before its first move: ")

    def test_what_a_program_wrote_while_it_played_is_not_shown_beside_hidden_steps(self):
        bot = self.file("bot.py", left_turner("sys.stderr.write('SEEN ' + line); sys.exit(3)")[2])
        self.grade(f"{sys.executable} {bot}", self.hidden())
        with open(os.path.join(self.folder, "out", "feedback.html")) as file:
            self.assertNotIn("SEEN", file.read())

    def test_a_lost_game_says_why(self):
        done = self.grade(" ".join([sys.executable, self.file("bot.py", left_turner()[2])]))
        step = {step["id"]: step for step in self.read("out", "grade.json")["steps"]}["beats"]
        self.assertRegex(step["advice"][0], "laid [0-9]+ bricks?, (as many as )?the other player.*; the game ended after [0-9]+ moves, when ")
        self.assertNotIn("ended by the game's rules", done.stdout)
        replays = glob.glob(os.path.join(self.folder, "out", "games", "submission-random-*", "games", "*.ndjson"))
        told = referee("explain", *sorted(replays))
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertEqual(told.stdout.count("It ended after"), len(replays))
        why = step["advice"][0].split(": ", 1)[1]
        for part in why.split("; "):
            self.assertIn(part, told.stdout, "one description, not two")
        self.assertEqual(referee("explain", replays[0], "/no/such").returncode, 2)

    def test_a_program_that_is_not_there_gets_nothing(self):
        done = self.grade("./no_such_bot")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.read("out", "grade.json")["points"], 0)
        self.assertIn("no_such_bot", done.stdout)

    def test_an_opponent_that_fails_is_nobodys_zero_and_is_tried_again(self):
        marker = os.path.join(self.folder, "mended")
        os.makedirs(marker)
        # It ends in the middle of its games until a file says that it is mended.
        turn = f"\n        if not os.path.exists({os.path.join(marker, 'now')!r}): sys.exit(3)"
        bots = [{"name": "random", "launch": left_turner(turn), "reads": [*READS, marker]}, {"name": "greedy", "launch": ["walls-greedy"]}]
        done = self.grade("walls-minimax", rubric(bots=bots), more=["--quiet"])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "submission: not final, .* points so far\n")
        grade = self.read("out", "grade.json")
        self.assertIn("the opponent random failed", str(grade))
        self.assertEqual((grade["final"], grade["points"], grade["passed"]), (False, None, False))
        self.assertIn("the same command", done.stderr)
        self.assertIn("referee grade --rubric", done.stderr)
        self.file("mended/now", "")
        done = self.grade("walls-minimax", rubric(bots=bots))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_opponent_that_is_not_there_is_trouble(self):
        bots = [{"name": "random", "launch": ["/no/such/bot"]}, {"name": "greedy", "launch": ["walls-greedy"]}]
        done = self.grade("walls-minimax", rubric(bots=bots))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("/no/such/bot", done.stderr)

    # Bad input.

    def test_mistakes_are_told_in_words_of_the_rubric(self):
        cases = [({"game": "chess"}, "chess"),
                 ({"bots": [{"name": "random", "launch": 5}, {"name": "greedy", "launch": ["walls-greedy"]}]}, "bots[0]"),
                 ({"series": [{"id": "random", "opponents": ["random"], "params": {"size": 2}},
                              {"id": "greedy", "opponents": ["greedy"]}]}, "series random: params"),
                 ({"pass": 1000}, "pass")]
        for change, told in cases:
            with self.subTest(told):
                done = self.grade("walls-minimax", rubric(**change))
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(told, done.stderr)

    def test_a_command_line_names_one_submission_or_a_class(self):
        for more in ([], ["--bot", "walls-greedy", "--all", self.folder]):
            done = self.grade(more=more)
            self.assertEqual((done.returncode, done.stderr), (2, "expected one of --bot COMMAND, --source FILE and --all FOLDER\n"))

    def test_a_missing_rubric(self):
        done = referee("grade", "--rubric", "/no/rubric.json", "--bot", "walls-greedy", "--out", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/no/rubric.json", done.stderr)

    # Nothing twice.


class AgainTest(GradingTest):
    def test_the_same_again_plays_nothing(self):
        first = self.grade("walls-minimax")
        before = self.games()
        grade = self.read("out", "grade.json")
        again = self.grade("walls-minimax")
        self.assertEqual((first.returncode, again.returncode), (0, 0))
        self.assertEqual((self.games(), self.read("out", "grade.json")), (before, grade))

    def test_a_changed_rubric_plays_only_what_it_touches(self):
        self.grade("walls-minimax")
        changed = rubric()
        changed["steps"][1]["points"] = 7
        self.grade("walls-minimax", changed)
        self.assertEqual(self.games(), 6, "points alone need no games")
        changed["series"][1]["match"]["games"] = 4
        self.grade("walls-minimax", changed)
        self.assertEqual(self.games(), 6 + 4, "one of the series has other games now")

    def test_another_program_is_another_matter(self):
        self.grade("walls-minimax")
        self.grade("walls-greedy")
        self.assertEqual(self.games(), 12)

    # A class.

    def test_a_long_name_with_odd_letters_is_graded(self):
        name = "die Mannschaft mit dem l\u00e4ngsten 'Namen' von allen, wirklich"
        self.submission(name, command=["walls-greedy"])
        text = rubric()
        text["series"][0]["id"] = "a-series-with-an-id-of-32-letter"
        for step in text["steps"]:
            step["series"] = [text["series"][0]["id"] if one == "random" else one for one in step["series"]]
        done = self.grade(text=text, more=["--all", self.path("class")])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(name, done.stdout)
        grade = self.read("out", next(one for one in os.listdir(self.path("out")) if one.startswith("die")), "grade.json")
        self.assertEqual(grade["steps"][0]["points"], 10, "bots can say the ids of its games")

    def class_of_five(self):
        self.submission("ann", command=["walls-minimax"])
        self.submission("bob smith", command=["walls-greedy"])
        self.submission("cat", command=["./none"])
        self.submission("dan", command=["walls-random"], late=True, deadlines=[{"at": "2026-05-01T00:00:00Z", "late_s": 7200}])
        self.submission("eve", build={"result": "failed", "reason": "gcc: error", "output": "build.txt"}, command=[])
        self.file("class/eve/build.txt", "main.c:3: error: expected ';'\n")

    def test_a_class_is_graded_with_all_that_is_broken_in_it(self):
        self.class_of_five()
        junit = os.path.join(self.folder, "junit.xml")
        done = self.grade(text=rubric(late={"zero": True, "grace": "1h"}), more=["--all", os.path.join(self.folder, "class"), "--junit", junit])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(self.read("out", "ann", "grade.json")["points"], 15)
        self.assertEqual(self.read("out", "bob%32smith", "grade.json")["steps"][0]["points"], 10)
        self.assertEqual(self.read("out", "grades.json")["graded"], ["ann", "bob smith", "cat", "dan", "eve"])
        for page in ("feedback.md", "feedback.html", "report.txt", "grade.json"):
            with open(os.path.join(self.folder, "out", "eve", page)) as file:
                self.assertIn("main.c:3: error: expected ", file.read(), page)
        for name, told in (("cat", "none"), ("dan", "late"), ("eve", "gcc: error")):
            grade = self.read("out", name, "grade.json")
            self.assertEqual(grade["points"], 0, name)
            self.assertIn(told, json.dumps(grade), name)
        with open(os.path.join(self.folder, "out", "grades.csv")) as file:
            self.assertEqual(len(file.readlines()), 6)
        suites = xml.etree.ElementTree.parse(junit).getroot()
        self.assertEqual(len(suites.findall("testsuite")), 5)

    def test_whoever_is_done_has_a_grade_while_others_play(self):
        self.submission("ann", command=["walls-greedy"])
        self.submission("zoe")
        self.file("class/zoe/bot.py", left_turner(beside="while not os.path.exists('go'):\n    threading.Event().wait(0.05)")[2])
        rubric_file = self.file("rubric.json", rubric(limits={"start_within": "2m"}))
        running = subprocess.Popen([REFEREE, "grade", "--rubric", rubric_file, "--out", self.path("out"), "--all", self.path("class")],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(running.kill)
        wait_until(lambda: os.path.exists(self.path("out/ann/feedback.html")) or running.poll() is not None, "ann's page")
        early = self.read("out", "ann", "grade.json")
        self.assertFalse(os.path.exists(self.path("out/grades.csv")))
        self.file("class/zoe/go", "")
        told, _ = running.communicate(timeout=LONG)
        self.assertEqual(running.returncode, 0, told)
        self.assertEqual(self.read("out", "ann", "grade.json"), early)
        self.assertTrue(os.path.exists(self.path("out/zoe/feedback.html")))

    def test_killed_in_the_middle_nothing_is_lost(self):
        self.class_of_five()
        arguments = [REFEREE, "grade", "--rubric", self.file("rubric.json", rubric()), "--out", os.path.join(self.folder, "out"), "--all",
                     os.path.join(self.folder, "class"), "--quiet"]
        running = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        store = os.path.join(self.folder, "out", "games", "referee.db")
        wait_until(lambda: os.path.exists(store) and self.games_so_far(store) > 2, "some games")
        running.send_signal(signal.SIGKILL)
        running.wait()
        before = self.games_so_far(store)
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(rows(store, "SELECT count(*) FROM games WHERE status IN ('played', 'forfeited')")[0][0], 3 * 6 + 6)
        self.assertGreaterEqual(before, 2)

    @staticmethod
    def games_so_far(store):
        try:
            return rows(store, "SELECT count(*) FROM games")[0][0]
        except Exception:  # the store is being made
            return 0

    def test_a_stop_by_ctrl_c_tells_how_to_go_on(self):
        self.submission("ann", command=["walls-greedy"])
        text = rubric(bots=[{"name": name, "launch": left_turner(thinks(0.2)), "reads": READS} for name in ("random", "greedy")])
        for series in text["series"]:
            series["match"]["games"] = 20
        arguments = [REFEREE, "grade", "--rubric", self.file("rubric.json", text), "--out", os.path.join(self.folder, "out"), "--all",
                     os.path.join(self.folder, "class")]
        running = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        wait_until(lambda: running.poll() is not None or self.games_so_far(os.path.join(self.folder, "out", "games", "referee.db")) > 0, "a game")
        running.send_signal(signal.SIGINT)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=LONG)
        self.assertEqual(running.returncode, 130)
        self.assertIn("referee grade --rubric", told)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out", "ann", "grade.json")), "nobody's grade is half a grade")

    def test_names_of_the_rubrics_bots_are_free_for_submissions(self):
        self.submission("random", command=["walls-minimax"])
        self.submission("greedy@2", command=["walls-greedy"])
        done = self.grade(more=["--all", os.path.join(self.folder, "class")])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.read("out", "grades.json")["graded"], ["greedy@2", "random"])
        best = self.read("out", "random", "grade.json")
        self.assertEqual((best["name"], best["passed"], best["steps"][0]["points"]), ("random", True, 10))
        self.assertTrue(best["program"])
        done = self.grade("walls-greedy", out="single", more=["--name", "greedy"])
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        self.assertEqual(self.read("single", "grade.json")["name"], "greedy")

    def test_two_of_one_name_are_refused(self):
        self.submission("ann")
        self.file("class/other/submission.json", {"name": "ann", "command": ["walls-greedy"]})
        done = self.grade(more=["--all", os.path.join(self.folder, "class")])
        self.assertEqual(done.returncode, 2)
        self.assertIn('another submission has the name "ann" too', done.stderr)
