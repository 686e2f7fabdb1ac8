"""The Debian package in a fresh, bare Debian 12: installed, used, removed, purged.

Needs root, debootstrap and the network, and takes minutes: CTest runs it only where CMake was told
REFEREE_PACKAGE_TEST=ON. By hand: REFEREE_SOURCE=. python3 tests/package/package_test.py -v
REFEREE_PACKAGE names a package that is built already, REFEREE_MIRROR another mirror of Debian.
"""
import glob
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

SOURCE = os.environ["REFEREE_SOURCE"]
MIRROR = os.environ.get("REFEREE_MIRROR", "http://deb.debian.org/debian")
PATIENCE_S = 120
LONG = 900  # seconds after which a command counts as hung
# What apt, dpkg, systemd and the C library write down for themselves, and the user that stays.
OTHERS = ("var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "etc/ld.so.cache", "etc/passwd", "etc/group", "etc/shadow", "etc/gshadow",
          "etc/.pwd.lock", "etc/machine-id", "etc/.updated", "var/.updated", "var/lib/systemd", "var/lib/private", "var/tmp", "tmp", "root", "dev", "proc", "sys", "run")
INSIDE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root", "LC_ALL": "C.UTF-8"}
CONFIG = {
    "listen": {"port": 0},
    "bots": [{"name": "greedy", "launch": ["walls-greedy"]}, {"name": "random", "launch": ["walls-random"]},
             {"name": "dials", "launch": ["walls-greedy"], "speaks": "tcp"}],
    "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}}],
}


def missing():
    if os.geteuid() != 0:
        return "needs root"
    if shutil.which("debootstrap") is None:
        return "needs debootstrap"
    if shutil.which("ip") is None:
        return "needs ip (package iproute2)"
    return None


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=LONG, **options)


def files_below(root):
    found = set()
    for folder, names, files in os.walk(root):
        place = os.path.relpath(folder, root)
        names[:] = [name for name in names if os.path.normpath(os.path.join(place, name)) not in OTHERS]
        for name in names + files:
            path = os.path.normpath(os.path.join(place, name))
            if not path.startswith(OTHERS):
                found.add(path)
    return found


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE_S  # time: the one place where this test waits for a state
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.1)  # time: as above
    raise AssertionError(f"waited {PATIENCE_S} s for {what}")


def mounts():
    with open("/proc/mounts") as file:
        return [(line.split()[2], line.split()[1]) for line in file]


def child_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return next(iter(file.read().split()), None)


def gone(group):
    """Whether a control group and those below it could be removed."""
    for folder, _, _ in os.walk(group, topdown=False):
        try:
            os.rmdir(folder)
        except OSError:
            return False
    return True


