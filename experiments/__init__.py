"""Experiments on Red7 and their command line: `python -m experiments NAME`."""
