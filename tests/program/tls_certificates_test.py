"""Certificates: those that are made, bad ones, new ones; and orders over TLS. The built program, real sockets."""
import os
import shutil
import socket
import unittest

from harness import LONG, ended, referee
from tls_test import OPENSSL, OTHER_FINGERPRINT, TlsTest, split


class CertificateTest(TlsTest):
    def test_the_one_that_is_made_is_kept(self):
        config = self.write("c.json", self.config())
        self.assertIn("makes a certificate of its own", self.exits(0, "check", config).stdout)
        fingerprints = []
        for _ in range(2):
            daemon = self.serve(config)
            fingerprints.append(split(self.tls_address())[2])
            self.assertEqual(self.dial().fingerprint(), fingerprints[-1])
            ended(daemon)
        self.assertEqual(*fingerprints)
        self.assertEqual(self.read("log").count("made a certificate for TLS, "), 1)
        self.assertIn("#sha256=" + fingerprints[0], self.exits(0, "check", config, "--out", self.path("out")).stdout)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_bad_ones_are_refused_by_check_and_by_serve(self):
        certificate, _ = self.make_certificate("good")
        _, other_key = self.make_certificate("other")
        config = self.write("c.json", self.config(tls={"certificate": certificate, "key": other_key}))
        for command in (["check", config], ["serve", config, "--out", self.path("out")]):
            with self.subTest(command=command[0]):
                self.assertIn("does not belong to the certificate", self.exits(2, *command).stderr)

    @unittest.skipUnless(OPENSSL, "needs the program openssl")
    def test_a_reload_takes_a_new_one_and_closes_and_opens_the_port_and_keeps_what_is_open(self):
        certificate, key = self.make_certificate("now")
        config = self.config(tls={"certificate": certificate, "key": key})
        self.serve(self.write("c.json", config))
        old = self.dial().log_in("a")
        old.read("welcome")
        first, where = split(self.tls_address())[2], self.tls_endpoint()
        self.assertEqual(old.fingerprint(), first)
        self.write("now.key", "a slip of the hand")
        self.assertIn("the old config stays: the key " + key, self.refused("reload"))
        self.assertEqual(self.dial().fingerprint(), first)

        fresh = self.make_certificate("fresh")
        for new, place in zip(fresh, (certificate, key)):
            shutil.copy(new, place)
        self.order("reload")
        second = split(self.tls_address())[2]
        self.assertNotEqual(second, first)
        self.assertEqual((self.dial().fingerprint(), self.tls_endpoint()), (second, where))
        self.assertIn(self.tls_address(), self.read("log"))

        tls = config["listen"].pop("tls")
        self.write("c.json", config)
        self.order("reload")
        self.assertNotIn("listening_tls", self.status())
        with self.assertRaises(OSError):
            socket.create_connection(where, timeout=1)
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

    def ask(self, address, token="the admin token"):
        return referee("ctl", "--address", address, "status", env={**os.environ, "REFEREE_ADMIN_TOKEN": token})

    def test_orders_over_tls(self):
        address = self.serve_control(tls=True)
        self.assertTrue(address.startswith("tls://127.0.0.1:"), address)
        host, port, fingerprint = split(address)
        for where, token, status, told in ((address, "the admin token", 0, ("listening on",)),
                                           (address, "another token", 1, ("admin token is missing or wrong",)),
                                           (f"tls://{host}:{port}#sha256={OTHER_FINGERPRINT}", "the admin token", 3, ("found sha256=" + fingerprint, "nothing was sent")),
                                           (f"tls://{host}:{port}", "the admin token", 3, ("needs its fingerprint",)),
                                           (f"{host}:{port}", "the admin token", 1, ("this port expects TLS",))):
            done = self.ask(where, token)
            self.assertEqual(done.returncode, status, done.stderr)
            for words in told:
                self.assertIn(words, done.stdout + done.stderr)

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
