"""A UCI engine that fails on demand: `python fake_engine.py MODE`, run by the tests as a program of its own."""

import os
import sys
import time

from philidor.games.chess import Position
from philidor.protocols.uci import parse_go, parse_position

MODE = sys.argv[1]
MOVES_BEFORE_TROUBLE = 2


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def introduce() -> None:
    if MODE == "silent":
        time.sleep(60)
    if MODE == "chatty":
        os.write(1, b"\xff\xfe what a day\n\noption nonsense\ninfo string hello\n")
    say(f"id name Fake {MODE}")
    say("option name Hash type spin default 16 min 1 max 1024")
    say("option name Move Overhead type spin default 10 min 0 max 5000")
    say("uciok")


def answer(position: Position, clock_ms: int) -> None:
    """Makes the first legal move, or trouble."""
    if position.ply >= 2 * MOVES_BEFORE_TROUBLE:
        if MODE == "crashes":
            os._exit(3)
        if MODE == "hangs":
            time.sleep(60)
        if MODE == "cheats":
            say("bestmove e1e8")
            return
        if MODE == "gives-up":
            say("bestmove (none)")
            return
        if MODE == "sleeps":
            time.sleep(clock_ms / 1000 + 0.1)
    if MODE == "chatty":
        say("info depth x score cp\ninfo nonsense 3 score mate 1 1 pv\ninfo string score cp 12")
    say("info depth 3 seldepth 4 multipv 2 score cp -99 pv a2a3")
    say("info depth 3 seldepth 4 multipv 1 score cp 12 nodes 5 pv a2a3")
    say("info depth 3 multipv 2 score cp -98 pv a2a3")
    say(f"bestmove {position.uci(position.legal_moves()[0])} ponder a7a6")


def main() -> None:
    position, games = Position(), 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            introduce()
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "setoption" and MODE == "netless":
            say("info string ERROR: cannot read the network 'x.nnue'")
        elif words[0] == "position":
            command = parse_position(words[1:])
            position = Position(command.fen)
            for move in command.moves:
                position = position.play(move)
        elif words[0] == "go":
            go = parse_go(words[1:])
            answer(position, (go.wtime if position.turn else go.btime) or 0)
        elif words[0] == "ucinewgame":
            games += 1
            if MODE == "dies-between-games" and games == 2:
                os._exit(0)
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()
