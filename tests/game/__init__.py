"""Tests of the game itself, one file a module or a promise; mirrors `red7_env/game`."""
