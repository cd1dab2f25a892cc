"""``python -m experiments.tied COMMAND ...``: a command of the experiments that ends with whoever started it.

It ends when its standard input is closed, as that of a dead process is. So a worker of a cluster that is killed leaves
nothing running behind.
"""

import os
import sys
import threading

from experiments.__main__ import main

CUT = 1
"""Exit status of a command whose starter is gone."""


def _watch() -> None:
    while os.read(0, 1):  # not sys.stdin, whose lock a thread must not hold when Python ends
        pass
    os._exit(CUT)


if __name__ == "__main__":
    threading.Thread(target=_watch, daemon=True).start()
    sys.exit(main(sys.argv[1:]))
