"""Tournaments whose matches are played by jobs, as `run` and `serve` give them to three commands."""
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys

from daemon_test import DaemonTest
from harness import LONG, READS, REFEREE, SOURCE, alive_with, fits, left_turner, referee, thinks, wait_until
from job_test import job_in

HERE = os.path.join(SOURCE, "configs/machines/here")
THIS_MACHINE = os.uname().nodename
# What differs between two plays of the same game.
OF_TIME = ("used_us", "times", "time_ms", "link", "seq", "sent_us", "received_us", "charged_us", "noticed_us", "round_trip_us")
# How bots are launched, by their places: for each game, to dial in, for each match, for the whole tournament.
WAYS = ({"lifetime": "game"}, {"speaks": "tcp"}, {"lifetime": "match"}, {})
# Bots of each game that play the same game again, and what they play.
SAMPLES = {
    "walls": (["walls-greedy", "walls-greedy", "walls-random"], {"params": {"size": 3}}),
    "light_cycles": (["cycles-smarter", "cycles-dumb", "cycles-dumb", "cycles-dumb"],
                     {"params": {"width": 30, "height": 30, "cycles_per_team": 1, "starts": [[29, 15], [15, 29], [0, 15], [15, 0]]},
                      "format": {"kind": "round_robin", "seats": 4}, "match": {"best_of": 3, "seats": "rotate"}}),
    "e7_planets": (["e7-greedy", "e7-greedy"], {"setups": [{"map": "one_scrap"}, {"map": "type1_06"}], "match": {"games": 2}}),
    "snake_labyrinth": (["snake-right-hand", "snake-right-hand"],
                        {"params": {"max_steps": 100}, "setups": [{"maze": "handout"}, {"maze": "challenge1_tiny"}], "match": {"games": 2}}),
    "superball": (["superball-random", "superball-random"], {"match": {"games": 2, "seeds": [11, 12]}}),
}


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(held) for name, held in value.items() if name not in OF_TIME}
    return [without_times(held) for held in value] if isinstance(value, list) else value


def comparable(record):
    """A game's record, with its replay line by line, but for times and for what tells of the machine."""
    told = {name: value for name, value in record.items() if not name.startswith("host")}
    return without_times({**told, "replay": [json.loads(line) for line in record["replay"].splitlines()]})


