"""How network files begin, whatever they are called: known here, so that telling formats apart reads none of them."""

DENSE = b"PHFL"
"""Our small networks of floats."""
NNUE = b"PHNN"
"""Our NNUE networks."""
PATTERNS = b"PHPT"
"""Our linear policies of Go."""
STOCKFISH_VERSION = 0x7AF32F16
"""That of Stockfish 12's NNUE networks; later ones differ in the lowest byte."""
LEELA_NUMBER = 0x1C0
LEELA = b"\x0d" + LEELA_NUMBER.to_bytes(4, "little")
"""Field 1 of the message, a fixed 32-bit number, holds Leela's number."""
LARGEST_HEADER = 10_000_000
"""Of safetensors, in bytes. The format allows 100 MB; ours have some kilobytes, and a parsed header takes many times
its size."""


def is_leela(start: bytes) -> bool:
    """Says whether a file that begins with these bytes, unpacked, is one of Leela's."""
    return start.startswith(LEELA)


def is_nnue(start: bytes) -> bool:
    """Says whether a file that begins with these (at least four, unpacked) bytes is an NNUE network.

    That includes Stockfish's later versions, which are not read: the reader says so better than anybody else.
    """
    return start[:4] == NNUE or (len(start) >= 4 and start[1:4] == STOCKFISH_VERSION.to_bytes(4, "little")[1:])


def is_safetensors(start: bytes) -> bool:
    """Says whether a file that begins with these bytes looks like one: a length, then a JSON object."""
    return len(start) > 9 and 2 <= int.from_bytes(start[:8], "little") <= LARGEST_HEADER and start[8:10] == b'{"'
