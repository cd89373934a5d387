"""Make the page of rules: `python -m tilerummy.locales.rulebook docs/rules.md`."""

from __future__ import annotations

import sys
from pathlib import Path

from tilerummy.locales.rulebook.markdown import render_page


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m tilerummy.locales.rulebook FILE", file=sys.stderr)
        return 2
    Path(arguments[0]).write_text(render_page("en"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
