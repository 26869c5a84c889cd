"""Options of commands, made of configs."""

from dataclasses import dataclass, field
from pathlib import Path

import typer
from typer.testing import CliRunner

from philidor.cli.options import with_config
from philidor.core.config import check, real, spin, text, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A nested table."""

    rate: float = field(default=0.1, metadata=real(None, 0.0, 1.0))
    """Step size of the optimizer."""
    milestones: tuple[int, ...] = field(default=(10, 20), metadata=spin(None, 0))
    """Steps at which the rate falls."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A config with a table."""

    simulations: int = field(default=800, metadata=spin(None, 1, 1_000_000))
    """Leaf evaluations per move."""
    noise: bool = field(default=True, metadata=check())
    """Whether the root gets noise."""
    label: str = field(default="plain", metadata=text())
    """A name."""
    schedule: Schedule = field(default_factory=Schedule)
    """When the rate falls."""

    def __post_init__(self) -> None:
        validate(self)


def test_typer_commands_get_the_options(tmp_path: Path) -> None:
    seen: list[tuple[str, Example]] = []
    app = typer.Typer()

    @app.command()
    @with_config(Example, simulations=100)
    def run(game: str = "chess", *, config: Example) -> None:
        """Runs."""
        seen.append((game, config))

    runner = CliRunner()
    assert runner.invoke(app, []).exit_code == 0
    toml = tmp_path / "run.toml"
    toml.write_text("noise = false\nlabel = 'from file'")
    arguments = ["--config", str(toml), "--label", "typed", "--game", "go", "--schedule-milestones", "4,5"]
    assert runner.invoke(app, arguments).exit_code == 0
    schedule = Schedule(milestones=(4, 5))
    assert seen == [
        ("chess", Example(simulations=100)),
        ("go", Example(simulations=100, noise=False, label="typed", schedule=schedule)),
    ]
    wrong = runner.invoke(app, ["--simulations", "0"])
    assert wrong.exit_code == 2
    assert "got '0'" in wrong.output
    assert "default 100" in " ".join(runner.invoke(app, ["--help"]).output.replace("│", " ").split())


def test_a_list_given_in_pieces_is_all_of_them() -> None:
    seen: list[Schedule] = []
    app = typer.Typer()

    @app.command()
    @with_config(Schedule)
    def run(config: Schedule) -> None:
        """Runs."""
        seen.append(config)

    for arguments in ("--milestones 5 --milestones 7,9", "--milestones 5,7,9", "--milestones 5,7 --milestones=9"):
        assert CliRunner().invoke(app, arguments.split()).exit_code == 0
    assert seen == [Schedule(milestones=(5, 7, 9))] * 3
    CliRunner().invoke(app, ["--milestones", ""])
    CliRunner().invoke(app, [])
    assert seen[3:] == [Schedule(milestones=()), Schedule()]
    wrong = CliRunner().invoke(app, ["--milestones", "5", "--milestones", "-1"])
    assert wrong.exit_code == 2
    assert "got '-1'" in wrong.output
