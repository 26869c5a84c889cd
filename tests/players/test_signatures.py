"""The engines search what they searched when their signatures were written down (tools/signatures.py)."""

import json

import pytest

from signatures import COMMITTED, ENGINES, signature


@pytest.mark.parametrize("engine", ENGINES)
def test_the_search_is_the_one_that_was_measured(engine: str) -> None:
    committed = json.loads(COMMITTED.read_text(encoding="utf-8"))
    found = signature(engine)
    assert found == committed[engine], f"{engine}: if the search was meant to change, run tools/signatures.py"
