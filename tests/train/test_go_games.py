"""Games of Go side by side in the compiled core, and how often a policy foresees moves by its symmetric forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from philidor.core.random import SplitMix64
from philidor.encodings import load_encoding
from philidor.games import load_game
from philidor.train.game_data import GameData, GameDataConfig
from philidor.train.native import GoGames, native_root
from tests.train.go_games import GAME, write_go_games

RULES = load_game("go-5x5")


@pytest.mark.parametrize("threads", [1, 3])
def test_games_side_by_side_are_the_games_of_the_rules(threads: int) -> None:
    count = 5
    games = GoGames(native_root(RULES.state()), count, 48, threads)
    states: list[Any] = [RULES.state()] * count
    encoding, random = load_encoding("alphago-48", RULES), SplitMix64(3)
    for _ in range(60):
        going = games.ongoing()
        assert going.tolist() == [number for number, state in enumerate(states) if not state.is_over()]
        if not len(going):
            break
        np.testing.assert_array_equal(games.encode(going), encoding.encode([states[n] for n in going]).planes)
        moves = [states[n].legal_moves()[random.below(len(states[n].legal_moves()))] for n in going]
        games.play(going, np.array(moves, np.int64))
        for number, move in zip(going, moves, strict=True):
            states[number] = states[number].play(move)
        assert games.to_move().tolist() == [state.to_move for state in states]
        assert games.scores().tolist() == [state.score() for state in states]


def test_what_cannot_be_played_is_refused_before_anything_is() -> None:
    games = GoGames(native_root(RULES.state()), 2, 48, 1)
    both, first = np.array([0, 1]), np.array([0])
    for numbers, moves in (
        (both, np.array([3, 26])),
        (both, np.array([3, -1])),
        (np.array([0, 0]), np.array([3, 4])),
        (np.array([0, 2]), np.array([3, 4])),
        (both, first),
    ):
        with pytest.raises(ValueError, match=r".+"):
            games.play(numbers, moves)
    games.play(both, np.array([3, 25]))
    with pytest.raises(ValueError, match="not legal"):
        games.play(first, np.array([3]))
    games.play(np.array([1]), np.array([25]))
    with pytest.raises(ValueError, match="over"):
        games.encode(np.array([1]))
    with pytest.raises(ValueError, match="at least one"):
        GoGames(native_root(RULES.state()), 0, 48, 1)


def test_the_mean_over_symmetric_forms_is_made_of_the_forms_states(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from philidor.nets.network_config import NetworkConfig
    from philidor.nets.torch.model import build
    from philidor.train.torch.accuracy import FormsMean, measure_accuracy

    game = load_game(GAME)
    encoding = load_encoding("alphago-48", game)
    config = NetworkConfig(
        game=GAME, encoding="alphago-48", body="plain", blocks=1, filters=8, policy="points", value="none"
    )
    model, cpu = build(config, seed=1).eval(), torch.device("cpu")
    asked = FormsMean(model, game, encoding, cpu)
    state: Any = game.state().play("b3").play("c3").play("d1")
    one, three = asked.chances(encoding.encode([state]), (1, 3))

    def own(symmetry: Any) -> Any:
        image = state if symmetry is game.symmetries[0] else symmetry.state(state)
        (chances,) = asked.chances(encoding.encode([image]), (1,))
        places = list(range(26)) if symmetry is game.symmetries[0] else list(symmetry.actions)
        return chances[0, places]

    forms = [own(symmetry) for symmetry in game.symmetries[:3]]
    torch.testing.assert_close(one[0], forms[0])
    torch.testing.assert_close(three[0], sum(forms) / 3)
    # A policy that says where the stone beside the last one goes would be right; this one is not, and passes are out.
    data = GameData(
        [write_go_games(tmp_path / "games.rec", 60)], game, encoding, GameDataConfig(batch=50, shuffle=512), part="all"
    )
    total, rows = measure_accuracy(asked, data, forms=(8, 1), points=25)
    assert total == 60 * 13
    assert [row.forms for row in rows] == [1, 8]
    assert all(0 <= row.first < 0.3 < row.first_five + 0.3 for row in rows)
