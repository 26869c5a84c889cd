"""Configs: one field, three faces, and errors that say what was expected."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.config import check, combo, from_dict, real, settings, spin, text, to_dict, validate
from philidor.core.errors import ConfigError
from philidor.core.options import cli_options, override, set_uci_option, uci_options
from philidor.core.toml import config_from_toml, config_to_toml, load_config


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A nested table."""

    rate: float = field(default=0.1, metadata=real("LearningRate", 0.0, 1.0))
    """Step size of the optimizer."""
    milestones: tuple[int, ...] = field(default=(10, 20), metadata=spin(None, 0))
    """Steps at which the rate falls."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """All kinds of settings."""

    simulations: int = field(default=800, metadata=spin("Simulations", 1, 1_000_000))
    """Leaf evaluations
    per move."""
    noise: bool = field(default=True, metadata=check("Noise"))
    """Whether the root gets noise."""
    order: str = field(default="given", metadata=combo("Order", ("given", "best-first")))
    """Which moves come first."""
    mode: Literal["fast", "exact"] = "fast"
    net: Path | None = field(default=None, metadata=text("NetFile"))
    """Weights."""
    label: str = "a"
    schedule: Schedule = field(default_factory=Schedule)
    """How the rate falls."""

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """A config without a default."""

    games: int = field(metadata=spin(None, 1))
    """Games to play."""


def test_toml_has_every_setting_with_its_help() -> None:
    assert config_to_toml(Example()) == (
        "# Leaf evaluations\n# per move.\nsimulations = 800\n# Whether the root gets noise.\nnoise = true\n"
        '# Which moves come first.\norder = "given"\nmode = "fast"\n# Weights.\n# net =\nlabel = "a"\n\n'
        "# How the rate falls.\n[schedule]\n# Step size of the optimizer.\nrate = 0.1\n"
        "# Steps at which the rate falls.\nmilestones = [10, 20]\n"
    )


@given(
    simulations=st.integers(1, 1_000_000),
    noise=st.booleans(),
    label=st.text(st.characters(codec="utf-8")),
    net=st.none() | st.sampled_from([Path("a/b.nnue"), Path("ü ö.pb.gz")]),
    rate=st.floats(0, 1),
    milestones=st.lists(st.integers(0, 2**40)).map(tuple),
)
def test_toml_gives_back_what_was_written(rate: float, milestones: tuple[int, ...], **values: Any) -> None:
    config = Example(schedule=Schedule(rate=rate, milestones=milestones), **values)
    assert config_from_toml(Example, config_to_toml(config)) == config
    assert from_dict(Example, to_dict(config)) == config


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("simulation = 5", "no setting 'simulation'; did you mean 'simulations'?"),
        ("[schedule]\nrat = 5", "no setting 'schedule.rat'; did you mean 'schedule.rate'?"),
        ("zzz = 5", "no setting 'zzz'; known: simulations, noise"),
        ("simulations = 0", "simulations must be an integer from 1 to 1000000, got 0"),
        ("simulations = 1.5", "got 1.5"),
        ("simulations = true", "simulations must be an integer from 1 to 1000000, got True"),
        ("simulations = '7'", "got '7'"),
        ("noise = 1", "noise must be true or false, got 1"),
        ("order = 'worst'", "order must be one of given, best-first, got 'worst'"),
        ("mode = 'slow'", "mode must be one of fast, exact, got 'slow'"),
        ("schedule = 3", "schedule must be a table, got 3"),
        ("[schedule]\nrate = 2", "schedule.rate must be a number from 0.0 to 1.0, got 2"),
        ("[schedule]\nrate = nan", "got nan"),
        ("[schedule]\nmilestones = [1, -1]", "milestones must be a list, each an integer of at least 0, got [1, -1]"),
        ("[schedule]\nmilestones = 1", "must be a list"),
        ("net = 5", "net must be a path, got 5"),
        ("simulations =", "not TOML"),
    ],
)
def test_wrong_toml_is_explained(toml: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_from_toml(Example, toml)
    assert message in str(caught.value)


def test_a_missing_setting_is_named() -> None:
    with pytest.raises(ConfigError, match="games is missing: it must be an integer of at least 1"):
        config_from_toml(Required, "")


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    with pytest.raises(ConfigError, match=r"cannot read .*run\.toml"):
        load_config(Example, path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"cannot read .*run\.toml"):
        load_config(Example, path)
    path.write_text("noise = 3")
    with pytest.raises(ConfigError, match=r"run\.toml: noise must be"):
        load_config(Example, path)


def test_the_constructor_checks_too() -> None:
    with pytest.raises(ConfigError, match="simulations must be an integer from 1 to 1000000, got -3"):
        Example(simulations=-3)
    with pytest.raises(ValueError, match="rate must be"):
        Schedule(rate=float("nan"))


def test_uci_options_are_written_by_the_protocol() -> None:
    assert uci_options(Example(simulations=5)) == [
        "option name Simulations type spin default 5 min 1 max 1000000",
        "option name Noise type check default true",
        "option name Order type combo default given var given var best-first",
        "option name NetFile type string default <empty>",
    ]
    assert uci_options(Schedule()) == ["option name LearningRate type string default 0.1"]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("Simulations", "12", Example(simulations=12)),
        ("simulations", " 12 ", Example(simulations=12)),
        ("NOISE", "false", Example(noise=False)),
        ("Order", "Best-First", Example(order="best-first")),
        ("NetFile", "a b.nnue", Example(net=Path("a b.nnue"))),
        ("NetFile", "<empty>", Example()),
    ],
)
def test_uci_options_are_set_whatever_their_case(name: str, value: str, expected: Example) -> None:
    assert set_uci_option(Example(), name, value) == expected


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Simulation", "12", "no option 'Simulation'; did you mean 'Simulations'?"),
        ("Simulations", "many", "Simulations must be an integer from 1 to 1000000, got 'many'"),
        ("Simulations", "0", "got '0'"),
        ("Noise", "yes", "Noise must be true or false, got 'yes'"),
        ("Order", "", "Order must be one of given, best-first, got ''"),
    ],
)
def test_wrong_uci_options_are_explained(name: str, value: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        set_uci_option(Example(), name, value)
    assert message in str(caught.value)


def test_command_line_options_reach_nested_tables() -> None:
    flags = [option.flag for option in cli_options(Example)]
    assert flags[:2] == ["--simulations", "--noise"]
    assert flags[-2:] == ["--schedule-rate", "--schedule-milestones"]
    config = override(Example(), {"schedule_rate": "0.5", "schedule_milestones": "1, 2,3", "noise": False, "net": None})
    assert config == Example(noise=False, schedule=Schedule(rate=0.5, milestones=(1, 2, 3)))
    with pytest.raises(ConfigError, match=r"did you mean 'schedule_rate'\?"):
        override(Example(), {"schedule_rat": "0.5"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A config whose values must fit each other, and those of its table."""

    low: int = 0
    high: int = 1
    schedule: Schedule = field(default_factory=Schedule)

    def __post_init__(self) -> None:
        validate(self)
        if not self.low < self.high or self.schedule.milestones[0] != 10 * self.high:
            raise ConfigError("low, high and milestones do not fit")


def test_options_that_depend_on_each_other_are_checked_together() -> None:
    moved = override(Span(), {"high": "9", "low": "8", "schedule_milestones": "90,91", "schedule_rate": "0.5"})
    assert moved == Span(low=8, high=9, schedule=Schedule(rate=0.5, milestones=(90, 91)))
    for part in ({"low": 8}, {"high": 9}, {"schedule_milestones": "90"}):
        with pytest.raises(ConfigError, match="do not fit"):
            override(Span(), part)


def test_help_has_text_range_and_default() -> None:
    option = cli_options(Example)[0]
    assert option.help(800) == "Leaf evaluations per move. (default 800; 1 to 1000000)"


def test_help_says_nothing_of_an_empty_list() -> None:
    option = cli_options(Schedule)[1]
    assert option.help((1, 2)).endswith("(default 1,2; at least 0)")
    assert option.help(()).endswith("(at least 0)")
    assert cli_options(Example)[4].help(None) == "Weights."


def test_settings_know_their_help() -> None:
    assert {setting.name: setting.help for setting in settings(Schedule)} == {
        "rate": "Step size of the optimizer.",
        "milestones": "Steps at which the rate falls.",
    }
