"""Network namespaces for tests. Each lives as long as a process of ours in it, so that nothing is left on the machine."""
import os
import shutil
import subprocess


class Namespace:
    def __init__(self):
        # The process says so when it is inside.
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo in; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
        self.made = self.holder.stdout.readline() == b"in\n"

    @property
    def pid(self):
        return self.holder.pid

    @property
    def path(self):
        return f"/proc/{self.pid}/ns/net"

    def command(self, *command):
        """The command that runs this one inside."""
        return ["nsenter", f"--net={self.path}", *command]

    def end(self):
        self.holder.stdin.close()
        self.holder.wait()
        self.holder.stdout.close()


def join(one, other, names):
    """A cable between two namespaces; whether the kernel has such."""
    done = subprocess.run(one.command("ip", "link", "add", names[0], "type", "veth", "peer", "name", names[1], "netns", str(other.pid)),
                          capture_output=True)
    return done.returncode == 0


def may_make_namespaces(cable=False):
    """Whether this machine lets us: with a TUN device for `delay_line.py`, or a cable."""
    if os.geteuid() != 0 or not all(shutil.which(program) for program in ("ip", "unshare", "nsenter")):
        return False
    pair = [Namespace(), Namespace()]
    try:
        if not all(one.made for one in pair):
            return False
        return join(*pair, ("end_a", "end_b")) if cable else os.path.exists("/dev/net/tun")
    finally:
        for one in pair:
            one.end()
