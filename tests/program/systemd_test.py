"""What a daemon tells systemd. The built program, a socket that stands in for systemd's.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
import os
import signal
import socket
import unittest

from daemon_test import DaemonTest
from harness import LONG, wait_until


class SystemdTest(DaemonTest):
    def test_systemd_is_told(self):
        config = self.write("c.json", self.walls([{"name": "ann"}, {"name": "bob"}]))
        address = self.path("notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(address)
            notices.settimeout(LONG)
            os.environ.update(NOTIFY_SOCKET=address, WATCHDOG_USEC="20000")
            try:
                daemon = self.serve(config)
            finally:
                del os.environ["NOTIFY_SOCKET"], os.environ["WATCHDOG_USEC"]
            told = [notices.recv(4096).decode() for _ in range(3)]
            self.assertTrue(told[0].startswith("READY=1\nSTATUS=listening on "), told)
            self.assertEqual(told[1:], ["WATCHDOG=1", "WATCHDOG=1"])
            # Nobody reads, and there is no room for more signs of life: the daemon goes on, and its signs come again when somebody does.
            filled = 0
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as filler:
                filler.connect(address)
                filler.setblocking(False)
                with self.assertRaises(BlockingIOError):
                    while True:
                        filler.send(b"FULL")
                        filled += 1
            for _ in range(5):  # each takes longer than the 10 ms between two signs
                self.assertEqual(self.ctl("status").returncode, 0)
            while filled > 0:
                filled -= notices.recv(4096) == b"FULL"
            self.assertEqual(notices.recv(4096), b"WATCHDOG=1")
            daemon.send_signal(signal.SIGTERM)
            wait_until(lambda: notices.recv(4096) == b"STOPPING=1", "STOPPING=1")
            self.assertEqual(daemon.wait(timeout=LONG), 0)


if __name__ == "__main__":
    unittest.main()
