"""The rule book as Markdown: one edition, or the page about all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tilerummy.locales.catalogues import catalogue
from tilerummy.locales.languages import LANGUAGES, match_language
from tilerummy.locales.names import option_text, value_text
from tilerummy.locales.rulebook import book_words, rulebook
from tilerummy.locales.rulebook.blocks import (
    PLAYERS,
    Block,
    Paragraph,
    RowExample,
    ScoreExample,
    ScoreSheet,
    Section,
    TurnExample,
    Variations,
)
from tilerummy.rules.editions import CLASSIC, EDITIONS, SPECS, Edition
from tilerummy.rules.tiles import row_text, table_text

YES, NO = "✓", "✗"


def render_markdown(edition: Edition, lang: str) -> str:
    """The whole rule book of one edition."""
    words = catalogue(lang)
    title = words.text("show.rules", edition=words.text(f"edition.{edition.name}.name"))
    blurb = words.text(f"edition.{edition.name}.blurb")
    parts = [f"# {title}", blurb, *_sections(rulebook(edition, lang), lang, "##")]
    return "\n\n".join(parts) + "\n"


def page_name(lang: str) -> str:
    """The file of the page: `rules.md` in English, `rules.zh-Hans.md` in Simplified Chinese."""
    return "rules.md" if lang == "en" else f"rules.{lang}.md"


def render_page(lang: str) -> str:
    """All editions: Classic in full, then of each other what differs from it."""
    book, words = book_words(lang), catalogue(lang)
    links = [f"[{book_words(one).text('docs.language')}]({page_name(one)})" for one in LANGUAGES]
    parts = [f"# {book.text('docs.title')}", " · ".join(links)]
    parts += [book.text("docs.intro"), book.text("docs.make")]
    parts += [f"## {book.text('docs.differences')}", _differences(lang)]
    base = rulebook(CLASSIC, lang)
    for edition in EDITIONS.values():
        parts += [
            f"## {words.text(f'edition.{edition.name}.name')}",
            words.text(f"edition.{edition.name}.blurb"),
        ]
        sections = rulebook(edition, lang)
        if edition is not CLASSIC:
            sections = tuple(section for section in sections if section not in base)
        parts += _sections(sections, lang, "###")
        if edition is not CLASSIC:
            name = words.text(f"edition.{CLASSIC.name}.name")
            parts.append(book.text("docs.same", edition=name))
    return "\n\n".join(parts) + "\n"


def _differences(lang: str) -> str:
    """The options in which the editions differ, as a table."""
    rows = []
    for key in SPECS:
        values = [value_text(edition.options()[key]) for edition in EDITIONS.values()]
        if len(set(values)) > 1:
            rows.append([option_text(key, lang), f"`{key}`", *values])
    names = [catalogue(lang).text(f"edition.{name}.name") for name in EDITIONS]
    head = [book_words(lang).text("docs.what"), catalogue(lang).text("show.option"), *names]
    return _table(head, rows)


def _sections(sections: Iterable[Section], lang: str, level: str) -> Iterator[str]:
    for section in sections:
        yield f"{level} {section.title}"
        for kind, group in groupby(section.blocks, type):
            blocks = list(group)
            if kind is Paragraph:
                yield from (block.text for block in blocks if isinstance(block, Paragraph))
            else:
                yield _examples(blocks, match_language(lang))


def _examples(blocks: Sequence[Block], lang: str) -> str:
    words = catalogue(lang)
    rows = [block for block in blocks if isinstance(block, RowExample)]
    if rows:
        head = ["", "example.tiles", "example.kind", "example.points", ""]
        return _table(
            [words.text(key) if key else "" for key in head],
            [
                [
                    YES if row.valid else NO,
                    _code(row_text(row.row)),
                    row.label or words.text("example.invalid"),
                    "" if row.value is None else str(row.value),
                    row.caption,
                ]
                for row in rows
            ],
        )
    turns = [block for block in blocks if isinstance(block, TurnExample)]
    if turns:
        head = ["", "example.rack", "example.before", "example.after", ""]
        return _table(
            [words.text(key) if key else "" for key in head],
            [
                [
                    YES if turn.legal else NO,
                    _code(row_text(turn.rack)),
                    _code(table_text(turn.before)),
                    _code(table_text(turn.after)),
                    turn.caption,
                ]
                for turn in turns
            ],
        )
    sheets = [_sheet(block) for block in blocks if isinstance(block, ScoreSheet)]
    lists = [_list(block) for block in blocks if isinstance(block, Variations)]
    games = [_game(block, lang) for block in blocks if isinstance(block, ScoreExample)]
    return "\n\n".join([*games, *sheets, *lists])


def _game(game: ScoreExample, lang: str) -> str:
    words = catalogue(lang)
    head = [words.text(f"example.{key}") for key in ("player", "rack", "score")]
    rows = [
        [name, _code(row_text(rack)), signed(score)]
        for name, rack, score in zip(PLAYERS, game.racks, game.scores, strict=False)
    ]
    return f"{game.caption}\n\n{_table(head, rows)}"


def _sheet(sheet: ScoreSheet) -> str:
    head, *rows, totals, wins = sheet_lines(sheet)
    last = [[f"**{cell}**" for cell in line] for line in (totals, wins)]
    return f"{sheet.caption}\n\n{_table(head, [*rows, *last])}"


def sheet_lines(sheet: ScoreSheet) -> list[list[str]]:
    """A score sheet as lines of cells: players, games, totals, games won."""
    labels, standing = sheet.labels, sheet.standing
    return [
        [labels.game, *PLAYERS[: len(standing.totals)]],
        *(
            [str(number), *map(signed, game.scores)]
            for number, game in enumerate(sheet.games, start=1)
        ),
        [labels.total, *map(signed, standing.totals)],
        [labels.wins, *map(str, standing.wins)],
    ]


def _list(variations: Variations) -> str:
    items = [f"- {item.text} `{item.option}`" for item in variations.items]
    return variations.caption + "\n\n" + "\n".join(items)


def signed(score: int) -> str:
    return f"{score:+d}".replace("-", "−") if score else "0"


def _code(text: str) -> str:
    return f"`{text}`" if text else "–"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
