"""Matches through a real Slurm: what machines::Slurm asks of it, and what it makes of its answers.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
# calm: daemons of a real Slurm share the machine, bind jobs to cores, and are killed.
import json
import os
import shutil
import subprocess
import time
import unittest

from harness import BIN, LONG, REFEREE, alive_with, wait_until
from job_test import JobFolders, comparable
from slurm_cluster import SlurmCluster, missing

DRIVER = os.path.join(BIN, "slurm_driver")
# Stands in for the referee where only the batch system matters: tells its core, and stays.
STAYS = """#!/bin/sh
nproc >"$2/counted"
mv "$2/counted" "$2/cores"
exec sleep 4713.5
"""


@unittest.skipIf(missing(), f"Slurm's {missing()} isn't installed (scripts/setup --machines)")
class SlurmTest(JobFolders):
    CLUSTER = {}

    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster(**cls.CLUSTER)
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        super().setUp()
        self.id = self._testMethodName[-20:]
        self.stays = self.write("stays", STAYS)
        os.chmod(self.stays, 0o755)
        self.addCleanup(self.end_all)

    def end_all(self):
        self.cluster.answers("scancel", f"--user={os.getuid()}")
        wait_until(lambda: not self.cluster.queue(), "an empty queue")

    def with_variables(self, **more):
        return {**self.cluster.environment, **more}

    def ask(self, *words, referee=REFEREE, settings=(), identity=None, environment=None):
        """The driver's answer: its lines, and None or what the trouble was."""
        done = subprocess.run([DRIVER, identity or self.id, referee, *settings, *words], capture_output=True, text=True, timeout=LONG,
                              env=self.cluster.environment if environment is None else environment, stdin=subprocess.DEVNULL)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return (done.stdout.splitlines(), None) if done.returncode == 0 else ([], done.stdout.strip())

    def job_folder(self, number):
        folder = self.path(f"{number:06}")
        os.makedirs(folder, exist_ok=True)
        return folder

    def submit(self, *numbers, cores=1, seconds=60, **options):
        _, trouble = self.ask("submit", str(cores), str(seconds), *[f"{number}={self.job_folder(number)}" for number in numbers], **options)
        self.assertIsNone(trouble)

    def listed(self, **options):
        """(number, begun or waits, host, because) of each job."""
        lines, trouble = self.ask("list", **options)
        self.assertIsNone(trouble)
        rows = [line.split(" ", 4) for line in lines]
        return sorted((int(number), state, host, because) for number, _, state, host, because in rows)

    def ids(self):
        return [line.split()[1] for line in self.ask("list")[0]]

    def begun(self, count):
        return wait_until(lambda: [row for row in self.listed() if row[1] == "begun"][count - 1:] and self.listed(), f"{count} jobs that begin")

    def in_job(self, number, name):
        with open(os.path.join(self.path(f"{number:06}"), name)) as file:
            return file.read()

    def stay(self, *numbers, **options):
        """Jobs that begin and stay; all cores that each of them said it has."""
        self.submit(*numbers, referee=self.stays, **options)
        self.begun(len(numbers))
        wait_until(lambda: all(os.path.exists(os.path.join(self.path(f"{number:06}"), "cores")) for number in numbers), "their cores")


