"""The smallest way to a bot in Python: write a function, call run().

    from referee_bot import run

    def choose(game):
        return "F"

    run({"walls": choose}, name="my-bot")

Nothing but Python 3.8 and its standard library is needed. The environment says where the referee is, as the
referee sets it for the bots that it launches:

    REFEREE_ADDRESS   host:port, or tls://host:port#sha256=... as the instructor gives it; without it the bot talks over
                      standard input and output
    REFEREE_NAME      the name to log in with; without it the one given to run()
    REFEREE_TOKEN     what proves the name; may be missing where the referee asks for none
    REFEREE_PASSWORD  the class password, which registers a new name with your token: only the first login needs it

Why did it lose? The same environment, and one of these:

    python3 referee_bot.py games [NUMBER]     your last games, the newest first
    python3 referee_bot.py game friday/12.1   the story of one, with your own debug text
"""

import json
import os
import socket
import sys
import time

PORT_MAX = 65535
TLS = "tls://"
FINGERPRINT_DIGITS = 64
MS_PER_MINUTE = 60_000
PATIENCE_S = 60  # a referee that stays away longer has given the games up
PAUSE_FIRST_S, PAUSE_MAX_S = 0.05, 2.0  # between two tries to dial again


class Game:
    """A game that is on, as a bot sees it."""

    def __init__(self, start):
        self.id = start["game_id"]
        self.kind = start["game"]  # "walls"
        self.seat = start["seat"]  # your own, counted from 0
        self.names = start.get("names", [])
        self.params = start["params"]  # the setup, with all defaults filled in
        self.state = start["state"]  # as the game's page describes it
        self.turn = start.get("turn", 0)
        self.budget_us = 0  # what this turn may take
        self.resumed = False  # the connection was lost, and the game goes on
        self.memory = {}  # yours, for the length of the game; a lost connection doesn't clear it

    def resume(self, start):
        """Takes in the `start` that comes after a lost connection."""
        self.resumed = True
        self.turn = start.get("turn", 0)
        self.state = start["state"]

    def take(self, turn):
        """Takes in a `turn` message."""
        self.turn = turn["turn"]
        self.budget_us = turn.get("budget_us", 0)
        self.state = turn["state"]


class NotAnswered(Exception):
    """A question about a game was answered with an error."""


class LoginRefused(Exception):
    """The referee said goodbye before it said welcome."""


