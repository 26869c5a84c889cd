"""The player human over UCI: ratings by every name that GUIs have for them, and a choice that can be steered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.cli.uci_program import net_option, rating_options
from philidor.games.chess import Position
from philidor.nets.leela.files import save_leela
from philidor.players import load_engine
from philidor.players.human import HumanPlayer
from tests.frontends.conversation import Conversation
from tests.human_nets import write_human
from tests.nets.leela_nets import residual_net


@pytest.fixture
def net(tmp_path: Path) -> Path:
    return write_human(tmp_path)


@pytest.fixture
def talk(net: Path) -> Iterator[Conversation]:
    conversation = Conversation({"HumanFile": str(net), "Engine": "human", "Temperature": "0"})
    yield conversation
    conversation.loop.close()


def likeliest(net: Path, rating: int, opponent_rating: int) -> str:
    player = load_engine("human", net=net)
    assert isinstance(player, HumanPlayer)
    return next(iter(player.policy(Position(), rating, opponent_rating)))


def ratings_that_differ(net: Path) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two pairs of ratings, each the other one swapped, for which the network likes different moves best."""
    pairs = [(own, other) for own in range(1000, 2001, 100) for other in range(1000, 2001, 100)]
    return next((a, b) for a, b in ((p, p[::-1]) for p in pairs) if likeliest(net, *a) != likeliest(net, *b))


def test_its_options_are_offered_as_it_has_them(talk: Conversation) -> None:
    lines = talk.say("uci")
    assert "option name SelfElo type spin default 1500 min 600 max 2600" in lines
    assert "option name OppoElo type spin default 0 min 0 max 4000" in lines
    assert "option name Temperature type string default 0.0" in lines
    assert "option name TopP type string default 1.0" in lines
    assert not any("esign" in line for line in lines), "over UCI nobody resigns"


def test_a_gui_that_sends_every_default_back_changes_nothing(net: Path) -> None:
    conversation = Conversation({"HumanFile": str(net)})
    shown = [line.split() for line in conversation.say("uci") if line.startswith("option name Temperature")]
    # The default engine has no such option; what is shown is the default of another one that has it.
    assert shown[0][-1] == "0.0"
    conversation.say("setoption name Temperature value 0.5")
    conversation.say("setoption name Temperature value 0.0")
    conversation.say("setoption name Engine value human")
    assert "option name Temperature type string default 1.0" in conversation.say("uci")
    # The engine that was chosen when it was shown, or any other value, is meant as it is said.
    conversation.say("setoption name Temperature value 0.25")
    assert "option name Temperature type string default 0.25" in conversation.say("uci")
    conversation.say("setoption name Temperature value 0.0")
    assert "option name Temperature type string default 0.0" in conversation.say("uci")
    conversation.loop.close()


def test_both_ratings_are_heard_each_in_its_place(talk: Conversation, net: Path) -> None:
    for own, other in ratings_that_differ(net):
        talk.say(f"setoption name SelfElo value {own}")
        talk.say(f"setoption name OppoElo value {other}")
        assert talk.best("go movetime 1000")[0] == likeliest(net, own, other)


def test_limited_strength_is_its_own_rating_in_games_and_analysis(talk: Conversation, net: Path) -> None:
    weak, strong = next(
        (a, b)
        for a in range(1000, 2001, 100)
        for b in range(1000, 2001, 100)
        if likeliest(net, a, a) != likeliest(net, b, b)
    )
    talk.say(f"setoption name SelfElo value {strong}")
    talk.say("setoption name UCI_LimitStrength value true")
    talk.say(f"setoption name UCI_Elo value {weak}")
    assert talk.best("go movetime 1000")[0] == likeliest(net, weak, weak)
    talk.say("go infinite")
    assert talk.best("stop")[0] == likeliest(net, weak, weak)
    talk.say("setoption name UCI_LimitStrength value false")
    assert talk.best("go movetime 1000")[0] == likeliest(net, strong, strong)


def test_every_game_is_another_one(talk: Conversation) -> None:
    talk.say("setoption name Temperature value 1")
    seen = set()
    for _ in range(20):
        talk.say("ucinewgame")
        seen.add(talk.best("go movetime 1000")[0])
    assert len(seen) > 1


def test_a_network_without_ratings_is_named(talk: Conversation, tmp_path: Path) -> None:
    save_leela(residual_net(), tmp_path / "maia.pb.gz")
    talk.say(f"setoption name HumanFile value {tmp_path / 'maia.pb.gz'}")
    lines = talk.best("go nodes 1")[1]
    assert "info string maia.pb.gz knows no ratings: the rating chooses nothing" in lines


def test_one_word_on_the_command_line_sets_the_rating_of_any_engine() -> None:
    assert rating_options("human", 1700) == {"SelfElo": "1700"}
    assert rating_options("nnue", 1700) == {"UCI_LimitStrength": "true", "UCI_Elo": "1700"}
    assert net_option("human") == "HumanFile"
    assert net_option("classic") is None
