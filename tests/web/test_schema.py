"""schemathesis makes requests up from the server's own description: none may crash it or get an undescribed answer."""

from __future__ import annotations

from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.web.conftest import Server


def flood(operation: Any) -> None:
    """Tries one address with made-up requests, the same ones every time."""

    @settings(
        max_examples=20,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def try_it(case: Any) -> None:
        # Which names and positions there are is more than a schema can say: such refusals are right.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    try_it()


def test_made_up_requests_get_described_answers(shared_server: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{shared_server.url}/api/openapi.json")
    found: list[Any] = list(schema.get_all_operations())
    operations = [result.ok() for result in found]
    assert len(operations) >= 12
    for operation in operations:
        print(operation.label)
        flood(operation)
    assert httpx.get(f"{shared_server.url}/api/about").status_code == 200
    assert "Traceback" not in shared_server.log.read_text()
