"""TLS: bots of both kits and by hand, and peers that don't speak it as they should. The built program, real sockets."""
import hashlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import warnings

from daemon_test import DaemonTest
from harness import BIN, LONG, SOURCE, Connection, rows, wait_until

OPENSSL = shutil.which("openssl")
PYTHON_BOT = [sys.executable, os.path.join(SOURCE, "sample_bots/python/walls_greedy.py")]
CPP_BOT = [os.path.join(BIN, "walls-greedy")]
OTHER_FINGERPRINT = "0" * 64


def split(address):
    """tls://HOST:PORT#sha256=HEX in three."""
    where, fingerprint = address.removeprefix("tls://").split("#sha256=")
    host, port = where.rsplit(":", 1)
    return host, int(port), fingerprint


def client_context():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class TlsConnection(Connection):
    def __init__(self, address):
        super().__init__(address)
        self.socket = client_context().wrap_socket(self.socket)

    def fingerprint(self):
        return hashlib.sha256(self.socket.getpeercert(binary_form=True)).hexdigest()


class TlsTest(DaemonTest):
    def config(self, *names, tls=None, **more):
        config = self.walls([{"name": name} for name in names or ("a", "b")], **more.pop("tournament", {}))
        config["listen"]["tls"] = {"port": 0, **(tls or {})}
        config.update(more)
        return config

    def tls_address(self):
        return self.status()["listening_tls"]

    def tls_endpoint(self):
        return split(self.tls_address())[:2]

    def dial(self):
        bot = TlsConnection(self.tls_endpoint())
        self.addCleanup(bot.close)
        return bot

    def start_bot(self, command, name, address):
        environment = {**os.environ, "REFEREE_ADDRESS": address, "REFEREE_NAME": name}
        bot = self.spawn(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return bot

    def make_certificate(self, name):
        """Files of a new certificate, by another program than ours."""
        certificate, key = self.path(name + ".pem"), self.path(name + ".key")
        subprocess.run([OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=lab",
                        "-days", "365", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        return certificate, key


class BotsTest(TlsTest):
    def test_bots_of_both_kits_play_over_tls(self):
        self.serve(self.write("c.json", self.config("cpp", "python", "plain")))
        address = self.tls_address()
        self.assertIn("bots dial in by TLS at tls://127.0.0.1:", self.order("status"))
        bots = [self.start_bot(CPP_BOT, "cpp", address), self.start_bot(PYTHON_BOT, "python", address),
                self.start_bot(CPP_BOT, "plain", "127.0.0.1:" + str(self.address()[1]))]
        wait_until(lambda: self.tournament("t")["state"] == "finished", "the tournament")
        known = {bot["name"]: bot for bot in json.loads(self.order("bots", "--json"))["bots"]}
        self.assertTrue(all("from" in known[name] for name in ("cpp", "python", "plain")), known)
        self.order("drain")
        for bot in bots:
            self.assertEqual(bot.wait(LONG), 0, bot.stdout.read())
        self.assertEqual(rows(self.path("out/referee.db"), "SELECT count(*) > 0, sum(faults_total) FROM games"), [(1, 0)])
        self.assertIn("bots dial in by TLS at " + address, self.read("log"))

    def test_where_it_listens_everywhere_the_address_has_the_machines_name(self):
        self.serve(self.write("c.json", self.config(tls={"address": "0.0.0.0"})))
        self.assertEqual(split(self.tls_address())[0], socket.gethostname())
        self.assertEqual(self.address()[0], "127.0.0.1", "the plain port stays where it was")

    def test_wrong_ends_are_told_to_both_sides(self):
        """Kits that have no fingerprint, or dial the plain port; and the program that the protocol's page shows."""
        self.serve(self.write("c.json", self.config()))
        host, port, fingerprint = split(self.tls_address())
        plain = f"tls://127.0.0.1:{self.address()[1]}#sha256={OTHER_FINGERPRINT}"
        for address, told in ((plain, "what answers there speaks no TLS"), (f"tls://{host}:{port}", "certificate")):
            for command in ([*CPP_BOT, "--wait", "0"], PYTHON_BOT):
                with self.subTest(command[-1], address=address):
                    bot = self.start_bot(command, "a", address)
                    self.assertNotEqual(bot.wait(LONG), 0)
                    self.assertIn(told, bot.stdout.read())
        wait_until(lambda: "it speaks TLS at 127.0.0.1:" in self.read("log"), "the log to tell it")
        self.assertEqual(self.read("log").count("it speaks TLS at"), 1, "once for each address")
        with open(os.path.join(SOURCE, "protocol/PROTOCOL.md")) as file:
            (shown,) = [block for block in re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL) if "def dial(" in block]
        names = {}
        exec(shown, names)
        with names["dial"](host, port, fingerprint) as link:
            self.assertIn(b"hello", link.recv(4096))
        with self.assertRaisesRegex(SystemExit, "another certificate"), warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            names["dial"](host, port, OTHER_FINGERPRINT)
