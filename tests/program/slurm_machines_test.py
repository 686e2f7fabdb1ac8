"""Whole tournaments through a real Slurm, as `run` gives their matches to it."""
# calm: daemons of a real Slurm share the machine, bind jobs to cores, and are killed.
import os
import signal
import unittest

import machines_test
from harness import alive_with, referee, wait_until
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


class SameTest(OnSlurm, machines_test.SamePlay):
    """That each game's tournament is the same when jobs play it: machines_test.SameTest. Slurm sees a folder, whatever is played."""
    MACHINE = "n1"  # as Slurm calls it, so that it can be drained by that name

    def test_a_tournament(self):
        self.check_game("walls")


class EndsTest(OnSlurm, machines_test.EndsTest):
    """Signals and kills, as where three commands reach the machines."""
    test_a_job_that_is_killed_is_played_again = None  # a job that leaves the queue without a result: PreemptionTest


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
        self.open_gate()
        self.check_end(run)
        self.assertEqual({game["host_cores"] for game in self.records("out") if "host" in game}, {1})

    def test_a_job_whose_time_is_nearly_over_ends_by_itself_and_is_played_again(self):
        run = self.begin_gated()
        job = self.queued()[0]
        # Now its last minute has begun. Slurm looks each half a minute.
        self.cluster.answers("scontrol", "update", f"jobid={job}", "timelimit=1")
        wait_until(lambda: job not in self.queued(), "a queue without the job")
        self.open_gate()
        self.assertRegex(self.check_end(run), "is over without a result; it said: .*the job is to be played again")

    def test_a_controller_that_is_killed(self):
        run = self.begin_gated()
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

    def test_a_partition_whose_time_is_too_short_is_told_by_status_and_log(self):
        daemon = self.serve(self.slow(sandbox={"min_tier": "none"}, machines=self.machines(partition="short")))
        advice = "PartitionTimeLimit: the partition's jobs may not last as long as its games might: expected its limit"
        status = wait_until(lambda: [text for text in [self.order("status")] if advice in text], "the reason")[0]
        self.assertIn("other machines have 2 jobs, of which 0 have begun; 2 wait: PartitionTimeLimit", status)
        self.assertRegex(status, "job 0+1 will not begin by itself: " + advice)
        self.assertEqual(len(self.cluster.queue()), 2, "nothing is cancelled")
        self.stop(daemon)
        self.assertRegex(self.read("log"), "error.* will not begin by itself: " + advice)

    def test_a_node_whose_daemon_is_killed(self):
        run = self.begin_gated()
        self.cluster.restart("n1")
        self.open_gate()
        self.check_end(run)


class TwoNodesTest(OnSlurm, machines_test.Machines):
    CLUSTER = {"nodes": 2, "cores": 1, "node_timeout": 10}

    def test_a_drained_node(self):
        self.cluster.drain("n1")
        self.addCleanup(self.cluster.resume, "n1")
        run = self.begin_run(self.gated())
        waits = wait_until(lambda: [line for line in self.cluster.queue() if "PENDING" in line and "(null)" not in line and self.cluster.players()], "why one waits")
        self.assertEqual(len(waits), 1, waits)
        self.cluster.resume("n1")
        self.until_two_are_out()
        self.open_gate()
        self.check_end(run)
        self.assertIn("TaskPlugin is task/none", referee("check", self.path("c.json")).stderr)

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


class PreemptionTest(OnSlurm, machines_test.Machines):
    CLUSTER = {"nodes": 1, "bound": True, "more": "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n"
               "PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=9"}

    def test_a_job_that_makes_room_for_another_is_played_again(self):
        run = self.begin_gated()
        before = self.queued()
        self.cluster.answers("sbatch", "--partition=urgent", "--output=/dev/null", "--wrap=sleep 2")
        wait_until(lambda: not set(before) <= set(self.queued()), "a queue without one of the jobs")
        self.open_gate()
        self.assertIn("is over without a result", self.check_end(run))


class FullTest(OnSlurm, machines_test.Machines):
    CLUSTER = {"nodes": 1, "bound": True, "more": "MaxJobCount=3"}

    def test_a_queue_that_is_full_is_told_soon_and_waited_for(self):
        for _ in range(2):
            self.cluster.answers("sbatch", "--output=/dev/null", "--wrap=sleep 1000")
        with open(self.path("errors"), "w") as errors:
            run = self.begin_run(self.gated(), stderr=errors)
        # sbatch itself would try for two minutes.
        wait_until(lambda: "the cluster's queue is full" in self.read("errors"), "the reason", 60)
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        self.end(run, 143)


class CheckTest(OnSlurm, machines_test.Machines):
    def check(self, status, **more):
        bots = [self.launched(name, "walls-greedy") for name in "ab"]
        done = self.exits(status, "check", self.write("c.json", {**self.walls(bots), "machines": self.machines(**more)}))
        return done.stdout + done.stderr

    def test_check_asks_slurm_and_submits_nothing(self):
        self.assertNotIn("Slurm", self.check(0))
        for status, more, said in ((2, {"partition": "nope"}, "expected one that `sinfo` lists"), (2, {"cores": 1000}, "fewer \"cores\""),
                                   (2, {"arguments": ["--constraint=fast"]}, "see \"arguments\""),
                                   (2, {"commands": "/nowhere"}, "expected Slurm's commands on this machine")):
            self.assertIn(said, self.check(status, **more))
        self.assertEqual((self.cluster.queue(), self.jobs()), ([], []))
        self.addCleanup(self.cluster.answers, "scontrol", "update", "partitionname=main", "state=up")
        self.cluster.answers("scontrol", "update", "partitionname=main", "state=down")
        for more, said in (({}, "no match gets to other machines now: the partition main is DOWN"), ({"partition": "short"}, "good"),
                           ({"partition": "main,short"}, "good")):
            self.assertIn(said, self.check(0, **more))
