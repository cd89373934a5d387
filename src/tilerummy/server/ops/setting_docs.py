"""Writes the tables of settings into `docs/operations.md`, from the settings themselves.

python -m tilerummy.server.ops.setting_docs docs/operations.md
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path
from textwrap import dedent

from tilerummy.server.limits.rate_limiter import Limits
from tilerummy.server.ops.settings import GROUPS, KINDS, Retention, ServerSettings, variable
from tilerummy.server.rooms.timers import Pace

BEGINNING = "<!-- made by `python -m tilerummy.server.ops.setting_docs docs/operations.md` -->"
END = "<!-- end of what is made -->"
TITLES = {
    "": "The server",
    "limit": "Limits, for each node",
    "pace": "Pace of the rooms",
    "keep": "How long things are kept",
}
CLASSES = {"": ServerSettings, "limit": Limits, "pace": Pace, "keep": Retention}
BY_MACHINE = {
    "store": "`server.sqlite` in the user's data folder",
    "bot_workers": "processors less one, 1 to 4",
}
"""Defaults that are not the same everywhere."""


def tables() -> str:
    """One for each group of settings."""
    shown = ServerSettings(store="sqlite:///server.sqlite", bot_workers=1).shown()
    parts = []
    for group, title in TITLES.items():
        about = _about(CLASSES[group])
        parts += [f"### {title}\n", "| variable | by default | takes | |", "|---|---|---|---|"]
        for name in KINDS:
            if _group(name) == group:
                field = name.removeprefix(f"{group}_") if group else name
                default = BY_MACHINE.get(name) or (f"`{shown[name]}`" if shown[name] else "")
                kind = KINDS[name]
                takes = f"{kind.expected}: " + ", ".join(f"`{text}`" for text in kind.examples)
                parts.append(f"| `{variable(name)}` | {default} | {takes} | {about[field]} |")
        parts.append("")
    return "\n".join(parts)


def updated(page: str) -> str:
    """The page with the tables as they are now."""
    found = re.compile(f"{re.escape(BEGINNING)}.*?{re.escape(END)}", re.DOTALL)
    made = f"{BEGINNING}\n\n{tables()}\n{END}"
    page, count = found.subn(lambda _: made, page)
    if count != 1:
        raise ValueError(f"the page has no place for the tables: {BEGINNING} … {END}")
    return page


def _group(name: str) -> str:
    prefix = name.partition("_")[0]
    return prefix if prefix in GROUPS else ""


def _about(owner: type) -> dict[str, str]:
    """What is written below each field of a class."""
    (definition,) = ast.parse(dedent(inspect.getsource(owner))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            if not (isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)):
                continue
            found[field.target.id] = inspect.cleandoc(str(text.value.value)).replace("\n", " ")
    return found


def main(page: Path) -> None:
    page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
