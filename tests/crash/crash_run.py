"""Kills a command at each of the calls by which it changes files, and starts it again until it is done.

First the command runs once undisturbed, which says how many calls there are, and its result is kept. Then for each call
(or a spread of them) the folder is emptied, the command is killed at that call and started again; now and then it
is killed a second time at another call. When it has ended by itself, what it wrote is checked.
"""
import dataclasses
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import typing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from sample import sample_number  # noqa: E402

LONG = 120  # seconds after which a run counts as hung
SYNCS = ("fsync", "fdatasync")
KILLS_OF_A_SAMPLE = 30
SECOND_KILL = 0.3  # how probable it is, and a third after it
ATTEMPTS_MAX = 6
# Where the kills are follows from it: asked for, or a sample's number.
SEED = int(os.environ.get("CRASH_SEED", (sample_number() or 0) + 1))


def kills_wanted(whole):
    """How many of a test: as many as CRASH_KILLS asks for (0: all there are), `whole` in a whole run, else a sample."""
    asked = os.environ.get("CRASH_KILLS")
    if asked is not None:
        return int(asked)
    return whole if sample_number() is None else min(whole, KILLS_OF_A_SAMPLE)


@dataclasses.dataclass
class Attempt:
    """One run of the command: how it ended, and what it said."""
    at: int  # the call to die in; 0: none
    mode: str
    status: int
    stdout: str
    stderr: str

    @property
    def was_killed(self):
        return self.status == -signal.SIGKILL


def verdict_on_store(referee, store, *options):
    """What `referee store verify` finds damaged in a store that a killed process left, or nothing. There may be no store yet."""
    if not os.path.exists(store):
        return None
    done = subprocess.run([referee, "store", "verify", store, *options], capture_output=True, text=True, timeout=LONG)
    return None if done.returncode == 0 else f"a kill is called damage: {done.stdout}{done.stderr}"


@dataclasses.dataclass
class CrashRun:
    """What to run, and how to judge it.

    `check(attempts)` is called with all attempts of one case, and returns what is wrong, or nothing. `after_kill()` does so
    right after each kill, of what the killed command left behind.
    """
    command: typing.List[str]
    folders: typing.List[str]
    shim: str
    check: typing.Callable[[typing.List[Attempt]], typing.Optional[str]]
    after_kill: typing.Callable[[], typing.Optional[str]] = lambda: None
    seed: int = 1

    def attempt(self, command, at=0, mode="before", listing=None):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("CRASH_")}
        environment.update(LD_PRELOAD=self.shim, CRASH_FOLDERS=":".join(map(os.path.realpath, self.folders)), CRASH_MODE=mode)
        if at:
            environment["CRASH_AT"] = str(at)
        if listing:
            environment["CRASH_LIST"] = listing
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONG)
        return Attempt(at, mode, done.returncode, done.stdout, done.stderr)

    def empty_folders(self):
        for folder in self.folders:
            shutil.rmtree(folder, True)
            os.makedirs(folder)

    def listed(self, at=0, mode="before"):
        """Runs in emptied folders; returns the attempt, and its calls as (name, path)."""
        self.empty_folders()
        with tempfile.NamedTemporaryFile("r", suffix=".calls") as listing:
            attempt = self.attempt(self.command, at, mode, listing.name)
            return attempt, [tuple(line.rstrip("\n").split(" ", 2)[1:]) for line in listing]

    def calls(self):
        """Runs undisturbed; returns the calls. The folders hold the result."""
        attempt, calls = self.listed()
        if attempt.status != 0:
            raise RuntimeError(f"undisturbed, it ends with {attempt.status}: {attempt.stderr}")
        return calls

    def failed_sync(self, at):
        """EIO from that call: the attempt, and its calls. None where it is no sync this time."""
        attempt, calls = self.listed(at, "eio")
        return (attempt, calls) if len(calls) >= at and calls[at - 1][0] in SYNCS else (None, calls)

    def case(self, at, mode, calls, chance):
        """Kills at one call, starts again until it is done, checks. Returns (kills, what is wrong)."""
        self.empty_folders()
        attempts = [self.attempt(self.command, at, mode)]
        # Where more records come together, a run makes fewer calls than the undisturbed one, and this kill would come after its end.
        while attempts[0].status == 0 and at > 1:
            at -= (at + 9) // 10
            self.empty_folders()
            attempts = [self.attempt(self.command, at, mode)]
        while attempts[-1].was_killed:
            wrong = self.after_kill()
            if wrong:
                return sum(attempt.was_killed for attempt in attempts), wrong
            again = 0
            if len(attempts) < ATTEMPTS_MAX and chance.random() < SECOND_KILL:
                again = chance.randint(1, calls)
            attempts.append(self.attempt(self.command, again, chance.choice(["before", "half"])))
        kills = sum(attempt.was_killed for attempt in attempts)
        if attempts[-1].status != 0:
            return kills, f"ended with {attempts[-1].status}: {attempts[-1].stderr}"
        return kills, self.check(attempts)

    def run(self, kills_wanted=None, say=lambda text: None):
        """Returns (kills, failures); a failure says how to have it again."""
        calls = len(self.calls())
        cases = [(at, mode) for at in range(1, calls + 1) for mode in ("before", "half")]
        if kills_wanted and kills_wanted < len(cases):
            step = len(cases) / kills_wanted
            offset = random.Random(self.seed).random() * step
            cases = [cases[int(offset + i * step)] for i in range(kills_wanted)]
        say(f"{calls} calls, {len(cases)} cases, seed {self.seed}")
        kills, failures = 0, []
        for at, mode in cases:
            killed, wrong = self.case(at, mode, calls, random.Random(f"{self.seed} {at} {mode}"))
            kills += killed
            if wrong:
                failures.append(f"call {at}, {mode}, seed {self.seed}: {wrong}")
                say(failures[-1])
        return kills, failures

