"""Writes the pages' types from the server's schema, or checks that the committed ones are up to date (`--check`).

Every model and type alias in the server's files named `schema`, `requests` and `news` becomes a type of the same name;
docstrings become comments. Only their text is read, so this needs neither Node nor an installed philidor.
"""

from __future__ import annotations

import ast
import difflib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVER = ROOT / "src/philidor/frontends/web"
COMMITTED = ROOT / "web/src/server/types.ts"
FILES = ("schema", "requests", "news")

# What the pages call by a shorter name, or by one that the browser's own types leave free.
NAMES = {
    "AnyMessage": "Command",
    "AnyNews": "LiveMessage",
    "BoardView": "BoardShape",
    "ClockView": "Clock",
    "GridBoard": "GridShape",
    "MoveView": "Move",
    "OpeningView": "Opening",
    "OpponentView": "Opponent",
    "PieceView": "Piece",
    "PositionView": "Position",
    "ResultView": "Result",
    "ScoreView": "Score",
    "SettingView": "OpponentSetting",
    "TextBoard": "TextShape",
    "ThoughtView": "Thought",
}
PLAIN = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "None": "null", "Any": "unknown"}
HEADER = """\
// What travels between server and page: written by tools/web_types.py from the server's schema. Do not edit.
// Sides are 0 (moves first) and 1; scores and values are the first side's view.
"""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a model."""

    name: str
    type: ast.expr
    comment: str
    has_default: bool


@dataclass(slots=True)
class Model:
    """A class of the schema; `keys` are its own, without those that it inherits."""

    name: str
    bases: list[str]
    comment: str
    keys: list[Key] = field(default_factory=list)
    has_one_key: bool = False
    """Whether exactly one of the keys is there."""


@dataclass(slots=True)
class Alias:
    """A named type."""

    name: str
    type: ast.expr
    comment: str


class SchemaError(Exception):
    """Something in the schema that has no counterpart in TypeScript."""


class Schema:
    """All models and aliases, in the order of the files."""

    def __init__(self, sources: dict[str, str]) -> None:
        """Reads source texts by name."""
        self.known: dict[str, Model | Alias] = {}
        for name, text in sources.items():
            for found in _definitions(ast.parse(text, filename=name)):
                if found.name in self.known:
                    raise SchemaError(f"{name}: there is another {found.name}")
                self.known[found.name] = found

    def write(self) -> str:
        """Returns the file for the pages."""
        parts = [HEADER]
        for name, found in self.known.items():
            if name.startswith("_"):
                continue
            if isinstance(found, Alias):
                parts.append(f"{_comment(found.comment)}export type {_named(name)} = {self.type(found.type)};\n")
            elif self.keys(found):
                parts.append(_comment(found.comment) + self._model(found))
        return "\n".join(parts)

    def _model(self, model: Model) -> str:
        keys = self.keys(model)
        if model.has_one_key:
            kinds = "".join(f"\n  | {{ {key.name}: {self._without_null(key.type)} }}" for key in keys)
            return f"export type {_named(model.name)} ={kinds};\n"
        lines = []
        for key in keys:
            comment = _comment(key.comment, "  ")
            # What the server sends has all its keys; what a page sends may leave out those with a default.
            mark = "?" if key.has_default and self._is_request(model.name) else ""
            lines.append(f"{comment}  {key.name}{mark}: {self.type(key.type)};\n")
        return f"export interface {_named(model.name)} {{\n{''.join(lines)}}}\n"

    def _is_request(self, name: str) -> bool:
        """Says whether a page sends this."""
        found = self.known.get(name)
        return name == "Request" or (isinstance(found, Model) and any(map(self._is_request, found.bases)))

    def keys(self, model: Model) -> list[Key]:
        """Returns a model's keys with those of the models that it extends."""
        inherited: list[Key] = []
        for base in model.bases:
            found = self.known.get(base)
            if isinstance(found, Model):
                inherited += self.keys(found)
        return inherited + model.keys

    def type(self, node: ast.expr) -> str:
        """Writes a Python annotation in TypeScript. Raises SchemaError."""
        match node:
            case ast.Constant(value=None):
                return "null"
            case ast.Name(id=name):
                return self._name(name)
            case ast.BinOp(op=ast.BitOr()):
                # Python's int and float are one type there.
                return " | ".join(dict.fromkeys(self.type(part) for part in _united(node)))
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, *_])):
                return self.type(kind)
            case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
                return " | ".join(_literal(each) for each in _elements(inner))
            case ast.Subscript(value=ast.Name(id="list"), slice=inner):
                inside = self.type(inner)
                return f"({inside})[]" if " | " in inside else f"{inside}[]"
            case ast.Subscript(value=ast.Name(id="tuple"), slice=inner):
                return f"[{', '.join(self.type(each) for each in _elements(inner))}]"
            case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[key, value])):
                return f"Record<{self.type(key)}, {self.type(value)}>"
        raise SchemaError(f"there is no TypeScript for {ast.unparse(node)!r}")

    def _name(self, name: str) -> str:
        if name in PLAIN:
            return PLAIN[name]
        found = self.known.get(name)
        if found is None:
            raise SchemaError(f"{name!r} is neither a plain type nor in the schema")
        return self.type(found.type) if isinstance(found, Alias) and name.startswith("_") else _named(name)

    def _without_null(self, node: ast.expr) -> str:
        return " | ".join(part for part in (self.type(each) for each in _united(node)) if part != "null")


