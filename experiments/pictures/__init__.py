"""The pictures of README and documentation, made from what is in the repository: ``python -m experiments pictures``."""
