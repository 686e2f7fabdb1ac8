"""A path that is long: joins two network namespaces by a pair of TUN devices and holds each packet back.

    delay_line.py NAMESPACE_A NAMESPACE_B MILLISECONDS_EACH_WAY [JITTER [HELD [HELD_FROM]]]

Each packet takes up to JITTER milliseconds longer, by chance, but none overtakes another. Acknowledgements from B that
carry nothing else are held back for HELD milliseconds more, as by a bot's machine that wants its path to look long; only
those of the address HELD_FROM, where it is given.

Prints "ready" when both ends are up: 10.77.0.1 in A, 10.77.0.2 to 10.77.0.9 in B. Needs root. Ends when its input ends.
"""
# calm: it holds packets back for milliseconds, in the real-time class
import ctypes
import fcntl
import heapq
import itertools
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
PACKET_BYTES = 65536
TCP = 6
SOURCE = slice(12, 16)  # of an IPv4 packet: its address
ACK_ALONE = 0x10  # of the flags: no SYN, FIN, RST, PSH


def end_in(namespace, name, addresses):
    """A TUN device in the namespace of that path, as a descriptor of ours."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(namespace) as place:
        if libc.setns(place.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    for command in (*(f"addr add {address}/24 dev {name}" for address in addresses), f"link set {name} up", "link set lo up"):
        subprocess.run(["ip", *command.split()], check=True)
    return device


def only_acknowledges(packet):
    """Whether it is an IPv4 packet of TCP without bytes, and with no other flag."""
    if packet[0] >> 4 != 4 or packet[9] != TCP:
        return False
    begin = 4 * (packet[0] & 15)
    header = 4 * (packet[begin + 12] >> 4)
    return begin + header == len(packet) and packet[begin + 13] == ACK_ALONE


class Way:
    """One direction: when a packet that comes now is due at the other end."""

    def __init__(self, target, delay, jitter, held=0.0, held_from=None):
        self.target, self.delay, self.jitter, self.held, self.held_from = target, delay, jitter, held, held_from
        self.last = 0.0

    def holds(self, packet):
        return self.held and only_acknowledges(packet) and self.held_from in (None, packet[SOURCE])

    def due(self, packet, now):
        when = now + self.delay + random.uniform(0, self.jitter)
        if self.holds(packet):
            return when + self.held
        self.last = max(self.last, when)
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
            heapq.heappush(due, (way.due(packet, time.monotonic()), next(order), way.target, packet))
        while due and due[0][0] <= time.monotonic():
            _, _, target, packet = heapq.heappop(due)
            os.write(target, packet)


def main():
    a = end_in(sys.argv[1], "line_a", ["10.77.0.1"])
    b = end_in(sys.argv[2], "line_b", [f"10.77.0.{last}" for last in range(2, 10)])
    delay, jitter, held = (float(text) / 1000 for text in (sys.argv[3:6] + ["0", "0"])[:3])
    held_from = socket.inet_aton(sys.argv[6]) if len(sys.argv) > 6 else None
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # keeps the delay steady on a busy machine
    except OSError:
        pass
    print("ready", flush=True)
    carry({a: Way(b, delay, jitter), b: Way(a, delay, jitter, held, held_from)})


if __name__ == "__main__":
    main()
