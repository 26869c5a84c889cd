"""The protobuf reader and writer: against the bytes that the format prescribes, and against damage."""

import contextlib
import random
from dataclasses import dataclass

import pytest

from philidor.core.errors import NetError
from philidor.nets.protobuf import Kind, Message, decode, encode, proto, repeated


@dataclass
class Inner(Message):
    numbers: list[int] = repeated(1, Kind.INT)


@dataclass
class Outer(Message):
    count: int | None = proto(1, Kind.INT)
    ratio: float | None = proto(2, Kind.FLOAT)
    magic: int | None = proto(3, Kind.FIXED32)
    name: str | None = proto(4, Kind.TEXT)
    data: bytes | None = proto(5, Kind.BYTES)
    inner: Inner | None = proto(6, Kind.MESSAGE, Inner)
    parts: list[Inner] = repeated(7, Kind.MESSAGE, Inner)
    floats: list[float] = repeated(8, Kind.FLOAT)
    names: list[str] = repeated(16, Kind.TEXT)


FULL = Outer(300, 0.5, 0x1C0, "é", b"\0\xff", Inner([1, 2]), [Inner([3]), Inner()], [1.0, -2.0], ["a", ""])


def test_the_bytes_are_those_of_the_format() -> None:
    # The first example of the protocol buffers documentation: field 1 is 150.
    assert encode(Outer(count=150)) == bytes.fromhex("089601")
    assert encode(Outer(name="testing"))[1:] == b"\x07testing"
    assert encode(Outer(count=-1)) == b"\x08" + b"\xff" * 9 + b"\x01"
    assert encode(Inner([3, 270, 86942])) == bytes.fromhex("0a06038e029ea705")
    assert encode(Outer()) == b""


def test_what_is_written_is_read_back() -> None:
    assert decode(Outer, encode(FULL)) == FULL


def test_numbers_that_are_not_packed_are_read_too() -> None:
    assert decode(Inner, b"\x08\x03\x08\x04").numbers == [3, 4]


def test_unknown_fields_are_skipped_and_remembered() -> None:
    data = b"\x78\x05" + encode(Outer(count=1)) + b"\x72\x02hi" + b"\x49" + bytes(8)
    message = decode(Outer, data)
    assert message.count == 1
    assert message.unknown_fields == [15, 14, 9]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x08", "cut off"),
        (b"\x08" + b"\xff" * 11, "does not end"),
        (b"\x22\x05abc", "should have 5 bytes, 3 are left"),
        (b"\x03", "no field begins at byte 0"),
        (b"\x0d\0\0\0\0", "expected wire type 0, got 5"),
        (b"\x42\x03abc", "not a number of 4-byte values"),
    ],
)
def test_damage_is_named(data: bytes, problem: str) -> None:
    with pytest.raises(NetError, match=problem):
        decode(Outer, data)


def test_random_damage_never_escapes() -> None:
    rng = random.Random(1)
    whole = encode(FULL)
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        with contextlib.suppress(NetError):
            decode(Outer, bytes(data[: rng.randint(0, len(data))]))
