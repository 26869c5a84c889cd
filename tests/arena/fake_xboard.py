"""A CECP engine that fails on demand: `python fake_xboard.py MODE`, run by the tests as a program of its own."""

import os
import sys
import time

from philidor.games.chess import Position

MODE = sys.argv[1]
MOVES_BEFORE_TROUBLE = 2
CHEAT = "move e1e8"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def introduce() -> None:
    if MODE == "silent":
        time.sleep(60)
    required = "" if MODE == "old" else "setboard=1 "
    say(f'feature {required}ping=1 usermove=1 memory=1 nps=0 myname="Fake {MODE}" option="Style -spin 1 0 9" done=1')


def answer(position: Position) -> str:
    """Returns the first legal move, or makes trouble."""
    if position.ply >= 2 * MOVES_BEFORE_TROUBLE:
        if MODE == "crashes":
            os._exit(3)
        if MODE == "hangs":
            time.sleep(60)
        if MODE == "cheats":
            return CHEAT
        if MODE == "resigns":
            return "resign"
    say("not a line of the protocol")
    say("3 12 5 99 a2a3")
    return f"move {position.uci(position.legal_moves()[0])}"


def main() -> None:
    position = Position()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "protover":
            introduce()
        elif word == "ping":
            say(f"pong {rest}")
        elif word == "new":
            position = Position()
        elif word == "setboard":
            position = Position(rest)
        elif word == "usermove":
            position = position.play(rest)
        elif word == "go":
            say(reply := answer(position))
            if reply.startswith("move") and reply != CHEAT:
                position = position.play(reply.split()[1])
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