class Connection:
    """Lines of JSON, over TCP or over standard input and output."""

    def __init__(self, address):
        self._socket = None
        if address is None:
            self._reader = sys.stdin.buffer
            self._writer = sys.stdout.buffer
            return
        host, port, tls, fingerprint = split_address(address)
        self._socket = socket.create_connection((host, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self._socket = encrypted(self._socket, host, fingerprint)
        self._reader = self._socket.makefile("rb")
        self._writer = self._socket.makefile("wb")

    def messages(self):
        """The referee's messages, until the stream ends."""
        for line in self._reader:
            if line.strip():
                yield json.loads(line.decode("utf-8"))

    def send(self, **message):
        line = json.dumps(message, separators=(",", ":")) + "\n"
        self._writer.write(line.encode("utf-8"))
        self._writer.flush()

    def close(self):
        if self._socket is not None:
            self._socket.close()


def split_address(address):
    """host:port or tls://host:port#sha256=..., also with an IPv6 address in brackets, as (host, port, tls, fingerprint)."""
    tls = address.startswith(TLS)
    rest, mark, fingerprint = address[len(TLS):].partition("#sha256=") if tls else (address, "", "")
    fingerprint = fingerprint.replace(":", "").lower()
    host, colon, port = rest.rpartition(":")
    good = colon and host and port.isdigit() and 0 < int(port) <= PORT_MAX
    if mark and (len(fingerprint) != FINGERPRINT_DIGITS or fingerprint.strip("0123456789abcdef")):
        good = False
    if not good:
        raise ValueError("REFEREE_ADDRESS must be host:port, such as localhost:7777, or tls://host:port#sha256= with "
                         "64 hexadecimal digits, not " + repr(address))
    return host.strip("[]"), int(port), tls, fingerprint


def encrypted(plain, host, fingerprint):
    """The socket with TLS. Refuses to talk to another certificate than the address names."""
    import hashlib  # here, because these two take longer to load than all the rest
    import ssl

    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if fingerprint:  # it is compared instead of names and authorities
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    link = context.wrap_socket(plain, server_hostname=host)
    found = hashlib.sha256(link.getpeercert(binary_form=True)).hexdigest()
    if fingerprint and found != fingerprint:
        link.close()
        raise ValueError("another certificate than the address names answers there: expected sha256={}, found sha256={}; "
                         "no token was sent. Ask the instructor whether the referee has a new one".format(fingerprint, found))
    return link


def say(text):
    """A line for people; standard output may belong to the referee."""
    print(text, file=sys.stderr, flush=True)


class Bot:
    """Answers the referee's messages: one function for each kind of game."""

    def __init__(self, choosers, name, token, password=None):
        self._connection = None
        self._choosers = choosers
        self._name = name
        self._token = token
        self._password = password
        self._games = {}  # by game_id
        self._before = {}  # those of the connection that was lost; who isn't resumed is over
        self._welcome = self._was_welcome = False
        self._refusal = None  # the last error before the welcome

    def play(self, connection):
        """Until the referee says goodbye. A lost connection is a ConnectionError; then the bot may play on by another."""
        self._connection, self._welcome, self._refusal = connection, False, None
        self._before, self._games = self._games, {}
        for message in self._connection.messages():
            kind = message.get("type")
            if kind == "bye":
                if not self._welcome:
                    raise LoginRefused(self._refusal or message.get("message", message.get("reason", "")))
                return
            answer = getattr(self, "_on_" + str(kind), None)
            if answer is not None:  # messages that a later protocol adds are passed over
                answer(message)
        if self._refusal is not None:
            raise LoginRefused(self._refusal)
        raise ConnectionError("the referee is gone" if self._welcome else "the referee closed it before it let us in")

    def was_welcome(self):
        """Whether the referee has ever let it in."""
        return self._was_welcome

    def _on_hello(self, _):
        login = {"type": "login", "name": self._name, "games": list(self._choosers), "client": "referee_bot.py"}
        if self._token is not None:
            login["token"] = self._token
        if self._password is not None:
            login["password"] = self._password
        self._connection.send(**login)

    def _on_welcome(self, _):
        self._welcome = self._was_welcome = True

    def _on_ping(self, message):
        self._connection.send(type="pong", id=message["id"])

    def _on_start(self, message):
        game = self._before.pop(message["game_id"], None) if message.get("resumed") else None
        if game is None:
            game = Game(message)
        if message.get("resumed"):
            game.resume(message)
        self._games[game.id] = game
        say("game {}: {}, {}, {}".format(game.id, game.kind, " against ".join(message.get("names", [])),
                                         "goes on" if message.get("resumed") else "begins"))
        self._connection.send(type="ready", game_id=game.id)

    def _on_turn(self, message):
        game = self._games.get(message["game_id"])
        if game is None:
            return
        game.take(message)
        move = self._choosers[game.kind](game)
        self._connection.send(type="move", game_id=game.id, turn=game.turn, move=move)

    def _on_end(self, message):
        self._games.pop(message["game_id"], None)
        seats = message.get("seats", [])
        own = [seat for seat in seats if seat.get("name") == self._name]
        told = "place {} of {}, score {}: ".format(own[0].get("place"), len(seats), own[0].get("score")) if own else ""
        say("game {} is over: {}{}".format(message["game_id"], told, message.get("reason", "")))

    def _on_note(self, message):
        if message.get("code") in ("withdrawn", "admitted"):
            say("note: {}: {}".format(message["code"], message.get("message")))

    def _on_error(self, message):
        text = "{}: {}".format(message.get("code"), message.get("message"))
        if self._welcome:
            say("error: " + text)
        else:
            self._refusal = text  # told once, at the end

    def _on_fault(self, message):
        say("fault in game {}, turn {}: {}: {}".format(message.get("game_id"), message.get("turn"), message.get("code"),
                                                       message.get("message")))


class Enquiry:
    """Asks the referee about games of a bot that are over. It plays nothing, and doesn't disturb the bot that does."""

    def __init__(self, address, name, token=None, password=None):
        self._connection = Connection(address)
        self._messages = self._connection.messages()
        self._next("hello")
        login = {"type": "login", "name": name, "token": token, "password": password, "games": ["any"],
                 "client": "referee_bot.py", "purpose": "ask"}
        self._connection.send(**{key: value for key, value in login.items() if value is not None})
        if self._next("welcome").get("purpose") != "ask":
            self._connection.send(type="bye")
            self.close()
            raise LoginRefused("this referee is older and answers no questions about games")

    def games(self, limit=20, before=None, tournament=None):
        """The last games, the newest first, as PROTOCOL.md describes them; `before` is a game's id."""
        self._connection.send(type="games", limit=limit, before=before, tournament=tournament)
        return self._next("game_list")["games"]

    def game(self, game_id):
        """One game: its "story", and what the bot sent as "debug"."""
        self._connection.send(type="game", game_id=game_id)
        return self._next("game_story")

    def close(self):
        self._connection.close()

    def _next(self, wanted):
        for message in self._messages:
            kind = message.get("type")
            if kind == wanted:
                return message
            if kind == "error":
                text = "{}: {}".format(message.get("code"), message.get("message"))
                raise NotAnswered(text) if wanted.startswith("game") else LoginRefused(text)
            if kind == "ping":
                self._connection.send(type="pong", id=message["id"])
        raise ConnectionError("the referee is gone")


def line_of(game):
    """A game of the list, as a line for people."""
    others = [name for seat, name in enumerate(game["names"]) if seat != game["seat"]]
    outcome = "place {}".format(game["place"]) if "place" in game else "does not count"
    return "{}  {} against {}: {}, {}; {} faults of yours; {} min ago; {}".format(
        game["game_id"], game["game"], ", ".join(others) or "nobody", game["status"], outcome, game["faults"],
        game["ago_ms"] // MS_PER_MINUTE, game["reason"])


def text_of(story):
    """The story of a game, as text for people."""
    parts = [story["story"].rstrip("\n")]
    if story["debug"]:
        parts.append("\nYour debug text:")
        parts += ["  turn {}: {}".format(one["turn"], printable(one["debug"])) for one in story["debug"]]
    if story.get("stderr_tail"):
        parts.append("\nThe end of your bot's standard error:")
        parts += ["  " + printable(line) for line in story["stderr_tail"].splitlines()]
    if story.get("cut"):
        parts.append("\nNot all is shown of: " + ", ".join(story["cut"]))
    return "\n".join(parts)


def printable(text):
    """On one line, and without what a terminal takes for orders."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def main(arguments):
    """The command for people; see above."""
    games = arguments[:1] == ["games"] and len(arguments) <= 2 and all(number.isdigit() for number in arguments[1:])
    game = arguments[:1] == ["game"] and len(arguments) == 2
    address, name = os.environ.get("REFEREE_ADDRESS"), os.environ.get("REFEREE_NAME")
    if not (games or game) or address is None or name is None:
        sys.exit("expected: referee_bot.py games [NUMBER], or: referee_bot.py game ID, with REFEREE_ADDRESS, REFEREE_NAME "
                 "and REFEREE_TOKEN in the environment")
    try:
        enquiry = Enquiry(address, name, os.environ.get("REFEREE_TOKEN"), os.environ.get("REFEREE_PASSWORD"))
        if games:
            listed = enquiry.games(*(int(number) for number in arguments[1:]))
            print("\n".join(printable(line_of(one)) for one in listed) or "no game of yours is over")
        else:
            print(text_of(enquiry.game(arguments[1])))
        enquiry.close()
    except (OSError, ValueError, LoginRefused, NotAnswered) as error:
        sys.exit(str(error))


def run(choosers, name):
    """Plays until the referee says goodbye.

    `choosers` has a function for each kind of game that the bot plays: it is given the Game and returns the move,
    anything that JSON can say. A lost connection is dialled again for a minute. Ends the program with status 1 where the referee can't be reached, refuses the login, or is gone without a goodbye.
    """
    if "REFEREE_ADDRESS" not in os.environ and sys.stdin.isatty():
        say("REFEREE_ADDRESS is not set, so this bot waits for a referee on its standard input; to dial one, set it to "
            "HOST:PORT, or let the referee start the bot: referee play GAME --bot 'python3 BOT.py' --reads .")
    address = os.environ.get("REFEREE_ADDRESS")
    bot = Bot(choosers, os.environ.get("REFEREE_NAME", name), os.environ.get("REFEREE_TOKEN"), os.environ.get("REFEREE_PASSWORD"))
    patience = 0
    while True:
        try:
            connection = dialled(address, patience)
        except (OSError, ValueError) as error:
            sys.exit("cannot reach the referee: {}".format(error))
        try:
            bot.play(connection)
            return
        except LoginRefused as error:
            sys.exit("login refused: {}".format(error))
        except OSError as error:  # a broken connection is one too
            if address is None or not bot.was_welcome():
                sys.exit("the connection broke: {}".format(error))
            say("the connection was lost, trying again: {}".format(error))
            patience = PATIENCE_S
        finally:
            connection.close()


def dialled(address, patience_s):
    """A connection; tried again and again for so long."""
    until, pause = time.monotonic() + patience_s, PAUSE_FIRST_S
    while True:
        try:
            return Connection(address)
        except OSError:
            if time.monotonic() + pause > until:
                raise
        time.sleep(pause)
        pause = min(2 * pause, PAUSE_MAX_S)


if __name__ == "__main__":
    main(sys.argv[1:])
