"""TLS: bots of both kits, peers that don't speak it as they should, certificates, and orders. The built program, real sockets."""
import hashlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import unittest
import warnings

from daemon_test import DaemonTest
from harness import BIN, LONG, SOURCE, Connection, ended, wait_until

OPENSSL = shutil.which("openssl")
PYTHON_BOT = [sys.executable, os.path.join(SOURCE, "sample_bots/python/walls_greedy.py")]
CPP_BOT = [os.path.join(BIN, "walls-greedy")]
OTHER_FINGERPRINT = "0" * 64


def split(address):
    """tls://HOST:PORT#sha256=HEX in three."""
    where, fingerprint = address.removeprefix("tls://").split("#sha256=")
    host, port = where.rsplit(":", 1)
    return host, int(port), fingerprint


class TlsConnection(Connection):
    def __init__(self, address):
        super().__init__(address)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket)
        self.fingerprint = hashlib.sha256(self.socket.getpeercert(binary_form=True)).hexdigest()


class TlsTest(DaemonTest):
    def config(self, tls=None, **more):
        config = self.walls([{"name": name} for name in "ab"])
        config["listen"]["tls"] = {"port": 0, **(tls or {})}
        config.update(more)
        return config

    def tls_address(self):
        return self.status()["listening_tls"]

    def dial(self):
        bot = TlsConnection(split(self.tls_address())[:2])
        self.addCleanup(bot.close)
        return bot

    def make_certificate(self, name):
        """Files of a new certificate, by another program than ours."""
        certificate, key = self.path(name + ".pem"), self.path(name + ".key")
        subprocess.run([OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=lab",
                        "-days", "365", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        return certificate, key


class BotsTest(TlsTest):
    def start_bot(self, command, name, address):
        return self.spawn(command, env={**os.environ, "REFEREE_ADDRESS": address, "REFEREE_NAME": name}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)

    def test_who_dials_the_right_end_plays_and_wrong_ends_are_told_to_both_sides(self):
        """Bots of the programs' kit for C++ and of Python's; other kits are tested by tests/kits. And the program that the protocol's page shows."""
        self.serve(self.write("c.json", self.config()))
        host, port, fingerprint = split(self.tls_address())
        plain = f"127.0.0.1:{self.address()[1]}"
        for address, told in ((f"tls://{plain}#sha256={OTHER_FINGERPRINT}", "what answers there speaks no TLS"), (f"tls://{host}:{port}", "certificate")):
            for command in ([*CPP_BOT, "--wait", "0"], PYTHON_BOT):
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
        for name, address in (("a", self.tls_address()), ("b", plain)):
            self.start_bot(CPP_BOT, name, address)
        self.until("finished", "t")
        self.assertEqual(self.rows("SELECT count(*) > 0, sum(faults_total) FROM games"), [(1, 0)])


class CertificateTest(TlsTest):
    def test_the_one_that_is_made_is_kept(self):
        config = self.write("c.json", self.config(tls={"address": "0.0.0.0"}))
        self.assertIn("makes a certificate of its own", self.exits(0, "check", config).stdout)
        fingerprints = []
        for _ in range(2):
            daemon = self.serve(config)
            host, port, fingerprint = split(self.tls_address())
            self.assertEqual(host, socket.gethostname(), "where it listens everywhere")
            self.assertEqual(self.dial().fingerprint, fingerprint)
            self.assertIn(f"bots dial in by TLS at tls://{host}:{port}#", self.order("status"))
            fingerprints.append(fingerprint)
            ended(daemon)
        self.assertEqual(*fingerprints)
        self.assertEqual(self.read("log").count("made a certificate for TLS, "), 1)
        self.assertIn("#sha256=" + fingerprints[0], self.exits(0, "check", config, "--out", self.path("out")).stdout)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_a_reload_takes_a_new_one_and_closes_and_opens_the_port_and_keeps_what_is_open(self):
        certificate, key = self.make_certificate("now")
        config = self.config(tls={"certificate": certificate, "key": key})
        self.serve(self.write("c.json", config))
        old = self.dial().log_in("a")
        old.read("welcome")
        *where, first = split(self.tls_address())
        self.assertEqual(old.fingerprint, first)
        fresh = self.make_certificate("fresh")
        shutil.copy(fresh[1], key)
        self.exits(2, "check", self.path("c.json"), told="does not belong to the certificate")
        self.refused("reload", told="does not belong to the certificate")
        self.assertEqual(self.dial().fingerprint, first)
        shutil.copy(fresh[0], certificate)
        self.order("reload")
        *here, second = split(self.tls_address())
        self.assertNotEqual(second, first)
        self.assertEqual((self.dial().fingerprint, here), (second, where))
        self.assertIn(self.tls_address(), self.read("log"))

        tls = config["listen"].pop("tls")
        self.write("c.json", config)
        self.order("reload")
        self.assertNotIn("listening_tls", self.status())
        with self.assertRaises(OSError):
            socket.create_connection(tuple(where), timeout=1)
        old.send(type="ping", id=7)
        self.assertEqual(old.read("pong")["id"], 7)
        config["listen"]["tls"] = tls
        self.write("c.json", config)
        self.order("reload")
        self.dial().read("hello")


class OrdersTest(TlsTest):
    def serve_control(self, **control):
        config = self.config(control={"address": "127.0.0.1", "port": 0, "token": "the admin token", **control})
        del config["listen"]["tls"]
        self.serve(self.write("c.json", config))
        return self.read("log").split("orders are taken on ")[1].split(" too")[0]

    def ask(self, address, status, *told, token="the admin token"):
        return self.exits(status, "ctl", "--address", address, "status", told=told, env={**os.environ, "REFEREE_ADMIN_TOKEN": token})

    def test_orders_over_tls(self):
        address = self.serve_control(tls=True)
        self.assertTrue(address.startswith("tls://127.0.0.1:"), address)
        host, port, fingerprint = split(address)
        self.assertIn("listening on", self.ask(address, 0).stdout)
        self.ask(address, 1, "admin token is missing or wrong", token="another token")
        self.ask(f"tls://{host}:{port}#sha256={OTHER_FINGERPRINT}", 3, "found sha256=" + fingerprint, "nothing was sent")
        self.ask(f"tls://{host}:{port}", 3, "needs its fingerprint")
        self.ask(f"{host}:{port}", 1, "this port expects TLS")

    def test_orders_in_plain_text_on_this_machine(self):
        address = self.serve_control()
        self.ask(address, 0)
        self.exits(0, "ctl", "--tcp", address, "--token", "the admin token", "status")
        self.exits(1, "ctl", "--tcp", address, "status", told="admin token")
        self.ask(f"tls://{address}#sha256={OTHER_FINGERPRINT}", 3, "does not begin TLS")

    def test_a_token_never_goes_to_another_machine_in_plain_text(self):
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(link.close)
        try:
            link.connect(("192.0.2.1", 9))  # sends nothing; tells the address of ours that others see
        except OSError:
            self.skipTest("this machine has no address but loopback")
        ours = link.getsockname()[0]
        listener = socket.create_server((ours, 0))
        self.addCleanup(listener.close)
        self.ask(f"{ours}:{listener.getsockname()[1]}", 3, "nothing was sent. Expected the address as the daemon's log tells it")
        taken, _ = listener.accept()
        self.addCleanup(taken.close)
        taken.settimeout(LONG)
        self.assertEqual(taken.recv(100), b"")
