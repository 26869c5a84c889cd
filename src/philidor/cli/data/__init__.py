"""`philidor data`: games from PGN, SGF or self-play to records and back; scoring, counting, splitting, packing."""

import typer

from philidor.cli.data.convert import pgn
from philidor.cli.data.copying import cat, export, split
from philidor.cli.data.counting import stats
from philidor.cli.data.packing import pack, unpack
from philidor.cli.data.positions import positions
from philidor.cli.data.score import score
from philidor.cli.data.selfplay import selfplay
from philidor.cli.data.sgf import sgf
from philidor.cli.data.store import app as store

app = typer.Typer(add_completion=False, no_args_is_help=True)
app.command()(pgn)
app.command()(sgf)
app.command()(stats)
app.command()(split)
app.command()(cat)
app.command()(export)
app.command()(selfplay)
app.command()(score)
app.command()(positions)
app.command()(pack)
app.command()(unpack)
app.add_typer(store, name="store")


@app.callback()
def data() -> None:
    """Turns PGN and SGF into records, plays new games, scores, counts, splits and joins them."""
