"""The samples of configs/ci: the script that they call, and that each calls it as it says."""
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from grade_test import GradingTest
from harness import LONG, READ, REFEREE, SOURCE, left_turner

CI = os.path.join(SOURCE, "configs", "ci")
RUBRIC = {"title": "Walls", "game": "walls", "pass": 5, "bots": [{"name": "random", "launch": ["walls-random"]}],
          "series": [{"id": "random", "opponents": ["random"], "params": {"size": 3}, "match": {"games": 2}}],
          "steps": [{"id": "legal", "title": "Plays without a fault", "points": 5, "series": ["random"], "rule": {"kind": "faultless"}}]}
OPPONENT_MISSING = {**RUBRIC, "bots": [{"name": "random", "launch": ["/no/such/bot"]}]}
GOOD = left_turner()[2]
BAD = "raise SystemExit('it went wrong')"
COMMAND = f"{sys.executable} bot.py"


class GradeCiTest(GradingTest):
    def setUp(self):
        super().setUp()
        self.repository, self.out = self.path("submission"), self.path("submission/grade")

    def run_job(self, rubric=None, bot=GOOD, **environment):
        rubric_file = self.write("course/rubric.json", rubric or RUBRIC)
        self.write("submission/bot.py", bot)
        return subprocess.run(["sh", os.path.join(CI, "grade.sh"), rubric_file, COMMAND, *READ], cwd=self.repository, capture_output=True,
                              text=True, timeout=LONG, env={**os.environ, "REFEREE": REFEREE, **environment})

    def test_the_status_is_the_verdict_and_what_a_job_shows(self):
        summary = self.write("summary.md", "before\n")
        for status, more in ((1, {"bot": BAD}), (2, {"rubric": {"title": "x"}}), (3, {"rubric": OPPONENT_MISSING}), (0, {"GITHUB_STEP_SUMMARY": summary})):
            with self.subTest(status=status):
                shutil.rmtree(self.out, True)
                done = self.run_job(**more)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertEqual("says nothing of the submission" in done.stderr, status >= 2)
                if status == 3:
                    self.assertIn("run this job again", done.stderr)
                    self.assertNotIn("--directory", done.stderr, "it names no folder that is gone")
        shown = self.read(summary)
        self.assertTrue(shown.startswith("before\n"))
        self.assertIn("Plays without a fault", shown)
        suites = xml.etree.ElementTree.parse(os.path.join(self.out, "junit.xml"))
        self.assertEqual(len(suites.findall(".//testcase")), 1)
        self.assertTrue(os.path.exists(os.path.join(self.out, "feedback.html")))

    def test_games_that_a_repository_brings_are_not_believed(self):
        self.run_job()
        before = self.read(os.path.join(self.out, "grade.json"))
        elsewhere = self.path("elsewhere")
        shutil.move(self.out, elsewhere)
        for brought in (lambda place: shutil.copytree(elsewhere, place), lambda place: os.symlink(elsewhere, place)):
            brought(self.out)
            done = self.run_job(bot=BAD)
            self.assertEqual((done.returncode, "is there already" in done.stderr), (2, True), done.stdout + done.stderr)
            self.assertEqual(self.read(os.path.join(self.out, "grade.json")), before)
            shutil.move(self.out, self.path("away"))
            subprocess.run(["rm", "-r", self.path("away")], check=True)

    def test_gradescope_gets_its_file_whatever_the_submission_is(self):
        for bot, score in ((GOOD, 5), (BAD, 0)):
            autograder = self.path(f"autograder-{score}")
            os.makedirs(os.path.join(autograder, "source"))
            self.write("submission/bot.py", bot)
            shutil.copytree(self.repository, os.path.join(autograder, "submission"))
            for name in ("grade.sh", os.path.join("gradescope", "run_autograder")):
                shutil.copy(os.path.join(CI, name), os.path.join(autograder, "source"))
            self.write(f"autograder-{score}/source/rubric.json", RUBRIC)
            # Gradescope's machine has one Python, the system's, which a sandbox shows to all.
            script = self.read(autograder, "source", "run_autograder")
            script = script.replace('"python3 bot.py"', f'"{COMMAND}" ' + " ".join(READ))
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=LONG,
                                  env={**os.environ, "REFEREE": REFEREE, "AUTOGRADER": autograder})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(json.loads(self.read(os.path.join(autograder, "results", "results.json")))["score"], score)

    def test_gradescope_is_told_where_there_is_no_file(self):
        autograder = self.path("autograder")
        shutil.copytree(CI, os.path.join(autograder, "source"))
        os.makedirs(os.path.join(autograder, "submission"))
        done = subprocess.run(["bash", os.path.join(CI, "gradescope", "run_autograder")], capture_output=True, text=True, timeout=LONG,
                              env={**os.environ, "REFEREE": "/no/such/program", "AUTOGRADER": autograder})
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("says nothing of the submission", done.stderr)

    def test_the_job_files_call_it(self):
        for name in ("github-actions.yml", "gitlab-ci.yml"):
            text = self.read(os.path.join(CI, name))
            self.assertIn('sh .grading/grade.sh .grading/rubric.json "python3 bot.py"', text)
            self.assertNotIn("\t", text, "YAML has no tabs")
