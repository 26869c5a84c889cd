"""A study's moves: a tree with variations, comments and glyphs, which is a PGN game and is kept as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import chess
import chess.pgn

from philidor.core.errors import PgnError, PhilidorError
from philidor.frontends.web.analysis.schema import LineMove, NodeView
from philidor.frontends.web.drawing import Drawer
from philidor.frontends.web.schema import MoveView, OpeningView
from philidor.frontends.web.session import RefusedError
from philidor.games.chess import Position
from philidor.games.chess.openings import opening_of
from philidor.reviews.sheets import BrokenGame, Sheet, parse_sheets, sheet_of

ROOT = 0
"""The id of the start position."""
MOST_NODES = 20_000
_MOST_PROBLEMS = 10
# [%clk 0:04:59] and the like: for programs, and kept for them.
_COMMAND = re.compile(r"\[%[a-zA-Z]+(?:\s[^\]]*)?\]")
_FIXED_TAGS = ("FEN", "SetUp", "Variant")
"""Tags that belong to the moves: whoever wants others wants another study."""


@dataclass(frozen=True)
class Change:
    """What a page must know of an edit."""

    nodes: tuple[int, ...] = ()
    """Those that are new or different."""
    removed: tuple[int, ...] = ()
    focus: int | None = None
    """The node that whoever made the edit looks at now."""
    tags: bool = False


@dataclass
class _Node:
    id: int
    tree: chess.pgn.GameNode
    position: Position
    move: MoveView | None
    parent: int | None
    children: list[int] = field(default_factory=list)


class StudyTree:
    """Edits check everything before they change anything. Not thread-safe."""

    def __init__(self, sheet: Sheet, drawer: Drawer, *, first_id: int = ROOT + 1) -> None:
        """Takes the sheet over; `first_id` is that of the first move. Raises PgnError for more than can be shown."""
        self.game = sheet.tree
        self.problems = list(sheet.problems)
        self._drawer = drawer
        self._next = first_id
        self._nodes = {ROOT: _Node(ROOT, self.game, sheet.positions[0], None, None)}
        for line in self.game, *_all_below(self.game):
            line.comment = _one_line(line.comment)
        self._add_below(ROOT)
        del self.problems[_MOST_PROBLEMS:]

    @classmethod
    def parse(cls, pgn: str, drawer: Drawer) -> StudyTree:
        """Reads the first game of a PGN, whether it has moves or not. Raises PgnError."""
        first = next(parse_sheets(pgn, needs_moves=False), None)
        if first is None or isinstance(first, BrokenGame):
            raise PgnError("there is no game in this PGN" if first is None else first.problem)
        return cls(first, drawer)

    @classmethod
    def of_position(cls, position: Position, drawer: Drawer) -> StudyTree:
        """Begins with a position and no moves."""
        game = chess.pgn.Game()
        game.headers["Event"] = "Analysis"
        game.setup(position.to_board())
        return cls(Sheet(game, (position,)), drawer)

    def _add_below(self, start: int) -> None:
        """Gives ids and positions to all nodes below one."""
        waiting = [start]
        while waiting:
            parent = self._nodes[waiting.pop()]
            for child in list(parent.tree.variations):
                if len(self._nodes) >= MOST_NODES:
                    raise PgnError(f"the game has more than {MOST_NODES:,} moves with its variations")
                made = self._make(parent, child)
                if made is not None:
                    waiting.append(made)

    def _make(self, parent: _Node, child: chess.pgn.ChildNode) -> int | None:
        """Adds one node; a null move, which is none by the rules, costs the rest of its variation."""
        text = chess.Board.uci(parent.tree.board(), child.move) if parent.position.is_chess960 else child.move.uci()
        try:
            move = parent.position.parse_uci(text)
        except PhilidorError:
            self.problems.append(f"a variation has {text!r} in {parent.position.fen()!r}, which is no move")
            parent.tree.variations.remove(child)
            return None
        made = _Node(self._next, child, parent.position.play(move), self._drawer.move(parent.position, move), parent.id)
        self._next += 1
        self._nodes[made.id] = made
        parent.children.append(made.id)
        return made.id

    # --- What is there ------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node: int) -> bool:
        return node in self._nodes

    def position(self, node: int) -> Position:
        """Returns the position at a node. Raises RefusedError."""
        return self._find(node).position

    def _find(self, node: int) -> _Node:
        if node not in self._nodes:
            raise RefusedError("not_possible", "This move is no longer in the study.")
        return self._nodes[node]

    def main_line(self) -> list[int]:
        """Returns the nodes of the main line, the start first."""
        line = [ROOT]
        while children := self._nodes[line[-1]].children:
            line.append(children[0])
        return line

    def sheet(self) -> Sheet:
        """Returns the study as reviews take it. Raises PgnError if there are no moves."""
        positions = tuple(self._nodes[node].position for node in self.main_line())
        if len(positions) == 1:
            raise PgnError("There are no moves to review.")
        return Sheet(self.game, positions)

    @property
    def tags(self) -> dict[str, str]:
        """The PGN's tags."""
        return dict(self.game.headers)

    def pgn(self, *, columns: int | None = None) -> str:
        """Writes the study, with the newline that ends a game."""
        return self.game.accept(chess.pgn.StringExporter(columns=columns)) + "\n"

    def views(self, nodes: Iterable[int] | None = None) -> list[NodeView]:
        """Draws some nodes, or all with the start first."""
        return [self._view(self._nodes[node]) for node in (list(self._nodes) if nodes is None else nodes)]

    def _view(self, node: _Node) -> NodeView:
        move, opening = node.move, opening_of(node.position)
        before = getattr(node.tree, "starting_comment", "")
        return NodeView.model_validate(
            {
                "id": node.id,
                "parent": node.parent,
                "children": list(node.children),
                "ply": node.position.ply,
                "san": "" if move is None else move.san,
                "text": "" if move is None else move.text,
                "from": None if move is None else move.from_,
                "to": None if move is None else move.to,
                "fen": node.position.fen(),
                "check": self._drawer.position(node.position).check if node.position.is_check() else None,
                "comment": spoken(node.tree.comment),
                "before": spoken(before),
                "nags": sorted(node.tree.nags),
                "opening": None if opening is None else OpeningView(eco=opening.eco, name=opening.name),
            }
        )

    def line(self, position: Position, moves: Sequence[str]) -> list[LineMove]:
        """Draws a line of UCI moves from a position; it ends where a move is none."""
        return draw_line(self._drawer, position, moves)

    def replaced(self, game: chess.pgn.Game) -> StudyTree:
        """Returns the tree of another game, none of whose ids this one has ever had. Raises PgnError."""
        return StudyTree(sheet_of(game), self._drawer, first_id=self._next)

    # --- What is changed ----------------------------------------------------------------------------------------

    def add_line(self, node: int, texts: Sequence[str]) -> Change:
        """Adds moves, each as far as it is not there. Raises IllegalMoveError, RefusedError."""
        state, moves = self.position(node), []
        for text in texts:
            moves.append(state.parse_move(text))
            state = state.play(moves[-1])
        if len(self) + len(moves) > MOST_NODES:
            raise RefusedError("not_possible", f"A study has at most {MOST_NODES:,} moves.")
        changed: list[int] = []
        for move in moves:
            parent = self._nodes[node]
            known = [child for child in parent.children if self._nodes[child].position.last_move == move]
            if known:
                node = known[0]
                continue
            text = parent.position.uci(move)
            added = parent.tree.add_variation(_board_move(parent.tree, text))
            made = self._make(parent, added)
            assert made is not None, "the move is legal"
            changed += [parent.id, made]
            node = made
        return Change(nodes=tuple(dict.fromkeys(changed)), focus=node)

    def delete(self, node: int) -> Change:
        """Removes a move and what follows it. Raises RefusedError."""
        found = self._child(node)
        parent = self._nodes[found.parent or ROOT]
        removed = list(self._below(node))
        assert isinstance(found.tree, chess.pgn.ChildNode)
        parent.tree.variations.remove(found.tree)
        parent.children.remove(node)
        for each in removed:
            del self._nodes[each]
        return Change(nodes=(parent.id,), removed=tuple(removed), focus=parent.id)

    def promote(self, node: int, *, to_main: bool) -> Change:
        """Makes the variation that a move is in come earlier among its sisters, or become the main line."""
        self._child(node)
        changed: list[int] = []
        while (found := self._nodes[node]).parent is not None:
            parent = self._nodes[found.parent]
            place = parent.children.index(node)
            if place > 0:
                target = 0 if to_main else place - 1
                parent.children.insert(target, parent.children.pop(place))
                parent.tree.variations.insert(target, parent.tree.variations.pop(place))
                changed.append(parent.id)
                if not to_main:
                    break
            node = parent.id
        return Change(nodes=tuple(changed))

    def set_comment(self, node: int, text: str) -> Change:
        """Replaces the words of a comment; commands for programs stay."""
        tree = self._find(node).tree
        commands = _COMMAND.findall(tree.comment)
        # A brace would end the comment, and a command is not for people to write.
        words = _COMMAND.sub("", _one_line(text.replace("{", "(").replace("}", ")")))
        tree.comment = _one_line(" ".join([*commands, words]))
        return Change(nodes=(node,))

    def set_nags(self, node: int, nags: Iterable[int]) -> Change:
        """Sets the glyphs of a move."""
        self._child(node).tree.nags = set(nags)
        return Change(nodes=(node,))

    def set_tags(self, tags: Mapping[str, str]) -> Change:
        """Sets tags; empty ones are removed. Raises RefusedError."""
        for name, value in tags.items():
            if name in _FIXED_TAGS:
                raise RefusedError("not_possible", f"The tag {name} belongs to the start position.")
            if not value.isprintable():
                raise RefusedError("bad_request", f"The tag {name} must be one line of text.")
        for name, value in tags.items():
            if value:
                self.game.headers[name] = value.replace('"', "'")
            elif name in self.game.headers:
                self.game.headers[name] = "?"
                if name not in chess.pgn.TAG_ROSTER:
                    del self.game.headers[name]
        return Change(tags=True)

    def _child(self, node: int) -> _Node:
        found = self._find(node)
        if found.parent is None:
            raise RefusedError("not_possible", "The start position is not a move.")
        return found

    def _below(self, node: int) -> Iterator[int]:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += self._nodes[node].children


