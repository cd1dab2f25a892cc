"""The tests of small games."""
