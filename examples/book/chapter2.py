"""Chapter 2 of the book as a notebook; `tools/notebooks.py` runs it and writes its page."""

# %% [markdown]
# # Chapter 2: how can numbers learn anything?
#
# A network is a function with many numbers in it. Learning is nothing but changing these numbers, a little at a time,
# in the direction in which the error falls. Everything here is numpy, with the derivatives written out.

# %%
from philidor.book import show
from philidor.book.chapter2.losses import mean_squared
from philidor.book.chapter2.neurons import SIGMOID, TANH, Network
from philidor.book.chapter2.optimizers import adam, fit
from philidor.book.chapter2.perceptron import AND_INPUTS, XOR_OUTCOMES

# %% [markdown]
# ## One neuron
#
# A neuron adds up its inputs, each times a weight, and bends the sum. With weights set by hand it computes AND:

# %%
show("table-2.1")

# %% [markdown]
# What it can do is draw a line. XOR has no line between its two answers, so no choice of weights can help: the mean
# squared error stays at 1/4, which is what guessing gives.

# %%
show("fig-2.9")

# %% [markdown]
# ## A hidden layer
#
# Eight neurons between input and output can. One training, from random weights:

# %%
network = Network.random((2, 8, 1), (TANH, SIGMOID), seed=1)
fit(network, AND_INPUTS, XOR_OUTCOMES, adam(0.05), error=mean_squared, epochs=500)
for inputs, answer in zip(AND_INPUTS, network.predict(AND_INPUTS), strict=True):
    print(inputs, f"{answer[0]:.3f}")

# %% [markdown]
# Is the gradient right? Move one weight a little and see how the error changes. That must be what back-propagation
# says.

# %%
error, gradients = network.gradients(AND_INPUTS, XOR_OUTCOMES, mean_squared)
weights, step = network.weights[0], 1e-6
weights[1, 3] += step
after, _ = network.gradients(AND_INPUTS, XOR_OUTCOMES, mean_squared)
weights[1, 3] -= step
print(f"by finite differences {(after - error) / step:.8f}, by back-propagation {gradients[0][1, 3]:.8f}")

# %% [markdown]
# ## Filters
#
# A convolution is a small layer that moves over a picture. This one finds edges:

# %%
show("listing-2.7")

# %% [markdown]
# ## What a network should see of a position
#
# Two positions that are alike should look alike. A FEN is text: when a bishop moves one square, every letter behind
# it moves too. Planes of pieces change in two places.

# %%
show("fig-2.20")

# %% [markdown]
# Does that matter? The same small network learns Listing 3.2's evaluation from both.

# %% [slow]
show("2.14-inputs")

# %% [markdown]
# And when a network can judge, how does it play? Either it names a move, or it is asked about the position after each
# move. Both can be had from one network.

# %% [slow]
show("2.14-players")

# %% [markdown]
# `philidor book 2` runs the rest of the chapter: x² outside of what was seen, batch normalization, residual layers,
# overfitting and its remedies.
