"""The sample commands of configs/machines, each alone: no referee plays, and no machine is reached."""
import os
import subprocess
import unittest

from harness import LONG, SOURCE, ProgramTest, wait_until

MACHINES = os.path.join(SOURCE, "configs/machines")
# Stands in for the referee: holds its core until the file `over` stands beside the jobs.
PLAYS = """#!/bin/sh
echo $$ >"$2/plays"
while [ ! -e "$(dirname "$2")/over" ]; do sleep 0.02; done
"""
# Stands in for ssh: notes the words that it was given, one a line, and does here what a machine is to do; those that are named
# `off` can't be reached.
SSH = """#!/bin/sh
printf '%s\\n' "$@" >>"$NOTED"
while [ "$1" != -- ]; do shift; done
case $2 in off*) printf 'Warning: nobody is there.\\nssh: connect to host %s port 22: No route to host\\r\\n' "$2" >&2; exit 255 ;; esac
exec sh -c "$3"
"""


class Samples(ProgramTest):
    def program(self, name, text):
        path = self.write(name, text)
        os.chmod(path, 0o755)
        return path

    def job(self, number):
        folder = self.path(f"jobs/{number:06}")
        os.makedirs(folder)
        return folder

    def script(self, name, *words, **variables):
        environment = {**os.environ, "REFEREE_FOLDER": self.folder, **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        return subprocess.run([os.path.join(MACHINES, name), *words], capture_output=True, text=True, timeout=LONG, env=environment)


class HereTest(Samples):
    def setUp(self):
        super().setUp()
        self.core = str(sorted(os.sched_getaffinity(0))[0])
        self.referee = self.program("plays", PLAYS)
        self.addCleanup(self.end_jobs)

    def end_jobs(self):
        self.write("jobs/over", "")
        wait_until(lambda: not self.script("here/list").stdout, "the jobs' end")

    def submit(self, *folders, **variables):
        words = ["taskset", "-c", self.core, os.path.join(MACHINES, "here/submit"), *folders]
        environment = {**os.environ, "REFEREE_FOLDER": self.folder, "REFEREE": self.referee, "XDG_CACHE_HOME": self.path("cache"), **variables}
        return subprocess.run(words, capture_output=True, text=True, timeout=LONG, env=environment)

    def test_a_core_is_one_jobs_at_a_time_and_nobody_else_can_hold_its_lock(self):
        folders = [self.job(1), self.job(2)]
        self.assertEqual(self.submit(*folders).returncode, 0)
        plays = lambda: [folder for folder in folders if os.path.exists(folder + "/plays")]
        wait_until(plays, "a job that is played")
        self.assertEqual(len(plays()), 1)
        listed = lambda: sorted(line.split(" ")[1] for line in self.script("here/list").stdout.splitlines())
        wait_until(lambda: listed() == ["running", "waiting"], "a job that waits for the core")
        locks = self.path("cache/referee-cores")
        self.assertEqual(os.listdir(locks), [f"{os.uname().nodename}-{self.core}"])
        self.assertEqual(os.stat(locks).st_mode & 0o777, 0o700)
        # Also where it was there before, open to all.
        os.chmod(locks, 0o777)
        self.assertEqual(self.submit(self.job(3)).returncode, 0)
        self.assertEqual(os.stat(locks).st_mode & 0o777, 0o700)
        self.write("jobs/over", "")
        wait_until(lambda: len(plays()) == 2, "the other job")

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "here is one core only")
    def test_no_job_waits_beside_a_free_core(self):
        self.core = ",".join(map(str, sorted(os.sched_getaffinity(0))[:2]))
        folders = [self.job(2), self.job(4)]
        self.assertEqual(self.submit(*folders).returncode, 0)
        wait_until(lambda: all(os.path.exists(folder + "/plays") for folder in folders), "two jobs that are played")

    def test_without_a_place_for_locks_nothing_begins(self):
        self.write("file", "")
        folder = self.job(1)
        refused = self.submit(folder, XDG_CACHE_HOME=self.path("file"))
        self.assertEqual(refused.returncode, 64)
        self.assertIn("expected $HOME, or $XDG_CACHE_HOME, to be a folder in which this user may write", refused.stderr)
        self.assertEqual(os.listdir(folder), [])


