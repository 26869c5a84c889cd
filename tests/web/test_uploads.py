"""Networks that a page hands over become opponents; whatever is no network is refused, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net
from tests.nets.stored_nets import LAST_STONE, own_net
from tests.web.conftest import Server
from tests.web.tab import Tab, new_game


def network(folder: Path) -> bytes:
    save_leela(residual_net(), folder / "net.pb.gz")
    return (folder / "net.pb.gz").read_bytes()


def test_a_network_that_is_handed_over_can_be_played(server: Server, tmp_path: Path) -> None:
    body = network(tmp_path)
    answer = httpx.put(f"{server.url}/api/nets/my-net.pb.gz", content=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["name"] == "net:my-net"
    assert (server.data / "nets/my-net.pb.gz").read_bytes() == body
    about = httpx.get(f"{server.url}/api/about").json()
    names = [each["name"] for each in about["opponents"]]
    assert names[-2:] == ["net:my-net", "person"]
    assert "net:my-net" in about["games"][0]["opponents"]
    with Tab(server.url, new_game(server.url, opponent="net:my-net")["id"]) as tab:
        tab.move_and_wait("e4")
        assert len(tab.game["moves"]) == 2
    again = httpx.put(f"{server.url}/api/nets/my-net.pb.gz", content=body)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")
    server.restart()
    assert "net:my-net" in [each["name"] for each in httpx.get(f"{server.url}/api/about").json()["opponents"]]


def test_what_is_no_network_is_refused(shared_server: Server, tmp_path: Path) -> None:
    from philidor.nets.network_files import save_stored

    save_stored(tmp_path / "code.safetensors", own_net(LAST_STONE))
    code = (tmp_path / "code.safetensors").read_bytes()
    half = network(tmp_path)[:500]
    for name, body in [("x.pb.gz", b"nothing"), ("x.pb.gz", half), ("x.onnx", b""), ("code.safetensors", code)]:
        answer = httpx.put(f"{shared_server.url}/api/nets/{name}", content=body)
        assert answer.status_code == 422, answer.text
        assert str(shared_server.data) not in answer.text
    assert list((shared_server.data / "nets").iterdir()) == []


@pytest.mark.parametrize("name", ["..%2Fx.pb.gz", "%2Fetc%2Fx.onnx", ".hidden.onnx", "a b.onnx", "x" * 90, "%00.onnx"])
def test_no_name_leads_out_of_the_folder(shared_server: Server, name: str, tmp_path: Path) -> None:
    answer = httpx.put(f"{shared_server.url}/api/nets/{name}", content=network(tmp_path))
    assert answer.status_code in (404, 405, 422), answer.text
    assert not list(shared_server.data.glob("*.gz"))


def test_only_networks_may_be_large(shared_server: Server) -> None:
    large = b"x" * 2_000_000
    assert httpx.put(f"{shared_server.url}/api/settings", content=large).status_code == 413
    assert httpx.put(f"{shared_server.url}/api/nets/large.pb.gz", content=large).status_code == 422