def _named(name: str) -> str:
    return NAMES.get(name, name)


def _united(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_united(node.left), *_united(node.right)]
    return [node]


def _elements(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _literal(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=bool(value)):
            return str(value).lower()
        case ast.Constant(value=str(value)):
            return f"'{value}'"
        case ast.Constant(value=int(value)):
            return str(value)
    raise SchemaError(f"there is no TypeScript for the literal {ast.unparse(node)}")


def _definitions(module: ast.Module) -> Iterator[Model | Alias]:
    for node, comment in _with_comments(module.body):
        match node:
            case ast.ClassDef():
                yield _model(node)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"), value=ast.expr() as kind):
                yield Alias(name, kind, comment)


def _model(node: ast.ClassDef) -> Model:
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    model = Model(node.name, bases, ast.get_docstring(node) or "")
    for each, comment in _with_comments(node.body):
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=default):
                alias, has_default = _default(default)
                model.keys.append(Key(alias or name, kind, comment, has_default))
            case ast.Assign(targets=[ast.Name(id="model_config")], value=ast.Call() as settings):
                model.has_one_key = '"maxProperties": 1' in ast.unparse(settings).replace("'", '"')
    return model


def _default(default: ast.expr | None) -> tuple[str | None, bool]:
    """Returns the name that a key has outside Python, if it is another one, and whether the key may be left out."""
    if not isinstance(default, ast.Call):
        return None, default is not None
    given = {each.arg: each.value for each in default.keywords}
    alias = given.get("alias")
    name = alias.value if isinstance(alias, ast.Constant) and isinstance(alias.value, str) else None
    return name, "default" in given or not (isinstance(default.func, ast.Name) and default.func.id == "Field")


def _with_comments(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Yields statements with the docstrings that follow them."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        match after:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node, text
            case _:
                yield node, ""


def _comment(text: str, indent: str = "") -> str:
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) <= 1:
        return f"{indent}/** {lines[0]} */\n" if lines else ""
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{inner}{indent} */\n"


def sources(folder: Path = SERVER) -> dict[str, str]:
    """Returns the files of the schema: the server's own first, then those of its folders."""
    paths = [path for name in FILES for path in folder.rglob(f"{name}.py")]
    paths.sort(key=lambda path: (len(path.relative_to(folder).parts) > 1, path.parent, FILES.index(path.stem)))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def main(arguments: list[str]) -> int:
    """Returns 1 when `--check` finds a difference."""
    text = Schema(sources()).write()
    if arguments != ["--check"]:
        COMMITTED.write_text(text, encoding="utf-8")
        return 0
    committed = COMMITTED.read_text(encoding="utf-8")
    difference = difflib.unified_diff(committed.splitlines(True), text.splitlines(True), "committed", "generated")
    sys.stdout.writelines(difference)
    if text != committed:
        print(f"{COMMITTED.name} is out of date; run `python tools/web_types.py` and commit the result")
    return int(text != committed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
