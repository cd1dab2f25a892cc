"""The tests of learned best responses."""
