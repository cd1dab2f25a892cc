"""The tests of the experiments."""
