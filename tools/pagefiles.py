"""Code generator: writes `web/src/generated/`, the types and data that the page shares with the
Python code. Needs the standard library only.

    python -m tools.pagefiles [FOLDER]

- `wire.ts`: the messages of the socket, and the requests with their answers, as types
- `queries.ts`: the stateless queries and their answers, as types
- `words.ts`, `words/LANGUAGE.json` and `words/more-LANGUAGE.json`: the texts of each language,
  those of the first screens and those that load later
- `reasons.ts`: the codes of reasons, and how the sentence of each one names its parameters
- `editions.json`: the editions, with the value of every option
- `options.json`: the valid values of every option, and its group
- `options.ts`: the kinds and the groups of options, as types
- `jokers.ts`: the kinds of jokers, and what each is and does
- `bots.ts`: the roster of bots, and who plays in a game against bots
- `strengths.json`: how often each bot wins, by edition
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, get_args

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "web" / "src" / "generated"
sys.path.insert(0, str(ROOT / "src"))  # import this tree, not an installed package

from tilerummy.bots.roster import DEFAULT_LEVEL, ROSTER  # noqa: E402
from tilerummy.bots.strengths import strengths  # noqa: E402
from tilerummy.locales import LANGUAGES, catalogue  # noqa: E402
from tilerummy.locales.catalogues import Catalogue, Message, read_catalogue  # noqa: E402
from tilerummy.locales.languages import OWN_NAMES, SCRIPTS  # noqa: E402
from tilerummy.locales.names import YELLOW_EDITIONS  # noqa: E402
from tilerummy.queries.sentences import REASON_NAMING  # noqa: E402
from tilerummy.rules import tiles  # noqa: E402
from tilerummy.rules.editions import EDITIONS, JOKERS_NEEDED, SPECS, Edition  # noqa: E402
from tilerummy.rules.joker_kinds import JOKER_KINDS  # noqa: E402
from tilerummy.rules.options import OptionGroup, OptionKind, Spec  # noqa: E402
from tilerummy.rules.reasons import ReasonCode  # noqa: E402
from tilerummy.server.protocol.closing import Closing  # noqa: E402
from tools.wiretypes import query_types, typescript  # noqa: E402

SECTIONS = (
    "colour",
    "tile",
    "list",
    "kind",
    "edition",
    "reason",
    "refusal",
    "option",
    "choice",
    "example",
    "step",
    "problem",
    "bot",
    "bots",
    "character",
    "remark",
    "strength",
)
"""Sections of the shared catalogue that the page uses."""

LATER = (
    "character",
    "choice",
    "end",
    "example",
    "follow",
    "help",
    "impossible",
    "keys",
    "missing",
    "option",
    "pace",
    "problem",
    "proof",
    "remark",
    "scores",
    "settings",
    "strength",
    "vote",
)
"""Sections that neither the start page nor a table needs at first: they load later."""

PREFIXES = (
    "bot.",
    "character.",
    "colour.",
    "tile.",
    "kind.",
    "edition.",
    "refusal.",
    "vote.",
    "option.",
    "choice.",
    "emote.",
    "error.",
    "help.",
    "impossible.",
    "step.",
    "news.",
    "pace.",
    "problem.",
    "remark.",
)
"""Prefixes of the keys that the page builds at run time: `` t(`refusal.${code}`) ``."""

HEAD = "// Made by tools/pagefiles.py. Do not edit.\n\n"


def page_words(language: str) -> Catalogue:
    """The texts of the page alone."""
    source = ROOT / "src" / "tilerummy" / "locales" / "page" / f"{language}.toml"
    return read_catalogue(language, source)


def words(language: str) -> dict[str, Message]:
    """All texts of the page, by key."""
    shared = {
        key: message
        for key, message in catalogue(language).messages.items()
        if key.partition(".")[0] in SECTIONS
    }
    own = page_words(language).messages
    if both := sorted(shared.keys() & own.keys()):
        raise ValueError(f"{both[0]} is in {language}.toml and in page/{language}.toml")
    return {**shared, **own}


def files() -> dict[str, str]:
    """Every generated file with its text."""
    found = {
        "wire.ts": _wire(),
        "queries.ts": HEAD + query_types(_document("queries.schema.json")),
        "words.ts": _words_module(),
        "reasons.ts": _reasons_module(),
        "editions.json": _json({name: _edition(edition) for name, edition in EDITIONS.items()}),
        "bots.ts": _bots_module(),
        "strengths.json": _json(_strengths()),
        "jokers.ts": _jokers_module(),
        "options.json": _json({key: _option(spec) for key, spec in SPECS.items()}),
        "options.ts": _options_module(),
    }
    for language in LANGUAGES:
        messages = words(language)
        texts = {key: _template(key, messages[key]) for key in sorted(messages)}
        later = {key: text for key, text in texts.items() if key.partition(".")[0] in LATER}
        first = {key: text for key, text in texts.items() if key not in later}
        found[f"words/{language}.json"] = _json(first)
        found[f"words/more-{language}.json"] = _json(later)
    return found


def write(target: Path = TARGET) -> None:
    """Write the files that have changed, and delete those that are gone."""
    made = files()
    for name, text in made.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8", newline="\n")
    for path in target.rglob("*"):
        if path.is_file() and path.relative_to(target).as_posix() not in made:
            path.unlink()


def _wire() -> str:
    protocol, openapi = _document("protocol.schema.json"), _document("openapi.json")
    codes = "".join(f"  /** {code.about} */\n  {code.name}: {code.value},\n" for code in Closing)
    closing = f"/** Why a socket was closed. */\nexport const CLOSING = {{\n{codes}}} as const;\n"
    return f"{HEAD}{typescript(protocol, openapi)}\n{closing}"


def _document(name: str) -> Any:
    return json.loads((ROOT / "docs" / name).read_text("utf-8"))


def _reasons_module() -> str:
    codes = "".join(f"\n  | {json.dumps(code)}" for code in get_args(ReasonCode))
    lines = "".join(f"  {name}: {json.dumps(how)},\n" for name, how in REASON_NAMING.items())
    return f"""{HEAD}\
