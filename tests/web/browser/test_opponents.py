"""A network and a program that the server was given are in the menu and play like all others."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net
from tests.web.browser.conftest import OpenPage
from tests.web.browser.table import Table
from tests.web.conftest import Server

FAKE = Path(__file__).parents[2] / "arena" / "fake_engine.py"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Server]:
    nets = tmp_path / "nets"
    nets.mkdir()
    save_leela(residual_net(), nets / "small.pb.gz")
    server = Server(tmp_path, "--nets", str(nets), "--engine", f"My engine={sys.executable} {FAKE} plays")
    server.start()
    yield server
    server.kill()


def test_a_network_and_a_program_are_chosen_in_the_form(host: Server, open_page: OpenPage) -> None:
    page = open_page(f"{host.url}/new")
    for label, level, shown in (
        ("Network small", "At a glance (10 simulations)", "Network small, at a glance (10 simulations)"),
        ("My engine", "Quick thinker (0.1 s a move)", "My engine, quick thinker (0.1 s a move)"),
    ):
        if label.startswith("Network"):  # one choice further than the others
            page.get_by_label("Opponent").select_option(label="More opponents…")
        page.get_by_label("Opponent").select_option(label=label)
        page.get_by_label("Level").select_option(label=level)
        page.get_by_role("button", name="Start the game").click()
        page.wait_for_url("**/game/*")
        table = Table(page)
        table.type("e4")
        table.wait_for_count(2)
        table.type("a3")
        table.wait_for_count(4)
        assert page.locator(".player-name").first.inner_text() == shown
        page.goto(f"{host.url}/new")
        # What was chosen is chosen again next time.
        assert page.get_by_label("Opponent").input_value().partition(":")[2] in (shown.partition(",")[0], "small")


def test_a_program_that_does_not_answer_is_marked_while_the_form_is_open(tmp_path: Path, open_page: OpenPage) -> None:
    # It ends when the test wants it to: until then the form says that it is being asked.
    wanted = tmp_path / "ended"
    os.mkfifo(wanted)
    script = tmp_path / "waits.sh"
    script.write_text(f"#!/bin/sh\nread -r word < '{wanted}'\n")
    script.chmod(0o700)
    server = Server(tmp_path, "--engine", f"Mute={script}")
    server.start()
    try:
        page = open_page(f"{server.url}/new", expect=("Failed to load resource",))
        page.get_by_label("Opponent").select_option(label="Mute")
        page.get_by_text("Asking the program…").wait_for()
        wanted.write_text("now\n")
        page.get_by_text("Not available:").wait_for()
        assert page.get_by_label("Opponent").locator("option:checked").inner_text() == "Mute (not available)"
        page.get_by_role("button", name="Start the game").click()
        page.get_by_text("Mute cannot play:").wait_for()
    finally:
        server.kill()
