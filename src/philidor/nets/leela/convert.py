"""Turns a Leela network into an ONNX model: planes [n, 112, 8, 8] in; policy, value and moves left out."""

from __future__ import annotations

from typing import TypeVar

from philidor.core.errors import NetError, UnknownNameError
from philidor.encodings.chess_moves import FLAT_SIZE
from philidor.encodings.leela import LeelaPolicy, leela_name
from philidor.nets.leela.attention import attention_body
from philidor.nets.leela.files import LeelaFormat, format_of
from philidor.nets.leela.heads import Body, moves_left_head, policy_head, policy_heads, value_head, value_heads
from philidor.nets.leela.messages import Net, Structure, ValueKind
from philidor.nets.leela.residual import INPUT_PLANES, body_of
from philidor.nets.onnx.graph import BATCH, Graph
from philidor.nets.onnx.layers import finish, tower_body
from philidor.nets.onnx.signature import ENCODING_KEY, GAME_KEY, MOVES_LEFT, PLANES, POLICY, VALUE, WDL

_H = TypeVar("_H")


def to_onnx(net: Net, *, policy: str = "vanilla", value: str = "winner") -> bytes:
    """Returns an ONNX file; `policy` and `value` choose among the heads of a multi-head network.

    Raises NetError for what is not supported, by name.
    """
    if net.weights is None:
        raise NetError("the network has no weights, only an ONNX model")
    form, weights = format_of(net), net.weights
    graph = Graph("leela")
    planes = graph.input(PLANES, [BATCH, INPUT_PLANES, 8, 8])
    flow, channels = planes, INPUT_PLANES
    has_rows = form.structure in (Structure.ATTENTION, Structure.ATTENTION_MULTIHEAD)
    if weights.residual or not has_rows:
        first, blocks = body_of(weights)
        flow = tower_body(graph, planes, first, blocks, form.activation.name.lower())
        channels = len(first.biases)
    if has_rows:
        flow, channels = attention_body(graph, flow, channels, weights, form)
    body = Body(flow, channels, has_rows)
    chosen = _choose(policy_heads(weights), policy, "policy")
    raw = {POLICY: (policy_head(graph, body, chosen, weights, form), FLAT_SIZE)}
    outcome = value_head(graph, body, _choose(value_heads(weights), value, "value"), form)
    raw |= {WDL: (outcome, 3)} if form.value is ValueKind.WDL else {VALUE: (outcome, 1)}
    if form.has_moves_left:
        raw[MOVES_LEFT] = (moves_left_head(graph, body, weights, form), 1)
    for name, (numbers, size) in raw.items():
        graph.output(finish(graph, name, numbers), name, [BATCH, size])
    return graph.model({ENCODING_KEY: leela_name(form.input, LeelaPolicy.FLAT), GAME_KEY: "chess"})


def describe(net: Net) -> dict[str, object]:
    """Returns what there is to say about a network in a few words: sizes, heads, training."""
    form: LeelaFormat = format_of(net)
    weights = net.weights
    facts: dict[str, object] = {
        "structure": form.structure.name.lower(),
        "input": f"{int(form.input)} ({form.input.name.lower()})",
        "policy": form.policy.name.lower(),
        "value": "wdl" if form.value is ValueKind.WDL else "tanh",
        "moves_left": form.has_moves_left,
        "activation": form.activation.name.lower(),
    }
    if weights is not None:
        from philidor.nets.leela.weights import size_of

        if weights.residual:
            first = weights.residual[0].conv1
            filters = size_of(weights.input.weights) // (9 * INPUT_PLANES) if weights.input is not None else 0
            facts |= {"blocks": len(weights.residual), "filters": filters}
            facts["squeeze_excitation"] = first is not None and weights.residual[0].se is not None
        if weights.encoder:
            facts |= {"encoders": len(weights.encoder), "embedding": size_of(weights.ip_emb_b)}
            facts["heads"] = weights.headcount
        if weights.policy_heads is not None:
            facts["policy_heads"] = list(policy_heads(weights))
        if weights.value_heads is not None:
            facts["value_heads"] = list(value_heads(weights))
    if net.training_params is not None and net.training_params.training_steps:
        facts["training_steps"] = net.training_params.training_steps
    if net.license:
        facts["license"] = net.license
    return facts


def _choose(heads: dict[str, _H], name: str, kind: str) -> _H:
    if name not in heads:
        raise UnknownNameError(f"{kind} head", name, heads)
    return heads[name]