/** Why a row or a turn is not allowed. */
export type ReasonCode ={codes};

/** How the sentence of a reason names each parameter that is not a number. */
export const REASON_NAMING = {{
{lines}}} as const;

export type ReasonNaming = (typeof REASON_NAMING)[keyof typeof REASON_NAMING];
"""


def _options_module() -> str:
    def union(values: Any) -> str:
        return " | ".join(map(json.dumps, get_args(values)))

    return f"""{HEAD}\
/** What values an option takes. */
export type OptionKind = {union(OptionKind)};

/** What an option is about; those of `room` are set beside the rules. */
export type OptionGroup = {union(OptionGroup)};
"""


def _words_module() -> str:
    def union(parts: Iterator[str]) -> str:
        return "".join(f"\n  | {part}" for part in parts)

    def loads(prefix: str) -> str:
        return "".join(
            f"  {json.dumps(name)}: () => import({json.dumps(f'./words/{prefix}{name}.json')}),\n"
            for name in LANGUAGES
        )

    own_names = json.dumps(OWN_NAMES, ensure_ascii=False)
    return f"""{HEAD}\
export const LANGUAGES = {json.dumps(LANGUAGES)} as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const OWN_NAMES: Readonly<Record<Language, string>> = {own_names};

/** The script of a region, where it is not the default of the language. */
export const SCRIPTS: Readonly<Record<string, string>> = {json.dumps(SCRIPTS)};

/** A text in plural categories of CLDR; the parameter `by` has the number. */
export type Forms = {{ readonly by: string; readonly other: string }} & {{
  readonly [Category in Intl.LDMLPluralRule]?: string;
}};

export type Key ={union(json.dumps(key) for key in sorted(words(LANGUAGES[0])))};

