"""TLS: bots of both kits and by hand, certificates, reloads, orders over TCP. The built program, real sockets.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
import hashlib
import json
import os
import re
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import unittest
import warnings

from daemon_test import DaemonTest
from harness import BIN, LONG, SOURCE, Connection, referee, wait_until

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
        plain = socket.create_connection(address, timeout=LONG)
        self.socket = client_context().wrap_socket(plain)
        self.lines = self.socket.makefile("r", encoding="utf-8")

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
        bot = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(bot.stdout.close)
        self.addCleanup(bot.wait)
        self.addCleanup(bot.kill)
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
        bots = [self.start_bot(CPP_BOT, "cpp", address), self.start_bot(PYTHON_BOT, "python", address),
                self.start_bot(CPP_BOT, "plain", "127.0.0.1:" + str(self.address()[1]))]
        wait_until(lambda: self.tournament("t")["state"] == "finished", "the tournament")
        known = {bot["name"]: bot for bot in json.loads(self.order("bots", "--json"))["bots"]}
        self.assertTrue(all("from" in known[name] for name in ("cpp", "python", "plain")), known)
        self.order("drain")
        for bot in bots:
            self.assertEqual(bot.wait(LONG), 0, bot.stdout.read())
        standings = json.loads(self.read("out/standings.json") if os.path.exists(self.path("out/standings.json")) else self.read("out/t/standings.json"))
        self.assertTrue(standings["finished"])
        self.assertNotIn("fault", json.dumps(standings).lower().replace('"faults": 0', ""))
        self.assertIn("bots dial in by TLS at " + address, self.read("log"))
        self.assertIn(address, self.read("log"))

    def test_status_tells_the_address(self):
        self.serve(self.write("c.json", self.config()))
        self.assertIn("bots dial in by TLS at tls://127.0.0.1:", self.order("status"))

    def test_where_it_listens_everywhere_the_address_has_the_machines_name(self):
        self.serve(self.write("c.json", self.config(tls={"address": "0.0.0.0"})))
        self.assertEqual(split(self.tls_address())[0], socket.gethostname())
        self.assertEqual(self.address()[0], "127.0.0.1", "the plain port stays where it was")

    def test_a_kit_refuses_another_certificate(self):
        self.serve(self.write("c.json", self.config()))
        host, port, fingerprint = split(self.tls_address())
        wrong = f"tls://{host}:{port}#sha256={OTHER_FINGERPRINT}"
        for command in (CPP_BOT, PYTHON_BOT):
            with self.subTest(command[-1]):
                bot = self.start_bot(command, "a", wrong)
                self.assertNotEqual(bot.wait(LONG), 0)
                says = bot.stdout.read()
                self.assertIn("another certificate than the address names answers", says)
                self.assertIn("expected sha256=" + OTHER_FINGERPRINT, says)
                self.assertIn("found sha256=" + fingerprint, says)
        self.assertNotIn("a has arrived", self.read("log"))

    def test_a_kit_does_not_trust_a_certificate_without_a_fingerprint(self):
        self.serve(self.write("c.json", self.config()))
        host, port, _ = split(self.tls_address())
        for command in ([*CPP_BOT, "--wait", "0"], PYTHON_BOT):
            with self.subTest(command[-1]):
                bot = self.start_bot(command, "a", f"tls://{host}:{port}")
                self.assertNotEqual(bot.wait(LONG), 0)
                self.assertIn("certificate", bot.stdout.read())
        self.assertIn("it doesn't trust the certificate", self.read("log"))

    def test_a_kit_that_dials_the_plain_port(self):
        self.serve(self.write("c.json", self.config()))
        port = self.address()[1]
        for command in ([*CPP_BOT, "--wait", "0"], PYTHON_BOT):
            with self.subTest(command[-1]):
                bot = self.start_bot(command, "a", f"tls://127.0.0.1:{port}#sha256={OTHER_FINGERPRINT}")
                self.assertNotEqual(bot.wait(LONG), 0)
                self.assertIn("wrong version number", bot.stdout.read().lower())
        wait_until(lambda: "it speaks TLS at 127.0.0.1:" in self.read("log"), "the log to tell it")
        self.assertEqual(self.read("log").count("it speaks TLS at"), 1, "once for each address")

    def test_what_the_protocols_page_shows(self):
        with open(os.path.join(SOURCE, "protocol/PROTOCOL.md")) as file:
            shown = [block for block in re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL) if "def dial(" in block]
        self.assertEqual(len(shown), 1)
        names = {}
        exec(shown[0], names)
        self.serve(self.write("c.json", self.config()))
        host, port, fingerprint = split(self.tls_address())
        with names["dial"](host, port, fingerprint) as link:
            self.assertIn(b"hello", link.recv(4096))
        with self.assertRaises(SystemExit) as refused, warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            names["dial"](host, port, OTHER_FINGERPRINT)
        self.assertIn("another certificate", str(refused.exception))

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_by_hand_with_openssl(self):
        self.serve(self.write("c.json", self.config()))
        host, port = self.tls_endpoint()
        hand = subprocess.Popen([OPENSSL, "s_client", "-quiet", "-connect", f"{host}:{port}"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(hand.stdout.close)
        self.addCleanup(hand.stdin.close)
        self.addCleanup(hand.wait)
        self.addCleanup(hand.kill)
        self.assertEqual(json.loads(hand.stdout.readline())["type"], "hello")
        hand.stdin.write(json.dumps({"type": "login", "name": "a", "games": ["walls"]}) + "\n")
        hand.stdin.flush()
        self.assertEqual(json.loads(hand.stdout.readline())["type"], "welcome")


class StrangersTest(TlsTest):
    """Peers that don't speak TLS as they should."""

    def raw(self):
        link = socket.create_connection(self.tls_endpoint(), timeout=LONG)
        self.addCleanup(link.close)
        return link

    def all_of(self, link):
        """Until the other side ends."""
        text = b""
        while True:
            try:
                more = link.recv(4096)
            except ConnectionResetError:
                return text
            if not more:
                return text
            text += more

    def test_plain_text_is_answered_in_plain_text_and_logged_once(self):
        self.serve(self.write("c.json", self.config()))
        for _ in range(2):
            link = self.raw()
            link.sendall(b'{"type":"login","name":"a","games":["walls"]}\n')
            error = json.loads(self.all_of(link))
            self.assertEqual((error["type"], error["code"]), ("error", "tls_expected"))
            self.assertIn(self.tls_address(), error["message"])
        self.assertEqual(self.read("log").count("it speaks without TLS"), 1)
        self.dial().read("hello")

    def test_who_waits_for_the_hello_is_told_in_the_end(self):
        self.serve(self.write("c.json", self.config()))
        self.assertEqual(json.loads(self.all_of(self.raw()))["code"], "tls_expected")

    def test_a_handshake_that_never_ends_is_ended_by_the_login_time(self):
        self.serve(self.write("c.json", self.config()))
        link = self.raw()
        link.sendall(b"\x16\x03\x01\x02\x00\x01\x00")
        wait_until(lambda: self.status()["connections"] == 1, "the connection")
        self.assertEqual(self.all_of(link), b"")
        wait_until(lambda: self.status()["connections"] == 0, "the connection to be gone")

    def test_who_shook_hands_has_to_log_in_all_the_same(self):
        self.serve(self.write("c.json", self.config()))
        bot = self.dial()
        bot.read("hello")
        self.assertEqual(bot.read("error")["code"], "login_timeout")

    def test_a_connection_too_many_is_closed(self):
        self.serve(self.write("c.json", self.config(connections={"per_address": 1})))
        self.dial().read("hello")
        with self.assertRaises((ssl.SSLError, ConnectionError)) as refused:
            client_context().wrap_socket(self.raw())
        self.assertNotIn("WRONG_VERSION_NUMBER", str(refused.exception))

    def test_old_versions_are_refused(self):
        self.serve(self.write("c.json", self.config()))
        context = client_context()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
        with self.assertRaises((ssl.SSLError, ConnectionResetError)):
            context.wrap_socket(self.raw())
        wait_until(lambda: "it offers no TLS of version 1.2 or 1.3" in self.read("log"), "the log to tell it")

    def test_version_1_2_is_good(self):
        self.serve(self.write("c.json", self.config()))
        context = client_context()
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        link = context.wrap_socket(self.raw())
        self.addCleanup(link.close)
        self.assertEqual(link.version(), "TLSv1.2")
        self.assertIn(b"hello", link.recv(4096))


