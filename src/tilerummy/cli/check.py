"""`tilerummy check`: is this row a set, is this turn legal?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tilerummy.cli.jsonl import (
    Request,
    answer_lines,
    read_bool,
    read_declared,
    read_edition,
    read_faces,
    read_rows,
)
from tilerummy.cli.options import (
    Language,
    OptionTexts,
    Statements,
    bad_input_exits,
    chosen_edition,
    chosen_language,
    parsed_options,
    said_of,
)
from tilerummy.cli.positions import check_typed_position
from tilerummy.locales import catalogue, declaration_name, kind_name, reason_text
from tilerummy.locales.typed import in_notation, typed_row, typed_table
from tilerummy.rules.declarations import Declared, parse_statement, plain
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.faults import judge_row
from tilerummy.rules.orders import best_order
from tilerummy.rules.reasons import Reason
from tilerummy.rules.tiles import FACE_TEXT, Face, row_text
from tilerummy.rules.turns import TurnVerdict, check_position, judge_turn

app = typer.Typer(no_args_is_help=True, help="Ask the referee about a set or a whole turn.")

DEFAULT_EDITION = "classic"
AskedEdition = Annotated[
    str | None,
    typer.Option(
        "--edition",
        "-e",
        help="classic (unless told), taiwan, sixplayer, twist or sabra; "
        "with --json, for lines that name none.",
    ),
]
JsonFlag = Annotated[
    bool,
    typer.Option("--json", help="Answer JSON Lines from standard input instead, one a line."),
]


@app.command("set")
def check_set(
    tiles: Annotated[
        list[str] | None, typer.Argument(metavar="TILES", help="The row as it lies: r7 b7 J.")
    ] = None,
    edition: AskedEdition = None,
    option: OptionTexts = None,
    lang: Language = None,
    json: JsonFlag = False,
) -> None:
    """Is this row a set? Exit code 0 yes, 1 no, 2 bad usage.

    Tiles are r b k o and a number (red, blue, black, orange), or the jokers J D C M.

        tilerummy check set r7 b7 J

        tilerummy check set r7 M r7 --edition twist

        echo '{"edition": "twist", "set": ["r7", "M", "r7"]}' | tilerummy check set --json
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        if json:
            defaults = _defaults(edition, option, beside=bool(tiles))
            answer_lines(lambda request: answer_set({**defaults, **request}, language), language)
            return
        faces = typed_row(" ".join(tiles or ()))
        if not faces:
            raise TileRummyError(
                "name the tiles, as in: tilerummy check set r7 b7 J", key="error.check.no-tiles"
            )
        rules = chosen_edition(edition or DEFAULT_EDITION, option)
        words, verdict = catalogue(language), judge_row(rules, faces)
        if verdict.kind is not None:
            readings = [
                words.text(
                    "check.reading", kind=kind_name(reading.kind, language), value=reading.value
                )
                for reading in verdict.readings
            ]
            kind = kind_name(verdict.kind, language)
            typer.echo(
                words.text("check.set-yes", row=row_text(faces), kind=kind, value=verdict.value)
            )
            if len(readings) > 1 and verdict.kind != "mirror":
                typer.echo(
                    words.text("check.ambiguous", readings=words.text("list.comma").join(readings))
                )
            return
        typer.echo(words.text("check.set-no", row=row_text(faces)))
        _print_reasons(verdict.reasons, rules, language)
        order = best_order(rules, faces)
        if order is not None:
            typer.echo(words.text("check.other-order", row=row_text(order)))
        raise typer.Exit(1)


