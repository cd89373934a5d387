"""Whether a function gives back all memory."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable


def blocks_kept(run: Callable[[], None], times: int) -> int:
    """How many more blocks of memory are in use after so many runs; what the first one keeps, such
    as a cache, does not count."""
    run()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(times):
        run()
    gc.collect()
    return sys.getallocatedblocks() - before