class CertificateTest(TlsTest):
    def test_the_one_that_is_made_is_kept(self):
        daemon = self.serve(self.write("c.json", self.config()))
        first = split(self.tls_address())[2]
        self.assertEqual(self.dial().fingerprint(), first)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out/tls-key.pem")).st_mode), 0o600)
        self.assertIn("made a certificate for TLS, ", self.read("log"))
        daemon.terminate()
        daemon.wait()
        self.serve(self.write("c.json", self.config()))
        self.assertEqual(split(self.tls_address())[2], first)
        self.assertEqual(self.read("log").count("made a certificate for TLS, "), 1)
        checked = referee("check", self.path("c.json"), "--out", self.path("out"))
        self.assertIn("#sha256=" + first, checked.stdout, checked.stderr)

    def test_check_tells_that_one_will_be_made(self):
        checked = referee("check", self.write("c.json", self.config()))
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("makes a certificate of its own", checked.stdout)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_bad_ones_are_refused_by_check_and_by_serve(self):
        certificate, key = self.make_certificate("good")
        other, other_key = self.make_certificate("other")
        text = self.write("notes.txt", "nothing of the kind")
        cases = [
            ((certificate, other_key), "does not belong to the certificate"),
            ((certificate, self.path("none")), "none can't be read: No such file"),
            ((text, key), "notes.txt holds no PEM"),
            ((key, key), "holds a private key"),
            ((certificate, certificate), "expected a private key in PEM"),
        ]
        for (its_certificate, its_key), says in cases:
            config = self.write("c.json", self.config(tls={"certificate": its_certificate, "key": its_key}))
            for command in (["check", config], ["serve", config, "--out", self.path("out")]):
                with self.subTest(says, command=command[0]):
                    refused = referee(*command)
                    self.assertEqual(refused.returncode, 2, refused.stderr)
                    self.assertIn(says, refused.stderr)
        os.chmod(key, 0o644)
        warned = referee("check", self.write("c.json", self.config(tls={"certificate": certificate, "key": key})))
        self.assertEqual(warned.returncode, 0, warned.stderr)
        self.assertIn("warning: the key " + key + " can be read by everybody", warned.stderr)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_a_reload_takes_a_new_one_and_keeps_what_is_open(self):
        certificate, key = self.make_certificate("now")
        self.serve(self.write("c.json", self.config(tls={"certificate": certificate, "key": key})))
        old = self.dial()
        old.read("hello")
        old.send(type="login", name="a", games=["walls"])
        old.read("welcome")
        first = split(self.tls_address())[2]
        self.assertEqual(old.fingerprint(), first)
        port = self.tls_endpoint()[1]

        shutil.copy(key, self.path("kept.key"))
        with open(key, "w") as file:
            file.write("a slip of the hand")
        refused = self.ctl("reload")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("the old config stays: the key " + key, refused.stderr)
        self.assertEqual(self.dial().fingerprint(), first)

        fresh, fresh_key = self.make_certificate("fresh")
        shutil.copy(fresh, certificate)
        shutil.copy(fresh_key, key)
        self.order("reload")
        host, new_port, second = split(self.tls_address())
        self.assertNotEqual(second, first)
        self.assertEqual(new_port, port)
        self.assertEqual(self.dial().fingerprint(), second)
        self.assertIn(self.tls_address(), self.read("log"))
        old.send(type="ping", id=7)
        self.assertEqual(old.read("pong")["id"], 7)

    def test_a_reload_opens_and_closes_the_port(self):
        config = self.config()
        self.serve(self.write("c.json", config))
        before = self.tls_endpoint()
        bot = self.dial()
        bot.read("hello")
        del config["listen"]["tls"]
        self.write("c.json", config)
        self.order("reload")
        self.assertNotIn("listening_tls", self.status())
        with self.assertRaises(OSError):
            socket.create_connection(before, timeout=1)
        bot.send(type="login", name="a", games=["walls"])
        bot.read("welcome")
        config["listen"]["tls"] = {"port": 0}
        self.write("c.json", config)
        self.order("reload")
        self.dial().read("hello")


