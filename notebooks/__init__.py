"""Notebooks that explain the game, the agents and how they learn, and the command that runs them.

``python -m notebooks`` runs them anew and keeps what they show; ``--check`` tells whether they show it still.
"""
