"""Chapter 4 of the book as a notebook; `tools/notebooks.py` runs it and writes its page."""

# %% [markdown]
# # Chapter 4: how did AlphaZero, Leela, NNUE and Maia join network and search?
#
# Two answers are alive today. Let a large network say where to look and who wins, and search little: AlphaZero and
# Leela. Or let a small network replace the evaluation of a fast search: NNUE. Maia asks another question: what would
# a person play?

# %%
import philidor
from philidor.book import show
from philidor.book.chapter3.positions import human_player
from philidor.book.chapter4.games import KEY_POSITIONS, MAIA_GAME, after

# %% [markdown]
# ## Selection by value and by curiosity
#
# AlphaGo Zero goes down its tree by Q + U: how good a move has proved, and how little it was looked at for what the
# network expects of it. The numbers of Figures 4.8 to 4.10, computed:

# %%
show("fig-4.9")

# %% [markdown]
# ## What the networks see and answer
#
# AlphaZero's moves are 73 planes of 64 squares, most of which are never legal:

# %%
show("table-4.1")

# %% [markdown]
# Would a plain list of 1,858 moves do as well? The book says that both work and the planes train faster.

# %% [slow]
show("4.3-heads")

# %% [markdown]
# ## NNUE
#
# The first layer of an NNUE network is a sum over the pieces. A move changes two or three of them, so the sum is kept
# and corrected:

# %%
show("4.6-updates")

# %%
engine = philidor.load_engine("nnue")
for key in KEY_POSITIONS[:2]:
    found = engine.analyse(key.position, nodes=50_000)
    print(f"{key.name}: {key.position.san(found.lines[0].moves[0])} {found.score}")

# %% [markdown]
# ## Playing like people
#
# `human` gives each move the chance that a person of a rating plays it. At move 12 of the author's game against Maia:

# %%
person = human_player()
position = after(MAIA_GAME, 23)
for rating in (1100, 1500, 2200):
    policy = person.policy(position, rating=rating)
    likely = list(policy.items())[:3]
    print(rating, ", ".join(f"{position.san(move)} {100 * share:.0f} %" for move, share in likely))

# %%
show("fig-4.24")

# %% [markdown]
# `philidor book 4` runs the rest: AlphaGo's networks and its reinforcement learning, gates and symmetries on connect
# four, Leela's volunteers. [The tournament](../book.md#the-tournament-of-the-book) lets all of these systems play
# each other.
