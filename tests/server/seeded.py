"""`tilerummy serve` with repeatable deals: `python -m tests.server.seeded SEED START serve ...`.

The secret of a game follows from a seed, from how often the server was started before, and from
the number of secrets that this process has made with the seed. `@FILE` reads the seed from a file
for every secret, so that tests that share a server each have a seed of their own. Everything else
that is random stays random.
"""

from __future__ import annotations

import secrets
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tilerummy.play.shuffle import SECRET_BYTES

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

    seed, start = sys.argv.pop(1), sys.argv.pop(1)
    file = Path(seed[1:]) if seed.startswith("@") else None
    repeatable = seeded(lambda: f"{file.read_text() if file else seed} {start}")
    secrets.token_hex = repeatable  # type: ignore[assignment]
    run()


if __name__ == "__main__":
    main()
