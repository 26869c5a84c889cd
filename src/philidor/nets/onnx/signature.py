"""The names of inputs and outputs that every network here has as an ONNX model, whoever made it."""

PLANES = "planes"
"""Input [n, planes, height, width]: what `philidor.encodings` expands."""
POLICY = "policy"
"""Output [n, policy size]: logits; only those of legal moves mean anything."""
WDL = "wdl"
"""Output [n, 3]: probabilities of win, draw and loss for the side to move."""
VALUE = "value"
"""Output [n, 1]: the expected result in [-1, 1], from networks without WDL."""
MOVES_LEFT = "moves_left"
"""Output [n, 1]: expected plies to the end of the game. Optional."""


def output_sizes(policy_size: int) -> dict[str, int]:
    """Returns how many numbers a state gets from each output that a network may have."""
    return {POLICY: policy_size, WDL: 3, VALUE: 1, MOVES_LEFT: 1}


ENCODING_KEY = "philidor.encoding"
"""The model's metadata that names its encoding, for `philidor.encodings.load_encoding`."""
GAME_KEY = "philidor.game"
"""The model's metadata that names its game, for `philidor.games.load_game`."""
