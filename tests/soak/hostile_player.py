"""A launched bot that means harm: it logs in and plays Walls, and in each of its turns makes trouble for the machine first.

    hostile_player.py PROGRAM ATTEMPT [ARGUMENTS...]

Before each move it runs `PROGRAM ATTEMPT ARGUMENTS...` (tests/hostile) and waits for its end. What that writes on its standard
output goes among the lines of the protocol. Speaks over standard input and output.
"""
import json
import os
import subprocess
import sys


def send(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            send(type="login", name=os.environ["REFEREE_NAME"], token=os.environ.get("REFEREE_TOKEN"), games=["walls"])
        elif message["type"] == "start":
            send(type="ready", game_id=message["game_id"])
        elif message["type"] == "turn":
            subprocess.run(sys.argv[1:], check=False)
            send(type="move", game_id=message["game_id"], turn=message["turn"], move="F")


if __name__ == "__main__":
    main()
