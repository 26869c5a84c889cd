"""APV-MCTS, AlphaGo's search: its arithmetic by hand, its parts, and games that it must play right."""

from __future__ import annotations

import pytest

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.search.apv import ApvConfig, ApvParts, ApvTree, Edge, Node, apv, tempered


def equal(states: object) -> list[dict[object, float]]:
    return [{move: 1 / len(state.legal_moves()) for move in state.legal_moves()} for state in states]  # type: ignore[attr-defined]


def play_out(state: AnyState, random: SplitMix64) -> float:
    mover = state.to_move
    while (outcome := state.outcome()) is None:
        moves = state.legal_moves()
        state = state.play(moves[random.below(len(moves))])
    return outcome.value_for(mover)


def zeros(states: object) -> list[float]:
    return [0.0 for _ in states]  # type: ignore[attr-defined]


ROLLOUTS = ApvParts(policy=equal, rollout=play_out)
VALUES = ApvParts(policy=equal, value=zeros)


def all_edges(node: Node) -> list[Edge]:
    below = [each for edge in node.edges if edge.node is not None for each in all_edges(edge.node)]
    return [*node.edges, *below]


@pytest.mark.parametrize(
    ("text", "best"),
    [("XX./OO./...", "c3"), ("X../OO./X..", "c2"), ("XX./O../...", "c3")],
    ids=["wins", "defends", "defends as second"],
)
@pytest.mark.parametrize("mixing", [0.0, 0.5, 1.0])
def test_it_wins_and_defends(text: str, best: str, mixing: float) -> None:
    state = load_game("tictactoe").state(text)
    parts = ApvParts(policy=equal, value=zeros, rollout=play_out)
    config = ApvConfig(simulations=800, mixing=mixing, threshold=1)
    assert state.move_text(apv(state, parts, config).best) == best


def test_a_value_and_a_rollout_are_mixed_by_hand() -> None:
    edge = Edge("a", 0.5, value_count=2, value_sum=1.0, rollout_count=4, rollout_sum=-1.0)
    # (1 - 0.25) * 1 / 2 + 0.25 * (-1 / 4): means, not sums.
    assert edge.mean(0.25) == pytest.approx(0.75 * 0.5 - 0.25 * 0.25)
    assert Edge("b", 0.5).mean(0.5) == 0


def test_values_and_results_turn_their_sign_at_each_ply() -> None:
    state = load_game("tictactoe").state()
    parts = ApvParts(policy=equal, value=lambda states: [0.5 for _ in states], rollout=lambda *_: 1.0)
    tree = ApvTree(state, parts, ApvConfig(mixing=0.5, threshold=0, batch=1, c_puct=1.0))
    tree.run(1)
    (first,) = [edge for edge in tree.root.edges if edge.rollout_count]
    # The position behind the edge is good for its mover, who is the other one.
    assert (first.value_count, first.value_sum, first.rollout_count, first.rollout_sum) == (1, -0.5, 1, -1.0)
    assert first.node is not None
    tree.finish([first, first.node.edges[0]] if _prepare(first, tree) else [])
    tree.answer()
    second = first.node.edges[0]
    assert (second.value_sum, first.value_sum) == (-0.5, 0.0)
    assert (first.rollout_count, first.rollout_sum) == (2, 0.0)


def _prepare(first: Edge, tree: ApvTree) -> bool:
    """Puts the virtual losses on a path that was not chosen by the search."""
    assert first.node is not None
    second = first.node.edges[0]
    second.state = first.node.state.play(second.move)
    for edge in (first, second):
        edge.rollout_count += tree.config.virtual_loss
        edge.rollout_sum -= tree.config.virtual_loss
    return True


def test_virtual_losses_spread_a_group_and_are_gone_after_it() -> None:
    state = load_game("tictactoe").state()
    config = ApvConfig(mixing=1.0, threshold=0, batch=8, c_puct=1.0)
    tree = ApvTree(state, ROLLOUTS, config)
    paths = [tree.descend() for _ in range(8)]
    assert len({path[0].move for path in paths}) == 8
    for path in paths:
        tree.finish(path)
    tree.run(200)
    assert sum(edge.rollout_count for edge in tree.root.edges) == 208
    for edge in all_edges(tree.root):
        assert abs(edge.rollout_sum) <= edge.rollout_count
    narrow = ApvTree(state, ROLLOUTS, ApvConfig(mixing=1.0, threshold=0, batch=8, c_puct=1.0, virtual_loss=0))
    assert len({narrow.descend()[0].move for _ in range(8)}) == 1


def test_priors_are_quick_ones_until_the_network_answers() -> None:
    state = load_game("tictactoe").state()
    corner = ApvParts(
        policy=lambda states: [dict.fromkeys(s.legal_moves(), 0.0) | {s.legal_moves()[0]: 1.0} for s in states],
        tree_policy=lambda s: dict.fromkeys(s.legal_moves(), 0.0) | {s.legal_moves()[-1]: 1.0},
        rollout=play_out,
    )
    tree = ApvTree(state, corner, ApvConfig(mixing=1.0, threshold=0, batch=1))
    assert tree.root.edges[0].prior == 1.0
    tree.finish(tree.descend())
    node = next(edge.node for edge in tree.root.edges if edge.node is not None)
    assert (node.has_network_priors, node.edges[-1].prior) == (False, 1.0)
    tree.answer()
    assert node.has_network_priors
    assert (node.edges[0].prior, node.edges[-1].prior) == (1.0, 0.0)


def test_a_position_joins_the_tree_after_the_threshold() -> None:
    state = load_game("tictactoe").state()
    tree = ApvTree(state, VALUES, ApvConfig(mixing=0.0, threshold=5, batch=4))
    tree.run(300)
    for edge in all_edges(tree.root):
        assert (edge.node is not None) == (
            edge.rollout_count > 5 and edge.state is not None and not edge.state.is_over()
        )
        if edge.value_count:
            assert edge.value_count == edge.rollout_count


def test_each_position_is_asked_for_its_value_once() -> None:
    asked: list[str] = []

    def value(states: object) -> list[float]:
        asked.extend(state.text() for state in states)  # type: ignore[attr-defined]
        return zeros(states)

    parts = ApvParts(policy=equal, value=value)
    ApvTree(load_game("tictactoe").state(), parts, ApvConfig(mixing=0.0, threshold=20, batch=4)).run(100)
    assert len(asked) == len(set(asked)) == 9


def test_a_temperature_below_one_sharpens() -> None:
    sharp = tempered({"a": 0.8, "b": 0.2}, 0.5)
    assert sharp["a"] == pytest.approx(0.64 / 0.68)
    assert sum(sharp.values()) == pytest.approx(1)


def test_missing_parts_are_told() -> None:
    state = load_game("tictactoe").state()
    with pytest.raises(ConfigError, match="value network"):
        ApvTree(state, ROLLOUTS, ApvConfig(mixing=0.5))
    with pytest.raises(ConfigError, match="rollout policy"):
        ApvTree(state, VALUES, ApvConfig(mixing=0.5))
