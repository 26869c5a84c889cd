"""The analysis board's server: studies with variations and comments, live engines, reviews, files of many games."""
