"""`philidor experiment`: questions of the book, answered by measurement."""

import typer

from philidor.cli.experiment.supervised_vs_zero import supervised_vs_zero

app = typer.Typer(add_completion=False, no_args_is_help=True)
app.command("supervised-vs-zero")(supervised_vs_zero)


@app.callback()
def experiment() -> None:
    """Runs an experiment; one that was stopped continues when the same command is run again."""