class OneNodeTest(SlurmTest):
    CLUSTER = {"nodes": 1, "bound": True}

    def test_an_array_plays_prepared_jobs_each_on_its_core(self):
        config = self.config("walls")
        local = self.play_locally(config)
        matches = sorted({game["match"] for game in local})
        jobs = {17 + i: [game for game in local if game["match"] == match] for i, match in enumerate(matches)}
        for number, games in jobs.items():
            self.job_folder(number)
            self.write(f"{number:06}/job.json", self.job_of(config, games, id=f"t-{number}"))
        self.submit(*jobs)
        wait_until(lambda: not self.listed(), "the jobs' end")
        for number, games in jobs.items():
            self.assertEqual(sorted(os.listdir(self.path(f"{number:06}"))), ["job.json", "log", "result.ndjson"], self.in_job(number, "log"))
            lines = [json.loads(line) for line in self.in_job(number, "result.ndjson").splitlines()]
            self.assertEqual((lines[0]["job"], lines[0]["host"]["cores"]), (f"t-{number}", 1))
            self.assertEqual([comparable(line) for line in lines if "record" in line], [comparable(game) for game in games])

    def test_a_job_has_as_many_cores_as_were_asked_for(self):
        self.stay(1, cores=1)
        self.assertEqual(self.in_job(1, "cores"), "1\n")
        self.end_all()
        self.stay(2, cores=self.cluster.cores)
        self.assertEqual(self.in_job(2, "cores"), f"{self.cluster.cores}\n")

    def test_the_list_tells_numbers_hosts_and_why_jobs_wait(self):
        self.stay(5, cores=self.cluster.cores)
        self.submit(7, 8, 300, referee=self.stays)  # two arrays: the numbers are far apart
        self.submit(9, referee=self.stays, identity="somebody_else")
        wait_until(lambda: all(row[3] in ("Resources", "Priority") for row in self.listed()[1:]), "why they wait")
        rows = self.listed()
        self.assertEqual([row[:3] for row in rows], [(5, "begun", "n1"), (7, "waits", "-"), (8, "waits", "-"), (300, "waits", "-")])
        self.assertEqual(rows[0][3], "")
        self.assertEqual([row[0] for row in self.listed(identity="somebody_else")], [9])
        # The user's own settings of squeue and sbatch change nothing.
        self.assertEqual(self.listed(environment=self.with_variables(SQUEUE_STATES="COMPLETED", SQUEUE_NAMES="x", SQUEUE_FORMAT="%u")), rows)
        self.submit(10, referee=self.stays, environment=self.with_variables(SBATCH_WAIT="1", SBATCH_PARTITION="nowhere"))
        self.assertEqual(len(self.listed()), 5)

    def test_jobs_have_little_of_the_environment(self):
        tells = self.write("tells", "#!/bin/sh\nenv >\"$2/told\"\nmv \"$2/told\" \"$2/env\"\n")
        os.chmod(tells, 0o755)
        self.submit(1, referee=tells, environment=self.with_variables(A_SECRET="hidden"))
        wait_until(lambda: os.path.exists(self.path("000001/env")), "the job's environment")
        names = {line.partition("=")[0] for line in self.in_job(1, "env").splitlines()}
        self.assertIn("PATH", names)
        self.assertNotIn("A_SECRET", names)
        self.assertNotIn("SLURM_GET_USER_ENV", names)  # which would begin a shell of the user's before each job

    def test_a_cancelled_job_leaves_no_process(self):
        job = self.long_job()
        # As many as may think at once, and one that waits.
        count = self.cluster.cores + 1
        for number in range(1, count + 1):
            self.job_folder(number)
            self.write(f"{number:06}/job.json", job)
        self.submit(*range(1, count + 1))
        self.begun(self.cluster.cores)
        wait_until(lambda: len(alive_with(self.marker)) >= 2, "the bots")
        self.assertEqual(self.ask("cancel", *map(str, range(1, count + 1)), "4711"), ([], None))
        wait_until(lambda: not self.listed(), "the jobs' end")
        self.assertEqual(alive_with(self.marker), [])
        for number in range(1, count + 1):
            self.assertNotIn("result.ndjson", os.listdir(self.path(f"{number:06}")))
        self.assertEqual(self.ask("cancel"), ([], None))

    def test_a_job_that_was_submitted_twice_is_cancelled_twice(self):
        self.submit(1, 2, referee=self.stays)
        self.submit(1, referee=self.stays)
        self.assertEqual([row[0] for row in self.listed()], [1, 1, 2])
        self.assertEqual(self.ask("cancel", "1"), ([], None))
        wait_until(lambda: [row[0] for row in self.listed()] == [2], "the end of both")
        self.submit(1, referee=self.stays, identity="somebody_else")
        self.assertEqual(self.ask("cancel", "1", "2"), ([], None))
        wait_until(lambda: not self.listed(), "the job's end")
        self.assertEqual(len(self.listed(identity="somebody_else")), 1)

    def test_a_job_whose_time_is_nearly_over_is_told_so(self):
        self.job_folder(1)
        self.write("000001/job.json", self.long_job())
        self.submit(1, seconds=60)
        self.begun(1)
        wait_until(lambda: len(alive_with(self.marker)) >= 2, "the bots")
        self.assertIn("TimeLimit=00:03:00", self.cluster.answers("scontrol", "show", "job", "--oneliner", self.ids()[0]))
        # Now its last minute has begun. Slurm looks each half a minute.
        self.cluster.answers("scontrol", "update", f"jobid={self.ids()[0]}", "timelimit=1")
        wait_until(lambda: not self.listed(), "the job's end")
        self.assertIn("the job is to be played again", self.in_job(1, "log"))
        self.assertEqual((alive_with(self.marker), sorted(os.listdir(self.path("000001")))), ([], ["job.json", "log"]))

    def test_a_folder_that_the_node_has_not(self):
        self.submit(1, referee=self.stays)
        self.end_all()
        shutil.rmtree(self.path("000001"))
        _, trouble = self.ask("submit", "1", "60", f"1={self.path('000001')}", referee=self.stays)
        self.assertIsNone(trouble)
        wait_until(lambda: not self.listed(), "the job's end")
        self.assertFalse(os.path.exists(self.path("000001")))

    def check(self, *settings, cores=1):
        return self.ask("check", str(cores), "60", settings=settings)[1]

    def test_check_tells_what_would_be_refused_and_submits_nothing(self):
        self.assertIsNone(self.check())
        self.assertIsNone(self.check("partition=main", "argument=--nice=10"))
        for settings, cores, said in ((("partition=nope",), 1, "expected one that `sinfo` lists"),
                                      (("partition=short",), 1, "expected a partition with a higher time limit"),
                                      (("partition=empty",), 1, "has no node; expected one with nodes"),
                                      (("partition=asleep",), 1, "is down, and jobs wait there"),
                                      ((), 1000, "fewer \"cores\""),
                                      (("argument=--constraint=fast",), 1, "see \"arguments\""),
                                      (("argument=--no-such-option",), 1, "see \"arguments\""),
                                      (("commands=/no/such/folder",), 1, "expected Slurm's commands on this machine")):
            trouble = self.check(*settings, cores=cores)
            self.assertTrue(trouble and trouble.startswith("stays ") and said in trouble, trouble)
        self.assertEqual(self.cluster.queue(), [])
        nowhere = self.ask("check", "1", "60", environment={"PATH": os.environ["PATH"]})[1]
        self.assertTrue(nowhere.startswith("stays "), nowhere)
        self.assertIn("run the referee on a login node", nowhere)

    def test_a_partition_that_is_down(self):
        self.submit(1, referee=self.stays, settings=["partition=asleep"])
        said = "PartitionDown: expected another partition, or ask the administrators"
        wait_until(lambda: self.listed()[0][3] == said, said)

    def test_a_partition_whose_time_is_too_short(self):
        self.submit(1, referee=self.stays, settings=["partition=short"])
        wait_until(lambda: self.listed()[0][3].startswith("PartitionTimeLimit: the partition's jobs may not last as long"), "why it waits")
        self.assertEqual(self.listed()[0][1], "waits")


