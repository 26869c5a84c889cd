"""What holds for all tests."""

import signal
from collections.abc import Iterator

import pytest

from philidor.nets import shipped

# A shell that runs the tests in the background has them ignore Ctrl-C, and every program they begin inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _human_net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Lets the player human come where its own network is not there: with a small one that nobody has trained."""
    folder = tmp_path_factory.mktemp("human")
    if shipped.HUMAN_NET in shipped.shipped_nets():
        yield
        return
    from tests.human_nets import shipping, write_human

    write_human(folder)
    with shipping(folder):
        yield
