"""Chapter 3 of the book as a notebook; `tools/notebooks.py` runs it and writes its page."""

# %% [markdown]
# # Chapter 3: how does a program look ahead, and where does it stop?
#
# A program that sees three moves ahead sees tens of thousands of positions. The chapter is about looking at fewer of
# them and still finding the same move.

# %%
from philidor import chess
from philidor.book import show
from philidor.book.chapter3.numbers import MATE_IN_ONE
from philidor.evaluators.book import evaluate
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.uct import UctConfig, uct

position = chess.Position(MATE_IN_ONE)
print(position)

# %% [markdown]
# ## Minimax and alpha-beta
#
# Minimax tries everything. Alpha-beta leaves out what the other side would not allow, and finds the same move.

# %%
for depth in (1, 2):
    everything = minimax(position, MinimaxConfig(depth=depth), heuristic=evaluate)
    some = alphabeta(position, AlphaBetaConfig(depth=depth), heuristic=evaluate)
    assert everything.analysis.score == some.analysis.score
    print(f"depth {depth}: {everything.analysis.nodes:,} positions, with alpha-beta {some.analysis.nodes:,}")

# %%
show("listing-3.7")

# %% [markdown]
# Why nothing is lost, on the smallest tree of the book: dashed branches were never visited.

# %%
show("fig-3.4")

# %% [markdown]
# ## Where to stop
#
# A search that stops in the middle of an exchange believes that it wins a piece. Quiescence search goes on until
# nothing can be taken.

# %%
show("fig-3.5")

# %% [markdown]
# ## Playing at random
#
# Monte-Carlo tree search needs no evaluation at all: it plays random games to their end and looks most where it has
# won most.

# %%
found = uct(position, UctConfig(iterations=200))
for stats in sorted(found.analysis.moves, key=lambda stats: -(stats.visits or 0))[:3]:
    print(position.san(position.parse_move(stats.move)), stats.visits, "visits")

# %%
show("fig-3.11")

# %% [markdown]
# ## Can more power replace a better evaluation?
#
# The book says no, of Deep Blue. Here a program that counts pieces may search ten and a hundred times as many
# positions as one with a full evaluation, and they play.

# %% [slow]
show("3.4-power")

# %% [markdown]
# With equal positions it has hardly a chance, with ten times as many it is about level, and with a hundred times as
# many it wins. So power can make up for evaluation, at a price. In the position that the book talks about, 37.Be4, it
# helps too: with 10,000 positions both of our evaluations play 37.Qb6, with a million both find Be4 (`philidor book
# 37.Be4`).
