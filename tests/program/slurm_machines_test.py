"""Whole tournaments through a real Slurm, as `run` gives their matches to it. Kills of jobs and of the run: tests/soak/machines_soak.py."""
# calm: daemons of a real Slurm share the machine, bind jobs to cores, and are killed.
import os
import unittest

import machines_test
from harness import alive_with, wait_until
from slurm_cluster import SlurmCluster, missing


class OnSlurm:
    """For tests of `machines_test`: the machines are nodes of a cluster."""
    CLUSTER = {"nodes": 1, "bound": True}

    @classmethod
    def setUpClass(cls):
        if missing():
            raise unittest.SkipTest(f"Slurm's {missing()} isn't installed (scripts/setup --machines)")
        cls.cluster = SlurmCluster(**cls.CLUSTER)
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        super().setUp()
        os.environ["SLURM_CONF"] = self.cluster.environment["SLURM_CONF"]
        self.addCleanup(os.environ.pop, "SLURM_CONF")
        self.addCleanup(wait_until, lambda: not self.cluster.queue(), "an empty queue")
        self.addCleanup(self.cluster.answers, "scancel", f"--user={os.getuid()}")

    def machines(self, **more):
        return {"kind": "slurm", "folder": self.path("shared"), "jobs_at_once": 2, "partition": "main", **more}

    def queued(self):
        return [line.split()[0] for line in self.cluster.queue()]


class SameTest(OnSlurm, machines_test.SameTest):
    MACHINE = "n1"  # as Slurm calls it, so that it can be drained by that name


class TroubleTest(OnSlurm, machines_test.Machines):
    def test_a_job_has_the_cores_that_were_asked_for_and_little_of_the_environment(self):
        os.environ["A_SECRET"] = "hidden"
        self.addCleanup(os.environ.pop, "A_SECRET")
        run = self.begin_gated()
        players = wait_until(lambda: self.cluster.players()[1:] and self.cluster.players(), "two that play")
        cores = [os.sched_getaffinity(pid) for pid in players]
        self.assertEqual([len(of_job) for of_job in cores], [1, 1])
        self.assertNotEqual(*cores)
        with open(f"/proc/{players[0]}/environ", "rb") as file:
            names = {word.partition(b"=")[0] for word in file.read().split(b"\0")}
        self.assertIn(b"PATH", names)
        self.assertNotIn(b"A_SECRET", names)
        self.assertNotIn(b"SLURM_GET_USER_ENV", names)  # which would begin a shell of the user's before each job
        self.stop(run, 143)

    def test_a_job_whose_time_is_nearly_over_ends_by_itself_and_is_played_again(self):
        run = self.begin_gated()
        job = self.queued()[0]
        # Now its last minute has begun. Slurm looks each half a minute.
        self.cluster.answers("scontrol", "update", f"jobid={job}", "timelimit=1")
        wait_until(lambda: job not in self.queued(), "a queue without the job")
        self.open_gate()
        self.assertRegex(self.check_end(run), "is over without a result; it said: .*the job is to be played again")

    def test_a_controller_that_is_killed_and_a_nodes_daemon(self):
        run = self.begin_gated()
        self.cluster.restart("n1")
        self.cluster.kill("slurmctld")
        self.cluster.start_controller()
        self.open_gate()
        # It may believe that a job still waits that is played, and drains the node when that tells otherwise. So
        # somebody has to look after the cluster; the tournament waits for that.
        def over():
            if "drain" in self.cluster.state("n1"):
                self.cluster.resume("n1")
            return run.poll() is not None
        wait_until(over, "the end of the run")
        self.check_end(run)

    def test_check_asks_slurm_and_submits_nothing(self):
        def check(status, told="", **more):
            done = self.exits(status, "check", self.slow(machines=self.machines(**more)))
            self.tells(done.stdout + done.stderr, told)

        check(0, "good")
        check(2, "expected one that `sinfo` lists", partition="nope")
        check(2, "fewer \"cores\"", cores=1000)
        self.assertEqual((self.cluster.queue(), self.jobs()), ([], []))
        self.addCleanup(self.cluster.answers, "scontrol", "update", "partitionname=main", "state=up")
        self.cluster.answers("scontrol", "update", "partitionname=main", "state=down")
        check(0, "no match gets to other machines now: the partition main is DOWN")


class TwoNodesTest(OnSlurm, machines_test.Machines):
    CLUSTER = {"nodes": 2, "cores": 1, "node_timeout": 10}

    def test_a_node_that_is_down_plays_on_and_what_it_brings_late_is_kept(self):
        with open(self.path("errors"), "w") as errors:
            run = self.begin_gated(stderr=errors)
        self.cluster.kill("n1")
        self.addCleanup(self.cluster.start_node, "n1")
        wait_until(lambda: "is over without a result" in self.read("errors"), "a job that is given up")
        self.assertIn("down", self.cluster.state("n1"))
        self.assertEqual(len(self.cluster.players()), 2, "it plays on")
        self.open_gate()
        self.end(run)
        self.check_whole("out", 3)
        self.assertEqual(self.jobs(), [])
        self.assertEqual(len(os.listdir(self.path("shared/late"))), 1)
        wait_until(lambda: not alive_with(self.marker), "the bots' end")