class TroubleTest(SlurmTest):
    CLUSTER = {"nodes": 2, "cores": 1}

    def test_a_job_that_is_bound_to_nothing_has_the_cores_that_were_asked_for(self):
        config = self.config("walls")
        self.job_folder(1)
        self.write("000001/job.json", self.job_of(config, self.play_locally(config)))
        self.submit(1, cores=1)
        wait_until(lambda: not self.listed(), "the job's end")
        self.assertEqual(json.loads(self.in_job(1, "result.ndjson").splitlines()[0])["host"]["cores"], 1, self.in_job(1, "log"))

    def test_two_nodes_play_at_once(self):
        self.stay(1, 2)
        self.assertEqual(sorted(row[2] for row in self.listed()), ["n1", "n2"])

    def test_a_drained_node(self):
        self.cluster.drain("n1")
        self.addCleanup(self.cluster.resume, "n1")
        self.submit(1, 2, referee=self.stays)
        self.begun(1)
        self.assertEqual([row[2] for row in self.listed() if row[1] == "begun"], ["n2"])
        waits = wait_until(lambda: [row[3] for row in self.listed() if row[1] == "waits" and row[3]], "why it waits")[0]
        self.assertIn(waits.split(",")[0].split(" ")[0], ("Resources", "ReqNodeNotAvail", "Nodes"), waits)
        self.cluster.resume("n1")
        self.begun(2)

    def test_a_controller_that_is_killed_right_after_a_submission(self):
        self.submit(1, 2, referee=self.stays)
        self.cluster.kill("slurmctld")
        lost = self.ask("list")[1]
        self.assertTrue(lost.startswith("passes ") and "slurmctld doesn't answer" in lost, lost)
        self.cluster.start_controller()
        # What it has forgotten is not in its list, whether it ever began or not.
        known = [row[0] for row in self.listed()]
        self.assertLessEqual(set(known), {1, 2})
        self.submit(3, referee=self.stays)
        self.assertEqual([row[0] for row in self.listed()], [*known, 3])

    def test_a_node_whose_daemon_is_killed_goes_on_playing(self):
        self.stay(1)
        node = self.listed()[0][2]
        self.cluster.kill(node)
        time.sleep(1)
        # Slurm believes that it is played, and so it is.
        self.assertEqual(self.listed(), [(1, "begun", node, "")])
        self.assertEqual(self.ask("cancel", "1"), ([], None))
        self.cluster.start_node(node)
        wait_until(lambda: not self.listed(), "the job's end")


if __name__ == "__main__":
    unittest.main()
