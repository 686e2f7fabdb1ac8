"""A path that is long: joins two network namespaces by a pair of TUN devices and holds each packet back.

    delay_line.py NAMESPACE_A NAMESPACE_B MILLISECONDS_EACH_WAY

Prints "ready" when both ends are up: 10.77.0.1 in A, 10.77.0.2 in B. Needs root. Ends when its input ends.
"""
import collections
import ctypes
import fcntl
import os
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
    """A TUN device in a namespace, as a descriptor of ours."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/run/netns/{namespace}") as place:
        if libc.setns(place.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    for command in (f"addr add {address}/24 dev {name}", f"link set {name} up", "link set lo up"):
        subprocess.run(["ip", *command.split()], check=True)
    return device


def carry(ends, delay):
    """Passes packets on from each end to the other, so much later, in order."""
    way = {ends[0]: ends[1], ends[1]: ends[0], sys.stdin.fileno(): None}
    due = collections.deque()  # (when, where to, packet)
    while True:
        wait = max(0.0, due[0][0] - time.monotonic()) if due else None
        for source in select.select(list(way), [], [], wait)[0]:
            if way[source] is None:
                return
            due.append((time.monotonic() + delay, way[source], os.read(source, PACKET_BYTES)))
        while due and due[0][0] <= time.monotonic():
            _, target, packet = due.popleft()
            os.write(target, packet)


def main():
    ends = [end_in(sys.argv[1], "line_a", "10.77.0.1"), end_in(sys.argv[2], "line_b", "10.77.0.2")]
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # keeps the delay steady on a busy machine
    except OSError:
        pass
    print("ready", flush=True)
    carry(ends, float(sys.argv[3]) / 1000)


if __name__ == "__main__":
    main()
