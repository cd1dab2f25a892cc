"""The tests of games at the terminal."""