class OrdersTest(TlsTest):
    def serve_control(self, **control):
        config = self.config(control={"address": "127.0.0.1", "port": 0, "token": "the admin token", **control})
        del config["listen"]["tls"]
        self.serve(self.write("c.json", config))
        return self.read("log").split("orders are taken on ")[1].split(" too")[0]

    def ask(self, address, token="the admin token"):
        return referee("ctl", "--address", address, "status", env={**os.environ, "REFEREE_ADMIN_TOKEN": token})

    def test_orders_over_tls(self):
        address = self.serve_control(tls=True)
        self.assertTrue(address.startswith("tls://127.0.0.1:"), address)
        done = self.ask(address)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("listening on", done.stdout)
        refused = self.ask(address, "another token")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("admin token is missing or wrong", refused.stderr)
        host, port, fingerprint = split(address)
        other = self.ask(f"tls://{host}:{port}#sha256={OTHER_FINGERPRINT}")
        self.assertEqual(other.returncode, 3)
        self.assertIn("found sha256=" + fingerprint, other.stderr)
        self.assertIn("nothing was sent", other.stderr)
        untrusted = self.ask(f"tls://{host}:{port}")
        self.assertEqual(untrusted.returncode, 3)
        self.assertIn("needs its fingerprint", untrusted.stderr)
        plain = self.ask(f"{host}:{port}")
        self.assertEqual(plain.returncode, 1)
        self.assertIn("this port expects TLS", plain.stderr)
        wrong = self.ask(f"{host}:{port}#sha256=12")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("only TLS has a fingerprint", wrong.stderr)

    def test_orders_in_plain_text_on_this_machine(self):
        address = self.serve_control()
        self.assertEqual(self.ask(address).returncode, 0)
        by_tls = self.ask(f"tls://{address}#sha256={OTHER_FINGERPRINT}")
        self.assertEqual(by_tls.returncode, 3)
        self.assertIn("does not begin TLS", by_tls.stderr)

    def test_a_handshake_that_never_ends_does_not_keep_its_place(self):
        host, port, _ = split(self.serve_control(tls=True))
        link = socket.create_connection((host, port), timeout=LONG)
        self.addCleanup(link.close)
        link.sendall(b"\x16\x03\x01\x02\x00\x01\x00")
        self.assertEqual(link.recv(1), b"")

    def test_plain_text_for_other_machines_is_no_config(self):
        config = self.config(control={"address": "0.0.0.0", "port": 0, "token": "the admin token"})
        for command in (["check"], ["serve", "--out", self.path("out")]):
            refused = referee(command[0], self.write("c.json", config), *command[1:])
            self.assertEqual(refused.returncode, 2)
            self.assertIn("control.address: other machines may reach \"0.0.0.0\"", refused.stderr)
            self.assertIn("\"tls\": true", refused.stderr)


if __name__ == "__main__":
    unittest.main()
