"""Why did my bot lose? Asks the referee about a bot's games that are over, also while the bot plays, whatever its language.

    python3 referee_games.py [NUMBER]      the last games, the newest first
    python3 referee_games.py friday        those of a tournament
    python3 referee_games.py friday/12.1   the story of one, with the bot's own debug text

The environment says who asks, as it does for the bot: REFEREE_ADDRESS, REFEREE_NAME and REFEREE_TOKEN. Needs referee_bot.py beside it.
"""

import os
import sys

from referee_bot import Connection, LoginRefused

MS_PER_MINUTE = 60_000
WHERE_LOST = "Where was it lost? `referee review` tells, by the replay that the game's page gives."


class NotAnswered(Exception):
    """A question about a game was answered with an error."""


class Enquiry:
    """Asks the referee about games of a bot that are over. It plays nothing, and doesn't disturb the bot that does."""

    def __init__(self, address, name, token=None, password=None):
        self._connection = Connection(address)
        self._messages = self._connection.messages()
        self._next("hello")
        self._connection.send(type="login", name=name, token=token, password=password, games=["any"], client="referee_games.py",
                              purpose="ask")
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
    ruling = "; " + game["ruling"] if "ruling" in game else ""
    return "{}  {} against {}: {}, {}; faults of yours: {}; {} min ago; {}{}".format(
        game["game_id"], game["game"], ", ".join(others) or "nobody", game["status"], outcome, game["faults"],
        game["ago_ms"] // MS_PER_MINUTE, game["reason"], ruling)


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
    parts.append("\n" + WHERE_LOST)
    return "\n".join(parts)


def printable(text):
    """On one line, and without what a terminal takes for orders."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def main(arguments):
    """The command for people; see above."""
    address, name = os.environ.get("REFEREE_ADDRESS"), os.environ.get("REFEREE_NAME")
    asked = "".join(arguments) or "20"
    if len(arguments) > 1 or asked.startswith("-") or address is None or name is None:
        sys.exit("expected: referee_games.py [NUMBER], referee_games.py TOURNAMENT, or referee_games.py GAME, such as friday/12.1; "
                 "with REFEREE_ADDRESS, REFEREE_NAME and REFEREE_TOKEN in the environment")
    try:
        enquiry = Enquiry(address, name, os.environ.get("REFEREE_TOKEN"), os.environ.get("REFEREE_PASSWORD"))
        if "/" in asked:
            print(text_of(enquiry.game(asked)))
        else:
            listed = enquiry.games(int(asked)) if asked.isdigit() else enquiry.games(tournament=asked)
            print("\n".join(printable(line_of(one)) for one in listed) or "no game of yours is over")
        enquiry.close()
    except (OSError, ValueError, LoginRefused, NotAnswered) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