@app.command("turn")
def check_turn(
    rack: Annotated[str, typer.Option(help='The rack before the turn: "r7 k11 k12".')] = "",
    before: Annotated[str, typer.Option(help='The table before: "r5 r6 J / k1 k2 k3".')] = "",
    after: Annotated[str, typer.Option(help="The table after, rows separated by /.")] = "",
    opened: Annotated[
        bool, typer.Option("--opened/--not-opened", help="Has this player opened before?")
    ] = True,
    declare: Statements = None,
    edition: AskedEdition = None,
    option: OptionTexts = None,
    lang: Language = None,
    json: JsonFlag = False,
) -> None:
    """Is this turn legal? Exit code 0 yes, 1 no, 2 bad usage.

    Give rack and table before, and the table after; only the final table counts.

        tilerummy check turn --rack "r7 k11 k12" --before "r5 r6 J"
        --after "r5 r6 r7 / k11 k12 J"

        tilerummy check turn --not-opened --rack "r10 b10 k10" --after "r10 b10 k10"

        tilerummy check turn --rack "r8 J J" --after "r8 J J" --declare "r8 J J = r8 b8 k8"
        --edition sabra --option joker.declare=explicit
    """
    with bad_input_exits(lang):
        language = chosen_language(lang)
        if json:
            beside = bool(rack or before or after or declare)
            defaults = _defaults(edition, option, beside=beside)
            answer_lines(lambda request: answer_turn({**defaults, **request}, language), language)
            return
        if not (rack or before or after):
            raise TileRummyError(
                "give --rack, --before and --after; see 'tilerummy check turn --help'",
                key="error.check.no-turn",
            )
        rules = chosen_edition(edition or DEFAULT_EDITION, option)
        words = catalogue(language)
        tiles, table = typed_row(rack), typed_table(before)
        check_typed_position(rules, tiles, table, language)
        verdict = _judge(
            rules,
            opened,
            tiles,
            table,
            typed_table(after),
            dict(parse_statement(in_notation(text)) for text in declare or ()),
        )
        if verdict.legal:
            key = "check.turn-yes" if opened else "check.opening-yes"
            typer.echo(words.text(key, tiles=row_text(verdict.played), value=verdict.value))
            for row, said in verdict.declared.items():
                text = declaration_name(said, language)
                typer.echo(words.text("check.declared", row=row_text(row), said=text))
            return
        typer.echo(words.text("check.turn-no"))
        _print_reasons(verdict.reasons, rules, language)
        raise typer.Exit(1)


def answer_set(request: Request, language: str) -> dict[str, Any]:
    """The answer to one line of `check set --json`."""
    rules, faces = read_edition(request), read_faces(request, "set")
    verdict = judge_row(rules, faces)
    order = None if verdict.valid else best_order(rules, faces)
    return {
        "valid": verdict.valid,
        "kind": verdict.kind,
        "value": verdict.value,
        "readings": [{"kind": r.kind, "value": r.value} for r in verdict.readings],
        "normalised": None if order is None else _texts(order),
        "reasons": _reasons(verdict.reasons, rules, language),
    }


def answer_turn(request: Request, language: str) -> dict[str, Any]:
    """The answer to one line of `check turn --json`."""
    rules = read_edition(request)
    verdict = _judge(
        rules,
        read_bool(request, "opened"),
        read_faces(request, "rack"),
        read_rows(request, "before"),
        read_rows(request, "after"),
        read_declared(request),
    )
    answer = {
        "legal": verdict.legal,
        "reasons": _reasons(verdict.reasons, rules, language),
        "played": _texts(verdict.played),
        "value": verdict.value,
    }
    if verdict.declared:  # what rows and their jokers are, said in this turn or before
        answer["declared"] = plain(verdict.declared, _texts)
    return answer


def _judge(
    rules: Edition,
    opened: bool,
    rack: tuple[Face, ...],
    before: tuple[tuple[Face, ...], ...],
    after: tuple[tuple[Face, ...], ...],
    declared: Declared,
) -> TurnVerdict:
    """What is declared holds for rows of both tables."""
    check_position(rules, rack, before)
    said_of((*before, *after), declared)
    return judge_turn(
        rules,
        opened=opened,
        rack=rack,
        before=before,
        after=after,
        declared_before={row: said for row, said in declared.items() if row in before},
        declared={row: said for row, said in declared.items() if row in after},
    )


def _reasons(reasons: tuple[Reason, ...], rules: Edition, language: str) -> list[dict[str, Any]]:
    return [
        {
            "code": reason.code,
            "message": reason_text(reason, language, rules),
            "tiles": _texts(reason.tiles),
        }
        for reason in reasons
    ]


def _texts(faces: tuple[Face, ...]) -> list[str]:
    return [FACE_TEXT[face] for face in faces]


def _print_reasons(reasons: tuple[Reason, ...], rules: Edition, language: str) -> None:
    for reason in reasons:
        typer.echo(f"  {reason_text(reason, language, rules)}")


def _defaults(name: str | None, options: list[str] | None, *, beside: bool) -> dict[str, Any]:
    """What --edition and --option say for lines that do not say it themselves."""
    if beside:
        raise TileRummyError(
            "with --json the tiles come from standard input: drop them here",
            key="error.check.json-tiles",
        )
    chosen_edition(name or DEFAULT_EDITION, options)  # complains about what nobody could play
    defaults: dict[str, Any] = {} if name is None else {"edition": name}
    if options:
        defaults["options"] = parsed_options(options)
    return defaults
