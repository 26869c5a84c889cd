"""Writes docs/assets/terminal.svg: the terminal game after a few moves, as rich exports it."""

import io
import re
from pathlib import Path

from rich.console import Console

from philidor.core.abilities import move_name
from philidor.frontends.playing.match import Match
from philidor.frontends.terminal.screen import draw_match
from philidor.games import load_game
from philidor.players.alphabeta import AlphaBetaPlayer

TARGET = Path(__file__).parents[1] / "docs" / "assets" / "terminal.svg"
# Philidor's defense, and Legal's trap of the book's Figure 3.18 about to be sprung.
MOVES = ["e4", "e5", "Nf3", "d6", "Bc4", "Bg4", "Nc3", "Nc6", "h3", "Bh5", "Nxe5", "Bxd1", "Bxf7+", "Ke7"]
# Rich's own picture loads a font from another host; ours takes what the reader has.
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def picture() -> str:
    """Returns the SVG."""
    game = load_game("chess")
    match = Match(game, game.state(), 0, AlphaBetaPlayer(AlphaBetaPlayer.levels[2]))
    for text in MOVES:
        match.play(match.state.parse_move(text))
    before, move = match.states[-2], match.moves[-1]
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(draw_match(match, console, is_flipped=False, ascii_only=False))
    console.print(f"\nalphabeta plays {before.ply // 2 + 1}... {move_name(before, move)}", highlight=False)
    console.print("White to move > [bold]Nd5#[/]", highlight=False)
    svg = FONT_FACE.sub("", console.export_svg(title="philidor play", unique_id="terminal"))
    return svg.replace("Fira Code, monospace", "monospace")


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(picture(), encoding="utf-8")
