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
    REFEREE_VERSION   which version of the bot this is, such as 2.1; may be missing

Against itself, by the program `referee` in PATH:

    python3 my_bot.py --self-play walls

Why did it lose? referee_games.py beside this file asks the referee.
"""

import json
import os
import shlex
import socket
import subprocess
import sys
import time
import traceback

STATUS_REFUSED, STATUS_LOST, STATUS_INTERRUPTED = 2, 3, 130
PAUSE_FIRST_S, PAUSE_MAX_S = 0.05, 2.0
FIRST_PATIENCE_S = 10  # for a referee that isn't there yet
PATIENCE_S = 60  # a referee that stays away longer has given the game up
DIAL_S = 10
PORT_MAX = 65535
TLS = "tls://"
FINGERPRINT_DIGITS = 64
DEBUG_MAX = 1024  # what the referee keeps
SEATS = {"walls": 2, "light_cycles": 4}  # of self-play; all other games have one
SELF_PLAY = "--self-play"


class Game:
    """A game that is on, as a bot sees it."""

    def __init__(self, start):
        self.id = start["game_id"]
        self.kind = start["game"]  # "walls"
        self.seat = start["seat"]  # your own, counted from 0
        self.names = start.get("names", [])
        self.params = start["params"]  # the setup, with all defaults filled in
        self.budget_us = 0  # what this turn may take
        self.last = None  # how your last turn went: charged_us, late, notes
        self.memory = {}  # yours, for the length of the game; a lost connection doesn't clear it
        self.resume(start)

    def resume(self, start):
        """Takes in a `start` message."""
        self.resumed = start.get("resumed", False)  # the connection was lost, and the game goes on
        self.state = start["state"]  # as the game's page describes it
        self.turn = start.get("turn", 0)
        self.history = []  # after a reconnect: moves and used_us of each turn so far; else empty

    def take(self, turn, read_at):
        """Takes in a `turn` message."""
        self.turn = turn["turn"]
        self.budget_us = turn.get("budget_us", 0)
        self.last = turn.get("last")
        self.state = turn["state"] if "state" in turn else patched(self.state, turn["delta"])
        self.debug_text = None
        self._read_at = read_at

    def left_ms(self):
        """Milliseconds of this turn that are left, seen from here; the way to the referee isn't in it."""
        return self.budget_us / 1000 - (time.monotonic() - self._read_at) * 1000

    def debug(self, text):
        """Text for you alone, kept beside this turn's move."""
        self.debug_text = str(text)[:DEBUG_MAX]


def patched(state, delta):
    """The state after a list of changes: add, replace and remove of RFC 6902. The lists of the old one may change."""
    whole = {"state": state}
    for change in delta:
        names = [name.replace("~1", "/").replace("~0", "~") for name in ("state" + change["path"]).split("/")]
        place = whole
        for name in names[:-1]:
            place = place[int(name) if isinstance(place, list) else name]
        last = names[-1]
        if isinstance(place, list):
            last = len(place) if last == "-" else int(last)
        if change["op"] == "remove":
            del place[last]
        elif change["op"] == "add" and isinstance(place, list):
            place.insert(last, change["value"])
        else:
            place[last] = change["value"]
    return whole["state"]


class LoginRefused(Exception):
    """The referee said goodbye before it said welcome."""


class AddressError(ValueError):
    """REFEREE_ADDRESS is none."""


class NotOurReferee(ValueError):
    """Something else answers at the address."""


def own_streams():
    """The streams to the referee that launched this bot, alone: prints go to standard error from here on, and input() finds nothing."""
    sys.stdout.flush()
    streams = os.fdopen(os.dup(sys.stdin.fileno()), "rb"), os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    sys.stdout.reconfigure(line_buffering=True)
    return streams


# At once, before any bot's own code: what that prints must not get between the messages.
launched = "REFEREE_NAME" in os.environ and "REFEREE_ADDRESS" not in os.environ and SELF_PLAY not in sys.argv
streams = own_streams() if launched else None


