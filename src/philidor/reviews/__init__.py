"""Games are reviewed: what each move was worth, what it cost, and what would have been better."""

from philidor.reviews.config import ReviewConfig
from philidor.reviews.review import GameReview, MoveReview, SideReview, review

__all__ = ["GameReview", "MoveReview", "ReviewConfig", "SideReview", "review"]
