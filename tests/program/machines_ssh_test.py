"""Tournaments whose matches are played by machines that the sample for ssh reaches: a real sshd of this machine."""
# calm: an ssh server and what it starts share the machine, and jobs are bound to cores.
import os
import re
import shutil
import subprocess
import unittest

from harness import BIN, LONG, REFEREE, SOURCE, alive_with, held_port, wait_until
from machines_test import THIS_MACHINE, Machines

SSH = os.path.join(SOURCE, "configs/machines/ssh")
SSHD = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")


@unittest.skipUnless(SSHD and shutil.which("ssh"), "no sshd: `apt install openssh-server openssh-client`")
class SshTest(Machines):
    def setUp(self):
        super().setUp()
        for key in ("host_key", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(key)], check=True)
        shutil.copy(self.path("key.pub"), self.path("authorized_keys"))
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        port = held_port(self)
        # PATH: what a login shell of this machine finds may be another referee.
        self.write("sshd_config", f"""
            Port {port}
            ListenAddress 127.0.0.1
            ListenAddress 127.0.0.2
            HostKey {self.path("host_key")}
            PidFile none
            UsePAM no
            StrictModes no
            AuthorizedKeysFile {self.path("authorized_keys")}
            SetEnv {self.marker} XDG_CACHE_HOME={self.path("cache")}
        """.replace("            ", ""))
        self.spawn([SSHD, "-D", "-e", "-f", self.path("sshd_config")], stderr=subprocess.DEVNULL)
        self.environment = {
            "REFEREE_SSH": f"ssh -F none -p {port} -i {self.path('key')} -o StrictHostKeyChecking=no -o UserKnownHostsFile={self.path('known')}",
            "REFEREE_HOSTS": self.write("hosts", "# two that are this machine\n127.0.0.1 1\n127.0.0.2 1\n"),
            "REFEREE_THERE": REFEREE,
        }
        wait_until(lambda: self.there("true") == 0, "sshd")

    def there(self, command):
        return subprocess.run([*self.environment["REFEREE_SSH"].split(), "-o", "BatchMode=yes", "127.0.0.1", command],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def test_a_first_tournament_works_when_it_is_pasted(self):
        with open(os.path.join(SOURCE, "configs/MACHINES.md")) as file:
            page = file.read().split("\n## ssh\n")[1].split("\n## ")[0]
        (pasted,) = re.findall(r"(?m)(?:^ {4}.*\n)+", page)
        os.makedirs(self.path("build/release"))
        os.symlink(BIN, self.path("build/release/bin"))
        shutil.copytree(os.path.join(SOURCE, "configs"), self.path("configs"))
        # Which plays longer than a test needs.
        self.write("configs/cluster.json", self.read("configs/cluster.json").replace("walls-minimax", "walls-random"))
        environment = {**os.environ, "REFEREE_SSH": self.environment["REFEREE_SSH"]}
        done = subprocess.run(["sh", "-ec", pasted], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("no match gets to other machines", done.stderr)
        self.assertEqual({game["host"] for game in self.records("out/class")}, {THIS_MACHINE})
        self.check_whole("out/class", 6)
        self.assertEqual(os.listdir(self.path("out/lab/cluster-jobs/jobs")), [])

    def test_a_signal_ends_what_they_play(self):
        config = self.gated(machines=self.machines(SSH))
        run = self.begin_run(config, env={**os.environ, **self.environment})
        wait_until(lambda: len(alive_with(self.marker)) >= 4, "bots of jobs")
        self.stop(run, 143)
