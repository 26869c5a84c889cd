"""Settings of the compiled core: the same fields and the same defaults as the configs that fill them."""

import dataclasses
import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

from philidor._native import _ext
from philidor.core.config import Dataclass, settings
from philidor.core.native_settings import fields, fill
from philidor.search.gumbel import GumbelConfig
from philidor.search.native import UctSearch
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import PuctSearch, make_settings
from philidor.search.uct import UctConfig
from philidor.selfplay.engine_games import EngineGamesConfig
from philidor.selfplay.pool.config import PoolConfig
from philidor.selfplay.pool.native import make_pool_settings
from philidor.train.evaluation_tuning import TuningConfig
from philidor.train.nnue_data import PositionFilter
from philidor.train.positions import PositionsConfig


def _defaults(function: Any, *names: str) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters
    return {name: parameters[name].default for name in names}


def _plain(native: object) -> dict[str, Any]:
    """The values of a bound struct, those of structs inside it included."""
    values = {name: getattr(native, name) for name in fields(native)}
    return {name: _plain(each) if isinstance(each, _ext.PuctSettings) else each for name, each in values.items()}


def _puct() -> object:
    return make_settings(PuctConfig(), **_defaults(PuctSearch, "virtual_loss", "memory_mb"))


def _uct() -> object:
    return fill(_ext.UctSettings(), UctConfig(), **_defaults(UctSearch, "memory_mb"))


def _positions() -> object:
    return fill(_ext.PositionFilter(), PositionFilter(), PositionsConfig(), from_share=0.0, to_share=1.0)


FILLED: dict[str, tuple[type, Callable[[], object]]] = {
    "puct": (_ext.PuctSettings, _puct),
    "pool": (_ext.PoolSettings, lambda: make_pool_settings(PoolConfig())),
    "uct": (_ext.UctSettings, _uct),
    "engine games": (_ext.GameSettings, lambda: fill(_ext.GameSettings(), EngineGamesConfig(), source="")),
    "positions": (_ext.PositionFilter, _positions),
    "tuner": (_ext.TunerOptions, lambda: fill(_ext.TunerOptions(), TuningConfig())),
}


@pytest.mark.parametrize("name", FILLED)
def test_the_core_and_the_config_have_the_same_defaults(name: str) -> None:
    native, filled = FILLED[name]
    assert fields(native())
    assert _plain(native()) == _plain(filled())


def test_the_engine_has_the_defaults_of_its_players() -> None:
    from philidor.players.engine import EngineConfig

    known = {setting.name: setting.default for setting in settings(EngineConfig)}
    ((signature, _, defaults),) = _ext.AlphaBetaEngine.set_options.__nb_signature__  # type: ignore[attr-defined]
    native = dict(zip(re.findall(r"(\w+): [^=]+ = \\\d", signature), defaults, strict=True))
    assert (native["multi_pv"], native["move_overhead"]) == (known["multi_pv"], known["move_overhead"])


def _other(setting: Any) -> Any:
    """A valid value that is not the default."""
    if setting.type is bool:
        return not setting.default
    if setting.choices:
        return next(choice for choice in setting.choices if choice != setting.default)
    if setting.type is int:
        return setting.default + 2
    highest = setting.maximum or 1.0
    return (setting.default + highest) / 2 if setting.default < highest else highest / 2


@pytest.mark.parametrize("config", [PuctConfig(), GumbelConfig()], ids=lambda config: type(config).__name__)
def test_every_setting_of_a_search_reaches_the_core(config: PuctConfig | GumbelConfig) -> None:
    before = _plain(make_settings(config, 1.0, 64))
    kind: type[Dataclass] = type(config)
    for setting in settings(kind):
        changed = dataclasses.replace(config, **{setting.name: _other(setting)})
        assert _plain(make_settings(changed, 1.0, 64)) != before, setting.name


def test_every_setting_of_a_pool_reaches_the_core() -> None:
    config = PoolConfig()
    before = _plain(make_pool_settings(config))
    for setting in settings(PoolConfig):
        if not setting.is_table:
            changed = dataclasses.replace(config, **{setting.name: _other(setting)})
            assert _plain(make_pool_settings(changed)) != before, setting.name


def test_a_field_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"nothing says what UctSettings\.memory_mb should be"):
        fill(_ext.UctSettings(), UctConfig())
    with pytest.raises(TypeError, match="UctSettings has no field 'memory'"):
        fill(_ext.UctSettings(), UctConfig(), memory_mb=1, memory=2)


def test_what_is_given_comes_before_the_sources_and_the_first_source_before_the_next() -> None:
    filled = fill(_ext.UctSettings(), UctConfig(seed=5), UctConfig(seed=6), exploration=0.5, memory_mb=7)
    assert (filled.seed, filled.exploration, filled.memory_mb) == (5, 0.5, 7)