class Machines(DaemonTest):
    def setUp(self):
        super().setUp()
        # Locks on cores of their own: other tests run beside this one.
        os.environ["XDG_CACHE_HOME"] = self.path("cache")
        self.addCleanup(os.environ.pop, "XDG_CACHE_HOME")
        self.addCleanup(self.end_jobs)

    def end_jobs(self):
        for process in alive_with(self.marker):
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)

    def machines(self, scripts=HERE, **more):
        return {"kind": "command", "folder": self.path("shared"), "jobs_at_once": 2,
                **{name: os.path.join(scripts, name) for name in ("submit", "list", "cancel")}, **more}

    def slow(self, bots=3, pause=0.02, **more):
        """A config of matches that last a while, and its file."""
        return self.of_bots(bots, thinks(pause), **more)

    def gated(self, bots=3, **more):
        """A config of matches in which no bot moves before `open_gate`, and its file."""
        os.mkdir(self.path("gate"))
        waits = f"while not os.path.exists({self.path('gate/open')!r}): {thinks(0.02)}"
        return self.of_bots(bots, waits, {"budget": "200s"}, READS + [self.path("gate")], **more)

    def open_gate(self):
        self.write("gate/open", "")

    def of_bots(self, bots, turn, clock=None, reads=READS, **more):
        program = self.write("bot.py", left_turner(turn=turn)[2])
        config = self.walls([self.launched(f"b{i}", sys.executable, program, reads=reads) for i in range(bots)], match={"games": 2},
                            **({"clock": clock} if clock else {}))
        return self.write("c.json", {**config, "machines": self.machines(), **more})

    def until_two_are_out(self):
        """Two jobs hold matches that nobody ends before the gate is open, and bots play."""
        wait_until(lambda: len(self.given()) >= 2 and len(alive_with(self.marker)) >= 2, "bots of jobs")

    def run_there(self, config, out="out", **options):
        self.exits(0, "run", config, "--out", self.path(out), "--quiet", **options)

    def begin_run(self, config, **options):
        return self.begin("run", config, "--out", self.path("out"), "--quiet", **options)

    def begin_gated(self, **options):
        run = self.begin_run(self.gated(), **options)
        self.until_two_are_out()
        return run

    def end(self, process, status=0):
        """Its errors."""
        _, error = process.communicate(timeout=LONG)
        self.assertEqual(process.returncode, status, error)
        return error

    def stop(self, process, status=0):
        """By a signal. Whoever ends so leaves no bot and no job."""
        process.send_signal(signal.SIGTERM)
        error = self.end(process, status)
        wait_until(lambda: not alive_with(self.marker), "the bots' end")
        self.assertEqual(self.jobs(), [])
        return error

    def check_end(self, run):
        error = self.end(run)
        self.check_whole("out", 3)
        self.assertEqual((self.jobs(), alive_with(self.marker)), ([], []))
        return error

    def records(self, out):
        """Of its games, in the order of matches."""
        records = map(json.loads, referee("store", "export", self.path(f"{out}/referee.db")).stdout.splitlines()[1:])
        games = [record for record in records if record.get("record") == "game"]
        return sorted(games, key=lambda game: (game["match"], game["number"], game["attempt"]))

    def jobs(self):
        return sorted(os.listdir(self.path("shared/jobs"))) if os.path.exists(self.path("shared/jobs")) else []

    def given(self):
        """The matches that are in jobs, each with its games: (number, attempt)."""
        found = {}
        # What begins with a dot is still being written, and gets its name when it is whole.
        for name in self.jobs():
            file = f"shared/jobs/{name}/job.json"
            if name.startswith(".") or not os.path.exists(self.path(file)):
                continue
            for match in job_in(self.path(file))["matches"]:
                found[match["games"][0]["match"]] = [(game["number"], game["attempt"]) for game in match["games"]]
        return found

    def begin(self, *command, stderr=subprocess.PIPE, **options):
        return self.spawn([REFEREE, *command], stdout=subprocess.PIPE, stderr=stderr, text=True, **options)

    def check_whole(self, out, matches):
        """Each match has its two games, and each of them counts once."""
        counted = [(game["match"], game["number"]) for game in self.records(out) if game["result"]["status"] in ("played", "forfeited")]
        self.assertEqual(sorted(counted), [(match, number) for match in range(1, matches + 1) for number in (1, 2)])


class SamePlay(Machines):
    """A tournament has the files of a local run."""
    MACHINE = THIS_MACHINE

    def files(self, out):
        found = (os.path.relpath(os.path.join(folder, name), self.path(out)) for folder, _, names in os.walk(self.path(out)) for name in names)
        return {name for name in found if not name.startswith("referee.db")}

    def check_files(self):
        """Byte for byte; replays line by line, but for times. Pages of games are drawn from replays, with their times."""
        names = self.files("here")
        self.assertEqual(self.files("there") - {"machines.id"}, names)
        self.assertIn("standings.json", names)
        for name in names:
            here, there = (self.read(f"{out}/{name}") for out in ("here", "there"))
            if name.startswith("games/"):
                here, there = ([without_times(json.loads(line)) for line in text.splitlines()] for text in (here, there))
            if not name.startswith("page/games/"):
                self.assertEqual(there, here, name)

    def check_game(self, game):
        commands, what = SAMPLES[game]
        bots = [self.launched(f"{command}-{i}", command, **WAYS[i]) for i, command in enumerate(commands)]
        config = {"listen": {"port": 0}, "bots": bots, "tournaments": [{"id": "t", "game": game, **what}]}
        self.run_there(self.write("here.json", config), "here")
        config["machines"] = self.machines()
        self.run_there(self.write("there.json", config), "there")
        records = self.records("there")
        self.assertEqual({(record["host"], record["host_cores"]) for record in records}, {(self.MACHINE, 1)})
        self.assertGreater(min(record["host_calibration_us"] for record in records), 0)
        self.assertEqual({record["host_sandbox"] for record in records}, {tier for record in records for tier in record["result"]["sandbox"]})
        self.assertEqual(list(map(comparable, records)), list(map(comparable, self.records("here"))))
        self.check_files()
        self.assertEqual(self.jobs(), [])
        self.assertEqual(os.listdir(self.path("shared/late")), [])
        self.assertNotIn("coordinator.json", os.listdir(self.path("shared")))