@unittest.skipIf(missing(), missing())
class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="referee-package-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.root = os.path.join(cls.folder, "debian")
        cls.package = os.environ.get("REFEREE_PACKAGE") or cls.build()
        cls.done(run("debootstrap", "--variant=minbase", "bookworm", cls.root, MIRROR))
        for place in ("proc", "sys", "dev"):
            cls.done(run("mount", "--rbind", "--make-rslave", "/" + place, os.path.join(cls.root, place)))
            cls.addClassCleanup(run, "umount", "-l", os.path.join(cls.root, place))
        shutil.copy("/etc/resolv.conf", os.path.join(cls.root, "etc/resolv.conf"))
        shutil.copy(cls.package, os.path.join(cls.root, "root/referee.deb"))
        with open(os.path.join(cls.root, "usr/sbin/policy-rc.d"), "w") as file:
            file.write("#!/bin/sh\nexit 101\n")  # no services in a folder
        os.chmod(file.name, 0o755)

    @classmethod
    def build(cls):
        out = os.path.join(cls.folder, "package")
        cls.done(run(os.path.join(SOURCE, "scripts/package"), out))
        return glob.glob(out + "/*.deb")[0]

    @staticmethod
    def done(ended):
        assert ended.returncode == 0, f"{ended.args}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
        return ended.stdout

    def inside(self, *command):
        return run("chroot", self.root, *command, env=INSIDE)

    def inside_alone(self, *command):
        """Without the network of this machine, so that no port is taken; sandboxes can be made there."""
        return run(os.path.join(SOURCE, "tests/package/enter.sh"), self.root, *command, env=INSIDE)

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def test_it_comes_works_and_goes(self):
        wanted = run("dpkg-deb", "-f", self.package, "Depends").stdout.strip()
        self.assertIn("libsqlite3-0", wanted)
        self.assertIn("libc6", wanted)
        self.assertIn("libseccomp2", wanted)
        self.assertIn("libarchive13", wanted)
        self.assertIn("bubblewrap", wanted)
        self.done(self.inside("apt-get", "satisfy", "-y", "-q", "--no-install-recommends", wanted))
        before = files_below(self.root)
        self.done(self.inside("dpkg", "-i", "/root/referee.deb"))
        self.installed_as_told()
        self.used_by_an_instructor()
        self.used_as_the_daemon()
        self.used_by_systemd()
        self.upgraded()
        self.done(self.inside("dpkg", "-r", "referee"))
        self.assertFalse(os.path.exists(self.path("usr/bin/referee")))
        self.assertTrue(os.path.exists(self.path("etc/referee/referee.json")), "a conffile stays until it is purged")
        self.assertTrue(os.path.exists(self.path("var/lib/referee/referee.db")), "what was played stays until it is purged")
        self.done(self.inside("dpkg", "-P", "referee"))
        self.assertEqual(files_below(self.root) - before, set())
        self.assertEqual(before - files_below(self.root), set())
        self.assertIn("referee", self.done(self.inside("getent", "passwd", "referee")))

    def installed_as_told(self):
        self.assertRegex(self.done(self.inside("referee", "--version")), r"^referee \d")
        owner = self.done(self.inside("stat", "-c", "%U:%G %a", "/etc/referee/referee.json"))
        self.assertEqual(owner.strip(), "root:referee 640")
        for name in ("usr/share/man/man1/referee.1.gz", "usr/share/bash-completion/completions/referee", "usr/share/doc/referee/protocol/PROTOCOL.md", "usr/share/doc/referee/copyright",
                     "usr/share/doc/referee/configs/README.md", "usr/share/doc/referee/engines/walls/RULES.md",
                     "lib/systemd/system/referee.service", "usr/libexec/referee/referee-exec-shim"):
            self.assertTrue(os.path.exists(self.path(name)), name)
        self.assertFalse(glob.glob(self.path("etc/systemd/system/*/referee.service")), "it is not enabled by itself")

    def used_by_an_instructor(self):
        for config in ("/etc/referee/referee.json", *sorted("/" + os.path.relpath(name, self.root) for name in
                                                           glob.glob(self.path("usr/share/referee/configs/*.json")))):
            if not config.endswith("schema.json"):
                self.done(self.inside("referee", "check", config))
        self.write("root/c.json", json.dumps(CONFIG))
        self.done(self.inside("referee", "run", "/root/c.json", "--out", "/root/out", "--quiet"))
        with open(self.path("root/out/standings.csv")) as file:
            standings = file.read()
        for bot in CONFIG["bots"]:
            self.assertIn(bot["name"], standings)

    def used_as_the_daemon(self):
        """As the unit starts it, but for systemd: as its user, with its folders."""
        self.write("root/day.sh", r"""set -e
install -d -o referee -g referee -m 750 /var/lib/referee /run/referee
setpriv --reuid referee --regid referee --clear-groups referee serve /etc/referee/referee.json --out /var/lib/referee \
    >/root/daemon.log 2>&1 &
# time: between two looks
for i in $(seq 200); do referee ctl --socket /run/referee/control.sock status >/root/status 2>&1 && break; sleep 0.1; done
cat /root/status
# time: between two looks
for i in $(seq 200); do referee ctl --socket /run/referee/control.sock bots | grep -q 'house-greedy *yes' && break; sleep 0.1; done
referee ctl --socket /run/referee/control.sock bots
kill -TERM $!
wait $!
""")
        told = self.done(self.inside_alone("sh", "/root/day.sh"))
        self.assertIn("listening on 127.0.0.1:7777", told)
        self.assertRegex(told, r"house-greedy +yes")
        self.assertTrue(os.path.exists(self.path("var/lib/referee/referee.db")))

    def used_by_systemd(self):
        """The unit under a real systemd: bots in groups of their own, restarts, a calm end."""
        hierarchy = next((place for kind, place in mounts() if kind == "cgroup2"), None)
        if hierarchy is None:
            print("no control groups of version 2 here: the unit is not tried")
            return
        group = os.path.join(hierarchy, os.path.basename(self.folder))
        by_cpu = {**CONFIG["tournaments"][0], "clock": {"kind": "turn", "measure": "cpu", "budget": "1s"}}
        self.write("etc/referee/referee.json", json.dumps(
            {**CONFIG, "control": {"socket": "/run/referee/control.sock"}, "tournaments": [by_cpu]}))
        booted = subprocess.Popen([os.path.join(SOURCE, "tests/package/boot.sh"), self.root, group], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.first = wait_until(lambda: child_of(booted.pid), "systemd")
            wait_until(lambda: self.systemd("systemctl", "list-units").returncode == 0, "systemd to answer")
            self.the_unit_does_as_told()
        finally:
            booted.kill()
            booted.wait()
            wait_until(lambda: gone(group), "the control groups to be gone")

    def systemd(self, *command):
        return run("nsenter", "-t", str(self.first), "-a", "-r", "-w", *command)

    def ask(self, *command):
        return self.systemd("referee", "ctl", "--socket", "/run/referee/control.sock", *command)

    def log(self):
        return self.systemd("journalctl", "-u", "referee", "-o", "cat", "--no-pager").stdout

    def shown(self, name):
        return self.systemd("systemctl", "show", "-p", name, "--value", "referee").stdout.strip()

    def the_unit_does_as_told(self):
        started = self.systemd("systemctl", "start", "referee")  # comes back when it is ready
        self.assertEqual(started.returncode, 0, self.log())
        wait_until(lambda: '"finished"' in self.ask("status", "--json").stdout, "the tournament")
        replay = glob.glob(self.path("var/lib/referee/t/games/*.ndjson"))[0]
        with open(replay) as file:
            replay = file.read()
        self.assertIn('"cgroup-v2"', replay, "launched bots are timed by control groups below the unit's")
        result = json.loads(replay.splitlines()[-1])["result"]
        # Tier A where the kernel's version 2 has the controllers; many machines keep them for version 1.
        controllers = self.systemd("cat", "/sys/fs/cgroup/cgroup.controllers").stdout.split()
        tier = "A" if {"memory", "pids"} <= set(controllers) else "B"
        self.assertEqual(result["sandbox"], [tier] * 2, self.log())
        self.assertRegex(" ".join(result["program"]), "^sha256:[0-9a-f]{64} sha256:[0-9a-f]{64}$")
        self.assertIn(f"tier {tier}", self.log())
        print(f"under the unit launched bots played in tier {tier}")
        self.done(self.systemd("systemctl", "reload", "referee"))
        self.done(self.systemd("systemctl", "kill", "-s", "KILL", "--kill-who=main", "referee"))
        wait_until(lambda: self.shown("NRestarts") == "1" and self.shown("ActiveState") == "active", "the restart")
        self.assertIn('"finished"', self.ask("status", "--json").stdout)
        self.done(self.systemd("systemctl", "stop", "referee"))
        self.assertEqual((self.shown("Result"), self.shown("ExecMainStatus")), ("success", "0"))

    def upgraded(self):
        """The same version again: what the administrator changed stays."""
        self.write("etc/referee/referee.json", json.dumps(CONFIG))
        self.inside("chmod", "600", "/etc/referee/referee.json")
        self.done(self.inside("dpkg", "--force-confold", "-i", "/root/referee.deb"))
        with open(self.path("etc/referee/referee.json")) as file:
            self.assertEqual(json.load(file), CONFIG)
        self.assertEqual(self.done(self.inside("stat", "-c", "%G %a", "/etc/referee/referee.json")).strip(), "referee 600")


if __name__ == "__main__":
    unittest.main()