class SshTest(Samples):
    def setUp(self):
        super().setUp()
        self.variables = {"REFEREE_SSH": self.program("ssh", SSH), "NOTED": self.path("noted"), "REFEREE_HOSTS": self.path("hosts"),
                          "REFEREE_THERE": "true", "XDG_CACHE_HOME": self.path("cache")}

    def ssh(self, name, *words, **variables):
        return self.script(f"ssh/{name}", *words, **{**self.variables, **variables})

    def machines_of(self, folders):
        return [self.read(f"{folder}/host").strip() if os.path.exists(f"{folder}/host") else "" for folder in folders]

    def unreachable(self, host):
        return f"ssh: connect to host {host} port 22: No route to host"

    def refused_by_each(self, words, *folders, **variables):
        for name in ("submit", "list", "cancel"):
            refused = self.ssh(name, *folders, **variables)
            self.assertEqual(refused.returncode, 64, (name, refused.stderr))
            self.assertIn(words, refused.stderr)

    def test_names_that_would_be_options_or_paths_and_what_is_missing_are_told_by_each_command(self):
        folder = self.job(1)
        for line in ("-oProxyCommand=touch${IFS}here 4", "../lab 4", "lab07", "lab07 many", "lab07 0", "lab07 4x", "a b 4"):
            self.write("hosts", f"# the lab\n\nlab01 2\n{line}\n")
            self.refused_by_each(f"hosts, line 4: found `{line}`; expected a machine, as ssh calls it", folder)
        self.assertEqual(os.listdir(folder), [])
        self.write("hosts", "# nobody yet\n")
        self.refused_by_each("hosts has no machine; expected a line for each, such as `lab07 4`")
        self.refused_by_each("/nowhere can't be read", REFEREE_HOSTS="/nowhere")
        self.refused_by_each("such as REFEREE_FOLDER=/shared/friday", REFEREE_FOLDER=None)

    def test_a_name_is_never_an_option_of_ssh(self):
        self.write("hosts", "ann@::1%eth0 1\n")
        self.assertEqual(self.ssh("submit", self.job(1)).returncode, 0)
        words = self.read("noted").splitlines()
        self.assertEqual(words[words.index("ann@::1%eth0") - 1], "--")

    def test_jobs_go_where_there_is_room_and_each_machine_is_called_once(self):
        self.write("hosts", "lab01 1\nlab02 3\n")
        folders = [self.job(number) for number in range(1, 6)]
        full = self.ssh("submit", *folders)
        self.assertEqual(full.returncode, 75)
        self.assertIn('has room; expected at most so many "jobs_at_once"', full.stderr)
        self.assertEqual(sorted(self.machines_of(folders)), ["", "lab01", "lab02", "lab02", "lab02"])
        self.assertEqual(self.read("noted").splitlines().count("--"), 2)
        over = next(folder for folder in folders if self.machines_of([folder]) == ["lab01"])
        self.write(f"{over}/result.ndjson", "")
        self.assertEqual(self.ssh("submit", folders[4]).returncode, 0)
        self.assertEqual(self.machines_of(folders[4:]), ["lab01"])

    def test_a_machine_that_takes_no_job_is_shut_and_named_in_the_words_of_ssh(self):
        self.write("hosts", "off 2\nlab01 1\n")
        folders = [self.job(number) for number in (1, 2, 3)]
        told = self.ssh("submit", *folders)
        self.assertEqual(told.returncode, 75)
        self.assertRegex(told.stderr.splitlines()[-1],
                         rf"^off is shut until \d\d:\d\d, or until {self.folder}/shut-off is removed: {self.unreachable('off')}$")
        self.assertEqual(sorted(self.machines_of(folders)), ["", "", "lab01"])
        # Nobody asks it meanwhile.
        self.write("noted", "")
        again = self.ssh("submit", folders[0])
        self.assertEqual((again.returncode, self.read("noted")), (75, ""))
        self.assertEqual(again.stderr.splitlines()[-1], told.stderr.splitlines()[-1])
        os.remove(self.path("shut-off"))
        self.ssh("submit", folders[0])
        self.assertIn("\noff\n", self.read("noted"))

    def test_nobody_waits_for_a_machine_that_is_shut_and_tried_again(self):
        self.write("hosts", "off 4\nlab01 1\n")
        slow = self.program("slow", SSH.replace("off*) ", f"off*) until [ -e '{self.path('answer')}' ]; do sleep 0.05; done ;; never) "))
        folder = self.job(1)
        self.write("shut-off", "1000 it was off\n")
        told = self.ssh("submit", folder, REFEREE_SSH=slow)
        self.assertEqual((told.returncode, self.machines_of([folder])), (0, ["lab01"]), told.stderr)
        self.write("answer", "")
        wait_until(lambda: not os.path.exists(self.path("shut-off")), "a machine that answers")

    def test_a_machine_without_the_referee_or_the_folder_is_shut(self):
        self.write("hosts", "lab01 2\n")
        told = self.ssh("submit", self.job(1), REFEREE_THERE="/nowhere/referee")
        self.assertIn("/nowhere/referee isn't there on ", told.stderr)
        os.remove(self.path("shut-lab01"))
        folder = self.job(2)
        unshared = self.program("unshared", SSH.replace("exec", f"mv '{folder}' '{folder}.away'; exec"))
        told = self.ssh("submit", folder, REFEREE_SSH=unshared)
        self.assertIn(f"{folder} can't be written to on ", told.stderr)

    def test_without_a_job_a_list_tries_each_machine_and_leaves_nothing(self):
        self.write("hosts", "off1 1\nlab01 1\noff2 1\n")
        told = self.ssh("list")
        self.assertEqual((told.returncode, told.stdout), (75, ""))
        self.assertEqual(told.stderr, f"off1: {self.unreachable('off1')}; off2: {self.unreachable('off2')}\n")
        self.write("hosts", "lab01 1\n")
        told = self.ssh("list", REFEREE_THERE="/nowhere/referee")
        self.assertEqual(told.returncode, 75)
        self.assertIn("lab01: /nowhere/referee isn't there on ", told.stderr)
        good = self.ssh("list")
        self.assertEqual((good.returncode, good.stdout, good.stderr), (0, "", ""))
        self.assertEqual(sorted(os.listdir(self.folder)), ["cache", "hosts", "noted", "ssh"])

    def test_jobs_of_a_silent_machine_count_as_played_until_they_are_cancelled(self):
        self.write("hosts", "off 1\n")
        folder = self.job(1)
        self.write(f"{folder}/host", "off\n")
        self.assertEqual(self.ssh("list").stdout, "000001 running off\n")
        cancelled = self.ssh("cancel", folder)
        self.assertEqual((cancelled.returncode, cancelled.stderr), (0, f"off plays on: {self.unreachable('off')}\n"))
        self.assertEqual(os.listdir(folder), [])

    def test_a_list_waits_once_for_a_machine_that_hangs(self):
        self.write("hosts", "hung 1\nlab01 1\n")
        hangs = self.program("hangs", SSH.replace("off*) ", "hung) exit 124 ;; off*) "))  # as `timeout` ends it
        for number, machine in ((1, "hung"), (2, "lab01")):
            self.write(f"{self.job(number)}/host", f"{machine}\n")
        for called in (["hung", "lab01"], ["lab01"]):
            self.write("noted", "")
            self.assertEqual(self.ssh("list", REFEREE_SSH=hangs).stdout, "000001 running hung\n")
            words = self.read("noted").splitlines()
            self.assertEqual(sorted(word for before, word in zip(words, words[1:]) if before == "--"), called)
