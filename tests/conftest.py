"""How hard property tests try: `quick` by default, `soak` for `make soak`."""

import os

from hypothesis import settings

# No deadline: how long one example takes says more about the machine than about the code.
# A shared build must not fail by the luck of the draw, so there the examples are always the same.
settings.register_profile(
    "quick", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=20_000)
settings.load_profile("quick")
