"""Programs are found where shells find them, and where Debian puts games."""

import os
from pathlib import Path

import pytest

from philidor.core import programs
from philidor.players.external_uci import UciProcess

FAKE = "#!/bin/sh\nwhile read -r word; do [ \"$word\" = uci ] && echo 'id name fake' && echo uciok; done\n"


@pytest.mark.skipif(os.name != "posix", reason="a script is no program there")
def test_a_game_that_is_not_on_the_path_is_found_and_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "stockfish-of-this-test"
    program.write_text(FAKE)
    program.chmod(0o755)
    assert programs.find_program(program.name) is None
    monkeypatch.setattr(programs, "_GAMES", str(tmp_path))
    assert programs.find_program(program.name) == str(program)
    engine = UciProcess([program.name])
    assert engine.name == "fake"
    engine.kill()
    assert programs.find_program("no-such-program") is None
