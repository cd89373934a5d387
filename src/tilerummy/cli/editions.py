"""`tilerummy editions`: the editions, their options, and what each option takes and means."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.text import Text

from tilerummy.cli.options import (
    Language,
    OptionTexts,
    bad_input_exits,
    chosen_edition,
    chosen_language,
)
from tilerummy.cli.output import Output
from tilerummy.cli.page import Page
from tilerummy.locales import catalogue, choice_text, option_text, possible_text, value_text
from tilerummy.rules.editions import EDITIONS, IMPLIED, SPECS, Edition, Implied
from tilerummy.rules.errors import OptionError
from tilerummy.rules.options import Spec

MOST_COLUMNS = 110


def editions(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="An edition to show in full. Default: a list of all."),
    ] = None,
    option: OptionTexts = None,
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the editions and every option, with its values, meaning and defaults.

    Examples:

      tilerummy editions

      tilerummy editions sabra --option joker.rack_penalty=25
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        if name is None and option:
            raise OptionError(
                "--option needs an edition: tilerummy editions NAME --option …",
                key="error.option.no-edition",
            )
        chosen = None if name is None else chosen_edition(name, option)
    if as_json:
        data = _everything(language) if chosen is None else _edition(chosen, language)
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    lists = _Lists(Page(Output(highlight=False), MOST_COLUMNS), language)
    if chosen is None:
        lists.print_everything()
    else:
        lists.print_edition(chosen)


def _everything(lang: str) -> dict[str, Any]:
    return {
        "editions": [_edition(edition, lang) for edition in EDITIONS.values()],
        "options": [_option(spec, lang) for spec in SPECS.values()],
    }


def _edition(edition: Edition, lang: str) -> dict[str, Any]:
    words = catalogue(lang)
    return {
        "name": edition.name,
        "title": words.text(f"edition.{edition.name}.name"),
        "about": words.text(f"edition.{edition.name}.blurb"),
        "players": [edition.players_min, edition.players_max],
        "tiles": len(edition.box()),
        "options": edition.options(),
        "changed": sorted(edition.changed_options()),
    }


def _named_values(spec: Spec) -> list[str | None]:
    return [*spec.choices, None] if spec.nullable else list(spec.choices)


def _option(spec: Spec, lang: str) -> dict[str, Any]:
    return {
        "key": spec.key,
        "kind": spec.kind,
        "choices": {
            value_text(value): choice_text(spec.key, value, lang) for value in _named_values(spec)
        },
        "range": [spec.low, spec.high] if spec.high else None,
        "takes": possible_text(spec, lang),
        "meaning": option_text(spec.key, lang),
        "implies": [
            {"when": implied.when, "key": implied.key, "value": implied.value}
            for implied in IMPLIED
            if implied.by == spec.key
        ],
    }


class _Lists:
    """Prints the editions and their options."""

    def __init__(self, page: Page, lang: str) -> None:
        self.page, self.lang, self.words = page, lang, catalogue(lang)

    def print_everything(self) -> None:
        self.page.line(self.words.text("show.editions"), "bold")
        self.page.line()
        self._columns(
            [self.words.text(f"show.{key}") for key in ("edition", "players", "tiles", "about")],
            [self._edition_row(edition) for edition in EDITIONS.values()],
        )
        self.page.line()
        self.page.line(self.words.text("show.options"), "bold")
        for spec in SPECS.values():
            self.page.line()
            self._option(spec)
        self.page.line()
        self.page.paragraph(self.words.text("show.hint-edition"), style="dim")
        self.page.paragraph(self.words.text("show.hint-option"), style="dim")

    def print_edition(self, edition: Edition) -> None:
        title = self.words.text(f"edition.{edition.name}.name")
        self.page.line(f"{title} ({edition.name})", "bold")
        self.page.paragraph(self.words.text(f"edition.{edition.name}.blurb"))
        self.page.line()
        usual = EDITIONS[edition.name].options()
        rows, changed = [], False
        for key, value in edition.options().items():
            if key.startswith("twist.") and not edition.has_specials:
                continue
            shown, meaning = value_text(value), option_text(key, self.lang)
            choice = choice_text(key, value, self.lang)
            if value != usual[key]:
                shown, changed = f"{shown} * ({value_text(usual[key])})", True
            rows.append([key, shown, f"{meaning} → {choice}" if choice else meaning])
        head = [self.words.text(f"show.{key}") for key in ("option", "value", "meaning")]
        self._columns(head, rows)
        if changed:
            self.page.line()
            self.page.paragraph(self.words.text("show.changed"), style="dim")

    def _edition_row(self, edition: Edition) -> list[str]:
        title = self.words.text(f"edition.{edition.name}.name")
        blurb = self.words.text(f"edition.{edition.name}.blurb")
        line = self.words.text("show.edition-line", title=title, blurb=blurb)
        players = f"{edition.players_min}–{edition.players_max}"
        return [edition.name, players, str(len(edition.box())), line]

    def _option(self, spec: Spec) -> None:
        self.page.line(spec.key, "bold cyan")
        self.page.paragraph(option_text(spec.key, self.lang), 4)
        column = max((len(value_text(value)) for value in _named_values(spec)), default=0) + 2
        for value in _named_values(spec):
            head = Text(f"      {value_text(value):{column}}")
            self.page.hanging(head, choice_text(spec.key, value, self.lang) or "")
        for implied in IMPLIED:
            if implied.by == spec.key:
                self.page.paragraph(self._implied(implied), 4)
        self.page.paragraph(self._takes(spec), 4, "dim")

    def _implied(self, implied: Implied) -> str:
        brought = f"{implied.key}={value_text(implied.value)}"
        if implied.when is None:
            return self.words.text("show.implies", option=implied.by, brought=brought)
        given = f"{implied.by}={value_text(implied.when)}"
        return self.words.text("show.implies", option=given, brought=brought)

    def _takes(self, spec: Spec) -> str:
        """What an option takes and where it stands: the value of most editions, then the others."""
        by_value: dict[str, list[str]] = {}
        for edition in EDITIONS.values():
            by_value.setdefault(value_text(edition.options()[spec.key]), []).append(edition.name)
        usual = max(by_value, key=lambda value: len(by_value[value]))
        parts = []
        if spec.kind != "choice":
            parts.append(self.words.text("show.takes", possible=possible_text(spec, self.lang)))
        parts.append(self.words.text("show.default", value=usual))
        for value, names in by_value.items():
            if value != usual:
                where = ", ".join(names)
                parts.append(self.words.text("show.elsewhere", editions=where, value=value))
        return " · ".join(parts)

    def _columns(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table whose last column takes what is left of the width."""
        lines = [head, *rows]
        widths = [max(cell_len(cell) for cell in column) + 2 for column in zip(*lines, strict=True)]
        for number, line in enumerate(lines):
            style = "bold" if number == 0 else ""
            start = Text(style=style)
            for width, cell in zip(widths, line[:-1], strict=False):
                start.append(cell + " " * (width - cell_len(cell)))
            self.page.hanging(start, line[-1], style)
