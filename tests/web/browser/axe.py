"""What axe finds on a page, which should be nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = Path(__file__).resolve().parents[3] / "web/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
CONTRAST = {"type": "rule", "values": ["color-contrast"]}
RUN = "rules => axe.run(document, {runOnly: rules}).then(r => r.violations.map(v => [v.id, v.nodes[0].html]))"

needs_axe = pytest.mark.skipif(not SCRIPT.is_file(), reason="axe-core is not installed: npm --prefix web ci")
"""For tests that do nothing else."""


def check_with_axe(page: Page, what: str = "", *, in_both_colors: bool = False) -> None:
    """Fails if axe finds something. In the other colors only the contrast can be different."""
    if not SCRIPT.is_file():
        return
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8") + ";0")
    assert page.evaluate(RUN, RULES) == [], what
    if in_both_colors:
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(RUN, CONTRAST) == [], f"{what}, in the dark"
        page.emulate_media(color_scheme="light")
