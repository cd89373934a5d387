"""`tilerummy serve` with deterministic deals: `python -m tests.server.seeded SEED START serve ...`.

The secret of a game follows from a seed, from how often the server was started before, and from
the number of secrets that this process has made with the seed. `@FILE` reads the seed from a file
for every secret, so that tests that share a server each have a seed of their own. Everything else
that is random stays random. Records are written and checked without a deadline, as a busy machine
may need longer than players would wait.
"""

from __future__ import annotations

import secrets
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tilerummy.play.shuffle import SECRET_BYTES

PATIENCE = 600.0
"""Seconds for a record, however busy the machine is."""
_token_hex = secrets.token_hex


def seeded(seed: Callable[[], str]) -> Callable[[int | None], str]:
    """A replacement for `secrets.token_hex`: the secrets of games are repeatable."""
    made: Counter[str] = Counter()

    def token_hex(nbytes: int | None = None) -> str:
        if nbytes != SECRET_BYTES:
            return _token_hex(nbytes)
        text = seed()
        made[text] += 1
        return sha256(f"{text} {made[text]}".encode()).hexdigest()

    return token_hex


def main() -> None:
    from tilerummy.cli.main import run
    from tilerummy.server.jobs import records

    records.SECONDS = PATIENCE
    seed, start = sys.argv.pop(1), sys.argv.pop(1)
    file = Path(seed[1:]) if seed.startswith("@") else None
    repeatable = seeded(lambda: f"{file.read_text() if file else seed} {start}")
    secrets.token_hex = repeatable  # type: ignore[assignment]
    run()


if __name__ == "__main__":
    main()
