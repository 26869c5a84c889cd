"""`philidor experiment zero-over-time`: what a run's networks had learned when, beside networks taught by people."""

from __future__ import annotations

from philidor.cli.arguments import AsJson, RunFolder, give, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.people.options import progress
from philidor.pipelines.learning.over_time import OverTimeConfig


@with_config(OverTimeConfig)
def zero_over_time(config: OverTimeConfig, out: RunFolder, as_json: AsJson = False) -> None:
    """Plots rating, people's moves found and outcome error of a zero run's networks (AlphaGo Zero's Figure 3).

    Networks that learned from games are measured beside them (book, ch. 4.2.3 and 4.5.1).
    """
    from philidor.core.runs import Run, no_empty_run
    from philidor.pipelines.learning.over_time import OverTime
    from philidor.pipelines.learning.over_time_report import data_report, text_report, write_report

    with no_empty_run(out):
        run = Run.resume_or_create(out.name, config, out.absolute().parent)
        with stop_signals() as is_stopped, progress() as update:
            over_time = OverTime(
                config,
                run,
                watch=lambda moment: update(moment.what, moment.done, moment.total),
                is_stopped=is_stopped,
            )
            is_done = over_time.go()
    if not is_done:
        say_stopped(as_json=as_json)
    write_report(over_time)
    facts = {"run": str(run.path), "report": str(run.report), **data_report(over_time)}
    give(facts, text_report(over_time), as_json=as_json)
