#!/usr/bin/env python3
"""Computes what names programs of bots have, from referee/launch/program/README.md alone, and compares them with
what the referee's own code says of the same folders. Standard library only."""

import hashlib
import os
import pathlib
import random
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

TELLER = pathlib.Path(os.environ["REFEREE_BIN"]) / "program_teller"
README = pathlib.Path(os.environ["REFEREE_SOURCE"]) / "referee/launch/program/README.md"
SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/opt/", "/nix/store/", "/gnu/store/")


def counted(data):
    return str(len(data)).encode() + b":" + data


def sha256(path):
    return hashlib.sha256(pathlib.Path(os.fsdecode(path)).read_bytes()).hexdigest().encode()


def kind_of(path):
    return b"executable " if os.stat(path).st_mode & 0o111 else b"file "


def folder_lines(folder):
    lines = {}
    for place, folders, files in os.walk(os.fsencode(folder)):
        for name in folders + files:
            whole = os.path.join(place, name)
            path = os.path.relpath(whole, os.fsencode(folder))
            if os.path.islink(whole):
                lines[path] = b"link " + counted(path) + b" " + counted(os.readlink(whole))
            elif os.path.isdir(whole):
                lines[path] = b"folder " + counted(path)
            else:
                lines[path] = kind_of(whole) + counted(path) + b" " + sha256(whole)
    return [lines[path] for path in sorted(lines)]


def version_of(program):
    done = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, cwd="/", check=False)
    first = done.stdout.split(b"\n")[0]
    return first[:200] if done.returncode == 0 and first else None


def name_of(working_directory, folder, command, kind="", runs_it=""):
    """The name, and the text that it is the hash of."""
    lines = [b"referee-program 1"] + ([b"kind " + counted(kind.encode())] if kind else [])
    lines += [b"word " + counted(word.encode()) for word in command]
    own = os.path.realpath(folder) + "/" if folder else None
    lines += folder_lines(folder) if folder else []
    interpreter = None
    for ordinal, word in enumerate(command):
        path = os.path.join(working_directory, word)
        if ordinal == 0 and "/" not in word:
            path = shutil.which(word) or ""
        path = os.path.realpath(path)
        if not os.path.isfile(path) or (own and path.startswith(own)):
            continue
        status = os.stat(path)
        if ordinal == 0 and path.startswith(SYSTEM) and status.st_uid == 0 and not status.st_mode & 0o22:
            interpreter = path
            continue
        lines.append(b"named " + counted(word.encode()) + b" " + kind_of(path) + sha256(path))
    interpreter = os.path.realpath(shutil.which(runs_it)) if runs_it else interpreter
    if interpreter:
        version = version_of(interpreter)
        lines.append(b"interpreter version " + counted(version) if version is not None
                     else b"interpreter contents " + sha256(interpreter))
    text = b"".join(line + b"\n" for line in lines)
    return "sha256:" + hashlib.sha256(text).hexdigest(), text


class Recomputed(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def told(self, folder, *command, kind="", runs_it=""):
        done = subprocess.run([TELLER, self.folder, folder, os.environ["PATH"], kind, runs_it, *command],
                              stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout.strip()

    def compare(self, folder, *command, **kind):
        name, text = name_of(str(self.folder), str(folder), command, **kind)
        self.assertEqual(self.told(folder, *command, **kind), name, text.decode(errors="replace"))
        return name

    def make(self, path, text, mode=0o644):
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.chmod(mode)

    def test_the_example_of_the_page(self):
        self.make("bot.py", 'print("hi")\n')
        self.make("run", "#!/bin/sh\n", 0o755)
        (self.folder / "lib").mkdir()
        (self.folder / "latest").symlink_to("bot.py")
        name, text = name_of(str(self.folder), str(self.folder), ["./run", "--fast"])
        self.assertEqual(self.told(self.folder, "./run", "--fast"), name)
        page = README.read_text()
        shown = "".join("    " + line + "\n" for line in text.decode().splitlines())
        self.assertIn(shown, page)
        self.assertIn("    " + name + "\n", page)

    def test_an_interpreter_of_the_system(self):
        self.make("bot.py", "print(1)\n")
        python = next(path for path in ("/usr/bin/python3", "/bin/python3", "/usr/bin/perl", "/bin/cat") if os.path.exists(path))
        with_folder = self.compare(self.folder, python, "bot.py")
        without = self.compare("", python, "bot.py")
        self.assertNotEqual(with_folder, without)

    def test_students_programs_that_adapters_play_for(self):
        self.make("ann/player.m", "direction = 'U';\n")
        self.make("ann/iap", "#!/bin/sh\n", 0o755)
        for folder in ("", self.folder / "ann"):
            names = {self.compare(folder, "ann/player.m", kind="octave-function", runs_it="sh"),
                     self.compare(folder, "ann/player.m", kind="racket-team", runs_it="sh"),
                     self.compare(folder, "ann/player.m"),
                     self.compare(folder, "ann/iap", kind="snake-challenge"),
                     self.compare(folder, "sh", "ann/iap", kind="walls-lines")}
            self.assertEqual(len(names), 5)

    def test_a_program_that_knows_no_version(self):
        _, text = name_of(str(self.folder), "", ["/bin/false"])
        self.compare("", "/bin/false")
        dash = os.path.realpath("/bin/dash")
        if os.path.exists(dash):
            _, text = name_of(str(self.folder), "", [dash])
            self.assertIn(b"interpreter contents ", text)
            self.compare("", dash)

    def test_files_that_the_command_names(self):
        self.make("own/bot.py", "print(1)\n")
        self.make("kit/runner", "#!/bin/sh\n", 0o755)
        self.make("kit/book.bin", "opening\n")
        (self.folder / "book").symlink_to("kit/book.bin")
        for folder in ("", self.folder / "own"):
            for command in (("kit/runner", "own/bot.py"), ("./kit/runner", "book", "kit", "missing", ""),
                            (str(self.folder / "own/bot.py"), "kit/book.bin")):
                with self.subTest(folder=folder, command=command):
                    self.compare(folder, *command)

    def test_folders_made_by_chance(self):
        for seed in range(20):
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                tree = self.folder / f"tree{seed}"
                places = [tree]
                tree.mkdir()
                for number in range(chance.randrange(40)):
                    place = chance.choice(places) / (chance.choice("ab-./~ \n\u00e9").replace("/", "z") + str(number))
                    what = chance.randrange(4)
                    if what == 0:
                        place.mkdir()
                        places.append(place)
                    elif what == 1:
                        place.symlink_to(chance.choice(["..", "nowhere", "/etc/passwd", "a b\n"]))
                    else:
                        place.write_bytes(chance.randbytes(chance.choice([0, 1, 65536, 70000])))
                        place.chmod(stat.S_IRUSR | chance.choice([0, 0o100, 0o010, 0o001, 0o200]))
                self.compare(tree, "./bot")

    def test_the_page_says_which_folders_are_the_systems(self):
        page = README.read_text()
        for folder in SYSTEM:
            self.assertIn("`" + folder.rstrip("/") + "`", page)
        self.assertTrue(re.search(r"cut to 200 bytes", page))


if __name__ == "__main__":
    unittest.main()
