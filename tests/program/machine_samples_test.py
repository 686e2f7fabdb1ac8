"""The sample commands of configs/machines, each alone: no referee plays, and no machine is reached."""
import os
import subprocess

from harness import LONG, SOURCE, ProgramTest, wait_until

MACHINES = os.path.join(SOURCE, "configs/machines")
# Stands in for the referee: holds its core until the file `over` stands beside the jobs.
PLAYS = """#!/bin/sh
echo $$ >"$2/plays"
while [ ! -e "$(dirname "$2")/over" ]; do sleep 0.02; done
"""
# Stands in for ssh: notes the words that it was given, one a line.
NOTES = """#!/bin/sh
printf '%s\\n' "$@" >"$NOTED"
cat >/dev/null
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
        locks = self.path("cache/referee-cores")
        self.assertEqual(os.listdir(locks), [f"{os.uname().nodename}-{self.core}"])
        self.assertEqual(os.stat(locks).st_mode & 0o777, 0o700)
        # Also where it was there before, open to all.
        os.chmod(locks, 0o777)
        self.assertEqual(self.submit(self.job(3)).returncode, 0)
        self.assertEqual(os.stat(locks).st_mode & 0o777, 0o700)
        self.write("jobs/over", "")
        wait_until(lambda: len(plays()) == 2, "the other job")

    def test_without_a_place_for_locks_nothing_begins(self):
        self.write("file", "")
        folder = self.job(1)
        refused = self.submit(folder, XDG_CACHE_HOME=self.path("file"))
        self.assertEqual(refused.returncode, 64)
        self.assertIn("expected $HOME, or $XDG_CACHE_HOME, to be a folder in which this user may write", refused.stderr)
        self.assertEqual(os.listdir(folder), [])


class SshTest(Samples):
    def test_names_that_would_be_options_or_paths_are_refused_by_each_command(self):
        folder = self.job(1)
        for line in ("-oProxyCommand=touch${IFS}here 4", "../lab 4", "lab07", "lab07 many", "lab07 0", "lab07 4x", "a b 4"):
            hosts = self.write("hosts", f"# the lab\n\nlab01 2\n{line}\n")
            for name in ("submit", "list", "cancel"):
                refused = self.script(f"ssh/{name}", folder, REFEREE_HOSTS=hosts, REFEREE_SSH="false")
                self.assertEqual(refused.returncode, 64, (line, name, refused.stderr))
                self.assertIn(f"hosts, line 4: found `{line}`; expected a machine, as ssh calls it", refused.stderr)
        self.assertEqual(os.listdir(folder), [])

    def test_a_name_is_never_an_option_of_ssh(self):
        folder = self.job(1)
        noted = self.path("noted")
        variables = {"REFEREE_SSH": self.program("ssh", NOTES), "NOTED": noted, "REFEREE_HOSTS": self.write("hosts", "ann@::1%eth0 1\n")}
        self.assertEqual(self.script("ssh/submit", folder, **variables).returncode, 0)
        words = self.read("noted").splitlines()
        self.assertEqual(words[words.index("ann@::1%eth0") - 1], "--")
