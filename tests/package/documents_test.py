"""The package's documents: whatever one of them names or links to is packed too."""
import glob
import os
import re
import subprocess
import tempfile
import unittest

SOURCE = os.environ["REFEREE_SOURCE"]
BUILD = os.environ["REFEREE_BUILD"]
CMAKE = os.environ["CMAKE"]
DOCUMENTS = "/usr/share/doc/referee"
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# What commands write, and no document of ours.
WRITTEN = {"feedback.md"}
NAMED = re.compile(r"[\w./-]+\.md\b")


def text_of(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


class DocumentsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = folder.name
        subprocess.run([CMAKE, "--install", BUILD, "--component", "documents", "--prefix", "/usr"], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": cls.root})
        cls.top = cls.root + DOCUMENTS
        cls.documents = [os.path.join(folder, name) for folder, _, names in os.walk(cls.top, followlinks=True)
                         for name in names if name.endswith(".md")]

    def assert_found(self, name, folder, document):
        """From the document's folder, one below it or from the top; GAME is any game."""
        places = [os.path.join(place, name.replace("GAME", "*")) for place in (folder, os.path.join(folder, "*"), self.top)]
        self.assertTrue(any(glob.glob(place) for place in places),
                        f"{os.path.relpath(document, self.top)} names {name}, which is not packed")

    def test_what_they_link_to_is_packed(self):
        links = 0
        for document in self.documents:
            for name in LINK.findall(text_of(document)):
                if not name.startswith(("http:", "https:")):
                    links += 1
                    with self.subTest(document=document, link=name):
                        self.assert_found(name, os.path.dirname(document), document)
        self.assertGreater(links, 0)

    def test_documents_that_they_name_are_packed(self):
        named = 0
        for document in self.documents:
            for name in set(NAMED.findall(text_of(document))) - WRITTEN:
                named += 1
                with self.subTest(document=document, name=name):
                    self.assert_found(name, os.path.dirname(document), document)
        self.assertGreater(named, 5)

    def test_what_the_manual_the_unit_and_the_config_name_is_packed(self):
        for name in ("scripts/manual", "scripts/debian/referee.service", "scripts/debian/referee.json"):
            named = NAMED.findall(text_of(os.path.join(SOURCE, name)))
            self.assertTrue(named, name)
            for document in named:
                with self.subTest(name=name, document=document):
                    self.assert_found(document.split(DOCUMENTS + "/")[-1], self.top, os.path.join(self.top, name))


if __name__ == "__main__":
    unittest.main()
