"""What a search stands by: the result of an iteration, never a bound, and the limits that end one softly."""

from __future__ import annotations

from typing import Any

import pytest

from philidor.games.chess import Position
from philidor.players.bench import POSITIONS
from philidor.players.classic import ClassicConfig, ClassicPlayer
from philidor.players.native import SearchInfo, SearchResult

PLAYER = ClassicPlayer(ClassicConfig(hash=1))


def infos(position: Position, **limits: Any) -> list[SearchInfo]:
    PLAYER.new_game()
    PLAYER.engine.start(position.native, **limits)
    events: list[Any] = []
    while not isinstance(event := PLAYER.engine.next_event(1_000), SearchResult):
        events.append(event)
    return [event for event in events if isinstance(event, SearchInfo)]


def test_a_verdict_is_never_a_bound() -> None:
    misleading = 0
    for fen in POSITIONS[:8]:
        position = Position(fen)
        finished = {(info.depth, info.score, info.line[0]) for info in infos(position, depth=9)}
        for nodes in range(200, 9_000, 400):
            said = infos(position, nodes=nodes)
            PLAYER.new_game()
            verdict = PLAYER.engine.search(position.native, nodes=nodes)
            found = (verdict.depth, verdict.score, verdict.move)
            exact = {(info.depth, info.score, info.line[0]) for info in said if info.bound == 0}
            assert found in exact, (fen, nodes)
            # An iteration that was cut short may have settled a better move; all others were finished.
            assert found in finished or verdict.move == said[-1].line[0]
            misleading += said[-1].bound != 0
    assert misleading, "no search ended with a bound: this test shows nothing"


@pytest.mark.parametrize("fen", POSITIONS[:4])
def test_a_soft_limit_ends_a_search_with_an_iteration(fen: str) -> None:
    position = Position(fen)
    said = infos(position, depth=9)
    for nodes in (1, 300, 2_000):
        PLAYER.new_game()
        verdict = PLAYER.engine.search(position.native, soft_nodes=nodes, depth=9)
        expected = next((info for info in said if info.nodes >= nodes), said[-1])
        assert (verdict.depth, verdict.score, verdict.move) == (expected.depth, expected.score, expected.line[0])


def test_a_finished_game_has_no_verdict_and_an_endless_search_is_refused() -> None:
    mated = Position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert PLAYER.engine.search(mated.native, depth=3).move is None
    with pytest.raises(ValueError, match="limit"):
        PLAYER.engine.search(Position().native)
