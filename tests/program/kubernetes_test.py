"""configs/machines/kubernetes: matches that are played as Jobs of Kubernetes.

There is no Kubernetes here. kubectl is the real one, and talks to a stand-in for the cluster (kubernetes_cluster.py). Run by CTest, which
gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
import os
import shutil
import subprocess
import unittest

import yaml

from harness import LONG, SOURCE, ProgramTest
from kubernetes_cluster import Cluster, expanded

SCRIPTS = os.path.join(SOURCE, "configs/machines/kubernetes")


class Kubernetes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.cluster_file()
        os.makedirs(self.path("shared/jobs"))
        os.chmod(self.path("shared"), 0o700)
        self.environment = {**os.environ, "REFEREE_CLUSTER": self.path("cluster"), "REFEREE_FOLDER": self.path("shared"),
                            "REFEREE_CORES": "1", "REFEREE_TIME_MAX_S": "1234"}

    def cluster_file(self, **changes):
        """A file `cluster` for this test; a change to None leaves a line out."""
        lines = {"namespace": "tournaments", "image": "registry.example.org/referee:1.2.0", "claim": "class", "mount": self.folder,
                 "memory": "512Mi", "user": os.getuid(), "group": os.getgid(), "bound": "no", **changes}
        return self.write("cluster", "".join(f"{name}={value}\n" for name, value in lines.items() if value is not None))

    def job_folder(self, number="000017", written=1795433685000):
        self.write(f"shared/jobs/{number}/job.json", f'{{"job":"x-{number}","referee":"1.2.0","written":{written},"matches":[]}}\n')
        return self.path(f"shared/jobs/{number}")

    def script(self, name, *words, **changes):
        return subprocess.run([os.path.join(SCRIPTS, name), *words], env={**self.environment, **changes}, capture_output=True, text=True, timeout=LONG)


class ManifestTest(Kubernetes):
    def manifest(self, *folders, **changes):
        done = self.script("manifest", *folders, **changes)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [one for one in yaml.safe_load_all(done.stdout) if one]

    def test_is_a_job_as_the_reference_has_it(self):
        first, second = self.manifest(self.job_folder(), self.job_folder("000018"), REFEREE_CORES="2")
        self.assertEqual(second["metadata"]["labels"]["referee-job"], "000018")
        name, labels = first["metadata"]["name"], first["metadata"]["labels"]
        self.assertRegex(name, r"^referee-\d+-000017-1795433685000$")
        self.assertEqual(labels, {"referee-folder": name.split("-")[1], "referee-job": "000017"})
        play = self.read(os.path.join(SCRIPTS, "play"))
        # Kubernetes looks for variables in a command.
        self.assertEqual(expanded(play, {"PATH": "x", "REFEREE_HOST": "y"}), play)
        resources = {"cpu": "2", "memory": "512Mi"}
        self.assertEqual(first, {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "labels": labels}, "spec": {
            "backoffLimit": 0, "completions": 1, "parallelism": 1, "ttlSecondsAfterFinished": 600,
            "template": {"metadata": {"labels": labels}, "spec": {
                # Of the pod: the Job's runs while the pod waits for a node.
                "restartPolicy": "Never", "activeDeadlineSeconds": 1234, "automountServiceAccountToken": False, "enableServiceLinks": False,
                "securityContext": {"runAsUser": os.getuid(), "runAsGroup": os.getgid()},
                "containers": [{
                    "name": "job", "image": "registry.example.org/referee:1.2.0",
                    "command": ["sh", "-c", play, "sh", self.path("shared/jobs/000017"), "2", "no"],
                    "env": [{"name": "REFEREE_HOST", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
                    "resources": {"requests": resources, "limits": resources}, "securityContext": {"allowPrivilegeEscalation": False},
                    "volumeMounts": [{"name": "shared", "mountPath": self.folder}]}],
                "volumes": [{"name": "shared", "persistentVolumeClaim": {"claimName": "class"}}]}}}})

    def test_another_job_of_the_same_number_has_another_name(self):
        (one,) = self.manifest(self.job_folder())
        (other,) = self.manifest(self.job_folder(written=1795433685001))
        self.assertNotEqual(one["metadata"]["name"], other["metadata"]["name"])

    def test_what_is_wrong_with_the_cluster_is_told(self):
        folder = self.job_folder()
        cases = [({"image": '"a b"'}, "image=registry.example.org/referee:1.2.0"), ({"claim": None}, "claim=referee"), ({"memory": "lots"}, "memory=2Gi"),
                 ({"namespace": "A"}, "namespace=tournaments"), ({"mount": "shared"}, "mount=/shared"), ({"bound": "perhaps"}, "bound=yes"),
                 ({"user": "ann"}, "user=1000"), ({"mount": "/elsewhere"}, "isn't on the volume that pods mount at /elsewhere")]
        for changes, words in cases:
            self.cluster_file(**changes)
            for script in ("submit", "list", "cancel"):
                done = self.script(script, folder)
                self.assertEqual((done.returncode, done.stdout), (64, ""), (changes, done.stderr))
                self.assertIn(words, done.stderr)
        done = self.script("submit", folder, REFEREE_CLUSTER=self.path("none"))
        self.assertEqual(done.returncode, 64)
        self.assertIn("can't be read; expected a file like the sample", done.stderr)


class PlayTest(Kubernetes):
    def play(self, folder, cores, bound, allowed):
        """As a pod plays it, on these cores of this machine."""
        play = ["sh", "-c", self.read(os.path.join(SCRIPTS, "play")), "sh", folder, str(cores), bound]
        environment = {**self.environment, "PATH": f"{self.path('bin')}:/usr/bin:/bin", "REFEREE_HOST": "node1"}
        return subprocess.run(["taskset", "-c", ",".join(map(str, allowed)), *play], env=environment, timeout=LONG).returncode

    def test_a_job_has_cores_of_its_own_or_is_refused(self):
        allowed = sorted(os.sched_getaffinity(0))[:2]
        if len(allowed) < 2:
            self.skipTest("one core")
        os.chmod(self.write("bin/referee", '#!/bin/sh\necho "$1 $2 on $REFEREE_HOST, $(taskset -cp $$)"\n'), 0o755)
        folder = self.job_folder("000003")
        for bound, cores, status, said in (("yes", 2, 0, f"job {folder} on node1, "), ("no", 1, 0, f"list: {allowed[1]}\n"),
                                           ("yes", 1, 3, "whose kubelet has the cpuManagerPolicy static")):
            self.assertEqual(self.play(folder, cores, bound, allowed), status)
            self.assertIn(said, self.read(f"{folder}/log"))


@unittest.skipUnless(shutil.which("kubectl"), "no kubectl: `apt install kubernetes-client`")
class ClusterTest(Kubernetes):
    def setUp(self):
        super().setUp()
        self.cluster = Cluster()
        self.addCleanup(self.cluster.close)
        self.environment["REFEREE_KUBECTL"] = (f"kubectl --kubeconfig={self.write('kubeconfig', self.cluster.config())} "
                                               f"--cache-dir={self.path('cache')}")

    def states(self):
        done = self.script("list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return dict(line.split(None, 1) for line in done.stdout.splitlines())

    def test_jobs_are_submitted_listed_and_cancelled(self):
        self.assertEqual(self.states(), {})
        folders = [self.job_folder(f"{number:06}") for number in range(1, 6)]
        self.assertEqual(self.script("submit", *folders).returncode, 0)
        names = sorted(self.cluster.jobs)
        self.cluster.begin(names[0])
        self.cluster.end(names[3], "Complete")
        self.cluster.end(names[4], "Failed")
        told = {"000001": f"running node1 {names[0]}-x2v7q", "000002": "waiting Unschedulable", "000003": "waiting Unschedulable"}
        self.assertEqual(self.states(), told)
        # Those that are there stay as they are.
        again = self.script("submit", *folders)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((sorted(self.cluster.jobs), self.states()), (names, told))
        self.assertEqual(self.script("cancel", folders[0], folders[2], self.path("shared/jobs/000099")).returncode, 0)
        self.assertEqual(self.states(), {"000002": "waiting Unschedulable"})
        # Those of another folder are another store's.
        os.mkdir(self.path("other"))
        self.assertEqual(self.script("list", REFEREE_FOLDER=self.path("other")).stdout, "")
        self.script("cancel", folders[1], REFEREE_FOLDER=self.path("other"))
        self.assertEqual(self.states(), {"000002": "waiting Unschedulable"})
        for _ in range(2):
            self.assertEqual(self.script("cancel", folders[1]).returncode, 0, "what is gone is no mistake")
            self.assertEqual(self.states(), {})

    def test_a_cluster_that_says_nothing_is_told(self):
        self.cluster.close()
        for script in ("submit", "list", "cancel"):
            done = self.script(script, self.job_folder())
            self.assertNotIn(done.returncode, (0, 64, 126, 127))
            self.assertTrue(done.stderr)
