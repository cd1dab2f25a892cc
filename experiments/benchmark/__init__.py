"""The speed of the game on this machine: ``python -m experiments benchmark``.

``measure`` says what a measurement is and runs many of them by turns; ``calibration``, ``engine``, ``python_level`` and
``starts`` each list some and ``suite`` all of them; ``report`` makes the table and the JSON; ``machine`` tells where it
all ran.
"""
