"""How hard property tests try: `quick` by default, `soak` for `make soak`."""

from hypothesis import settings

# No deadline: how long one example takes says more about the machine than about the code.
# The quick examples are always the same, so that a build never fails by the luck of the draw; the
# long run looks for new ones.
settings.register_profile("quick", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=20_000)
settings.load_profile("quick")
