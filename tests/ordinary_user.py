"""Runs a test once more as an ordinary user, where all tests run as root: which sandbox there is, who may see what, and what the
referee says of it depends on who starts it.

    ordinary_user.py COMMAND WORD ...

Ends as the command does; with 77, which is a skipped test, where this user is no other one, or that one can't reach the command.
"""
import os
import shutil
import subprocess
import sys
import tempfile

ORDINARY_USER = 64999  # nobody's number on any system that we know of
SKIPPED = 77


def become_ordinary_user():
    os.setgroups([])
    os.setresgid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER)
    os.setresuid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER)


def main(command):
    if os.getuid() != 0:
        print("the tests run as an ordinary user already")
        return SKIPPED
    home = tempfile.mkdtemp(prefix="ordinary-user-")
    try:
        os.chown(home, ORDINARY_USER, ORDINARY_USER)
        environment = {**os.environ, "HOME": home}
        report = os.environ.get("GTEST_OUTPUT", "").partition(":")[2]
        if report:
            environment["GTEST_OUTPUT"] = f"xml:{home}/report.xml"
        try:
            done = subprocess.run(command, env=environment, preexec_fn=become_ordinary_user)
        except PermissionError as error:
            print(f"an ordinary user can't reach it: {error}")
            return SKIPPED
        if report and os.path.exists(f"{home}/report.xml"):
            os.makedirs(os.path.dirname(report), exist_ok=True)
            shutil.copy(f"{home}/report.xml", report)
        return done.returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
