"""A game learned from nothing but its rules: actors play, a learner learns, a rater judges (book, ch. 4.2.2, 5.4)."""

from philidor.pipelines.zero.loop import Moment, Watcher, ZeroLoop

__all__ = ["Moment", "Watcher", "ZeroLoop"]
