"""Connections that may do anything on the wire."""
import contextlib
import json
import socket

from harness import Connection

# Seconds after which an answer counts as missing: longer than anything that the referee waits for.
ANSWER_WITHIN = 30


def line(**message):
    return (json.dumps(message) + "\n").encode()


def login(name="row", token="t"):
    return line(type="login", name=name, token=token, games=["walls"])


class Wire(Connection):
    """A connection that may do anything."""

    def __init__(self, address, receive_bytes=0, source=None):
        self.socket, self.rest = socket.socket(), b""
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(ANSWER_WITHIN)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(address)

    def send(self, data):
        self.socket.sendall(data)

    def flood(self, data):
        """The other side may end the connection meanwhile."""
        with contextlib.suppress(OSError):
            self.socket.sendall(data)

    def heard(self):
        """The next message; None at the end."""
        with contextlib.suppress(ConnectionResetError):
            while b"\n" not in self.rest and self.receive():
                pass
        return json.loads(self.line()) if b"\n" in self.rest else None

    def until(self, kind):
        while True:
            message = self.heard()
            if message is None:
                raise AssertionError(f"the connection ended before {kind}")
            if message["type"] == kind:
                return message

    def error(self, *codes):
        found = self.until("error")
        if found["code"] not in codes:
            raise AssertionError(f"expected {codes}, found {found}")
        return found

    def ended(self):
        """It is closed, after whatever is still on the way; the last error of that."""
        last = None
        while (message := self.heard()) is not None:
            if message["type"] == "error":
                last = message["code"]
        return last

    def alive(self):
        self.send(line(type="ping", id=4711))
        while self.until("pong")["id"] != 4711:
            pass
