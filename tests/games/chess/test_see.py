"""Static exchange evaluation agrees with a calculator that shares nothing with it, and with known answers."""

import random

import pytest

from philidor.games.chess import Move, Position
from tests.games.chess import exchange
from tests.games.chess.exchange import exchange_value
from tests.games.chess.walks import SOURCES, start_board, walk

RICH = [source for source in SOURCES if source != "bare king"]  # where there is something to capture
THRESHOLDS = range(-1050, 1951, 50)


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100),
        ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0),
        ("4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "Nxd5", -200),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=Q", 1100),
        ("rn5k/P7/8/8/8/8/8/7K w - - 0 1", "axb8=Q", 200),  # the queen is taken
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q", 800),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q", -100),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
        ("4k3/8/8/8/8/8/3q4/R3K3 w - - 0 1", "Kxd2", 900),
        ("3rk3/8/8/8/8/8/3p4/3RK3 w - - 0 1", "Rxd2", 100),  # the king would take back
        ("3rk3/3r4/8/8/8/8/3p4/3RK3 w - - 0 1", "Rxd2", -400),
        ("3rk3/3r4/8/8/3p4/8/3R4/3RK3 w - - 0 1", "Rxd4", -400),  # two against two, and the last word is Black's
        ("4k3/8/8/8/8/8/4p3/4K2R w K - 0 1", "Kxe2", 100),
        # A pinned defender does not take back; once its pinner has captured, it does.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100),
        ("4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1", "Nxd5", 100),
        ("4k3/4n3/8/3p4/8/2N5/8/5K2 w - - 0 1", "Nxd5", -200),
        ("4k3/4n3/8/3p4/8/1QN5/8/4RK2 w - - 0 1", "Qxd5", 100),
        ("4k3/4n3/8/3p4/4R3/2N5/8/4RK2 w - - 0 1", "Nxd5", 100),
        ("8/4k3/4n3/8/3p4/8/4R3/3R1K2 w - - 0 1", "Rxd4", 100),
        # A king does not take back what is still guarded.
        ("8/8/8/3kp3/8/8/1B6/K3R3 w - - 0 1", "Bxe5", 100),
        ("8/8/8/3kp3/8/8/1B6/K7 w - - 0 1", "Bxe5", -200),
    ],
)
def test_known_exchanges(fen: str, move: str, value: int) -> None:
    position = Position(fen)
    assert position.see(position.parse_san(move)) == value
    assert exchange_value(position, position.parse_san(move)) == value


def check_exchange(position: Position, move: Move, rng: random.Random) -> None:
    value = position.see(move)
    assert value == exchange_value(position, move), f"{position.fen()!r} {move.uci()}"
    thresholds = THRESHOLDS if rng.random() < 0.1 else (value - 1, value, value + 1, rng.randint(-1000, 1900))
    for threshold in thresholds:
        is_enough = position._native.see_at_least(move, threshold)
        assert is_enough == (value >= threshold), f"{position.fen()!r} {move.uci()} {threshold}"


def compare_exchanges(source: str, seed: int, captures: int) -> None:
    """Compares so many captures, and a tenth of the quiet moves beside them."""
    rng = random.Random(seed)
    done = 0
    while done < captures:
        for step in walk(start_board(source, rng), rng, 60):
            for move in step.position.legal_moves():
                is_capture = step.position.is_capture(move)
                if is_capture or rng.random() < 0.1:
                    check_exchange(step.position, move, rng)
                    done += is_capture


@pytest.mark.parametrize("source", RICH)
def test_exchanges_of_random_games_agree_with_the_calculator(source: str) -> None:
    compare_exchanges(source, 17, 4_000)


@pytest.mark.parametrize("forgotten", ["pins_against", "attackers"])
def test_walks_meet_pins_and_guarded_pieces_that_matter(forgotten: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: dict[str, object] = {"pins_against": {}, "attackers": []}
    monkeypatch.setattr(exchange, forgotten, lambda *_: nothing[forgotten])
    with pytest.raises(AssertionError, match=r" [a-h][1-8][a-h][1-8]"):
        compare_exchanges("pins", 17, 4_000)


@pytest.mark.slow
@pytest.mark.parametrize("source", RICH)
def test_many_more_exchanges_agree_with_the_calculator(source: str) -> None:
    compare_exchanges(source, 18, 100_000)
