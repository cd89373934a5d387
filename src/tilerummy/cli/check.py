"""`tilerummy check`: is this row a set, is this turn legal?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tilerummy.cli.jsonl import answer_lines
from tilerummy.cli.options import (
    Language,
    OptionTexts,
    QuestionEdition,
    Statements,
    bad_input_exits,
    chosen_edition,
    chosen_language,
    parsed_options,
)
from tilerummy.cli.positions import check_typed_position
from tilerummy.locales import catalogue, declaration_name, kind_name
from tilerummy.locales.typed import in_notation, typed_row, typed_table
from tilerummy.queries import RowAnswer, RowQuestion, TurnAnswer, TurnQuestion, reason_text
from tilerummy.queries.parsing import DEFAULT_EDITION
from tilerummy.rules.declarations import parse_statement
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import faces_of, row_text

app = typer.Typer(
    no_args_is_help=True, help="Ask the referee whether a row is a set, or whether a turn is legal."
)

JsonFlag = Annotated[
    bool,
    typer.Option(
        "--json", help="Read JSON Lines from standard input: one question per line, one answer."
    ),
]


@app.command("set")
def check_set(
    tiles: Annotated[
        list[str] | None,
        typer.Argument(metavar="TILES", help="The row from left to right: r7 b7 J."),
    ] = None,
    edition: QuestionEdition = None,
    option: OptionTexts = None,
    lang: Language = None,
    json: JsonFlag = False,
) -> None:
    """Is this row a set? Exit code: 0 yes, 1 no, 2 wrong usage.

    A tile is a colour and a number: r (red), b (blue), k (black) or o (orange)
    and 1 to 13. The jokers are J, D, C and M.

    Examples:

        tilerummy check set r7 b7 J

        tilerummy check set r7 M r7 --edition twist

        echo '{"edition": "twist", "set": ["r7", "M", "r7"]}' | tilerummy check set --json
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        if json:
            defaults = _defaults(edition, option, beside=bool(tiles))
            answer_lines(
                lambda line: RowQuestion.from_json({**defaults, **line}).answer(), language
            )
            return
        faces = faces_of(typed_row(" ".join(tiles or ())))
        if not faces:
            raise TileRummyError(
                "give the tiles, for example: tilerummy check set r7 b7 J",
                key="error.check.no-tiles",
            )
        rules = chosen_edition(edition or DEFAULT_EDITION, option)
        answer = RowQuestion(rules, faces).answer()
        _print_row(answer, row_text(faces), language)
        if not answer.verdict.valid:
            raise typer.Exit(1)


@app.command("turn")
def check_turn(
    rack: Annotated[str, typer.Option(metavar="TILES", help='The rack before: "r7 k11 k12".')] = "",
    before: Annotated[
        str, typer.Option(metavar="ROWS", help='The table before: "r5 r6 J / k1 k2 k3".')
    ] = "",
    after: Annotated[
        str, typer.Option(metavar="ROWS", help='The table after: "r5 r6 r7 / k11 k12 J".')
    ] = "",
    opened: Annotated[
        bool,
        typer.Option("--opened/--not-opened", help="Whether the player opened in an earlier turn."),
    ] = True,
    declare: Statements = None,
    edition: QuestionEdition = None,
    option: OptionTexts = None,
    lang: Language = None,
    json: JsonFlag = False,
) -> None:
    r"""Is this turn legal? Exit code: 0 yes, 1 no, 2 wrong usage.

    Give the rack and the table before the turn, and the table after it. Only the
    final table counts, not the way to it. / separates rows; 'tilerummy check set
    --help' explains how to write tiles.

    Examples:

        tilerummy check turn --rack "r7 k11 k12" --before "r5 r6 J" --after "r5 r6 r7 / k11 k12 J"

        tilerummy check turn --not-opened --rack "r10 b10 k10" --after "r10 b10 k10"

        tilerummy check turn --edition sabra --option joker.declare=explicit \
            --rack "r8 J J" --after "r8 J J" --declare "r8 J J = r8 b8 k8"

    docs/notation.md describes the lines of --json.
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        if json:
            beside = bool(rack or before or after or declare)
            defaults = _defaults(edition, option, beside=beside)
            answer_lines(
                lambda line: TurnQuestion.from_json({**defaults, **line}).answer(), language
            )
            return
        if not (rack or before or after):
            raise TileRummyError(
                "give --rack, --before and --after; see 'tilerummy check turn --help'",
                key="error.check.no-turn",
            )
        rules = chosen_edition(edition or DEFAULT_EDITION, option)
        tiles, table = typed_row(rack), typed_table(before)
        check_typed_position(rules, tiles, table, language)
        answer = TurnQuestion.of(
            rules,
            opened=opened,
            rack=tiles,
            before=table,
            after=typed_table(after),
            declared=dict(parse_statement(in_notation(text)) for text in declare or ()),
        ).answer()
        _print_turn(answer, opened, language)
        if not answer.verdict.legal:
            raise typer.Exit(1)


def _print_row(answer: RowAnswer, row: str, language: str) -> None:
    words, verdict = catalogue(language), answer.verdict
    if verdict.kind is None:
        typer.echo(words.text("check.set-no", row=row))
        _print_reasons(answer, language)
        if answer.order is not None:
            typer.echo(words.text("check.other-order", row=row_text(answer.order)))
        return
    kind = kind_name(verdict.kind, language)
    typer.echo(words.text("check.set-yes", row=row, kind=kind, value=verdict.value))
    if len(verdict.readings) > 1 and verdict.kind != "mirror":
        readings = [
            words.text("check.reading", kind=kind_name(reading.kind, language), value=reading.value)
            for reading in verdict.readings
        ]
        typer.echo(words.text("check.ambiguous", readings=words.text("list.comma").join(readings)))


def _print_turn(answer: TurnAnswer, opened: bool, language: str) -> None:
    words, verdict = catalogue(language), answer.verdict
    if not verdict.legal:
        typer.echo(words.text("check.turn-no"))
        _print_reasons(answer, language)
        return
    key = "check.turn-yes" if opened else "check.opening-yes"
    typer.echo(words.text(key, tiles=row_text(verdict.played), value=verdict.value))
    for row, said in verdict.declared.items():
        text = declaration_name(said, language)
        typer.echo(words.text("check.declared", row=row_text(row), said=text))


def _print_reasons(answer: RowAnswer | TurnAnswer, language: str) -> None:
    for reason in answer.verdict.reasons:
        typer.echo(f"  {reason_text(reason, language, answer.edition)}")


def _defaults(name: str | None, options: list[str] | None, *, beside: bool) -> dict[str, Any]:
    """The keys that --edition and --option give to lines without them."""
    if beside:
        raise TileRummyError(
            "with --json, the tiles come from standard input: omit them here",
            key="error.check.json-tiles",
        )
    chosen_edition(name or DEFAULT_EDITION, options)  # raises for rules that cannot be played
    defaults: dict[str, Any] = {} if name is None else {"edition": name}
    if options:
        defaults["options"] = parsed_options(options)
    return defaults
