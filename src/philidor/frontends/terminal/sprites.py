"""Pieces drawn in half blocks, for terminals with room: a character is two pixels, one above the other."""

WIDTH, HEIGHT = 7, 3
"""Of a square in characters; a sprite has twice as many rows of pixels."""

_DRAWINGS = {
    "P": ".......  .......  ...#...  ..###..  ...#...  ..###..",
    "N": "....#..  ..####.  .#####.  ##.###.  ..####.  .#####.",
    "B": "...#...  ..###..  ..#.#..  ..###..  ...#...  .#####.",
    "R": ".......  .#.#.#.  .#####.  ..###..  ..###..  .#####.",
    "Q": "...#...  #.###.#  #######  .#####.  ..###..  .#####.",
    "K": "...#...  ..###..  ...#...  .#####.  .#####.  .#####.",
    "X": ".......  .#...#.  ..#.#..  ...#...  ..#.#..  .#...#.",
    "O": ".......  ..###..  .#...#.  .#...#.  .#...#.  ..###..",
}
_BLOCKS = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


def _characters(drawing: str) -> tuple[str, ...]:
    pixels = drawing.split()
    assert len(pixels) == 2 * HEIGHT
    return tuple(
        "".join(_BLOCKS[upper + lower] for upper, lower in zip(*pixels[row : row + 2], strict=True))
        for row in range(0, 2 * HEIGHT, 2)
    )


SPRITES = {letter: _characters(drawing) for letter, drawing in _DRAWINGS.items()}
"""By letter: the lines of a square."""
