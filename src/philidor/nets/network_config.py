"""What a network of our own is made of: its game, its encoding, its body and its heads (book, ch. 4.2 to 4.4 and 5.1).

A network has a body, a tower of residual blocks or a few dense layers, and heads on it. Which games are played and how
states become numbers is part of the network: weights without it are worth nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from philidor.core.config import from_dict, spin, validate
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.nets.heads import HEADS

if TYPE_CHECKING:
    from philidor.encodings.encoding import Encoding


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """The shape of a network."""

    game: str = "chess"
    """The game, as `load_game` reads it; "file.py:Class" for one's own."""
    encoding: str = "alphazero"
    """How states become planes and moves places, as `load_encoding` reads it."""
    body: Literal["residual", "plain", "mlp"] = "residual"
    """A tower of residual blocks, AlphaGo's plain convolutions (the first is 5x5), or dense layers on flat input."""
    blocks: int = field(default=10, metadata=spin(None, 0, 1000))
    """Residual blocks, 3x3 convolutions behind the first one, or dense layers."""
    filters: int = field(default=128, metadata=spin(None, 1, 65_536))
    """Channels of the tower, or the width of the dense layers."""
    se_channels: int = field(default=0, metadata=spin(None, 0, 65_536))
    """Channels inside squeeze and excitation, usually an eighth of the filters; 0 for a tower without it."""
    activation: Literal["relu", "mish"] = "relu"
    """Function between layers."""
    policy: Literal["flat", "convolution", "points", "none"] = "flat"
    """A dense layer with an output for each move; planes of moves by the square they start from; AlphaGo's one plane of
    points with a bias for each, and nothing learned for a pass; or none, for a value network of plain convolutions."""
    policy_planes: int = field(default=2, metadata=spin(None, 1, 4096))
    """Channels between the tower and a flat policy; AlphaGo Zero has 2."""
    value: Literal["tanh", "wdl", "none"] = "wdl"
    """One expected result; probabilities of win, draw and loss; or no value, in a network of plain convolutions."""
    value_planes: int = field(default=1, metadata=spin(None, 1, 4096))
    """Channels between the tower and the value; AlphaGo Zero has 1, Leela 32."""
    value_hidden: int = field(default=256, metadata=spin(None, 1, 65_536))
    """Width of the dense layer before the value."""
    heads: Literal["board", "pooled"] = "board"
    """Whether heads see every square, or, in a tower, only the mean and the highest number of each of their planes, as
    in KataGo: the policy is then a plane of points with a pass from these, and one network fits boards of all sizes."""
    moves_left: bool = False
    """Whether the network predicts how many plies the game will last."""
    moves_left_planes: int = field(default=8, metadata=spin(None, 1, 4096))
    """Channels between the tower and the moves left."""
    moves_left_hidden: int = field(default=128, metadata=spin(None, 1, 65_536))
    """Width of the dense layer before the moves left."""
    reply: bool = False
    """Whether it also learns the opponent's reply, which helps training and is not used in play (KataGo)."""
    more_heads: tuple[str, ...] = ()
    """Further heads by name, of those that `philidor.nets.heads` declares as extra."""

    def __post_init__(self) -> None:
        validate(self)
        for name in self.more_heads:
            if name not in HEADS or not HEADS[name].is_extra:
                raise UnknownNameError("extra head", name, [key for key, kind in HEADS.items() if kind.is_extra])
        if self.heads == "pooled" and (self.body != "residual" or self.policy != "flat"):
            raise ConfigError("pooled heads are for body = 'residual' and policy = 'flat', and make a plane of it")
        if self.body == "plain":
            if self.policy == "convolution" or self.se_channels:
                raise ConfigError(
                    "plain convolutions have a flat policy or one of points, and no squeeze and excitation"
                )
            return
        if self.policy == "points" or self.value == "none":
            raise ConfigError("a policy of points and networks without a value are for body = 'plain'")
        if self.body != "mlp":
            return
        if self.blocks < 1:
            raise ConfigError(f"a network of dense layers has at least one, got blocks = {self.blocks}")
        if self.policy != "flat" or self.se_channels:
            raise ConfigError("a network of dense layers has a flat policy and no squeeze and excitation")

    def unused(self) -> dict[str, str]:
        """Says which settings have no effect, and why."""
        sizes = ("value_planes", "value_hidden", "moves_left_planes", "moves_left_hidden")
        if self.body == "mlp":
            return dict.fromkeys(("se_channels", "policy_planes", *sizes), "body is 'mlp'")
        found = {} if self.moves_left else dict.fromkeys(sizes[2:], "moves_left is off")
        found |= dict.fromkeys(sizes[:2], "value is 'none'") if self.value == "none" else {}
        return found if self.policy == "flat" else {**found, "policy_planes": "policy is not 'flat'"}

    def load_encoding(self) -> Encoding:
        """Returns the encoding, which loads the game. Raises EncodingError and what `load_game` raises."""
        from philidor.encodings import load_encoding
        from philidor.games import load_game

        return load_encoding(self.encoding, load_game(self.game))


