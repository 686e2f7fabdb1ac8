"""A real Slurm on this machine, for tests: munged, slurmctld and some slurmd, each with own ports, in a folder of its own.

It needs no rights beyond those of whoever runs it. `missing()` says which program isn't installed; then its tests are skipped.
"""
# calm: of calm tests, because the daemons of a cluster share the machine and bind jobs to cores.
import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile

from harness import alive_with, held_port, wait_until

START_S = 30  # within which a daemon is there, on a busy machine too
END_S = 10  # within which it ends when it is asked
PROGRAMS = {name: f"/usr/sbin/{name}" for name in ("munged", "slurmctld", "slurmd")}
PROGRAMS.update({name: f"/usr/bin/{name}" for name in ("sbatch", "squeue", "scancel", "scontrol")})

# `ReturnToService=2`: a node that was down serves again as soon as its slurmd is back. `SchedulerParameters`: a job begins at
# once where a node is free, instead of at the next round.
CONFIG = """\
ClusterName=referee
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin={task}
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmctldParameters=enable_configless
MpiDefault=none
PluginDir={plugins}
KillWait=2
SlurmdTimeout={node_timeout}
ReturnToService=2
{more}
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=ALL MaxTime=2 State=UP
"""


def missing():
    """The first program of Slurm that isn't installed; None where all are."""
    return next((name for name, path in PROGRAMS.items() if not os.access(path, os.X_OK)), None)


class SlurmCluster:
    """`with SlurmCluster(nodes=2, cores=1) as cluster:` and then programs with `env=cluster.environment`.

    `bound` has Slurm bind jobs to their cores, which it can do for one node a machine only. `more`: lines of slurm.conf.
    """

    def __init__(self, nodes=1, cores=None, bound=False, node_timeout=300, more=""):
        assert not bound or nodes == 1
        self.folder = tempfile.mkdtemp(prefix="slurm-", dir="/tmp")  # short: names of sockets are
        self.nodes = [f"n{i + 1}" for i in range(nodes)]
        self.cores = cores or len(os.sched_getaffinity(0))
        self.environment = {**os.environ, "SLURM_CONF": os.path.join(self.folder, "slurm.conf")}
        self.daemons = {}  # name -> process
        self.cleanups = contextlib.ExitStack()
        self.addCleanup = self.cleanups.callback
        self.write_files(bound, node_timeout, more)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_files(self, bound, node_timeout, more):
        os.makedirs(self.path("state"), exist_ok=True)
        controller, *ports = [held_port(self) for _ in range(1 + len(self.nodes))]
        host = os.uname().nodename
        lines = [f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={self.cores} State=UNKNOWN"
                 for node, port in zip(self.nodes, ports)]
        with open(self.path("slurm.conf"), "w") as file:
            file.write(CONFIG.format(host=host, controller=controller, user=pwd.getpwuid(os.getuid()).pw_name, folder=self.folder,
                                     task="task/affinity" if bound else "task/none", node_timeout=node_timeout, more=more,
                                     plugins="/usr/lib/x86_64-linux-gnu/slurm-wlm", nodes="\n".join(lines)))
        with open(os.open(self.path("key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(128))

    def __enter__(self):
        try:
            self.start_munged()
            self.start_controller()
            for node in self.nodes:
                self.start_node(node)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self, name, *words):
        with open(self.path(name + ".log"), "ab") as log:
            self.daemons[name] = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)

    def wait(self, condition, what):
        try:
            wait_until(condition, what, START_S)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.logs()}") from None

    def logs(self):
        """What the daemons said last."""
        told = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(self.path(name), errors="replace") as file:
                    told.append(f"{name}:\n" + "".join(file.readlines()[-15:]))
        return "\n".join(told)

    def start_munged(self):
        self.start("munged", PROGRAMS["munged"], "--foreground", "--force", f"--key-file={self.path('key')}", f"--socket={self.path('munge')}",
                   f"--pid-file={self.path('munged.pid')}", f"--log-file={self.path('munged.log')}", f"--seed-file={self.path('seed')}")
        self.wait(lambda: os.path.exists(self.path("munge")), "munged")

    def start_controller(self):
        self.start("slurmctld", PROGRAMS["slurmctld"], "-D")
        self.wait(lambda: self.answers("scontrol", "ping") is not None, "slurmctld")

    def start_node(self, node):
        os.makedirs(self.path(node), exist_ok=True)
        self.start(node, PROGRAMS["slurmd"], "-D", "-N", node)
        # A node on which a job ends says so behind its state: mixed+completing.
        self.wait(lambda: self.state(node).removesuffix("+completing") in ("idle", "mixed", "allocated"), f"node {node}")

    def answers(self, program, *words):
        """What it prints, or None where it fails."""
        done = subprocess.run([PROGRAMS[program], *words], env=self.environment, capture_output=True, text=True, timeout=START_S)
        return done.stdout if done.returncode == 0 else None

    def state(self, node):
        """As Slurm tells it, in small letters: idle, mixed, idle+drain, down*."""
        told = self.answers("scontrol", "show", "node", "--oneliner", node) or ""
        return next((word[len("State="):].lower() for word in told.split() if word.startswith("State=")), "")

    def queue(self):
        """One line for each job that it knows, whoever's it is."""
        return (self.answers("squeue", "--noheader", "--array", "--format=%i %T %j %N %r") or "").splitlines()

    def drain(self, node):
        self.answers("scontrol", "update", f"nodename={node}", "state=drain", "reason=a test")

    def resume(self, node):
        self.answers("scontrol", "update", f"nodename={node}", "state=resume")

    def kill(self, name):
        """Ends a daemon as a power cut does: "slurmctld" or a node."""
        process = self.daemons.pop(name)
        process.kill()
        process.wait()

    def restart(self, node):
        self.kill(node)
        self.start_node(node)

    def processes(self):
        """All that belong to this cluster: its daemons, and what they started."""
        return [pid for pid in alive_with("SLURM_CONF=" + self.environment["SLURM_CONF"]) if pid != os.getpid()]

    def players(self):
        """Each `referee job`, without what it started that still has its name."""
        found = {}
        for pid in self.processes():
            with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
                found.setdefault(file.read(), pid)
        return [pid for words, pid in found.items() if b"/referee\0job\0" in words]

    def stop(self):
        for process in reversed(list(self.daemons.values())):
            process.terminate()
        for process in self.daemons.values():
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.daemons.clear()
        self.cleanups.close()
        # Jobs outlive their slurmd.
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, True)