def spoken(comment: str) -> str:
    """Returns the part of a comment that is for people."""
    return _one_line(_COMMAND.sub("", comment))


def draw_line(drawer: Drawer, position: Position, moves: Sequence[str]) -> list[LineMove]:
    """Draws a line of UCI moves with the positions after them; it ends where a move is none."""
    drawn = []
    for text in moves:
        try:
            move = position.parse_uci(text)
        except PhilidorError:
            break
        view = drawer.move(position, move)
        position = position.play(move)
        check = drawer.position(position).check if position.is_check() else None
        drawn.append(
            LineMove.model_validate(
                {"san": view.san, "text": view.text, "from": view.from_, "to": view.to}
                | {"fen": position.fen(), "check": check}
            )
        )
    return drawn


def title_of(tags: Mapping[str, str]) -> str:
    """Says what a study is called."""
    names = [tags.get(side, "").strip() for side in ("White", "Black")]
    if all(name in ("", "?") for name in names):
        event = tags.get("Event", "").strip()
        return event if event not in ("", "?") else "Analysis"
    return " – ".join(name or "?" for name in names)


def _board_move(tree: chess.pgn.GameNode, text: str) -> chess.Move:
    return tree.board().parse_uci(text)


def _all_below(game: chess.pgn.GameNode) -> Iterator[chess.pgn.ChildNode]:
    waiting = list(game.variations)
    while waiting:
        node = waiting.pop()
        node.starting_comment = _one_line(node.starting_comment)
        yield node
        waiting += node.variations


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
