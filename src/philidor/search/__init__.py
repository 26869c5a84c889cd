"""Choosing moves: the book's algorithms as readable references, for any game (ch. 3).

Every search of the table is called the same way:

    found = search(state, config, heuristic=..., limits=..., stop=..., trace=...)

with its own frozen config, and answers with a `SearchResult`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, get_type_hints

from philidor.core.errors import UnknownNameError
from philidor.core.loading import load_object

if TYPE_CHECKING:
    from philidor.core.config import Dataclass
    from philidor.core.evaluation import Evaluator, Heuristic
    from philidor.core.game import AnyState
    from philidor.search.limits import Limits, Stop
    from philidor.search.result import SearchResult
    from philidor.search.trace import TraceLimit

SEARCHES = {
    "minimax": "philidor.search.minimax:minimax",
    "alphabeta": "philidor.search.alphabeta:alphabeta",
    "uct": "philidor.search.uct:uct",
    "uct-native": "philidor.search.native:uct",
    "solve": "philidor.search.native:solve",
}

# What a network guides; they are called with `evaluator` in place of `heuristic`, and keep no trace.
NETWORK_SEARCHES = {
    "puct": "philidor.search.puct:puct",
    "gumbel": "philidor.search.gumbel:gumbel_search",
}


class Search(Protocol):
    """What each function of the table looks like. Searches that judge by playouts or to the end take no notice of
    `heuristic`, which scores a position for the first player.
    """

    def __call__(
        self,
        state: AnyState,
        config: Any = ...,
        *,
        heuristic: Heuristic[Any] = ...,
        limits: Limits = ...,
        stop: Stop | None = None,
        trace: TraceLimit | None = None,
    ) -> SearchResult[Any]:
        """Searches `state`, which must not be over, within the limits and until `stop` says so."""


def load_search(name: str) -> Search:
    """Returns the search of this name."""
    if name not in SEARCHES:
        raise UnknownNameError("algorithm", name, {**SEARCHES, **NETWORK_SEARCHES})
    search: Search = load_object(SEARCHES[name])
    return search


class NetworkSearch(Protocol):
    """What each function of the networks' table looks like."""

    def __call__(
        self,
        state: AnyState,
        config: Any = ...,
        *,
        evaluator: Evaluator[Any],
        limits: Limits = ...,
        stop: Stop | None = None,
    ) -> SearchResult[Any]:
        """Searches `state`, which must not be over, by what the evaluator says of it and of what follows."""


def load_network_search(name: str) -> NetworkSearch:
    """Returns the search of this name."""
    search: NetworkSearch = load_object(NETWORK_SEARCHES[name])
    return search


def config_class(search: Search | NetworkSearch) -> type[Dataclass]:
    """Returns the config class of a search, from its signature."""
    found: type[Dataclass] = get_type_hints(search)["config"]
    return found
