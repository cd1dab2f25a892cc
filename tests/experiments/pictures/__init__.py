"""Tests of the pictures in README and documentation."""
