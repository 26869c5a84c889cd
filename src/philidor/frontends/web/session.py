"""One game as the server knows it: the board, the clocks and what is kept on disk. Nothing here waits or sends."""

from __future__ import annotations

from typing import Any

from philidor.core.errors import PhilidorError
from philidor.core.game import AnyState, Outcome
from philidor.frontends.playing.match import Match
from philidor.frontends.playing.reading import read_move
from philidor.frontends.web.catalog import Catalog, title
from philidor.frontends.web.clock import GameClock
from philidor.frontends.web.go.ending import settle
from philidor.frontends.web.opponents import Opponent
from philidor.frontends.web.roster import Roster
from philidor.frontends.web.schema import (
    OpeningView,
    PlayedMove,
    PositionView,
    ResultView,
    ThoughtView,
)
from philidor.frontends.web.stored import StoredGame, StoredMove, searchable
from philidor.games.chess import Position
from philidor.games.chess.openings import opening_of


class RefusedError(PhilidorError):
    """Something that cannot be done now; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class Session:
    """A game in memory, equal to what `stored` describes."""

    def __init__(self, stored: StoredGame, catalog: Catalog) -> None:
        """Takes up a game from disk. Raises a PhilidorError when its game is not offered any more."""
        self.stored = stored
        self.drawer = catalog.drawer(stored.game)
        setup, progress = stored.setup, stored.progress
        self._roster = catalog.roster
        self.opponent: Opponent = catalog.roster.recall(setup["opponent"])
        self.match = Match(self.drawer.game, self._first_state(), setup["you"])
        self.played: list[PlayedMove] = []
        for move in stored.moves:
            self._append(self.match.state.parse_move(move.move), move)
        agreed = progress.get("agreed")
        self.match.agreed = None if agreed is None else Outcome(agreed["winner"], agreed["reason"])
        clock, remaining = setup["clock"], progress.get("remaining_ms")
        self.clock = None if clock is None else GameClock(**clock, remaining_ms=remaining and tuple(remaining))
        self.forget_unanswered_offer()

    def _first_state(self) -> AnyState:
        start = self.stored.setup["start"]
        if start["variant"] == "chess960":
            return Position(start["text"], chess960=True)
        state: AnyState = self.drawer.game.state(start["text"])
        return state

    @property
    def you(self) -> int | None:
        """The person's side; None when both are."""
        return self.match.person

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.match.outcome() is not None

    @property
    def is_imported(self) -> bool:
        """Whether the game was played elsewhere, and is here to be looked at."""
        return self.stored.setup["tags"] is not None and self.you is None

    @property
    def has_own_move(self) -> bool:
        """Whether there is a move of a person to go back to."""
        return any(self.you is None or move.side == self.you for move in self.played)

    @property
    def is_engines_turn(self) -> bool:
        """Whether an engine has to move."""
        return not self.is_over and not self.match.is_persons_turn

    @property
    def draw_offer(self) -> int | None:
        """The side whose offer stands."""
        offer: int | None = self.stored.progress.get("draw_offer")
        return offer

    # --- Changes: each leaves `stored` ready to be written ------------------------------------------------------

    def play_text(self, text: str) -> None:
        """Makes the person's move. Raises IllegalMoveError, RefusedError."""
        self._refuse_when_over()
        if not self.match.is_persons_turn:
            raise RefusedError("not_your_turn", "It is not your turn.")
        state = self.match.state
        # Typed words are read with patience; what was dragged or clicked is a text of `legal` and found at once.
        self._play(read_move(state, text), None)

    def play_engine(self, text: str, thought: ThoughtView, *, offers_draw: bool = False) -> None:
        """Makes the engine's move, which may come with the offer of a draw."""
        if offers_draw and self.draw_offer is None:
            self.stored.progress["draw_offer"] = self.match.state.to_move
        self._play(self.match.state.parse_move(text), thought)

    def _play(self, move: Any, thought: ThoughtView | None) -> None:
        state, side = self.match.state, self.match.state.to_move
        clocks = None
        if self.clock is not None:
            # The clock runs from the first move on.
            self.clock.press(side) if self.match.moves else self.clock.stop()
            clocks = self.clock.remaining_ms()
        if self.draw_offer is not None and self.draw_offer != side:
            self.stored.progress["draw_offer"] = None  # to play on is to decline
        stored = StoredMove(
            move=state.move_text(move),
            clocks_ms=clocks,
            thought=None if thought is None else thought.model_dump(mode="json"),
        )
        self.stored.moves.append(stored)
        self._append(move, stored)
        settle(self.match, self.stored.progress)
        self.changed()

    def _append(self, move: Any, stored: StoredMove) -> None:
        before, view = self.match.state, self.drawer.move(self.match.state, move)
        self.match.play(move)
        after = self.match.state
        side = before.to_move
        self.played.append(
            PlayedMove.model_validate(
                {
                    **view.model_dump(by_alias=True, exclude={"also"}),
                    "ply": len(self.match.moves),
                    "side": side,
                    "position": self.drawer.position(after),
                    "captured": self.drawer.captured(before, after),
                    "clock_ms": None if stored.clocks_ms is None else stored.clocks_ms[side],
                    "opening": _opening(after),
                    "thought": stored.thought,
                }
            )
        )

    def takeback(self) -> None:
        """Takes back to the person's last turn. Raises RefusedError, also in a finished game: it keeps its result."""
        if self.is_over:
            raise RefusedError("game_over", "The game is over and keeps its result; play on in a copy of it.")
        self.return_to_last_turn()

    def return_to_last_turn(self) -> None:
        """Takes moves back up to the person's last one, whether the game is over or not. Raises RefusedError."""
        if not self.has_own_move:
            raise RefusedError("nothing_to_take_back", "There is no move of yours to take back.")
        self.match.undo()
        left = len(self.match.moves)
        del self.played[left:], self.stored.moves[left:]
        self.stored.progress["draw_offer"] = None
        if self.clock is not None:
            clocks = self.stored.moves[-1].clocks_ms if left else None
            self.clock.set(clocks or (self.clock.base_ms, self.clock.base_ms))
        self.changed()

    def resign(self) -> None:
        """Gives the game up for the person, or for the side to move of two. Raises RefusedError."""
        self._refuse_when_over()
        loser = self.match.state.to_move if self.you is None else self.you
        self.end(Outcome(1 - loser, "resignation"))

    def resign_engine(self) -> None:
        """Gives the game up for the engine."""
        self.end(Outcome(self.you, "resignation"))

    def end(self, outcome: Outcome) -> None:
        """Ends the game by what no rule of the board says."""
        self.match.agreed = outcome
        self.changed()

    def offer_draw(self) -> int:
        """Lets the person's offer stand; returns whose it is. Raises RefusedError."""
        self._refuse_when_over()
        side = self.match.state.to_move if self.you is None else self.you
        if self.draw_offer is not None:
            raise RefusedError("not_possible", "A draw is offered already.")
        if self.was_declined:
            raise RefusedError("not_possible", "The last offer was declined; make a move first.")
        self.stored.progress["draw_offer"] = side
        self.changed()
        return side

    def forget_unanswered_offer(self) -> None:
        """Takes an offer back that the engine will not answer, as nobody waits for it. Others stand."""
        if self.you is not None and self.draw_offer == self.you:
            self.stored.progress["draw_offer"] = None

    def answer_draw(self, is_accepted: bool) -> None:
        """Answers the offer that stands. Raises RefusedError."""
        self._refuse_when_over()
        if self.draw_offer is None:
            raise RefusedError("not_possible", "No draw is offered.")
        if is_accepted:
            self.end(Outcome(None, "agreement"))
            return
        self.stored.progress |= {"draw_offer": None, "declined_ply": len(self.match.moves)}
        self.changed()

    def has_flagged(self) -> bool:
        """Says whether the running clock has run out."""
        return self.clock is not None and not self.is_over and self.clock.flagged() is not None

    def flag(self) -> None:
        """Ends the game on time: a loss, or a draw where the other side has nothing to mate with."""
        side, state = self.match.state.to_move, self.match.state
        cannot_win = isinstance(state, Position) and state.to_board().has_insufficient_material(side == 1)
        self.end(Outcome(None, "time over, but nothing to mate with") if cannot_win else Outcome(1 - side, "time over"))

    def hold_clock(self, side_may_run: bool) -> None:
        """Lets the clock of the side to move run, or nobody's."""
        if self.clock is None:
            return
        if side_may_run and not self.is_over and self.match.moves:
            side = self.match.state.to_move
            if self.clock.running != side:
                self.clock.start(side)
        else:
            self.clock.stop()

    def _refuse_when_over(self) -> None:
        if self.is_over:
            raise RefusedError("game_over", "The game is over.")

    def changed(self) -> None:
        """Brings `stored` up to date."""
        stored, agreed = self.stored, self.match.agreed
        if self.is_over:
            stored.progress["draw_offer"] = None
            if self.clock is not None:
                self.clock.stop()
        stored.revision += 1
        stored.is_over = self.is_over
        self.describe()
        stored.progress["agreed"] = None if agreed is None else {"winner": agreed.winner, "reason": agreed.reason}

    def describe(self) -> None:
        """Writes what the list of games shows and searches, so that it need not replay them."""
        stored, result = self.stored, self.result
        if self.clock is not None:
            stored.progress["remaining_ms"] = self.clock.remaining_ms()
        opening = self.opening
        stored.progress |= {
            "position": self.position.model_dump(mode="json"),
            "opening": None if opening is None else opening.model_dump(mode="json"),
            "result": None if result is None else result.model_dump(mode="json"),
            "ply_count": len(self.match.moves),
        }
        tags = stored.setup["tags"] or {}
        stored.words = searchable(
            [
                *(title(stored.game), stored.game, *self.names, stored.created[:10], *tags.values()),
                *((opening.eco, opening.name) if opening else ()),
                *((result.score, result.reason) if result else ()),
            ]
        )

    # --- What is to be seen: views.py and listing.py make pages of it ------------------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """Who plays."""
        return names_of(self.stored, self._roster)

    @property
    def result(self) -> ResultView | None:
        """How the game ended."""
        return self.drawer.result(self.match.outcome(), self.match.state)

    @property
    def position(self) -> PositionView:
        """The board as it is now."""
        return self.played[-1].position if self.played else self.drawer.position(self.match.start)

    @property
    def opening(self) -> OpeningView | None:
        """The last name that the opening had."""
        return next((move.opening for move in reversed(self.played) if move.opening is not None), None)

    @property
    def was_declined(self) -> bool:
        """Whether a draw was offered and declined in just this position."""
        return self.stored.progress.get("declined_ply") == len(self.match.moves)


YOU = "You"


def names_of(stored: StoredGame, roster: Roster) -> tuple[str, str]:
    """Returns the players' names of a game on disk."""
    setup = stored.setup
    person = setup["name"] or YOU
    if setup["you"] is None:
        tags = setup["tags"] or {}
        # As PGN calls them, or SGF.
        first, second = (tags.get(chess) or tags.get(go, "") for chess, go in (("White", "PB"), ("Black", "PW")))
        return first or person, second or "Another person"
    engine = roster.recall(setup["opponent"]).name_with(setup["strength"])
    return (person, engine) if setup["you"] == 0 else (engine, person)


def _opening(state: AnyState) -> OpeningView | None:
    found = opening_of(state) if isinstance(state, Position) and not state.is_chess960 else None
    return None if found is None else OpeningView(eco=found.eco, name=found.name)
