"""The rooms of the web board's pages: imports lead down, and never in a circle."""

import pytest

from tests.architecture.includes import ROOT
from tests.architecture.web_imports import circle, imports, room_of, violations

WEB = ROOT / "web/src"
TEXTS = {path.relative_to(WEB).with_suffix("").as_posix(): path.read_text() for path in sorted(WEB.rglob("*.ts"))}


def test_there_are_pages_to_check() -> None:
    assert {"main", "board", "play", "pages"} <= set(map(room_of, TEXTS))


@pytest.mark.parametrize("module", TEXTS)
def test_imports_follow_the_order_of_the_rooms(module: str) -> None:
    assert list(violations(module, TEXTS[module])) == []
    assert set(imports(module, TEXTS[module])) <= set(TEXTS)


def test_nothing_imports_itself_in_a_circle() -> None:
    assert circle(TEXTS) == []


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("board/grid", "import { homePage } from '../pages/home';"),
        ("shell/page", "import type { Route } from '../routes';"),
        ("play/page", 'import {\n  newGame,\n} from "../newgame/form";'),
        ("dom", "export * from './settings';"),
        ("server/http", "const page = await import('../play/page');"),
        ("settings", "import './theme';"),
        ("pages/home", "import { add } from '../helpers/add';"),
        ("helpers/add", ""),
    ],
)
def test_a_planted_import_is_caught(module: str, text: str) -> None:
    assert len(list(violations(module, text))) == 1


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("pages/home", "import { playPage } from '../play/page';"),
        ("board/grid", "import { draw } from './drawing';"),
        ("board/chess", "import { Chessground } from '@lichess-org/chessground';"),
        ("main", "import { ROUTES } from './routes';"),
    ],
)
def test_downward_imports_are_fine(module: str, text: str) -> None:
    assert list(violations(module, text)) == []


def test_a_planted_circle_is_caught() -> None:
    # Inside one room, where the order of the rooms does not see it.
    texts = {"board/a": "import { b } from './b';", "board/b": "import { c } from './c';", "board/c": "import './a';"}
    assert set(circle(texts)) == set(texts)
    assert circle(texts | {"board/c": ""}) == []
