"""The manual page says all that --help says: every command with its options and arguments."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

REFEREE = os.path.join(os.environ["REFEREE_BIN"], "referee")
MANUAL = os.path.join(os.environ["REFEREE_SOURCE"], "scripts/manual")


def commands(path=()):
    """Each command's path with its --help, found from the Subcommands of those above it."""
    told = subprocess.run([REFEREE, *path, "--help"], check=True, capture_output=True, text=True).stdout
    yield path, told
    for below in re.findall(r"^(?:Subcommands|Commands for .+):\n((?:  .*\n)+)", told, re.MULTILINE):
        for name in re.findall(r"^  ([a-z][a-z-]*) ", below, re.MULTILINE):
            yield from commands((*path, name))


class ManualTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile(suffix=".1") as page:
            subprocess.run([sys.executable, MANUAL, REFEREE, page.name], check=True)
            with open(page.name, encoding="utf-8") as file:
                cls.roff = file.read()
        cls.page = cls.roff.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\")

    def section(self, path):
        if not path:
            return self.page.partition(".SH OPTIONS\n")[2].partition("\n.SH ")[0]
        found = re.search(rf"^\.SS {re.escape(' '.join(path))}\n(.*?)(?=^\.S[SH] )", self.page, re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(found, f"{path} is missing")
        return found.group(1)

    def test_every_command_and_option_stands_in_it(self):
        seen = 0
        for path, told in commands():
            section = self.section(path)
            seen += 1
            for option in re.findall(r"^  (?:-\w,)?(--[a-z][a-z-]*)", told, re.MULTILINE):
                if option != "--help":
                    self.assertRegex(section, rf"\\fB(-\w,)?{re.escape(option)}\b", path)
            arguments = told.partition("\nPositionals:\n")[2].partition("\n\n")[0]
            for name in re.findall(r"^  ([A-Z]+)", arguments, re.MULTILINE):
                self.assertRegex(section, rf"\\fB{name}\b", path)
        self.assertGreater(seen, 20)

    def test_it_says_how_commands_end_and_where_files_are(self):
        for expected in (".SH EXIT STATUS", "130 or 143", "/etc/referee/referee.json", "/var/lib/referee", "journal"):
            self.assertIn(expected, self.page)

    def test_no_line_is_taken_for_a_request_by_mistake(self):
        known = (".TH ", ".SH ", ".SS ", ".TP", ".PP", ".nf", ".fi")
        for line in self.roff.splitlines():
            self.assertFalse(line.startswith("'"), line)
            self.assertTrue(not line.startswith(".") or line.startswith(known), line)


if __name__ == "__main__":
    unittest.main()
