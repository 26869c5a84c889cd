"""`philidor train`: networks from games, by recipe."""

import typer

from philidor.cli.train.alphago import alphago, rl_policy, value_network
from philidor.cli.train.dense import deepchess, giraffe
from philidor.cli.train.nnue import nnue
from philidor.cli.train.packing import pack, unpack
from philidor.cli.train.patterns import rollout_policy, tree_policy
from philidor.cli.train.personal import personal
from philidor.cli.train.rounds import nnue_from_nothing, nnue_rounds
from philidor.cli.train.zero import RecipeGroup

app = typer.Typer(cls=RecipeGroup, add_completion=False, no_args_is_help=True)
app.command()(nnue)
app.command("nnue-rounds")(nnue_rounds)
app.command("nnue-from-nothing")(nnue_from_nothing)
app.command()(giraffe)
app.command()(deepchess)
app.command("alphago-9x9")(alphago)
app.command("alphago-rollout")(rollout_policy)
app.command("alphago-tree")(tree_policy)
app.command("alphago-rl")(rl_policy)
app.command("alphago-value")(value_network)
app.command()(personal)
app.command()(pack)
app.command()(unpack)


@app.callback()
def train() -> None:
    """Trains networks by recipe; a run that was stopped continues when the same command is run again.

    A recipe is one of the commands below, a TOML file, or file.py:Class for a game of your own.
    """
