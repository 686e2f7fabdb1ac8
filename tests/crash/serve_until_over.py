"""A daemon for as long as its tournaments last: what the crash tests of `serve` run and kill.

    serve_until_over.py REFEREE CONFIG OUT

Starts the daemon, waits until all tournaments are finished, drains it, and ends as it ended: by its status, or by SIGKILL
where it was killed. Orders are given without the shim that kills.
"""
import json
import os
import signal
import subprocess
import sys
import time

POLL = 0.05
OWNER = "CRASH_OWNER"  # by which the shim knows the process that it was loaded into first: here the daemon's is meant


def finished(referee, out):
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    asked = subprocess.run([referee, "ctl", "--out", out, "status", "--json"], capture_output=True, text=True, env=environment)
    if asked.returncode != 0:
        return False
    if any(one["state"] != "finished" for one in json.loads(asked.stdout)["tournaments"]):
        return False
    subprocess.run([referee, "ctl", "--out", out, "drain"], capture_output=True, env=environment)
    return True


def main():
    referee, config, out = sys.argv[1:]
    environment = {name: value for name, value in os.environ.items() if name != OWNER}
    daemon = subprocess.Popen([referee, "--log-level", "off", "serve", config, "--out", out], env=environment)
    over = False
    while daemon.poll() is None:
        over = over or finished(referee, out)
        time.sleep(POLL)  # time: between two looks
    if daemon.returncode == -signal.SIGKILL:
        os.kill(os.getpid(), signal.SIGKILL)
    sys.exit(daemon.returncode)


if __name__ == "__main__":
    main()
