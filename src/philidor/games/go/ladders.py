"""Ladders: whether a chain can be caught by atari after atari (AlphaGo's features; Silver et al. 2016, Extended Data
Table 2). The twin of cpp/games/go/ladder.cpp.

The attacker plays one of two liberties; the prey extends at its last one or takes an attacking chain that is in atari
itself. With three liberties it has escaped, with none left it is caught; what is not read to its end has escaped too.
"""

from __future__ import annotations

from dataclasses import dataclass

from philidor.core.grid import Grid
from philidor.games.go.board import chain, is_suicide, ko_after, neighbors, other, place
from philidor.games.go.state import GoState

_MAX_DEPTH = 200
_MAX_NODES = 1000


@dataclass(frozen=True, slots=True)
class _Scene:
    """A board in the middle of a ladder."""

    board: str
    ko: int | None
    grid: Grid

    def play(self, square: int, stone: str) -> _Scene | None:
        """Returns the board after a stone; None if it is not legal. The simple ko is the only one that is looked at."""
        if square == self.ko or is_suicide(self.board, square, stone, self.grid):
            return None
        board, taken = place(self.board, square, stone, self.grid)
        return _Scene(board, ko_after(self.board, square, stone, taken, self.grid), self.grid)

    def liberties(self, prey: int) -> list[int]:
        return sorted(chain(self.board, prey, self.grid)[1])

    def saving_moves(self, prey: int) -> list[int]:
        """The last liberty of the prey, and those of the chains around it that are in atari themselves."""
        stones, liberties = chain(self.board, prey, self.grid)
        around = {near for square in stones for near in self._attackers(square)}
        ends = (chain(self.board, near, self.grid)[1] for near in around)
        return sorted(liberties.union(*(end for end in ends if len(end) == 1)))

    def _attackers(self, square: int) -> list[int]:
        enemy = other(self.board[square])
        return [near for near in neighbors(self.grid)[square] if self.board[near] == enemy]


class _Reader:
    def __init__(self) -> None:
        self.nodes = 0

    def _is_too_deep(self, depth: int) -> bool:
        if depth >= _MAX_DEPTH:
            return True
        self.nodes += 1
        return self.nodes > _MAX_NODES

    def is_caught(self, scene: _Scene, prey: int, depth: int) -> bool:
        """Says whether a chain with two liberties is caught if the attacker moves first."""
        if self._is_too_deep(depth):
            return False
        attacker = other(scene.board[prey])
        after = (scene.play(liberty, attacker) for liberty in scene.liberties(prey))
        return any(following is not None and not self.escapes(following, prey, depth + 1) for following in after)

    def escapes(self, scene: _Scene, prey: int, depth: int) -> bool:
        """Says whether a chain gets away if its own color moves first."""
        if len(scene.liberties(prey)) > 1 or self._is_too_deep(depth):
            return True
        return any(self.saves(scene, move, prey, depth) for move in scene.saving_moves(prey))

    def saves(self, scene: _Scene, move: int, prey: int, depth: int) -> bool:
        """Says whether this move of the prey's color gets it away."""
        following = scene.play(move, scene.board[prey])
        if following is None:
            return False
        liberties = len(following.liberties(prey))
        return liberties > 2 or (liberties == 2 and not self.is_caught(following, prey, depth + 1))


def ladder_captures(state: GoState) -> list[int]:
    """Returns the squares where the side to move catches a chain of the other's in a ladder."""
    scene, found = _Scene(state.board, state.ko, state.grid), set[int]()
    for prey in _heads(state, other(state.stone)):
        liberties = scene.liberties(prey)
        for liberty in liberties if len(liberties) == 2 else ():
            following = scene.play(liberty, state.stone)
            if following is not None and not _Reader().escapes(following, prey, 1):
                found.add(liberty)
    return sorted(found)


def ladder_escapes(state: GoState) -> list[int]:
    """Returns the squares where the side to move saves a chain of its own that is in atari."""
    scene, found = _Scene(state.board, state.ko, state.grid), set[int]()
    for prey in _heads(state, state.stone):
        if len(scene.liberties(prey)) == 1:
            found |= {move for move in scene.saving_moves(prey) if _Reader().saves(scene, move, prey, 1)}
    return sorted(found)


def _heads(state: GoState, stone: str) -> list[int]:
    """One stone of each chain of a color."""
    heads, seen = [], set[int]()
    for square, letter in enumerate(state.board):
        if letter == stone and square not in seen:
            heads.append(square)
            seen |= chain(state.board, square, state.grid)[0]
    return heads
