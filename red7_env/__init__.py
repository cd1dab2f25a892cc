"""The card game Red7 as a reinforcement-learning environment."""

__version__ = "0.1.0"
