"""Chapter 1 of the book as a notebook; `tools/notebooks.py` runs it and writes its page."""

# %% [markdown]
# # Chapter 1: can a machine see what a chess player sees?
#
# A player looks at a position and *feels* that there must be something. A program has two things instead: an
# evaluation, which looks at a position once, and a search, which plays moves and looks again. The chapter's first
# diagram needs both.

# %%
from philidor import chess, load_engine
from philidor.book import show
from philidor.book.chapter3.positions import GREEK_GIFT
from philidor.evaluators.book import evaluate

position = chess.Position(GREEK_GIFT)
print(position)

# %% [markdown]
# The material is equal. An evaluation that counts pieces and looks at their squares sees next to nothing:

# %%
print("centipawns, White's view:", evaluate(position))

# %% [markdown]
# Bxh7+ gives a bishop away. Whoever looks one move ahead sees only that; whoever looks further sees the king hunted
# across the board.

# %%
engine = load_engine("nnue")
for nodes in (10, 1_000, 300_000):
    engine.new_game()
    found = engine.analyse(position, nodes=nodes)
    print(f"{nodes:>7,} positions: {position.san(found.lines[0].moves[0])} {found.score}")

# %% [markdown]
# The same as an item of the book, beside what the book says:

# %%
show("fig-1.1")

# %% [markdown]
# Search alone is not enough either. In a locked position, like the one of Rybka against Nakamura in the chapter's last
# diagram, nothing happens within any horizon, and whoever counts pieces at the end of each line counts the same
# forever:

# %%
show("fig-1.3")

# %% [markdown]
# So the answer of the chapter is: not by looking, but by looking *again and again*, and by judging well where the
# looking ends. How to judge is the subject of chapter 2, where to look that of chapter 3, and how both can be learned
# that of chapter 4.
