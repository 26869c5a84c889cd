"""Networks that come with philidor, by name: those in nets/ at the root of a checkout, or inside the wheel."""

from __future__ import annotations

from pathlib import Path

from philidor.core.errors import ArgumentError, ConfigError, UnknownNameError

_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS: tuple[Path, ...] = (_PACKAGE / "shipped" / "nets", _PACKAGE.parents[1] / "nets")
DEFAULT_NET = "philidor-5"
"""The network that the engine nnue plays with when no other is named (docs/nnue-training.md, "Shipping a network")."""
HUMAN_NET = "human-1"
"""The network that the player human plays with when no other is named."""
SIGHT_NET = "philidor-3"
"""The network by which the player human sees what a move loses: its levels were fitted with it (docs/human.md)."""
GAMES_NET = "games-1"
"""The network that the engine net plays chess with when no other is named (docs/games-training.md)."""
GO_ZERO_NET = "go-9x9-zero-1"
"""The network that learned Go from nothing but the rules (docs/go.md); the engine net plays with it."""
SELF_TAUGHT_NET = "self-taught-1"
"""The network that learned to judge chess from nothing but its rules (docs/nnue-training.md, "From nothing")."""
SUFFIXES = (".phfl", ".phnn", ".nnue", ".pb.gz", ".onnx", ".safetensors", ".phpt")


def shipped_nets() -> dict[str, Path]:
    """Returns the files by their names without endings."""
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in sorted(folder.glob("*")) if folder.is_dir() else ():
            suffix = next((ending for ending in SUFFIXES if path.name.endswith(ending)), None)
            if suffix is not None:
                found.setdefault(path.name.removesuffix(suffix), path)
    return found


def find_net(name: str | Path) -> Path:
    """Returns the file that is meant: a path that is there, or a shipped network's name. Raises UnknownNameError."""
    if not isinstance(name, str | Path):
        raise ArgumentError("a network's file or name", name)
    known = shipped_nets()
    path = Path(name)
    # What looks like a path is one: whoever reads it says best what is wrong with it. But a folder that happens to have
    # a network's name must not keep the engine from starting.
    if path.is_file() or path.suffix or len(path.parts) > 1:
        return path
    if str(name) not in known:
        raise UnknownNameError("network", str(name), known)
    return known[str(name)]


def find_own_net(player: str, net: Path, default: str, option: str) -> Path:
    """Returns the file of a player's network. Raises ConfigError when its default one is not here, UnknownNameError."""
    if str(net) == default and not net.is_file() and default not in shipped_nets():
        advice = f"name another with --net FILE, net=FILE or the UCI option {option}"
        raise ConfigError(f"the network of {player}, {default!r}, is not here; {advice}")
    return find_net(net)
