"""Settings shared by all tests."""

import os

from hypothesis import settings

# No deadlines: the first call of a compiled function may compile. In continuous integration the
# examples are always the same ones, so that a run never fails by chance.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
