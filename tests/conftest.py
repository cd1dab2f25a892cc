"""Settings shared by all tests."""

import os
import signal

from hypothesis import settings

# No deadlines: the first call of a compiled function may compile. In continuous integration the
# examples are always the same ones, so that a run never fails by chance.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A job in the background ignores Ctrl-C, and so would every command that a test starts and then interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
