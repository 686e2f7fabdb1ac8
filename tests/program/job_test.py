"""Matches that are played elsewhere: `referee job` in a folder as a coordinator makes it."""
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys

from harness import LONG, REFEREE, ProgramTest, alive_with, ended, left_turner, thinks, wait_until


def job_in(file):
    """Without its last line, a digest."""
    with open(file) as text:
        return json.loads(text.read().rsplit("\n", 2)[0])


class JobFolders(ProgramTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("job"))

    def one_match(self, *commands, games=2, **of_first):
        """A job of one match of Walls between such bots, as a coordinator makes it."""
        bots = [self.launched(name, *command) for name, command in zip(("a", "b"), commands)]
        bots[0].update(of_first)
        machines = {"kind": "command", "folder": self.path("shared"), "list": "true", "cancel": "true",
                    "submit": f"f() {{ ln \"$1/job.json\" {self.path('given.json')}; }}; f"}
        config = self.write("c.json", {**self.walls(bots, match={"games": games}), "machines": machines})
        run = self.spawn([REFEREE, "run", config, "--out", self.path("given"), "--quiet"], stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(self.path("given.json")), "the job")
        ended(run)
        job = job_in(self.path("given.json"))
        os.remove(self.path("given.json"))
        for folder in ("given", "shared"):
            shutil.rmtree(self.path(folder))
        return job

    def long_job(self, games=2):
        """A job of one match, in which a turn lasts until somebody ends it: the bot becomes a `sleep`, as `a_bot_sleeps` sees."""
        job = self.one_match(left_turner(turn="os.environ.get('SLEEPS') and os.execlp('sleep', 'sleep', '1000')"), ["walls-greedy"], games=games)
        job["config"]["bots"][0]["environment"]["SLEEPS"] = "1"
        job["config"]["tournaments"][0]["clock"] = {"budget": "1000s"}
        return job

    def a_bot_sleeps(self):
        for process in alive_with(self.marker):
            with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline") as words:
                if words.read().startswith("sleep"):
                    return True
        return False

    def begin_job(self):
        return self.spawn([REFEREE, "job", self.path("job")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_until_a_bot_sleeps(self):
        run = self.begin_job()
        wait_until(lambda: self.a_bot_sleeps() or run.poll() is not None, "the long turn")
        return run

    def write_job(self, job):
        text = json.dumps(job) + "\n"
        return self.write("job/job.json", f"{text}{hashlib.sha256(text.encode()).hexdigest()}\n")

    def job(self, status=0, **options):
        return self.exits(status, "job", self.path("job"), **options)

    def files(self):
        return sorted(name for name in os.listdir(self.path("job")) if name != "host")


class JobTest(JobFolders):
    """Each game's tournament, as jobs play it: machines_test.SameTest."""

    def test_of_several_runs_at_once_one_result_stands(self):
        job = self.one_match(["walls-greedy"], ["walls-greedy"])
        os.mkdir(self.path("nothing"))
        self.write_job({**job, "min_tier": "B"})
        self.job(3, env={**os.environ, "PATH": self.path("nothing")}, told="referee serve asks for tier B at least")  # there is no bubblewrap
        self.assertEqual(self.files(), ["job.json"])
        self.write_job(job)
        runs = [self.begin_job() for _ in range(3)]
        told = [run.communicate(timeout=LONG) for run in runs]
        self.assertEqual([run.returncode for run in runs], [0] * 3, told)
        self.assertEqual(sorted("already" in out for out, _ in told), [False, True, True])
        before = self.read("job/result.ndjson")
        self.assertIn("result.ndjson is there already: nothing is played", self.job().stdout)
        self.assertEqual((self.read("job/result.ndjson"), self.files()), (before, ["job.json", "result.ndjson"]))

    def test_a_signal_ends_it_and_nothing_is_left(self):
        # In the middle of a turn that lasts longer than anybody waits here.
        self.write_job(self.long_job())
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            run = self.run_until_a_bot_sleeps()
            run.send_signal(number)
            _, error = run.communicate(timeout=LONG)
            self.assertEqual(run.returncode, status, error)
            self.assertIn("the job is to be played again", error)
            self.assertEqual((alive_with(self.marker), self.files()), ([], ["job.json"]))

    def test_what_keeps_a_job_from_being_played(self):
        self.exits(2, "job", self.path("nowhere"), told="expected a job's folder")
        self.job(2)
        program = self.write("bot.py", left_turner()[2])
        good = self.one_match([sys.executable, program], ["walls-greedy"])
        self.write_job(good)
        os.chmod(self.folder, 0o755)
        os.chmod(self.path("job"), 0o555)
        # Root may write everywhere.
        self.job(3, told="expected a folder of a shared file system in which this user may write", **({"user": "nobody"} if os.getuid() == 0 else {}))
        os.chmod(self.path("job"), 0o777)
        self.job(3, told=("a job that others could have written isn't played: everybody may write to", "chmod go-w"))
        os.chmod(self.path("job"), 0o755)

        self.write("bot.py", left_turner()[2] + "\n# better\n")
        self.write_job({**good, "written_by": "/r of login1"})
        self.job(3, told=(f"{REFEREE} of {os.uname().nodename}: the program of a is not the one that the job was written for: expected ",
                          ", as /r of login1 saw it, found ", f" ({sys.executable}). ", "let the coordinator write the job anew"))
        self.assertEqual(self.read("job/host"), os.uname().nodename + "\n")
        os.remove(program)
        self.job(3, told=("the program of a", "expected the same files on every machine"))
        self.assertEqual(self.files(), ["job.json"])

    def test_a_bot_that_is_here_and_does_not_play_the_game_forfeits(self):
        other = [word.replace('games=["walls"]', 'games=["superball"]') for word in left_turner()]
        job = self.one_match(other, ["walls-greedy"], games=1)
        job["config"]["tournaments"][0]["no_show_after"] = "10ms"
        job["config"]["tournaments"].append({"id": "other", "game": "superball"})
        self.write_job(job)
        self.job()
        self.assertIn('"status":"forfeited"', self.read("job/result.ndjson"))

    def test_a_program_that_changes_while_it_is_played(self):
        # Each game launches what is there then; the first one lasts until something else is there.
        waits = left_turner(beside="own = open(sys.argv[0]).read()",
                            turn=f"while 'WAITS' in os.environ and open(sys.argv[0]).read() == own: {thinks(0.01)}")[2]
        job = self.one_match([sys.executable, self.write("bot.py", waits)], ["walls-greedy"], lifetime="game")
        job["config"]["tournaments"][0]["clock"] = {"budget": "1000s"}
        job["config"]["bots"][0]["environment"]["WAITS"] = "1"
        self.write_job(job)
        run = self.begin_job()
        wait_until(lambda: len(alive_with(self.marker)) >= 2 or run.poll() is not None, "the bots")
        self.write("bot.py", left_turner()[2])
        _, error = run.communicate(timeout=LONG)
        self.assertEqual((run.returncode, self.files()), (3, ["job.json"]), error)
        self.assertIn("its files changed while the job was played", error)


class CalmScancelTest(JobFolders):
    def test_a_signal_that_ends_the_bots_first_leaves_no_result(self):
        # As `scancel` does. It is the last game, so with the bots' end all is played; the referee waits a second for a signal of its own.
        self.write_job(self.long_job(games=1))
        run = self.run_until_a_bot_sleeps()
        for bot in alive_with(self.marker):
            with contextlib.suppress(ProcessLookupError):
                os.kill(bot, signal.SIGKILL)
        wait_until(lambda: not alive_with(self.marker), "the bots' end")
        run.send_signal(signal.SIGTERM)
        _, error = run.communicate(timeout=LONG)
        self.assertEqual((run.returncode, self.files()), (143, ["job.json"]), error)
        self.assertIn("the job is to be played again", error)
