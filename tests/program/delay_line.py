"""A path that is long: joins two network namespaces by a pair of TUN devices and holds each packet back.

    delay_line.py NAMESPACE_A NAMESPACE_B MILLISECONDS_EACH_WAY JITTER

Each packet takes up to JITTER milliseconds longer, by chance, but none overtakes another.

Prints "ready" when both ends are up: 10.77.0.1 in A, 10.77.0.2 in B. Needs root. Ends when its input ends.
"""
# calm: it holds packets back for milliseconds, in the real-time class
import ctypes
import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
PACKET_BYTES = 65536


def end_in(namespace, name, address):
    """A TUN device in the namespace of that path, as a descriptor of ours."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(namespace) as place:
        if libc.setns(place.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    for command in (f"addr add {address}/24 dev {name}", f"link set {name} up", "link set lo up"):
        subprocess.run(["ip", *command.split()], check=True)
    return device


class Way:
    """One direction: when a packet that comes now is due at the other end."""

    def __init__(self, target, delay, jitter):
        self.target, self.delay, self.jitter = target, delay, jitter
        self.last = 0.0

    def due(self, now):
        self.last = max(self.last, now + self.delay + random.uniform(0, self.jitter))
        return self.last


def carry(ways):
    """Passes packets on until our input ends."""
    order = itertools.count()
    due = []  # (when, order, where to, packet)
    while True:
        wait = max(0.0, due[0][0] - time.monotonic()) if due else None
        for source in select.select([sys.stdin.fileno(), *ways], [], [], wait)[0]:
            if source not in ways:
                return
            packet = os.read(source, PACKET_BYTES)
            way = ways[source]
            heapq.heappush(due, (way.due(time.monotonic()), next(order), way.target, packet))
        while due and due[0][0] <= time.monotonic():
            _, _, target, packet = heapq.heappop(due)
            os.write(target, packet)


def main():
    a = end_in(sys.argv[1], "line_a", "10.77.0.1")
    b = end_in(sys.argv[2], "line_b", "10.77.0.2")
    delay, jitter = (float(text) / 1000 for text in sys.argv[3:])
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # keeps the delay steady on a busy machine
    except OSError:
        pass
    print("ready", flush=True)
    carry({a: Way(b, delay, jitter), b: Way(a, delay, jitter)})


if __name__ == "__main__":
    main()
