#!/usr/bin/python3
"""A bot that means harm, in Python: what the interpreter and its library would open.

    hostile_bot.py PID LABEL=PATH...

Prints a line for each probe, as hostile_bot does. Standard library only.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile

CLONE_NEWUSER = 0x10000000

def tell(probe, attempt):
    try:
        attempt()
    except OSError as error:
        print(f"{probe} denied: {error.strerror}", flush=True)
    else:
        print(f"{probe} allowed", flush=True)


def see_others(own):
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in own]
    if not others:
        raise OSError(0, "nobody else")


def find_settings():
    """The folder that this one's parent is: configs, tokens and rivals lie there as a rule."""
    seen = os.listdir(os.path.dirname(os.getcwd()))
    if not any(name.startswith("store") for name in seen):
        raise OSError(0, "nothing of the referee")


def call_kernel(name, *arguments):
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def write_somewhere():
    with tempfile.TemporaryFile() as file:
        file.write(b"x")


def main():
    victim = int(sys.argv[1])
    for argument in sys.argv[2:]:
        label, _, path = argument.partition("=")
        tell(f"read:{label}", lambda: open(path, "rb").close())
    tell("list_parent", find_settings)
    tell("see_others", lambda: see_others({os.getpid(), os.getppid()}))
    tell("signal", lambda: os.kill(victim, 0))
    tell("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close())
    tell("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close())
    tell("temporary_file", write_somewhere)
    tell("subprocess", lambda: subprocess.run(["true"], check=True))
    tell("signal_itself", lambda: os.kill(os.getpid(), signal.SIGWINCH))
    tell("user_namespace", lambda: call_kernel("unshare", CLONE_NEWUSER))
    print("end allowed", flush=True)


if __name__ == "__main__":
    main()
