"""`tilerummy serve` whose solver never ends: `python -m tests.server.hopeless serve ...`.

`HOPELESS_AT` is a file that says that such work has begun. With `HOPELESS_LOOP` it runs in the
event loop itself, where no work of this kind belongs.
"""

from __future__ import annotations

import os
from pathlib import Path

FILE = "HOPELESS_AT"
IN_LOOP = "HOPELESS_LOOP"


def spin(*_: object) -> None:
    """Ignores every deadline."""
    Path(os.environ[FILE]).touch()
    while True:
        pass


def main() -> None:
    from tilerummy.cli.main import run
    from tilerummy.server.jobs import prover
    from tilerummy.server.ops import run as ops_run

    prover._proof = spin  # type: ignore[assignment]
    prover.HANGING = 600.0
    if IN_LOOP in os.environ:
        prover.Prover._find = spin  # type: ignore[method-assign,assignment]
        ops_run.LONGEST_SHUTDOWN = 1
    run()


if __name__ == "__main__":
    main()
