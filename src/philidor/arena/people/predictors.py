"""Who predicts moves: a network by its policy, or an engine by the move it would play.

Written as on the command line: "maia-1500.pb.gz", "human.safetensors ratings=+600", "nnue depth=4".
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from philidor.arena.competitors import check_engines
from philidor.arena.engines import EngineSpec, check_plays, parse_engine
from philidor.core.errors import ConfigError
from philidor.encodings.encoding import Batch
from philidor.encodings.human import HumanEncoding, at_ratings
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator, check_judgments, judge
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.shipped import find_net
from philidor.players import NETWORK_PLAYERS, PLAYERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Encoding

_RATINGS = re.compile(r"none|true|[+-]?[0-9]{1,4}")
_DRAWING = {"temperature": (0.0, 100.0), "top_p": (0.001, 1.0)}
"""Settings of a network whose moves are drawn, and their ranges."""
_SUFFIXES = (".pb.gz", ".pb", ".safetensors", ".onnx", ".zst")


@dataclass(frozen=True, slots=True)
class RatingView:
    """Which ratings a network is told in place of the players' own."""

    text: str = "true"
    """"true", "none", "+600" and "-600" (both players' shifted), or "1500" for both."""

    def __post_init__(self) -> None:
        if not _RATINGS.fullmatch(self.text):
            raise ConfigError(f"ratings are none, true, +N, -N or N, got {self.text!r}")

    def of(self, ratings: NDArray[Any]) -> NDArray[np.int64]:  # [n, 2]
        """Returns what the network is told; 0 is not known."""
        if self.text == "true":
            return ratings
        if self.text == "none":
            return np.zeros_like(ratings)
        if self.text[0] in "+-":
            # At least 1: 0 would mean that the rating is not known.
            return np.where(ratings > 0, np.maximum(ratings + int(self.text), 1), 0)
        return np.full_like(ratings, int(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Computing:
    """What networks are computed with."""

    device: str = "cpu"
    """"cpu", by the compiled tower or ONNX Runtime; "cuda", by PyTorch on the first GPU."""
    threads: int = 1


class Chances(NamedTuple):
    """What a network expects people to do in a batch of positions."""

    logits: NDArray[np.float32]
    """Of the legal moves of all positions, in the canonical order."""
    offsets: NDArray[np.int64]  # [n + 1]
    """Position i's moves are offsets[i] : offsets[i + 1]."""
    value: NDArray[np.float32]  # [n]
    """The expected result for the player to move, -1 to 1."""


@final
class NetPredictor:
    """A network and the ratings that it is told."""

    def __init__(
        self, net: NetEvaluator, name: str, ratings: RatingView, *, temperature: float = 1.0, top_p: float = 1.0
    ) -> None:
        self.net = net
        self.name = name
        self.ratings = ratings
        self.temperature, self.top_p = temperature, top_p
        """How moves are drawn where one is drawn: 0 takes the most likely; the likeliest moves with this share."""

    @property
    def has_ratings(self) -> bool:
        """Whether the network is conditioned on ratings."""
        return isinstance(self.net.encoding, HumanEncoding)

    @property
    def boards(self) -> Encoding:
        """What encodes positions for it, ratings aside; networks with equal `key` share the work."""
        return self.net.encoding.boards if isinstance(self.net.encoding, HumanEncoding) else self.net.encoding

    @property
    def key(self) -> str:
        """The name of `boards`."""
        return self.boards.name

    def expect(self, boards: Batch, ratings: NDArray[np.int64]) -> Chances:
        """Returns the chances of encoded positions whose players have these ratings. Raises NetError."""
        batch = at_ratings(boards, self.ratings.of(ratings)) if self.has_ratings else boards
        backend: Any = self.net.backend
        # A GPU sends back the legal moves' logits only.
        judgments = backend.judge(batch) if hasattr(backend, "judge") else judge(backend, batch)
        check_judgments(judgments, self.net.name)
        wdl = judgments.wdl
        return Chances(judgments.legal_logits.astype(np.float32), batch.legal_offsets, wdl[:, 0] - wdl[:, 2])


@final
class EnginePredictor:
    """An engine, written as for a match: it names one move and no chances."""

    def __init__(self, spec: EngineSpec, text: str) -> None:
        self.spec = spec
        self.text = text
        """As it was written."""
        self.name = spec.name


Predictor = NetPredictor | EnginePredictor


def load_predictors(
    texts: Sequence[str],
    game: AnyGame,
    *,
    ratings: RatingView | None = None,
    computing: Computing | None = None,
) -> list[Predictor]:
    """Loads all predictors; a network file that is named twice, with other ratings, is loaded once.

    Raises ConfigError, NetError.
    """
    loaded: dict[Path, NetEvaluator] = {}
    found = [_load(text, game, ratings, computing or Computing(), loaded) for text in texts]
    names = [predictor.name for predictor in found]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two predictors are called {name!r}; give one of them another name with name=...")
    specs = tuple(predictor.spec for predictor in found if isinstance(predictor, EnginePredictor))
    check_engines(specs, {})
    return found


def _load(
    text: str, game: AnyGame, ratings: RatingView | None, computing: Computing, loaded: dict[Path, NetEvaluator]
) -> Predictor:
    words = _words(text)
    if words[0] in PLAYERS or words[0] in NETWORK_PLAYERS or not _is_net(words[0]):
        spec = parse_engine(text)
        check_plays(spec, game)
        return EnginePredictor(spec, text)
    path = find_net(words[0])
    options = _options(words)
    if path not in loaded:
        loaded[path] = _load_net(path, game, computing)
    net = loaded[path]
    if "ratings" in options and not isinstance(net.encoding, HumanEncoding):
        raise ConfigError(f"{path.name} knows no ratings: ratings={options['ratings']} would be ignored")
    view = RatingView(options["ratings"]) if "ratings" in options else ratings or RatingView()
    name = options.get("name") or " ".join([_stem(path), *words[1:]])
    return NetPredictor(net, name, view, **{key: _number(key, options[key]) for key in _DRAWING if key in options})


def _number(key: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    low, high = _DRAWING[key]
    if not low <= value <= high:
        raise ConfigError(f"{key}= is a number from {low:g} to {high:g}, got {text!r}")
    return value


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"predictor {text!r}: {str(error).lower()}") from None
    if not words:
        raise ConfigError("a predictor is a network file or an engine, got nothing")
    return words


def _is_net(word: str) -> bool:
    """Whether a word means a network file, by its ending or because it is a shipped network's name."""
    from philidor.nets.shipped import shipped_nets

    return word.endswith(_SUFFIXES) or word in shipped_nets()


def _options(words: Sequence[str]) -> dict[str, str]:
    options = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or key not in ("ratings", "name", *_DRAWING):
            raise ConfigError(f"{words[0]}: expected ratings=, name=, temperature= or top_p=, got {word!r}")
        options[key] = value
    return options


def _stem(path: Path) -> str:
    return next((path.name.removesuffix(end) for end in _SUFFIXES if path.name.endswith(end)), path.name)


def _load_net(path: Path, game: AnyGame, computing: Computing) -> NetEvaluator:
    settings: dict[str, Any] = {"threads": computing.threads}
    if computing.device != "cpu":
        _check_device(computing.device)
        settings["backend"] = "torch"
    # Those without a policy have no settings either.
    has_policy = net_format(path) in (NetFormat.OWN, NetFormat.LEELA, NetFormat.ONNX)
    net = load_net(path, game=game if game.name != "chess" else None, **settings) if has_policy else None
    if not isinstance(net, NetEvaluator):
        raise ConfigError(f"{path.name} has no policy; an engine that plays by it is written nnue net={path.name}")
    if net.game != game.name:
        raise ConfigError(f"{path.name} plays {net.game}, the games are of {game.name}")
    return net


def _check_device(device: str) -> None:
    import importlib.util

    if device != "cuda":
        raise ConfigError(f"no device {device!r}; known: cpu, cuda")
    if importlib.util.find_spec("torch") is None:
        raise ConfigError("--device cuda needs PyTorch: pip install '.[train]' in philidor's folder")
    from philidor.evaluators.torch import default_device

    if default_device().type != "cuda":
        raise ConfigError("--device cuda: PyTorch finds no GPU here")
