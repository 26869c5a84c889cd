"""Chapter 5 of the book as a notebook; `tools/notebooks.py` runs it and writes its page."""

# %% [markdown]
# # Chapter 5: can a program learn a game from nothing but its rules?
#
# Hexapawn is small enough to be known completely: three pawns each, and Black wins. So one can see what a network has
# learned, move by move.

# %%
from philidor.book import show
from philidor.games import load_game
from philidor.search.solver import Solver

game = load_game("hexapawn")
state = game.state()
print(state)

# %%
solution = Solver().solve(state)
print("White wins" if solution.value > 0 else "Black wins", "in", solution.plies, "plies")

# %%
show("fig-5.1")

# %% [markdown]
# ## What the network sees
#
# 21 bits: White's pawns, Black's pawns, whose turn it is.

# %%
show("fig-5.3")

# %% [markdown]
# ## How many positions there are
#
# The book counts 188 distinct ones. Its class has no `__str__`, so the dictionary counted objects:

# %%
show("listing-5.8")

# %% [markdown]
# ## The yardstick
#
# Tables 5.1 and 5.2 measure a network by its games against a random player. Between two random players the shares can
# be computed exactly:

# %%
show("listing-5.10")

# %% [markdown]
# ## Learning from a teacher, and from itself
#
# The network learns first from the solver, then from nothing but its own games. Both end with the same: it never
# loses with Black.

# %% [slow]
show("table-5.1")

# %% [slow]
show("table-5.2")

# %% [markdown]
# The same loop, with another game's rules in it, learns tic-tac-toe and connect four: `philidor train
# tictactoe-zero`, [and a game of your own](../own-game.md).
