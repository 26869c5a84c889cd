"""`philidor experiment`: questions of the book, answered by measurement."""

import typer

from philidor.cli.experiment.alphago_accuracy import alphago_accuracy
from philidor.cli.experiment.alphago_choices import alphago_choices
from philidor.cli.experiment.alphago_errors import alphago_errors
from philidor.cli.experiment.alphago_overfitting import alphago_overfitting
from philidor.cli.experiment.alphago_variants import alphago_variants
from philidor.cli.experiment.supervised_vs_zero import supervised_vs_zero
from philidor.cli.experiment.zero_over_time import zero_over_time

app = typer.Typer(add_completion=False, no_args_is_help=True)
app.command("supervised-vs-zero")(supervised_vs_zero)
app.command("zero-over-time")(zero_over_time)
app.command("alphago-accuracy")(alphago_accuracy)
app.command("alphago-choices")(alphago_choices)
app.command("alphago-errors")(alphago_errors)
app.command("alphago-overfitting")(alphago_overfitting)
app.command("alphago-variants")(alphago_variants)


@app.callback()
def experiment() -> None:
    """Runs an experiment; one that was stopped continues when the same command is run again."""