class Connection:
    """Lines of JSON, over TCP or over standard input and output."""

    def __init__(self, address):
        self._socket = None
        if address is None:
            self._reader, self._writer = streams or own_streams()
            return
        host, port, tls, fingerprint = split_address(address)
        self._socket = socket.create_connection((host, port), timeout=DIAL_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if tls:
            self._socket = encrypted(self._socket, host, fingerprint)
        self._socket.settimeout(None)
        self._reader = self._socket.makefile("rb")
        self._writer = self._socket.makefile("wb")

    def messages(self):
        """The referee's messages, until the stream ends."""
        for line in self._reader:
            if line.strip():
                try:
                    yield json.loads(line.decode("utf-8"))
                except ValueError as error:
                    raise NotOurReferee("what answers there is no referee: {}".format(error)) from None

    def send(self, **message):
        """A message; members that are None are left out, but for a move: that gives a turn away."""
        kept = {key: value for key, value in message.items() if value is not None or key == "move"}
        line = json.dumps(kept, separators=(",", ":"), allow_nan=False) + "\n"
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
        raise AddressError("REFEREE_ADDRESS must be host:port, such as localhost:7777, or tls://host:port#sha256= with "
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
    try:
        link = context.wrap_socket(plain, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        raise NotOurReferee("{}; a certificate that the referee made itself needs its fingerprint: ask the instructor for the whole "
                            "address, tls://HOST:PORT#sha256=...".format(error)) from None
    except ssl.SSLError as error:
        if error.reason != "WRONG_VERSION_NUMBER":
            raise
        raise NotOurReferee("what answers there speaks no TLS: look whether this is the referee's port for TLS; its other port's "
                            "address is HOST:PORT alone") from None
    found = hashlib.sha256(link.getpeercert(binary_form=True)).hexdigest()
    if fingerprint and found != fingerprint:
        link.close()
        raise NotOurReferee("another certificate than the address names answers there: expected sha256={}, found sha256={}; "
                            "no token was sent. Ask the instructor whether the referee has a new one".format(fingerprint, found))
    return link


def say(text):
    """A line for people; standard output may belong to the referee."""
    print(text, file=sys.stderr, flush=True)


class Bot:
    """Answers the referee's messages: one function for each kind of game."""

    def __init__(self, choosers, name):
        self._choosers = choosers
        self._name = os.environ.get("REFEREE_NAME", name)
        self._games = {}  # by game_id
        self._before = {}  # those of the connection that was lost: they are over, if they are not resumed
        self._connection = None
        self.welcomed = False  # on this connection
        self.goodbye = None  # how the referee ended it

    def play(self, connection):
        """Until the referee says goodbye or the stream ends."""
        self._connection, self.welcomed, self.goodbye = connection, False, None
        for message in connection.messages():
            answer = getattr(self, "_on_" + str(message.get("type")), None)
            if answer is not None:  # messages that a later protocol adds are passed over
                answer(message)
            if self.goodbye is not None:
                return

    def _on_hello(self, _):
        self._connection.send(type="login", name=self._name, token=os.environ.get("REFEREE_TOKEN"),
                              password=os.environ.get("REFEREE_PASSWORD"), games=list(self._choosers), state="delta",
                              version=os.environ.get("REFEREE_VERSION"), client="referee_bot.py 2")

    def _on_welcome(self, _):
        self.welcomed = True
        self._before, self._games = self._games, {}

    def _on_ping(self, message):
        self._connection.send(type="pong", id=message["id"])

    def _on_start(self, message):
        game = self._before.get(message["game_id"]) if message.get("resumed") else None
        if game is None:
            game = Game(message)
        else:
            game.resume(message)
        self._games[game.id] = game
        how = "goes on from turn {}".format(game.turn) if game.resumed else "begins"
        say("game {} {}: {}, {}".format(game.id, how, game.kind, " against ".join(game.names)))
        self._connection.send(type="ready", game_id=game.id)

    def _on_history(self, message):
        if message["game_id"] in self._games:
            self._games[message["game_id"]].history += message["turns"]

    def _on_turn(self, message):
        read_at = time.monotonic()
        game = self._games.get(message["game_id"])
        if game is None:
            return
        game.take(message, read_at)
        try:
            move = self._choosers[game.kind](game)
            if move is None:
                raise ValueError("the function for {} returned nothing; it should return the move".format(game.kind))
            json.dumps(move, allow_nan=False)
        except Exception as error:
            say("no move in turn {} of game {}, the turn is given away: {}".format(game.turn, game.id, traceback.format_exc()))
            places = [" ({}, line {})".format(os.path.basename(place.filename), place.lineno)
                      for place in traceback.extract_tb(error.__traceback__) if place.filename != __file__]
            game.debug("threw: {!r}{}".format(error, places[-1] if places else ""))
            move = None
        except BaseException as end:  # sys.exit(), Ctrl-C
            self._connection.send(type="bye", reason="leaving", message="its program ended: {!r}".format(end))
            raise
        self._connection.send(type="move", game_id=game.id, turn=game.turn, move=move, debug=game.debug_text)

    def _on_end(self, message):
        game = self._games.pop(message["game_id"], None)
        seats = message.get("seats", [])
        own = seats[game.seat] if game is not None and game.seat < len(seats) else None
        place = "place {} of {}, ".format(own.get("place"), len(seats)) if own and len(seats) > 1 else ""
        score = "score {}: ".format(own.get("score")) if own else ""
        say("game {} is over: {}{}{}".format(message["game_id"], place, score, message.get("reason", "")))

    def _on_note(self, message):
        say("note: {}: {}".format(message.get("code"), message.get("message")))

    def _on_error(self, message):
        say("error: {}: {}".format(message.get("code"), message.get("message")))

    def _on_fault(self, message):
        say("fault in game {}, turn {}: {}: {}".format(message.get("game_id"), message.get("turn"), message.get("code"),
                                                       message.get("message")))

    def _on_bye(self, message):
        self.goodbye = message.get("reason", "finished")
        text = message.get("message") or self.goodbye
        if self.goodbye in ("refused", "replaced"):
            raise LoginRefused(text if self.welcomed else "login refused: " + text)
        say("goodbye: " + text)


def play_dialled(bot, address):
    """Over TCP. Dials again, with growing pauses, where the connection is lost."""
    patience, pause = FIRST_PATIENCE_S, PAUSE_FIRST_S
    while True:
        trouble, connection = "the connection was lost", None
        try:
            connection = Connection(address)
            bot.play(connection)
        except OSError as error:
            if not bot.welcomed:
                trouble = "no connection ({})".format(error)
        finally:
            if connection is not None:
                connection.close()
        if bot.goodbye is not None:
            return
        if bot.welcomed:
            patience, pause = PATIENCE_S, PAUSE_FIRST_S
        if patience <= 0:
            raise ConnectionError(trouble)
        say(trouble + ", trying again")
        bot.welcomed = False
        time.sleep(pause)
        patience -= pause
        pause = min(pause * 2, PAUSE_MAX_S)


def play_launched(bot):
    """Over standard input and output. What the program prints goes to standard error meanwhile."""
    if sys.stdin.isatty():
        say("REFEREE_ADDRESS is not set, so this bot waits for a referee on its standard input; to dial one, set it to "
            "HOST:PORT, or let the referee start the bot: referee play GAME --bot 'python3 BOT.py' --reads .")
    bot.play(Connection(None))
    if bot.goodbye is None:
        raise ConnectionError("the connection broke: the referee is gone")


def self_play(choosers, arguments):
    """A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`."""
    game = arguments[0] if arguments else next(iter(choosers))
    program = os.path.abspath(sys.argv[0])
    bot = ["--bot", "{} {}".format(shlex.quote(sys.executable), shlex.quote(program))]
    known = {name: value for name, value in os.environ.items() if name != "REFEREE_ADDRESS"}
    freely = ["--unsandboxed"]  # it is your own program, and its Python and packages may lie anywhere in your home
    try:
        return subprocess.call(["referee", "play", game] + bot * SEATS.get(game, 1) + freely + arguments[1:], env=known)
    except FileNotFoundError:
        say("self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder where it "
            "was built (build/release/bin) to PATH")
        return STATUS_REFUSED


def run(choosers, name):
    """Plays until the referee says goodbye.

    `choosers` has a function for each kind of game that the bot plays: it is given the Game and returns the move,
    anything that JSON can say. Where it throws, the turn is given away, and standard error says why. Ends the program with
    status 2 where the login is refused or the address is none, with 3 where there is no connection.
    """
    if SELF_PLAY in sys.argv:
        sys.exit(self_play(choosers, sys.argv[sys.argv.index(SELF_PLAY) + 1:]))
    bot = Bot(choosers, name)
    address = os.environ.get("REFEREE_ADDRESS")
    if sys.argv[1:] and sys.argv[1].startswith("-") and address is None and not launched:
        say("no such option: {}; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS".format(sys.argv[1]))
        sys.exit(STATUS_REFUSED)
    try:
        if address is None:
            play_launched(bot)
        else:
            play_dialled(bot, address)
    except KeyboardInterrupt:
        sys.exit(STATUS_INTERRUPTED)
    except (AddressError, LoginRefused) as error:
        say(str(error))
        sys.exit(STATUS_REFUSED)
    except (OSError, NotOurReferee) as error:
        say("cannot reach the referee: {}".format(error))
        sys.exit(STATUS_LOST)
