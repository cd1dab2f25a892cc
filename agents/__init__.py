"""Agents that play Red7. They see views and masks, never the state of a game."""
