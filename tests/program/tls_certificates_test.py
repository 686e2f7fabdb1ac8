"""Certificates: those that are made, bad ones, new ones; and orders over TLS. The built program, real sockets."""
import os
import shutil
import socket
import stat
import unittest

from harness import LONG, referee
from tls_test import OPENSSL, OTHER_FINGERPRINT, TlsTest, split


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
        self.assertIn("makes a certificate of its own", self.exits(0, "check", self.write("c.json", self.config())).stdout)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_bad_ones_are_refused_by_check_and_by_serve(self):
        certificate, _ = self.make_certificate("good")
        _, other_key = self.make_certificate("other")
        config = self.write("c.json", self.config(tls={"certificate": certificate, "key": other_key}))
        for command in (["check", config], ["serve", config, "--out", self.path("out")]):
            with self.subTest(command=command[0]):
                self.assertIn("does not belong to the certificate", self.exits(2, *command).stderr)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_a_reload_takes_a_new_one_and_keeps_what_is_open(self):
        certificate, key = self.make_certificate("now")
        self.serve(self.write("c.json", self.config(tls={"certificate": certificate, "key": key})))
        old = self.dial().log_in("a")
        old.read("welcome")
        first = split(self.tls_address())[2]
        self.assertEqual(old.fingerprint(), first)
        port = self.tls_endpoint()[1]

        shutil.copy(key, self.path("kept.key"))
        with open(key, "w") as file:
            file.write("a slip of the hand")
        self.assertIn("the old config stays: the key " + key, self.refused("reload"))
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

    def test_orders_in_plain_text_on_this_machine(self):
        address = self.serve_control()
        self.assertEqual(self.ask(address).returncode, 0)
        tcp = ("ctl", "--tcp", address)
        self.exits(0, *tcp, "--token", "the admin token", "status")
        for words in (["status"], ["--token", "guessed", "status"]):
            self.assertIn("admin token", self.exits(1, *tcp, *words).stderr)
        by_tls = self.ask(f"tls://{address}#sha256={OTHER_FINGERPRINT}")
        self.assertEqual(by_tls.returncode, 3)
        self.assertIn("does not begin TLS", by_tls.stderr)

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
        done = self.ask(f"{ours}:{listener.getsockname()[1]}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nothing was sent. Expected the address as the daemon's log tells it", done.stderr)
        taken, _ = listener.accept()
        self.addCleanup(taken.close)
        taken.settimeout(LONG)
        self.assertEqual(taken.recv(100), b"")
