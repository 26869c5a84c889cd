"""`philidor experiment supervised-vs-zero`: does a network learn better from games, from itself, or from both?"""

from __future__ import annotations

from philidor.cli.arguments import AsJson, RunFolder, give, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.people.options import progress
from philidor.cli.train.torch_extra import torch_extra
from philidor.pipelines.learning.config import LearningConfig


@with_config(LearningConfig)
def supervised_vs_zero(config: LearningConfig, out: RunFolder, as_json: AsJson = False) -> None:
    """Trains one network in four ways and plots rating, move matching and outcome error over time.

    It learns from recorded games, from itself, from games and then itself, and from itself and then games (book, ch.
    4.5.1).
    """
    from philidor.core.runs import Run, no_empty_run
    from philidor.pipelines.learning.experiment import Experiment
    from philidor.pipelines.learning.report import data_report, text_report, write_report

    with torch_extra():
        from philidor.train.torch import zero  # noqa: F401 - only to see whether torch is here
    with no_empty_run(out):
        run = Run.resume_or_create(out.name, config, out.absolute().parent)
        with stop_signals() as is_stopped, progress() as update:
            experiment = Experiment(
                config,
                run,
                watch=lambda moment: update(moment.what, moment.done, moment.total),
                is_stopped=is_stopped,
            )
            is_done = experiment.go()
    if is_done:
        write_report(experiment)
        facts = {"run": str(run.path), "report": str(run.report), **data_report(experiment)}
        give(facts, text_report(experiment), as_json=as_json)
    else:
        say_stopped(as_json=as_json)
