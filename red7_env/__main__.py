"""``python -m red7_env``: the command line, see ``red7_env.cli``."""

import sys

from red7_env.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
