"""SGF files that are not UTF-8, read by the charset that they name (SGF FF[4], `CA`).

Before they are parsed: the second byte of a Chinese or Japanese character may look like a bracket or a backslash.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

# By the names that files use; files write more characters than the oldest of these charsets has.
_CODECS = {
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "cp936", "x-gbk"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "cp950"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "cp932"), "cp932"),
    **dict.fromkeys(("euc-jp", "eucjp", "x-euc-jp"), "euc_jp"),
    **dict.fromkeys(("euc-kr", "euckr", "ks_c_5601-1987", "cp949"), "cp949"),
    **{f"{prefix}125{digit}": f"cp125{digit}" for prefix in ("windows-", "cp") for digit in range(9)},
    "koi8-r": "koi8_r",
    "iso-8859-2": "iso8859_2",
    "iso-8859-5": "iso8859_5",
    "iso-8859-15": "iso8859_15",
}
_NAMED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w-]{1,40})\s*\]")
# The root comes first, and junk before it is seldom longer.
_LOOKED_AT_BYTES = 10_000
_AS_LATIN = "philidor-latin-1"


def utf8_chunks(chunks: Iterable[tuple[bytes, int]]) -> Iterator[tuple[bytes, int]]:
    """Passes the pieces of a file on, in UTF-8 if it names a charset that we know; what is UTF-8 anyhow stays as it is.

    Bytes that the charset does not have become the characters of Latin-1: none is lost.
    """
    codec: str | None = ""
    decoder: codecs.IncrementalDecoder | None = None
    done = 0
    for chunk, done in chunks:
        codec = _named_codec(chunk) if codec == "" else codec
        if codec and decoder is None and not chunk.isascii():
            if _is_utf8(chunk):
                codec = None
            else:
                decoder = codecs.getincrementaldecoder(codec)(_AS_LATIN)
        yield (chunk if decoder is None else decoder.decode(chunk).encode()), done
    if decoder is not None:
        yield decoder.decode(b"", True).encode(), done


def sgf_text(data: bytes) -> str:
    """Returns the text of a whole SGF file: UTF-8, or the charset that it names, or Latin-1."""
    data = b"".join(chunk for chunk, _ in utf8_chunks([(data, len(data))]))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _named_codec(beginning: bytes) -> str | None:
    found = _NAMED.search(beginning[:_LOOKED_AT_BYTES])
    return _CODECS.get(found[1].decode("latin-1").lower()) if found else None


def _is_utf8(chunk: bytes) -> bool:
    """Says whether a piece is UTF-8; its last character may be cut off."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(chunk)
    except UnicodeDecodeError:
        return False
    return True


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_AS_LATIN, _as_latin)
