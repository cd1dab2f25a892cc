"""Tests of the observation."""
