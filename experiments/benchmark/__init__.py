"""The speed of the game on this machine: ``python -m experiments benchmark``.

``measure`` says what a measurement is and runs many of them by turns; ``calibration``, ``engine``, ``python_level``,
``environments``, ``league``, ``training`` and ``starts`` each list some, and ``suite`` lists all; ``report`` makes the
table and the JSON; ``machine`` tells where it all ran.
"""
