"""The samples of configs/ci: the script that they call, and that each calls it as it says."""
import json
import os
import re
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
# Of each job file: the members, which stand on GitHub's or GitLab's own pages, so that one which nobody has looked up there is told. And
# what is kept, which is what the script writes; only trouble of the machine is worth another try.
JOBS = {"github-actions.yml": ("name on jobs grade runs-on container timeout-minutes steps uses run if with path",
                               "        if: always()\n        with:\n          name: feedback\n          path: grade/feedback.html\n"),
        "gitlab-ci.yml": ("grade image timeout before_script script retry max exit_codes artifacts when paths reports junit",
                          "  retry:\n    max: 2\n    exit_codes: 3\n  artifacts:\n    when: always\n    paths:\n      - grade/feedback.html\n"
                          "    reports:\n      junit: grade/junit.xml\n")}


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
        for brought in (lambda: None, lambda: os.symlink(shutil.move(self.out, self.path("elsewhere")), self.out)):
            brought()
            done = self.run_job(bot=BAD)
            self.assertEqual((done.returncode, "is there already" in done.stderr), (2, True), done.stdout + done.stderr)
            self.assertTrue(json.loads(self.read(self.out, "grade.json"))["passed"], "it is as it was")

    def test_gradescope_gets_its_file_though_the_submission_fails(self):
        autograder = self.path("autograder")
        self.write("autograder/submission/bot.py", BAD)
        self.write("autograder/source/rubric.json", RUBRIC)
        for name in ("grade.sh", os.path.join("gradescope", "run_autograder")):
            shutil.copy(os.path.join(CI, name), os.path.join(autograder, "source"))
        # Gradescope's machine has one Python, the system's, which a sandbox shows to all.
        script = self.read(autograder, "source", "run_autograder")
        script = script.replace('"python3 bot.py"', f'"{COMMAND}" ' + " ".join(READ))
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=LONG,
                              env={**os.environ, "REFEREE": REFEREE, "AUTOGRADER": autograder})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(json.loads(self.read(autograder, "results", "results.json"))["score"], 0)

    def test_gradescope_is_told_where_there_is_no_file(self):
        autograder = self.path("autograder")
        shutil.copytree(CI, os.path.join(autograder, "source"))
        os.makedirs(os.path.join(autograder, "submission"))
        done = subprocess.run(["bash", os.path.join(CI, "gradescope", "run_autograder")], capture_output=True, text=True, timeout=LONG,
                              env={**os.environ, "REFEREE": "/no/such/program", "AUTOGRADER": autograder})
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("says nothing of the submission", done.stderr)

    def test_the_job_files_call_it_and_keep_what_it_writes(self):
        for name, (members, kept) in JOBS.items():
            text = self.read(os.path.join(CI, name))
            self.tells(text, 'sh .grading/grade.sh .grading/rubric.json "python3 bot.py"', kept)
            self.assertEqual(set(re.findall(r"(?m)^[ -]*([a-z_-]+):", text)), set(members.split()))
            self.assertNotIn("\t", text, "YAML has no tabs")
