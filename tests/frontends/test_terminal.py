"""Whole games in the terminal, typed by a script."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import chess.pgn
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from philidor.frontends.playing.setup import new_match
from philidor.frontends.terminal import GameChoice, Terminal
from philidor.frontends.terminal.loop import describe_outcome
from philidor.games import GAMES, load_game
from philidor.players import PLAYERS, can_play, player_class

# Words that end the program, or write files.
LEAVING = ("quit", "exit", "q", "save")
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


class Typist:
    """Types the lines of a script, then leaves."""

    def __init__(self, *lines: str) -> None:
        self._lines: Iterator[str] = iter(lines)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        for line in self._lines:
            return line
        raise EOFError


def play(
    choice: GameChoice,
    *lines: str,
    width: int = 80,
    resume: bool | None = None,
    ascii_only: bool = False,
) -> str:
    """Plays a scripted game as through a pipe and returns what was printed."""
    screen = io.StringIO()
    console = Console(file=screen, width=width, highlight=False)
    Terminal(choice, console, is_interactive=False, read_line=Typist(*lines), ascii_only=ascii_only).run(resume=resume)
    return screen.getvalue()


def play_at_a_terminal(choice: GameChoice, typist: Typist, *, height: int = 24, resume: bool | None = None) -> str:
    screen = io.StringIO()
    console = Console(
        file=screen, width=120, height=height, highlight=False, force_terminal=True, color_system="truecolor"
    )
    Terminal(choice, console, is_interactive=True, read_line=typist).run(resume=resume)
    return screen.getvalue()


TWO_PEOPLE = GameChoice(opponent="person")


def test_a_game_ends_by_checkmate() -> None:
    text = play(TWO_PEOPLE, "f3", "e5", "g4", "Qh4#")
    assert "Black wins: checkmate. 0-1" in text


def test_a_person_wins_against_a_player() -> None:
    text = play(GameChoice(opponent="random", start=BACK_RANK), "a1a8")
    assert "You win: checkmate. White wins, 1-0" in text


def test_a_person_loses_as_black() -> None:
    text = play(GameChoice(opponent="alphabeta", start=BACK_RANK, side="black"))
    assert "alphabeta plays 1. Ra8#" in text
    assert "You lose: checkmate. White wins, 1-0" in text


def test_a_draw_is_announced() -> None:
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    assert "Draw: " in play(TWO_PEOPLE, *shuffle)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("E4", "e4"), ("nf3", "Nf3"), ("NF3", "Nf3"), ("G1F3", "Nf3"), ("e2-e4", "e4"), ("Nf3!?", "Nf3"), ("e2e4", "e4")],
)
def test_case_and_signs_do_not_matter(typed: str, meant: str) -> None:
    assert f"1.  {meant} " in play(TWO_PEOPLE, typed)


@pytest.mark.parametrize("typed", ["O-O", "o-o", "0-0", "oo", "e1g1"])
def test_castling_is_read_in_all_its_spellings(typed: str) -> None:
    text = play(GameChoice(opponent="person", start="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), typed)
    assert "1.  O-O " in text


def test_a_bishop_and_a_pawn_are_told_apart_or_asked_about() -> None:
    choice = GameChoice(opponent="person", start="4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1")
    assert "1.  bxc4 " in play(choice, "bxc4")
    assert "1.  Bxc4 " in play(choice, "Bxc4")
    assert "BXC4! could be bxc4 or Bxc4: which one?" in play(choice, "BXC4!")


@pytest.mark.parametrize(
    ("start", "typed", "expected"),
    [
        (None, "e5", "No pawn of yours can go to e5."),
        (None, "Nf4", "No knight of yours can go to f4. Did you mean f4 or Nf3?"),
        (None, "e4e5", "There is no piece on e4."),
        (None, "e7e5", "The pawn on e7 is not yours."),
        (None, "hello there", "is not a move here"),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "Nc3 would leave your king in check."),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", "which one?"),
        ("4k3/8/8/8/8/8/4r3/4K2N w - - 0 1", "Ng3", "Ng3 would leave your king in check."),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "e7e8 could be e8=N+, e8=B, e8=R or e8=Q: which one?"),
    ],
)
def test_what_cannot_be_played_is_explained(start: str | None, typed: str, expected: str) -> None:
    text = " ".join(play(GameChoice(opponent="person", start=start), typed).split())
    assert expected in text
    assert text.endswith("Goodbye.")


def test_the_board_is_not_changed_by_what_cannot_be_played() -> None:
    text = play(TWO_PEOPLE, "e5", "Ke2", "zz", "fen")
    assert "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in text


def test_undo_takes_back_to_ones_own_turn() -> None:
    text = play(GameChoice(opponent="random"), "e4", "d4", "undo", "fen", "undo", "fen", "undo")
    assert text.count("Took back 2 moves.") == 2
    assert "RNBQKBNR w KQkq - 0 1" in text
    assert "There is no move to take back." in text


def test_the_opponents_first_move_alone_is_not_taken_back() -> None:
    text = play(GameChoice(opponent="random", side="black"), "undo")
    assert "There is no move to take back." in text


def test_undo_takes_back_one_move_between_two_people() -> None:
    text = play(TWO_PEOPLE, "e4", "undo", "fen")
    assert "Took back 1 move." in text
    assert "RNBQKBNR w KQkq - 0 1" in text


def test_undo_reopens_a_finished_game() -> None:
    text = play(GameChoice(opponent="random", start=BACK_RANK), "Ra8", "e4", "undo", "Ra7", "fen")
    assert "The game is over." in text
    assert "Took back 1 move." in text
    assert "/R" in text


def test_resigning_loses() -> None:
    assert "You lose: resignation. Black wins, 0-1" in play(GameChoice(opponent="random"), "e4", "resign")
    assert "White wins: resignation. 1-0" in play(TWO_PEOPLE, "e4", "resign")


def test_a_draw_is_accepted_by_those_who_are_not_better() -> None:
    lost, won = "k7/8/8/8/8/8/8/KQQ5 w - - 0 1", "k7/8/8/8/8/8/8/K1qq4 w - - 0 1"
    assert "Draw: agreement. 1/2-1/2" in play(GameChoice(opponent="alphabeta", level=1, start=lost), "draw")
    text = play(GameChoice(opponent="alphabeta", level=1, start=won.replace("q", "r")), "draw")
    assert "alphabeta wants to play on." in text
    assert "Draw: agreement" in play(TWO_PEOPLE, "draw")


def test_moves_are_listed_for_all_pieces_or_one() -> None:
    text = play(TWO_PEOPLE, "moves e2", "moves e4", "moves")
    assert "e3 e4" in text
    assert "Nothing on e4 can move." in text
    assert "Na3 Nc3" in text


def test_a_hint_is_a_good_move() -> None:
    assert "Hint: Ra8#" in play(GameChoice(opponent="random", start=BACK_RANK), "hint")


def test_the_board_can_be_turned() -> None:
    text = play(TWO_PEOPLE, "flip")
    assert "a  b  c  d  e  f  g  h" in text
    assert "h  g  f  e  d  c  b  a" in text


def test_black_sits_below_when_the_person_plays_black() -> None:
    text = play(GameChoice(opponent="random", side="black"))
    assert "h  g  f  e  d  c  b  a" in text
    assert "a  b  c  d  e  f  g  h" not in text


def test_a_saved_game_is_read_back_by_python_chess(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    text = play(GameChoice(opponent="random", start=BACK_RANK), "Ra8", f"save {file}", width=500)
    assert f"Saved as {file}." in text
    with file.open() as lines:
        game = chess.pgn.read_game(lines)
    assert game is not None
    assert not game.errors
    assert game.headers["Result"] == "1-0"
    assert game.headers["White"] == "Person"
    assert game.headers["Black"] == "random"
    assert game.headers["Termination"] == "checkmate"
    assert game.headers["FEN"] == BACK_RANK
    assert [move.uci() for move in game.mainline_moves()] == ["a1a8"]


def test_a_long_game_is_saved_in_short_lines(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    shuffle = [move for i in range(1, 8) for move in (f"{'abcdefgh'[i]}3", f"{'abcdefgh'[i]}6")]
    play(TWO_PEOPLE, *shuffle, f"save {file}")
    assert max(len(line) for line in file.read_text().splitlines()) < 80
    with file.open() as lines:
        game = chess.pgn.read_game(lines)
    assert game is not None
    assert len(list(game.mainline_moves())) == 14
    assert game.headers["Result"] == "*"
    assert "FEN" not in game.headers


def test_a_chess960_game_is_saved_as_one(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    play(GameChoice(opponent="person", chess960=0), "e4", "e5", f"save {file}")
    with file.open() as lines:
        game = chess.pgn.read_game(lines)
    assert game is not None
    assert not game.errors
    assert game.board().chess960
    assert game.board().fen().startswith("bbqnnrkr/pppppppp/")


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text("years of work")
    text = " ".join(play(TWO_PEOPLE, "e4", f"save {file}").split())
    assert "exists already; choose another name" in text
    assert file.read_text() == "years of work"


def test_ones_own_file_is_written_again(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    play(TWO_PEOPLE, "e4", f"save {file}", "e5", f"save {file}")
    assert "1. e4 e5 *" in file.read_text()


def test_a_file_that_cannot_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    text = play(TWO_PEOPLE, f"save {tmp_path / 'no' / 'game.pgn'}", "e4")
    assert "1.  e4 " in text


def test_an_unfinished_game_is_resumed(data_folder: Path) -> None:
    choice = GameChoice(opponent="random", side="black")
    first = play(choice, "e5", "Nc6")
    assert "kept" in first
    kept = json.loads((data_folder / "philidor" / "unfinished" / "chess.json").read_text())
    text = play(GameChoice(), "fen", resume=True)
    assert [move[2:] for move in kept["moves"][1::2]] == ["e5", "c6"]
    assert len(kept["moves"]) == 5
    assert "2. " in text
    assert " Nc6 " in text
    assert "Black  You" in text
    assert "random" in text


def test_without_a_wish_a_pipe_starts_afresh() -> None:
    play(TWO_PEOPLE, "e4")
    assert "1.  e4" not in play(TWO_PEOPLE)


def test_a_finished_game_is_not_resumed() -> None:
    play(TWO_PEOPLE, "e4", "resign")
    assert "There is no unfinished game" in play(TWO_PEOPLE, resume=True)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"version": 1}', "\x00"])
def test_a_damaged_file_does_not_keep_anybody_from_playing(data_folder: Path, content: str) -> None:
    file = data_folder / "philidor" / "unfinished" / "chess.json"
    file.parent.mkdir(parents=True)
    file.write_text(content)
    assert "There is no unfinished game" in play(TWO_PEOPLE, resume=True)


@pytest.mark.parametrize("person", ["1e999", "2", '"white"', "null"])
def test_a_saved_game_with_no_such_side_is_none(data_folder: Path, person: str) -> None:
    play(GameChoice(opponent="random"), "e4")
    file = data_folder / "philidor" / "unfinished" / "chess.json"
    file.write_text(file.read_text().replace('"person": 0', f'"person": {person}'))
    assert "There is no unfinished game" in play(TWO_PEOPLE, resume=True)


def test_a_folder_that_cannot_be_written_is_mentioned_once(data_folder: Path) -> None:
    data_folder.parent.mkdir(exist_ok=True)
    data_folder.write_text("a file where the folder should be")
    text = play(TWO_PEOPLE, "e4", "e5", "Nf3", "resign")
    assert text.count("cannot be kept") == 1
    assert "White wins: resignation" in text
    assert "1.  e4" in text


def test_a_position_is_loaded_and_a_wrong_one_is_not() -> None:
    text = play(TWO_PEOPLE, f"load {BACK_RANK}", "Ra8", "load 8/8 w", "load", "new")
    assert "White wins: checkmate" in text
    assert "invalid FEN" in text
    assert "load needs a position" in text


def test_new_takes_opponent_level_and_side_in_any_order() -> None:
    text = play(TWO_PEOPLE, "new black uct 1", "new alphabeta 9", "new alphabet")
    assert "uct, iterations 100" in text
    assert "uct plays 1. " in text
    assert "levels 1 to 5, got 9" in text
    assert "did you mean 'alphabeta'" in " ".join(text.split())


def test_help_names_every_command() -> None:
    from philidor.frontends.terminal.commands import COMMANDS

    text = play(TWO_PEOPLE, "help")
    assert all(f" {name} " in text for name in COMMANDS)


def test_ascii_boards_have_letters_only() -> None:
    text = play(TWO_PEOPLE, "e4", ascii_only=True)
    assert text.isascii()
    assert "r  n  b  q  k  b  n  r" in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_game_fits_every_width(width: int) -> None:
    text = play(GameChoice(opponent="random"), "e4", "d4", "hint", "help", "xx", "moves", width=width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "a  b  c  d  e  f  g  h" in text


@pytest.mark.parametrize(
    ("name", "game"),
    [(name, game) for name in PLAYERS for game in GAMES if can_play(player_class(name), load_game(game))],
)
def test_every_player_can_be_played_in_every_game(name: str, game: str) -> None:
    state = load_game(game).state()
    typed = state.move_text(state.legal_moves()[0])
    text = play(GameChoice(game=game, opponent=name, level=1), typed, "hint", "undo", "resign")
    assert f"{name} plays 1... " in text
    assert "Hint: " in text
    assert "You lose: resignation" in text


def test_a_small_game_is_played_to_its_end() -> None:
    choice = GameChoice(game="tictactoe", opponent="person")
    assert "X wins: " in play(choice, "a1", "b1", "a2", "b2", "A3")


def test_a_move_comes_before_a_command_of_the_same_name() -> None:
    text = play(GameChoice(game="connect4-8x4", opponent="person"), "h", "help")
    assert "1.  h " in text
    assert "take back" in text


WORDS = st.sampled_from(["help", "moves", "hint", "undo", "flip", "draw", "resign", "fen", "load", "new", "e4", "a1a2"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["chess", "hexapawn"]),
    st.lists(st.text(max_size=40) | st.tuples(WORDS, st.text(max_size=12)).map(" ".join)),
)
def test_nothing_that_is_typed_ends_the_game(game: str, lines: list[str]) -> None:
    script = [line for line in lines if not line.lower().split()[:1] or line.lower().split()[0] not in LEAVING]
    text = play(GameChoice(game=game, opponent="random"), *script, "quit")
    assert text.rstrip().endswith("Goodbye.")


def test_a_game_of_ones_own_is_played_and_resumed() -> None:
    own = GameChoice(game=str(Path(__file__).parents[2] / "examples" / "last_stone.py") + ":LastStone", opponent="uct")
    first = play(own, "hint", "1", "frog")
    assert "ooooooooooooooooooooo" in first
    assert "--game " in first
    assert "'frog' is not a move here." in first
    assert "1.  1 " in play(own, resume=True)


def test_the_menu_asks_until_it_understands() -> None:
    typist = Typist("nobody", "alphabeta 7", "alphabeta 1", "purple", "black", "quit")
    text = play_at_a_terminal(GameChoice(), typist)
    assert "Plays any legal move." in text
    assert "no opponent 'nobody'" in text
    assert "levels 1 to 5, got 7" in text
    assert "no side 'purple'" in text
    assert "alphabeta, depth 1" in text
    assert typist.prompts[-1] == "Black to move > "


def test_enter_takes_what_the_menu_offers() -> None:
    typist = Typist("", "", "quit")
    assert "human, rating 1500" in play_at_a_terminal(GameChoice(), typist)
    assert typist.prompts[-1] == "White to move > "


def test_the_menu_offers_only_players_of_the_game() -> None:
    assert "solver" not in play_at_a_terminal(GameChoice(), Typist())
    assert "solver" in play_at_a_terminal(GameChoice(game="tictactoe"), Typist())


def test_at_a_terminal_an_unfinished_game_is_offered() -> None:
    play(TWO_PEOPLE, "d4")
    typist = Typist("y", "quit")
    text = play_at_a_terminal(GameChoice(), typist)
    assert "Go on with your game against a person" in typist.prompts[0]
    assert typist.prompts[-1] == "Black to move > "
    assert "d4" in text
    typist = Typist("n", "", "", "quit")
    play_at_a_terminal(GameChoice(), typist)
    assert typist.prompts[-1] == "White to move > "


@pytest.mark.parametrize("system", ["standard", "256", "truecolor"])
def test_the_last_move_is_marked_in_the_colors_there_are(system: Literal["standard", "256", "truecolor"]) -> None:
    from philidor.frontends.terminal.board import Board
    from philidor.frontends.terminal.screen import look_of

    start = load_game("chess").state()
    board = Board.of(start.play("e4"), start)
    assert board is not None
    screen = io.StringIO()
    console = Console(file=screen, width=80, force_terminal=True, color_system=system)
    console.print(board.draw(look_of(console, ascii_only=False, board=board)))
    # Light, dark and marked squares are told apart by what is sent to the terminal.
    backgrounds = set(re.findall(r"\x1b\[1;[^m]*?((?:4[0-7]|48;[0-9;]+))m", screen.getvalue()))
    assert len(backgrounds) >= 3


def test_big_terminals_get_big_pieces() -> None:
    assert "█" in play_at_a_terminal(TWO_PEOPLE, Typist(), height=40)
    assert "█" not in play_at_a_terminal(TWO_PEOPLE, Typist(), height=24)


def test_the_last_move_is_marked_without_colors_too() -> None:
    text = play(TWO_PEOPLE, "e4", ascii_only=True)
    assert "4  .  .  .  . (P) .  .  ." in text
    assert "2  P  P  P  P (.) P  P  P" in text


def test_captured_pieces_and_the_lead_are_shown() -> None:
    text = play(TWO_PEOPLE, "e4", "d5", "exd5", ascii_only=True)
    assert "White  Person  P +1" in text


def test_the_moves_of_a_long_game_do_not_push_the_board_away() -> None:
    shuffle = [move for i in range(8) for move in (f"{'abcdefgh'[i]}3", f"{'abcdefgh'[i]}6")]
    shuffle += [move for i in range(8) for move in (f"{'abcdefgh'[i]}4", f"{'abcdefgh'[i]}5")]
    text = play(TWO_PEOPLE, *shuffle)
    last = text[text.rindex("▶") - 1000 :]
    assert "16.  h4 " in last
    assert " 1.  a3" not in last


def test_outcomes_are_told_from_the_persons_side() -> None:
    from philidor.core.game import Outcome

    match = new_match(GameChoice(opponent="random", side="black"))
    assert describe_outcome(match, Outcome(1, "checkmate")) == "You win: checkmate. Black wins, 0-1"
    assert describe_outcome(match, Outcome(None, "stalemate")) == "Draw: stalemate. 1/2-1/2"