/** Prefixes of the keys that are built at run time. */
export type Prefix ={union(json.dumps(prefix) for prefix in PREFIXES)};

export type Words = Readonly<Record<Key, string | Forms>>;

type Loads = Readonly<Record<Language, () => Promise<{{ readonly default: Partial<Words> }}>>>;

/** The texts of a language for the first screens, one module per language. */
export const LOADS: Loads = {{
{loads("")}}};

/** The texts that load later. */
export const MORE: Loads = {{
{loads("more-")}}};
"""


def _bots_module() -> str:
    rows = [
        {
            "id": spec.id,
            "offer": spec.offer,
            "level": spec.level,
        }
        for spec in ROSTER
    ]
    return f"""{HEAD}\
/** One bot. Its id with a capital is its name on the wire; the second of a kind has a number. */
export interface BotSpec {{
  readonly id: string;
  /** To whom it is offered: by its level, by its name, or not to people. */
  readonly offer: "ladder" | "name" | "lab" | "old";
  /** Its place on the ladder, from 1; 0 if it has none. */
  readonly level: number;
}}

/** The roster: the ladder from weak to strong, then everyone else. */
export const BOTS = {json.dumps(rows, indent=2)} as const satisfies readonly BotSpec[];
export type BotId = (typeof BOTS)[number]["id"];

/** The level of the bots until a player chooses another one. */
export const DEFAULT_LEVEL = {DEFAULT_LEVEL};
"""


def _strengths() -> dict[str, dict[str, dict[str, Any]]]:
    """By edition and bot, with the fewest players that were measured."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for (bot, edition, players), strength in sorted(strengths().items(), key=lambda one: one[0][2]):
        row = {"against": strength.against, "wins": round(strength.wins), "players": players}
        found.setdefault(edition, {}).setdefault(bot, row)
    return found


def _jokers_module() -> str:
    rows = [
        {
            "letter": kind.letter,
            "slots": kind.slots,
            "wild": kind.wild,
            "inGroups": kind.in_groups,
            "changesColour": kind.changes_colour,
            "mirrors": kind.mirrors,
            "special": kind.special,
        }
        for kind in JOKER_KINDS
    ]
    return f"""{HEAD}\
/** One kind of joker: what it is and does, as in `rules/joker_kinds.py`. */
export interface JokerKind {{
  readonly letter: string;
  /** How many places of a row it takes. */
  readonly slots: number;
  /** Stands for tiles, one for each slot. */
  readonly wild: boolean;
  readonly inGroups: boolean;
  /** A run goes on in another colour behind it. */
  readonly changesColour: boolean;
  /** Is the centre of a mirror row. */
  readonly mirrors: boolean;
  /** Not the regular joker. */
  readonly special: boolean;
}}

/** In the order of their faces. */
export const JOKER_KINDS: readonly JokerKind[] = {json.dumps(rows, indent=2)};
"""


def _template(key: str, message: Message) -> str | dict[str, str]:
    for form in message.forms.values():
        for _, _, spec, conversion in Formatter().parse(form):
            if spec or conversion:
                raise ValueError(f"{key}: the page fills in plain {{names}} only: {form!r}")
    if len(message.forms) == 1:
        return message.forms["other"]
    return {"by": message.by, **message.forms}


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "yellow": edition.name in YELLOW_EDITIONS,
        "options": edition.options(),
    }


def _option(spec: Spec) -> dict[str, Any]:
    """`needs` are jokers: the option has an effect only if the box holds one of them.

    The choices of an option that counts jokers are their letters.
    """
    found = dataclasses.asdict(spec)
    return {
        "kind": found["kind"],
        "group": found["group"],
        "min": found["low"],
        "max": found["high"],
        "choices": list(tiles.JOKER_LETTERS if spec.kind == "jokers" else found["choices"]),
        "nullable": found["nullable"],
        "needs": [tiles.face_text(face) for face in JOKERS_NEEDED.get(spec.key, ())],
    }


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
