"""What bash completes behind `referee`: the script is made of --help, and asked by a real bash."""
import os
import subprocess
import sys
import unittest

from harness import REFEREE, SOURCE, ProgramTest, referee


class CompletionTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.script = self.path("completions/referee")
        subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "scripts/completion"), REFEREE, self.script], check=True)

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
        self.assertEqual(self.completed("pl"), ["play"])
        self.assertEqual(self.completed("ctl", "tok"), ["token"])
        self.assertEqual(self.completed("ctl", "token", ""), ["new"])
        self.assertEqual(self.completed("check", "--js"), ["--json"])
        self.assertEqual(self.completed("run", "--fail"), ["--fail-on-forfeits"])
        self.assertEqual(self.completed("run", "--no-such"), [])
        self.write("friday.json", "{}")
        self.assertEqual(self.completed("check", "fri"), ["friday.json"])
        self.assertEqual(self.completed("check", "--out", "x", "fri"), ["friday.json"])

    def test_all_commands_are_there(self):
        listed = referee("--help").stdout.split("\nCommands for students:\n")[1]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2:3].isalpha()]
        self.assertGreater(len(commands), 10)
        self.assertLessEqual(set(commands), set(self.completed("")))


if __name__ == "__main__":
    unittest.main()
