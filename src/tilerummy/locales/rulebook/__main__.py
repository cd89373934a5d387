"""Make the pages of rules, one for each language: `python -m tilerummy.locales.rulebook docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from tilerummy.locales.languages import LANGUAGES
from tilerummy.locales.rulebook.markdown import page_name, render_page


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m tilerummy.locales.rulebook FOLDER", file=sys.stderr)
        return 2
    for language in LANGUAGES:
        path = Path(arguments[0]) / page_name(language)
        path.write_text(render_page(language), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
