#!/usr/bin/env python3
"""Tries scripts/format on a small tree of its own: what it lays out, what it names, what it leaves alone.

    format_test.py ROOT

Ends with 77, which CTest shows as skipped, where there is no clang-format-14 or no git: who only builds needs neither.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
SKIPPED = 77
UNTIDY = "int  add(int a,int b){return a+b;}\n"
TIDY = "int add(int a, int b) {\n    return a + b;\n}\n"


class FormatTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.tree = pathlib.Path(self.folder.name)
        (self.tree / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/format", self.tree / "scripts/format")
        shutil.copy(ROOT / ".clang-format", self.tree / ".clang-format")
        self.write(".gitignore", "build\n")
        subprocess.run(["git", "init", "--quiet", self.tree], check=True)

    def write(self, path, text):
        (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / path).write_text(text)

    def read(self, path):
        return (self.tree / path).read_text()

    def add(self):
        subprocess.run(["git", "-C", self.tree, "add", "--all"], check=True)

    def format(self, *words):
        return subprocess.run([self.tree / "scripts/format", *words], capture_output=True, text=True, cwd=self.tree)

    def test_a_tidy_tree_passes(self):
        self.write("a/good.cpp", TIDY)
        self.add()
        ended = self.format("--check")
        self.assertEqual((ended.returncode, ended.stdout), (0, ""), ended.stderr)

    def test_untidy_files_are_named_and_left_as_they_are(self):
        self.write("a/good.cpp", TIDY)
        self.write("a/bad.cpp", UNTIDY)
        self.write("b/a bad one.h", UNTIDY)
        self.add()
        self.write("b/new.cpp", UNTIDY)  # not added yet
        ended = self.format("--check")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(ended.stdout.splitlines(), ["a/bad.cpp", "b/a bad one.h", "b/new.cpp"])
        self.assertIn("scripts/format", ended.stderr)
        self.assertEqual(self.read("a/bad.cpp"), UNTIDY)

    def test_only_the_named_files_are_looked_at(self):
        self.write("bad.cpp", UNTIDY)
        self.write("good.cpp", TIDY)
        self.assertEqual(self.format("--check", "good.cpp").returncode, 0)
        self.assertEqual(self.format("--check", "good.cpp", "bad.cpp").returncode, 1)

    def test_lays_out_what_git_keeps_and_nothing_else(self):
        self.write("bad.cpp", UNTIDY)
        self.write("gone.cpp", TIDY)
        self.write("build/made.cpp", UNTIDY)
        self.write("table.json", '{"a":1}\n')
        self.add()
        (self.tree / "gone.cpp").unlink()
        self.assertEqual(self.format("--check").stdout, "bad.cpp\n")
        ended = self.format()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.read("bad.cpp"), TIDY)
        self.assertEqual(self.read("build/made.cpp"), UNTIDY)
        self.assertEqual(self.read("table.json"), '{"a":1}\n')
        self.assertEqual(self.format("--check").returncode, 0)

    def test_trouble_is_not_taken_for_a_tidy_tree(self):
        self.write("good.cpp", TIDY)
        self.add()
        self.write(".clang-format", "NoSuchOption: true\n")
        ended = self.format("--check")
        self.assertEqual(ended.returncode, 3)
        self.assertIn("NoSuchOption", ended.stderr)
        shutil.rmtree(self.tree / ".git")
        self.assertEqual(self.format("--check").returncode, 3)

    def test_an_unknown_option_is_told(self):
        ended = self.format("--chekc")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("--check", ended.stderr)


if __name__ == "__main__":
    if not shutil.which("clang-format-14") or not shutil.which("git"):
        print("there is no clang-format-14 or no git; scripts/setup --format installs them")
        sys.exit(SKIPPED)
    unittest.main()
