"""The tests of the league."""
