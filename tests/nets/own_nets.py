"""Small networks of our own of every kind, with weights that let no part be idle."""

from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

from philidor.games import load_game
from philidor.nets.network_config import NetworkConfig
from philidor.nets.torch.model import Model
from tests.nets.stored_nets import LAST_STONE

# The networks here are too small for several threads, which would wait for each other on a busy machine.
torch.set_num_threads(1)

GAMES = {
    "chess": ["alphazero", "leela-1-flat", "leela-4-planes", "human-1"],
    "hexapawn": ["hexapawn", "boards-2"],
    "tictactoe": ["boards-1"],
    "connect4": ["boards-1"],
    "gomoku-9x9": ["boards-1"],
    LAST_STONE: ["text"],
}


@st.composite
def small_configs(draw: st.DrawFn, /, **fixed: Any) -> NetworkConfig:
    """Any small network for any game."""
    game = fixed.get("game") or draw(st.sampled_from(sorted(GAMES)))
    encoding = draw(st.sampled_from(GAMES[game]))
    body = draw(st.sampled_from(["residual", "mlp"]))
    is_planes = body == "residual" and game in ("chess", "gomoku-9x9", "tictactoe") and draw(st.booleans())
    fields: dict[str, Any] = {
        "game": game,
        "encoding": encoding,
        "body": body,
        "blocks": draw(st.integers(1, 2)),
        "filters": draw(st.sampled_from([6, 16])),
        "se_channels": draw(st.sampled_from([0, 5])) if body == "residual" else 0,
        "activation": draw(st.sampled_from(["relu", "mish"])),
        "policy": "convolution" if is_planes else "flat",
        "value": draw(st.sampled_from(["tanh", "wdl"])),
        "value_hidden": 12,
        "moves_left": draw(st.booleans()),
        "moves_left_planes": 3,
        "moves_left_hidden": 9,
        "reply": draw(st.booleans()),
    }
    return NetworkConfig(**{**fields, **fixed})


def shake(model: Model, seed: int = 0) -> Model:
    """Draws all weights anew, so that zeros of a new network hide nothing; statistics of batch norm too."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if name.endswith("running_var"):
                tensor.copy_(0.5 + torch.rand(tensor.shape, generator=generator))
            elif tensor.is_floating_point():
                fan_in = tensor[0].numel() if tensor.dim() > 1 else 9
                tensor.copy_(torch.randn(tensor.shape, generator=generator) / fan_in**0.5)
    return model


def planes_for(model: Model, count: int, seed: int = 0) -> torch.Tensor:
    """Random bits in the shape of a model's input."""
    shape = model.shape
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 2, (count, shape.planes, shape.height, shape.width), generator=generator).float()


def states_of(config: NetworkConfig, count: int) -> list[Any]:
    """The states of random games."""
    rng = np.random.default_rng(4)
    game = load_game(config.game)
    states: list[Any] = []
    state = game.state()
    while len(states) < count:
        states.append(state)
        moves = state.legal_moves()
        state = game.state() if state.is_over() else state.play(moves[rng.integers(len(moves))])
    return states
