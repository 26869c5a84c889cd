"""The book's question (ch. 4.5.1), as an experiment: does a network learn better from games, from itself, or both?"""
