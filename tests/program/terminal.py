"""A command at a pseudo-terminal of its own."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios

from harness import wait_until


class Terminal:
    """`said` is what the command wrote so far; after `end` it is whole."""

    def __init__(self, command, environment, lines, columns):
        self.said = ""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment)
        self.resize(lines, columns)

    def resize(self, lines, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds):
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.file, 65536)
        except OSError:  # Linux says so where the other end is closed
            return False
        self.said += more.decode("utf-8", "replace")
        return bool(more)

    def wait_for(self, condition, what):
        def read_and_look():
            self.read(0.1)
            return condition()
        try:
            wait_until(read_and_look, what)
        except AssertionError as error:
            raise AssertionError(f"{error} in {self.said[-2000:]!r}") from None

    def end(self):
        """The exit status."""
        def reaped():
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if not pid:
                self.read(0.1)
            return (status,) if pid else None
        try:
            (status,) = wait_until(reaped, "its end")
        except AssertionError:
            os.kill(self.pid, signal.SIGKILL)
            raise
        while self.read(0):
            pass
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)
