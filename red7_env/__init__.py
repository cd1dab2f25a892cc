"""The card game Red7 as a reinforcement-learning environment."""

from red7_env.registration import register_all

__version__ = "0.1.0"

register_all()
