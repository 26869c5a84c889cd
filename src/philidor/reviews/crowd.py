"""Networks that know what people play: one that is told a rating, or one for each of some ratings, as Maia's are.

Maia has a network for each 100 points of Lichess's ratings, 1100 to 1900, named after it (book, ch. 4.8).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, final

from philidor.core.errors import ConfigError
from philidor.nets.shipped import find_net

if TYPE_CHECKING:
    from philidor.games.chess import Position
    from philidor.players.human import HumanPlayer

CrowdFiles: TypeAlias = Mapping[int, Path | None]
"""Rating -> the network of its players; at 0 the only one, and there None is the network that ships."""
_MAIA = re.compile(r"maia-?([0-9]{3,4})\.pb(\.gz)?", re.IGNORECASE)
_LEAST = 0.005
_ONLY = 0


@final
class Crowd:
    """What people of any rating play, as far as the networks know it. Each network is loaded when it is asked."""

    def __init__(self, files: CrowdFiles, rating: int) -> None:
        """`rating` is that of the people who are asked when no other is named. Raises ConfigError, NetError."""
        self._files, self._rating = dict(sorted(files.items())), rating
        self._players: dict[int, HumanPlayer] = {}
        self._of(rating)

    def ratings(self, wanted: Sequence[int]) -> tuple[int, ...]:
        """Returns which ratings it tells apart: the wanted ones, those of its networks, or none."""
        if _ONLY not in self._files:
            return tuple(self._files)
        return tuple(wanted) if self._of(_ONLY).network.knows_ratings else ()

    def policy(self, position: Position, rating: int | None = None) -> dict[str, float]:
        """Returns how likely people play each move, likeliest first: those of the nearest rating that is known."""
        wanted = self._rating if rating is None else rating
        return self._of(wanted).policy(position, rating=wanted)

    def likely_moves(self, position: Position) -> dict[str, float]:
        """Returns the same of its own rating, without the rare moves."""
        return {move: round(share, 4) for move, share in self.policy(position).items() if share >= _LEAST}

    def _of(self, rating: int) -> HumanPlayer:
        from philidor.players import load_engine
        from philidor.players.human import HumanPlayer

        known = nearest(self._files, rating)
        if known not in self._players:
            file = self._files[known]
            settings: dict[str, Any] = {} if file is None else {"net": file}
            player: Any = load_engine("human", rating=self._rating, **settings)
            assert isinstance(player, HumanPlayer)
            self._players[known] = player
        return self._players[known]


def load_crowd(rating: int, net: Path | None) -> Crowd:
    """Loads the networks that `crowd_files` finds. Raises ConfigError, NetError."""
    return Crowd(crowd_files(net), rating)


def crowd_files(net: Path | None) -> CrowdFiles:
    """Finds networks: the one that ships, a file, or all files of Maia's in a folder. Raises ConfigError."""
    if net is None:
        return {_ONLY: None}
    if not net.is_dir():
        return {maia_rating(net) or _ONLY: find_net(net)}
    found = {rating: path for path in sorted(net.iterdir()) if (rating := maia_rating(path)) is not None}
    if not found:
        raise ConfigError(f"there is no network such as maia-1500.pb.gz in {str(net)!r}")
    return found


def maia_rating(path: Path) -> int | None:
    """Returns the rating that a file of Maia's is named after, or None for another file."""
    match = _MAIA.fullmatch(path.name)
    return None if match is None else int(match[1])


def nearest(ratings: Iterable[int], wanted: int) -> int:
    """Returns the rating that is nearest to a wanted one."""
    return min(ratings, key=lambda rating: abs(rating - wanted))