class SameTest(SamePlay):
    pass


for sample in SAMPLES:
    setattr(SameTest, f"test_{sample}", functools.partialmethod(SamePlay.check_game, sample))


class EndsTest(Machines):
    def kill_a_job(self):
        def processes():
            files = [f"shared/jobs/{job}/process" for job in self.jobs()]
            return list(filter(None, (self.read(file).strip() for file in files if os.path.exists(self.path(file)))))
        os.killpg(int(wait_until(processes, "a job's process")[0]), signal.SIGKILL)

    def test_a_signal_cancels_what_is_out_and_the_next_run_plays_it(self):
        self.stop(self.begin_gated(), 143)
        self.open_gate()
        self.run_there(self.path("c.json"))
        self.check_whole("out", 3)

    def test_a_run_that_is_killed_leaves_its_jobs_to_the_next_one(self):
        """Which plays them once: as they were given then.

        A match that was in no job yet when that run was killed has begun as far as the records say, so its first play ended
        there, and it is played by the next attempt.
        """
        run = self.begin_gated()
        run.kill()
        run.communicate(timeout=LONG)
        given = self.given()
        self.open_gate()
        self.check_end(self.begin_run(self.path("c.json")))
        self.assertEqual(set(given), {1, 2}, "two jobs at once, with a match each at first")
        plays = {}
        for game in self.records("out"):
            plays.setdefault(game["match"], []).append((game["number"], game["attempt"], game["result"]["status"]))
        for match, games in given.items():
            self.assertEqual([play[:2] for play in plays[match]], games)
        self.assertEqual([play[:2] for play in plays[3]], [(1, 1), (1, 2), (2, 1)])
        self.assertEqual(plays[3][0][2], "interrupted")

    def test_a_job_that_is_killed_is_played_again(self):
        run = self.begin_gated()
        self.kill_a_job()
        self.open_gate()
        self.assertIn("is over without a result", self.check_end(run))


class ServeTest(Machines):
    def test_status_tells_what_is_elsewhere_and_an_abort_cancels_it(self):
        daemon = self.serve(self.gated(sandbox={"min_tier": "none"}))
        self.until_two_are_out()
        self.assertEqual({job_in(self.path(f"shared/jobs/{job}/job.json"))["min_tier"] for job in self.jobs()}, {"B"})
        status = self.status()
        self.assertEqual(status["machines"]["jobs"], 2)
        config = json.loads(self.read("c.json"))
        config["machines"]["jobs_at_once"] = 3
        self.write("c.json", config)
        self.order("reload")
        config["machines"]["list"] = "./other"
        self.write("c.json", config)
        self.assertIn("can't change while the daemon runs, but for \"jobs_at_once\"", self.refused("reload"))
        wait_until(lambda: len(self.given()) >= 3, "a third job")
        self.assertGreaterEqual(status["tournaments"][0]["elsewhere"], 2)
        self.assertIn("machines", [wait["for"] for wait in status["tournaments"][0]["waiting"]])
        self.order("abort", "t", "--reason", "rain")
        wait_until(lambda: not alive_with(self.marker), "the bots' end")
        self.order("resume", "t")
        wait_until(lambda: len(alive_with(self.marker)) >= 2, "bots of jobs")
        self.stop(daemon)

    def test_what_a_machine_played_is_told_and_played_again_by_one_order(self):
        daemon = self.serve(self.slow(pause=0.002, sandbox={"min_tier": "none"}))

        def finished():
            return self.tournament("t")["state"] == "finished"
        wait_until(finished, "the tournament")
        (machine,) = fits(json.loads(self.order("machines", "--json")), "schemas/machines.json")["hosts"]
        self.assertEqual((machine["host"], machine["matches"], machine["games"]), (THIS_MACHINE, 3, 6))
        self.assertEqual(machine["time"]["untold"], "alone")
        self.assertIn("there is no other to compare it with", self.order("machines", "t"))
        for words, answer in ((("--host", "nowhere"), f"expected one of the machines that played: {THIS_MACHINE}"),
                              (("--host", ""), "--host: expected the name of a machine"),
                              (("--host", THIS_MACHINE, "--changed"), "expected one of --changed and --host")):
            self.assertIn(answer, self.refused("rerun", "t", *words))
        self.assertIn("would be played again", self.order("rerun", "t", "--host", THIS_MACHINE, "--dry-run"))
        self.assertTrue(finished())
        again = json.loads(self.order("rerun", "t", "--host", THIS_MACHINE, "--json"))
        self.assertEqual((again["host"], len(again["again"]), again["kept"]), (THIS_MACHINE, 3, 0))
        wait_until(finished, "the tournament again")
        attempts = [(game["match"], game["number"]) for game in self.records("out") if game["attempt"] == 2]
        self.assertEqual(attempts, [(match, number) for match in (1, 2, 3) for number in (1, 2)])
        self.assertEqual(json.loads(self.order("machines", "--json"))["hosts"][0]["games"], 6)
        self.stop(daemon)


