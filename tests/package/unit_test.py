"""The unit that the package brings, as systemd reads it."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

REFEREE = os.path.join(os.environ["REFEREE_BIN"], "referee")
UNIT = os.path.join(os.environ["REFEREE_SOURCE"], "scripts/debian/referee.service")
ANALYZE = shutil.which("systemd-analyze")
# Of 10; systemd itself says OK up to 4. Half a point of it are the namespaces that bots' sandboxes are made of.
EXPOSURE_MAX = 3.0


@unittest.skipIf(ANALYZE is None, "needs systemd-analyze (package systemd)")
class UnitTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(UNIT) as file:
            unit = file.read()
        self.unit = os.path.join(folder.name, "referee.service")
        with open(self.unit, "w") as file:
            # The program that is not installed yet, and the manual that is not either.
            file.write(re.sub(r"^Documentation=.*\n", "", unit, flags=re.MULTILINE).replace("/usr/bin/referee", os.path.abspath(REFEREE)))

    def analyze(self, *arguments):
        return subprocess.run([ANALYZE, *arguments, self.unit], capture_output=True, text=True, timeout=60)

    def test_systemd_has_nothing_to_say_about_it(self):
        said = self.analyze("verify")
        about_us = [line for line in said.stderr.splitlines() if "referee" in line]
        self.assertEqual((said.returncode, about_us), (0, []), said.stderr)

    def test_it_is_hardened(self):
        said = self.analyze("security", "--offline=true", f"--threshold={int(EXPOSURE_MAX * 10)}")
        self.assertEqual(said.returncode, 0, said.stdout[-500:] + said.stderr)

    def test_what_the_bots_and_the_games_need(self):
        with open(self.unit) as file:
            lines = file.read().splitlines()
        for needed in ("Type=notify", "Delegate=yes", "KillMode=mixed", "OOMPolicy=continue", "Restart=on-failure",
                       "ExecReload=/bin/sh -c 'kill -HUP $MAINPID'", "StateDirectory=referee", "RuntimeDirectory=referee",
                       "LimitRTPRIO=1", "LimitNICE=-10",
                       "RestrictNamespaces=user mnt pid net ipc uts cgroup", "SystemCallFilter=mount umount2 pivot_root open_tree move_mount mount_setattr capset "
                       "seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self"):
            self.assertIn(needed, lines)
        self.assertNotIn("RestrictRealtime=yes", lines, "the loop may have a real-time class")


if __name__ == "__main__":
    unittest.main()