# AlphaGo Zero's towers count their first convolution: "20 blocks" are 19 residual ones behind it.
_ALPHAGO_ZERO = {"filters": 256, "value": "tanh"}
# Leela's heads: more channels than AlphaGo Zero's, and all that a search can use.
_LEELA = {"value": "wdl", "value_planes": 32, "value_hidden": 128, "moves_left": True}

# AlphaGo's policy network: a 5x5 and eleven 3x3 convolutions, then one plane (Silver et al. 2016).
_ALPHAGO = {"body": "plain", "blocks": 11, "policy": "points", "value": "none"}
# Its value network: as many convolutions, then a plane, 256 units and one number.
_ALPHAGO_VALUE = {"body": "plain", "blocks": 11, "policy": "none", "value": "tanh"}

# Heads for boards of all sizes; their planes are few, and only their means and maxima are seen.
_POOLED = {"heads": "pooled", "policy_planes": 16, "value_planes": 32, "value_hidden": 64}

PRESETS: dict[str, dict[str, Any]] = {
    "19x256": {"blocks": 19, **_ALPHAGO_ZERO},
    "39x256": {"blocks": 39, **_ALPHAGO_ZERO},
    "alphago-128": {"filters": 128, **_ALPHAGO},
    "alphago-192": {"filters": 192, **_ALPHAGO},
    "alphago-value": {"filters": 192, **_ALPHAGO_VALUE},
    "6x64-se": {"blocks": 6, "filters": 64, "se_channels": 8, **_LEELA},
    "10x128-se": {"blocks": 10, "filters": 128, "se_channels": 16, **_LEELA},
    "15x192-se": {"blocks": 15, "filters": 192, "se_channels": 24, **_LEELA},
    "2x32": {"blocks": 2, "filters": 32, "value_hidden": 32, "policy_planes": 8, "value_planes": 4},
    "5x64": {"blocks": 5, "filters": 64, "value_hidden": 64, "policy_planes": 8, "value_planes": 4},
    "6x64-pooled": {"blocks": 6, "filters": 64, "se_channels": 16, **_POOLED},
    "hexapawn": {"body": "mlp", "blocks": 5, "filters": 128, "value": "tanh"},
    "mlp": {"body": "mlp", "blocks": 3, "filters": 128},
}
"""Networks by name: AlphaGo Zero's, AlphaGo's for Go, some with Leela's heads, the book's for hexapawn, small ones."""


def preset(name: str, game: str = "chess", encoding: str | None = None, **changes: Any) -> NetworkConfig:
    """Returns a named network for a game; without an encoding it is the game's default one.

    Chess gets a policy of planes with the towers, as AlphaZero had; other games a flat one. Raises ConfigError.
    """
    if name not in PRESETS:
        raise UnknownNameError("network", name, PRESETS)
    if encoding is None:
        from philidor.encodings import default_encoding
        from philidor.games import load_game

        encoding = default_encoding(load_game(game)).name
    fields = {"game": game, "encoding": encoding, **PRESETS[name], **changes}
    config = from_dict(NetworkConfig, fields)
    if game == "chess" and config.body == "residual" and "policy" not in changes:
        return replace(config, policy="convolution")
    return config