class TroubleTest(Machines):
    def test_a_command_that_is_not_there_is_told_and_waited_for(self):
        submit = self.path("submit")
        config = self.slow(machines=self.machines(submit=submit))
        with open(self.path("errors"), "w") as errors:
            run = self.begin("run", config, "--out", self.path("out"), stderr=errors)
        wait_until(lambda: "ended with status 127" in self.read("errors"), "the command's trouble")
        os.symlink(os.path.join(HERE, "submit"), submit)
        output, _ = run.communicate(timeout=LONG)
        error = self.read("errors")
        self.assertEqual(run.returncode, 0, error)
        self.assertIn("matches go on", output + error)
        self.assertIn(f"{self.path('shared')} was not there and is made; expected it on all machines", error)
        # The games of other machines count as time that goes by.
        told = [line for line in output.splitlines() if line.endswith(" so far")]
        self.assertRegex(told[0], r"0 running, \d+ match(es)? on other machines, ")
        self.assertNotIn(" 0.0 s so far", told[-1])
        self.check_whole("out", 3)

    def test_check_tries_the_machines_and_submits_nothing(self):
        good = self.exits(0, "check", self.slow())
        self.assertIn(f"up to 2 jobs at once, of folders in {self.path('shared')}, which is not there and is made", good.stdout)
        self.assertIn("3 matches, 6 games, 2 at once", good.stdout)
        self.assertIn("what takes longest are bots and rounds that wait for one another", good.stdout)
        self.assertFalse(os.path.exists(self.path("shared")))
        # What may be otherwise in a while is a warning.
        for status, more, said in ((0, {"list": "exit 75;"}, "no match gets to other machines now: "), (2, {"list": "./nowhere/list"}, "ended with status 127"),
                                   (2, {"submit": "./nowhere/submit --quick"}, "(./nowhere/submit --quick): no program ./nowhere/submit is there"),
                                   (2, {"list": "exit 75;", "cancel": "no-such-program"}, "no program no-such-program is there"),
                                   (0, {"submit": "f() { true; }; f", "cancel": "NODE=1 ./cancel"}, ""),
                                   (2, {"folder": self.path("c.json") + "/x"}, "Not a directory; expected \"folder\" of \"machines\" to be on")):
            self.assertIn(said, self.exits(status, "check", self.slow(machines=self.machines(**more))).stderr)
        short = self.slow(machines=self.machines(time_max="10m"))
        for command in (["check", short], ["run", short, "--out", self.path("out"), "--quiet"]):
            self.assertRegex(self.exits(2, *command).stderr, r"machines.time_max: a match of \"t\" may last [1-9]\d* minutes by its budgets")
        self.assertEqual(self.jobs(), [])
