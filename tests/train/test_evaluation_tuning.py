"""Tuning the handcrafted evaluation: the same games give the same weights, and better ones than the start's."""

import random
from pathlib import Path

import pytest

from philidor.core.errors import ConfigError
from philidor.games.chess import Position
from philidor.records import PgnSource
from philidor.train.evaluation_tuning import Tuning, TuningConfig
from philidor.train.initial_weights import initial_weights
from philidor.train.native import evaluation_terms

WEIGHTS = Path(__file__).parents[2] / "cpp" / "evaluators" / "handcrafted" / "weights.h"
CONFIG = TuningConfig(epochs=3, batch_size=64, sample_every=1)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty random games, in which the scores say that knights are worth more than anything else."""
    rng = random.Random(1)
    texts = []
    for _ in range(40):
        position, words = Position(), []
        for _ in range(80):
            moves = position.legal_moves()
            if position.is_over() or not moves:
                break
            placement = position.fen().split()[0]
            score = 4 * (placement.count("N") - placement.count("n"))
            move = rng.choice(moves)
            words += [position.san(move), f"{{{score:+.2f}/10}}"]
            position = position.play(move)
        texts.append(f'[Result "1/2-1/2"]\n\n{" ".join(words)} 1/2-1/2\n')
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def tuned(games: Path, config: TuningConfig = CONFIG) -> Tuning:
    tuning = Tuning(config)
    for _ in tuning.read([games]):
        pass
    for _ in tuning.run():
        pass
    return tuning


def test_the_same_games_give_the_same_weights(games: Path) -> None:
    assert tuned(games).header() == tuned(games).header()


def test_tuning_starts_from_the_written_table_and_improves_on_games_held_out(games: Path) -> None:
    tuning = Tuning(CONFIG)
    for _ in tuning.read([games]):
        pass
    assert tuning.weights() == initial_weights()
    before = tuning.held_out_error()
    last = [step.held_out_error for step in tuning.run()][-1]
    assert last < before
    assert last == tuning.held_out_error()
    assert tuning.weights() != initial_weights()


def test_whole_games_are_held_out(games: Path, tmp_path: Path) -> None:
    """The first of ten games is held out: alone, it leaves nothing to train on, and the weights stay."""
    first = tmp_path / "first.pgn"
    first.write_text(games.read_text(encoding="utf-8").split("\n\n[")[0] + "\n", encoding="utf-8")
    assert sum(1 for _ in PgnSource([first])) == 1
    assert tuned(first).weights() == initial_weights()


def test_the_header_has_every_term_in_order(games: Path) -> None:
    header = tuned(games).header()
    places = [header.index(f"// {name}\n") for name, _, _ in evaluation_terms()]
    assert places == sorted(places)
    assert header.count("S(") == sum(count for _, count, _ in evaluation_terms())


def test_the_weights_in_the_tree_have_the_tuners_form(games: Path) -> None:
    """Everything but the numbers is what the tuner writes for these terms."""
    shape = [line.split("S(")[0] for line in tuned(games).header().splitlines()]
    assert [line.split("S(")[0] for line in WEIGHTS.read_text(encoding="utf-8").splitlines()] == shape


def test_games_without_scores_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.pgn"
    path.write_text('[Result "1-0"]\n\n1. e4 e5 1-0\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="need results and scores"):
        tuned(path)
