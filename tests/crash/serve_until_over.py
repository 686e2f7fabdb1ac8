"""A daemon for as long as its tournaments last: what the crash tests of `serve` run and kill.

    serve_until_over.py REFEREE CONFIG OUT

Starts the daemon, waits until all tournaments are finished, drains it, and ends as it ended: by its status, or by SIGKILL
where it was killed.
"""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "program"))
from harness import asked  # noqa: E402

POLL = 0.05
OWNER = "CRASH_OWNER"  # by which the shim knows the process that it was loaded into first: here the daemon's is meant


def finished(out):
    status = asked(out, "status")
    if not status or any(one["state"] != "finished" for one in status["tournaments"]):
        return False
    asked(out, "drain")
    return True


def main():
    referee, config, out = sys.argv[1:]
    environment = {name: value for name, value in os.environ.items() if name != OWNER}
    daemon = subprocess.Popen([referee, "--log-level", "off", "serve", config, "--out", out], env=environment)
    over = False
    while daemon.poll() is None:
        over = over or finished(out)
        time.sleep(POLL)  # time: between two looks
    if daemon.returncode == -signal.SIGKILL:
        os.kill(os.getpid(), signal.SIGKILL)
    sys.exit(daemon.returncode)


if __name__ == "__main__":
    main()
