"""A second reader of `.rec` files, written from docs/records.md alone: if both agree, the page tells the truth."""

import binascii
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

TERMINATIONS = [
    None, "normal", "checkmate", "stalemate", "insufficient material", "fifty moves", "threefold repetition",
    "resignation", "agreement", "time forfeit", "adjudication", "rules infraction", "abandoned", "unterminated",
    "max plies", "illegal move",
]  # fmt: skip


@dataclass
class Cursor:
    data: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        assert self.at + count <= len(self.data)
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, layout: str) -> int:
        (value,) = struct.unpack("<" + layout, self.take(struct.calcsize(layout)))
        return int(value)

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.number("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def string(self) -> str:
        return self.take(self.varint()).decode()

    @property
    def is_done(self) -> bool:
        return self.at == len(self.data)


@dataclass
class PlainFile:
    game: str
    move_width: int
    starts: list[str]
    games: list[dict[str, Any]] = field(default_factory=list)


def read(data: bytes) -> PlainFile:
    """Reads an undamaged file."""
    file = Cursor(data)
    assert file.take(8) == b"\x89REC\r\n\x1a\n"
    assert (file.number("H"), file.number("H")) == (1, 0)
    size, checksum = file.number("I"), file.number("I")
    body = Cursor(file.take(size))
    assert zlib.crc32(body.data, zlib.crc32(data[:16])) == checksum
    result = PlainFile(body.string(), body.number("B"), [])
    result.starts = [body.string() for _ in range(body.varint())]
    while not file.is_done:
        read_block(file, result)
    return result


def read_block(file: Cursor, result: PlainFile) -> None:
    head = Cursor(file.take(36))
    assert head.take(4) == b"\xa7BLK"
    width, count, strings_size, directory_size, games_size, tables_crc, games_crc, head_crc = (
        head.number("I") for _ in range(8)
    )
    assert zlib.crc32(head.data[:32]) == head_crc
    assert width == result.move_width
    tables = file.take(strings_size + directory_size)
    assert zlib.crc32(tables) == tables_crc
    text, directory = Cursor(tables[:strings_size]), Cursor(tables[strings_size:])
    strings = []
    while not text.is_done:
        strings.append(text.string())
    games = Cursor(file.take(games_size))
    assert zlib.crc32(games.data) == games_crc
    for _ in range(count):
        size, crc = directory.varint(), directory.number("H")
        game = games.take(size)
        assert binascii.crc_hqx(game, 0xFFFF) == crc
        result.games.append(read_game(Cursor(game), result, strings))
    assert directory.is_done
    assert games.is_done


def read_game(data: Cursor, file: PlainFile, strings: list[str]) -> dict[str, Any]:
    index = "B" if file.move_width == 1 else "H"
    parts, outcome = data.varint(), data.number("B")
    termination = outcome >> 2
    game: dict[str, Any] = {"result": outcome & 3}
    game["termination"] = strings[data.varint()] if termination == 63 else TERMINATIONS[termination]
    if parts & 1:
        reference = data.varint()
        game["start"] = file.starts[reference // 2] if reference % 2 else strings[reference // 2]
    if parts & 2:
        game["ratings"] = (data.varint() or None, data.varint() or None)
    if parts & 4:
        game["source"] = strings[data.varint()]
    if parts & 8:
        game["tags"] = dict(line.split(" ", 1) for line in strings[data.varint()].splitlines())
    if parts & 512:
        game["final_score"] = data.number("h")
    plies = data.varint()
    game["indices"] = tuple(data.number(index) for _ in range(plies))
    read_columns(data, parts, plies, index, game)
    assert data.is_done
    return game


def read_columns(data: Cursor, parts: int, plies: int, index: str, game: dict[str, Any]) -> None:
    if parts & 16:
        scores = [data.number("h") for _ in range(plies)]
        game["scores"] = tuple(None if score == -32768 else score for score in scores)
    if parts & 32:
        pairs = [(data.number("B"), data.number("B")) for _ in range(plies)]
        game["wdl"] = tuple(
            None if pair == (255, 255) else (pair[0] / 255, (255 - sum(pair)) / 255, pair[1] / 255) for pair in pairs
        )
    if parts & 64:
        game["flags"] = data.take(plies)
    if parts & 128:
        game["visits"] = tuple(
            {data.number(index): data.number("H") for _ in range(data.varint())} for _ in range(plies)
        )
    if parts & 256:
        unit = 10 ** data.number("B")
        clocks = [data.varint() for _ in range(plies)]
        game["clocks_ms"] = tuple(None if clock == 0 else (clock - 1) * unit for clock in clocks)


def content_hash(start: str, indices: tuple[int, ...], result: int, seed: int) -> int:
    mask = 2**64 - 1
    value = 0xCBF29CE484222325 ^ seed
    for byte in start.encode() + b"\0" + struct.pack(f"<{len(indices)}H", *indices) + bytes([result]):
        value = (value ^ byte) * 0x100000001B3 & mask
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & mask
    value = (value ^ value >> 27) * 0x94D049BB133111EB & mask
    return value ^ value >> 31
