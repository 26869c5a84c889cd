"""docs/web-protocol.md tells everything: no address, message, key or error code of the server is missing from it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import get_args

from pydantic import BaseModel

from philidor.frontends.web import app, news, requests, schema
from philidor.frontends.web.analysis import news as study_news
from philidor.frontends.web.analysis import requests as study_requests
from philidor.frontends.web.analysis import schema as study_schema
from philidor.frontends.web.catalog import Catalog
from philidor.frontends.web.lobby import Lobby
from philidor.frontends.web.pages import Pages
from philidor.frontends.web.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "web-protocol.md").read_text(encoding="utf-8")
CODE = re.compile(r'(?:RefusedError\(|_notify\(|_error\(\d+, |return \d{3}, |"code": |code=)"([a-z_]+)"')


def models() -> list[type[BaseModel]]:
    modules = (schema, requests, news, study_schema, study_requests, study_news)
    found = [each for module in modules for each in vars(module).values()]
    return [each for each in found if inspect.isclass(each) and issubclass(each, schema.View | requests.Request)]


def test_every_key_is_described() -> None:
    keys = {field.alias or name for model in models() for name, field in model.model_fields.items()}
    assert len(keys) > 60
    assert sorted(key for key in keys if not re.search(rf"\b{key}\b", PAGE)) == []


def test_every_message_is_described() -> None:
    unions = [get_args(each)[0] for each in (requests.AnyMessage, study_requests.StudyMessage)]
    found = [model for union in unions for model in get_args(union)]
    types = {kind for model in found for kind in get_args(model.model_fields["type"].annotation)}
    assert {"move", "resign", "evaluate", "analyse", "promote"} <= types
    assert sorted(kind for kind in types if f'"type": "{kind}"' not in PAGE) == []


def test_every_error_code_is_described() -> None:
    folder = Path(inspect.getfile(app)).parent
    codes = {code for path in folder.rglob("*.py") for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert {"stale_position", "forbidden", "engine_failed", "draw_declined"} <= codes
    assert sorted(code for code in codes if code not in PAGE) == []


def test_every_address_is_described(tmp_path: Path) -> None:
    (tmp_path / "index.html").touch()
    server = app.create_app(lambda: Lobby(Store(tmp_path), Catalog()), Pages(tmp_path))
    paths = [path for path in server.openapi()["paths"] if path.startswith("/api")]
    assert len(paths) >= 9
    for path in paths:
        assert re.sub(r"\{(?:game|study|file)_id\}", "{id}", path) in PAGE, path


def test_every_kind_of_news_is_described() -> None:
    found = [model for union in (news.AnyNews, study_news.AnyStudyNews) for model in get_args(union)]
    kinds = {model.model_fields["type"].default for model in found}
    assert {"game", "thinking", "deleted", "study", "tried"} <= kinds
    assert sorted(kind for kind in kinds if f'{{"type": "{kind}"' not in PAGE) == []
