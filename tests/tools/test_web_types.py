"""The pages' types are those of the server's schema."""

from __future__ import annotations

import pytest

import web_types


def test_the_committed_types_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert web_types.main(["--check"]) == 0, capsys.readouterr().out


def test_a_change_of_the_schema_is_noticed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    changed = {
        name: text.replace("ply_count: int", "ply_count: int | None") for name, text in web_types.sources().items()
    }
    monkeypatch.setattr(web_types, "sources", lambda: changed)
    assert web_types.main(["--check"]) == 1
    assert "+  ply_count: number | null;" in capsys.readouterr().out


SCHEMA = '''
Side: TypeAlias = Literal[0, 1]
"""Who."""
_Whole: TypeAlias = Annotated[int, Field(ge=0)]

class View(BaseModel):
    model_config = ConfigDict(frozen=True)

class MoveView(View):
    """A move."""

    kind: Literal["place", "pass"] = "place"
    from_: str | None = Field(alias="from")
    """Where it
    begins."""
    number: int | float
    shares: dict[str, tuple[_Whole, bool]]
    words: list[Side | None]

class Wish(Request):
    move: MoveView
    side: Side = 0
    note: str = Field(max_length=3)
    page: int = Field(default=1, ge=1)

class Further(Wish):
    more: bool = False

class One(Request):
    model_config = ConfigDict(json_schema_extra={"maxProperties": 1})
    level: int | None = None
    full: Literal[True] | None = None
'''
TYPES = """
/** Who. */
export type Side = 0 | 1;

/** A move. */
export interface Move {
  kind: 'place' | 'pass';
  /**
   * Where it
   * begins.
   */
  from: string | null;
  number: number;
  shares: Record<string, [number, boolean]>;
  words: (Side | null)[];
}

export interface Wish {
  move: Move;
  side?: Side;
  note: string;
  page?: number;
}

export interface Further {
  move: Move;
  side?: Side;
  note: string;
  page?: number;
  more?: boolean;
}

export type One =
  | { level: number }
  | { full: true };
"""


def test_each_annotation_has_its_type() -> None:
    assert web_types.Schema({"schema.py": SCHEMA}).write() == web_types.HEADER + TYPES


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("class A(View):\n    b: Unknown", "'Unknown' is neither a plain type nor in the schema"),
        ("class A(View):\n    b: set[int]", r"no TypeScript for 'set\[int\]'"),
        ("class A(View):\n    b: Literal[None]", "no TypeScript for the literal None"),
        ("class A(View):\n    b: int\nclass A(View):\n    c: int", "there is another A"),
    ],
)
def test_what_has_no_type_is_named(text: str, problem: str) -> None:
    with pytest.raises(web_types.SchemaError, match=problem):
        web_types.Schema({"schema.py": text}).write()
