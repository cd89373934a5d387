"""Records of matches: written and read again in both formats, and never read by half."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play.invariants import record_of
from tests.play.states import SECRET
from tests.play.wild import wild_game
from tests.rules.strategies import randoms
from tilerummy.bots.seats import play_match
from tilerummy.bots.simple import SimpleBot
from tilerummy.play.commands import Draw, GiveSeed, Start
from tilerummy.play.driver import MatchDriver
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match
from tilerummy.play.notation import from_text, load, to_text
from tilerummy.play.record import Record, RecordError, from_jsonl, to_jsonl
from tilerummy.play.verification import verify
from tilerummy.rules.editions import CLASSIC, edition
from tilerummy.solver.turns.best_turn import can_play


@cache
def short_record() -> Record:
    """A whole game, few tiles, with drafts, penalties and declarations in it."""
    rules = edition("twist", {"hand_size": 7, "joker.declare": "explicit", "strict_submit": True})
    for seed in range(100):
        wild = wild_game(random.Random(f"short {seed}"), rules, mischief=0.1)
        for _ in wild.steps():
            pass
        record = record_of(wild)
        if all(word in to_text(record) for word in ("draft", " ; ", "by clock", "(penalty)")):
            return record
    raise AssertionError("no game with everything in it")


@cache
def match_record() -> Record:
    rules = CLASSIC.with_options({"hand_size": 5, "match.games_per_round": 2})
    driver = MatchDriver(Match(rules, ("Ann", "Ben")), can_play)
    rng = random.Random(7)
    play_match(driver, [SimpleBot(), SimpleBot()], lambda: rng.randbytes(32).hex())
    return driver.record


ODD_NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=20),
    st.sampled_from(
        ['"', "\\", " / ", " ; ", " = ", "陳大文", "[/b]",
         "🀄🎲", " ", "player 2", "end of record", "}", "holds 1 games, 2 events", "\ufeff"]
    ),
)  # fmt: skip
ODD_SEEDS = st.sampled_from(['"', "\\", " / ", " ; ", " = ", "种子", "🎲", " ", "end of record"])


@given(st.tuples(ODD_NAMES, ODD_NAMES), ODD_SEEDS)
def test_odd_names_and_seeds_come_back(names: tuple[str, str], seed: str) -> None:
    game, created = Game.create(CLASSIC, names, secret=SECRET, now=0, shuffle_version=1)
    game, seeded = game.apply(GiveSeed(1, seed), 1)
    game, dealt = game.apply(Start(), 2)
    game, drawn = game.apply(Draw(game.current), 3)
    record = Record.of(Match(CLASSIC, names)).with_events((*created, *seeded, *dealt, *drawn))
    assert from_jsonl(to_jsonl(record)) == record
    assert from_text(to_text(record)) == record
    assert load(to_text(record)) == record
    assert load("\ufeff\n" + to_jsonl(record)) == record
    assert from_text(to_text(record).replace("\n", "\r\n")) == record
    assert from_jsonl(to_jsonl(record).replace("\n", "\r\n")) == record
    assert verify(record) == []


def test_the_sample_holds_everything() -> None:
    record = short_record()
    assert from_jsonl(to_jsonl(record)) == from_text(to_text(record)) == record


def test_a_match_of_several_games_comes_back() -> None:
    record = match_record()
    assert len(record.games) == 2
    assert load(to_text(record)) == load(to_jsonl(record)) == record
    match = record.match()
    assert match.is_over
    assert len(match.results) == 2
    assert record.game(1).phase is Phase.OVER
    assert verify(record) == []


def test_a_record_cut_at_any_line_is_refused() -> None:
    record = short_record()
    for text, read in ((to_text(record), from_text), (to_jsonl(record), from_jsonl)):
        lines = text.splitlines(keepends=True)
        for count in range(len(lines)):
            cut = "".join(lines[:count])
            with pytest.raises(RecordError):
                read(cut)
            with pytest.raises(RecordError):
                load(cut)


@pytest.mark.parametrize("kind", ["text", "jsonl"])
def test_a_record_cut_at_any_byte_is_refused_or_whole(kind: str) -> None:
    record = short_record()
    text = to_text(record) if kind == "text" else to_jsonl(record)
    data = text.encode()
    places = [*range(0, len(data), max(1, len(data) // 300)), *range(len(data) - 80, len(data))]
    for place in places:
        cut = data[:place].decode(errors="ignore")
        try:
            assert load(cut) == record
        except RecordError:
            continue
        assert cut.strip() == text.strip()


@settings(max_examples=150)
@given(randoms)
def test_a_damaged_record_is_refused_or_read_and_checked_without_a_crash(
    rng: random.Random,
) -> None:
    record = short_record()
    text = to_text(record) if rng.random() < 0.5 else to_jsonl(record)
    letters = list(text)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(letters))
        what = rng.randrange(4)
        if what == 0:
            letters[place] = rng.choice('0123456789-.,;/="{}[]\\ \nrbkoJDCMx٣\x00\ud800')
        elif what == 1:
            del letters[place]
        elif what == 2:
            letters[place:place] = rng.choice(["0" * 30, "null", "9" * 5000, "[" * 2000, "-1", " "])
        else:
            other = rng.randrange(len(letters))
            letters[place], letters[other] = letters[other], letters[place]
    try:
        read = load("".join(letters))
    except RecordError:
        return
    verify(read)
    for number in range(len(read.games)):
        try:
            read.game(number)
        except RecordError:
            return


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a record"),
        ("hello", "not a record"),
        ("[]", "not a record"),
        ("{}", "line 1: a record begins with a line of format"),
        ("{", "line 1: not JSON"),
        ('{"a": NaN}', "line 1: not JSON"),
        ("{" + "[" * 100_000, "line 1: not JSON"),
        ("Tile Rummy record, schema", "whole number"),
        ("Tile Rummy record, schema x", "line 1: expected a whole number"),
        ("Tile Rummy record, schema 99\nholds 0 games, 0 events", "update tilerummy"),
        ("Tile Rummy record, schema 2", "ends before it says"),
        ("Tile Rummy record, schema 2\nnonsense", "line 2: cannot read 'nonsense'"),
        ('Tile Rummy record, schema 2\nplayer 2 "x"', "line 2: expected player 1"),
        ("Tile Rummy record, schema 2\nplayer 1 3", "line 2: expected a quoted text"),
        ("Tile Rummy record, schema 2\noption x = " + "[" * 100_000, "line 2: cannot read"),
        ("Tile Rummy record, schema 2\nrounds many", "line 2: expected a whole number"),
    ],
)
def test_what_is_not_a_record_is_refused_with_the_line(text: str, said: str) -> None:
    with pytest.raises(RecordError) as refused:
        load(text)
    assert said in str(refused.value)
    assert refused.value.code == "bad-record"


HEADER = json.loads(to_jsonl(Record.of(Match(CLASSIC, ("A", "B")))))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "format"),
        ({"schema": 99}, "update tilerummy"),
        ({"schema": None}, "schema"),
        ({"schema": True}, "schema"),
        ({"schema": "1"}, "schema"),
        ({"players": "AB"}, "players is a list"),
        ({"players": ["A", 3]}, "players is a list"),
        ({"players": ["A"]}, "is for 2 to 4 players, not 1"),
        ({"rounds": None}, "rounds is a whole number"),
        ({"rounds": 0}, "1 to 1000 rounds, not 0"),
        ({"rounds": True}, "rounds is a whole number"),
        ({"options": []}, "options is an object"),
        ({"options": {"x": 1}}, "unknown option"),
        ({"options": {"copies": 9}}, "copies"),
        ({"edition": None}, "unknown edition"),
        ({"edition": ["classic"]}, "unknown edition"),
        ({"games": 1}, "truncated or damaged"),
        ({"events": 7}, "truncated or damaged"),
        ({"games": None}, "truncated or damaged"),
        ({"games": False}, None),
    ],
)
def test_the_head_of_a_record_is_checked(change: dict[str, object], said: str | None) -> None:
    text = json.dumps({**HEADER, **change})
    if said is None:
        load(text)
        return
    with pytest.raises(RecordError) as refused:
        load(text)
    assert said in str(refused.value)


def test_the_head_of_a_text_is_checked_as_well() -> None:
    text = to_text(match_record())
    for old, new in (
        ("edition classic", "edition nobody"),
        ("rounds 1", "rounds 0"),
        ("hand_size = 5", "hand_size = 500"),
        ("hand_size = 5", "nonsense = 5"),
        ("holds 2 games", "holds 3 games"),
        ('player 2 "Ben"\n', ""),
    ):
        assert old in text
        with pytest.raises(RecordError):
            from_text(text.replace(old, new))


def test_nothing_comes_after_the_end_of_a_text() -> None:
    text = to_text(match_record())
    with pytest.raises(RecordError, match="nothing comes after"):
        from_text(text + text)
    assert from_text(text + "\n \n") == match_record()


def test_events_before_a_game_is_created_are_refused() -> None:
    record = match_record()
    broken = replace(record, games=(record.games[0][1:], *record.games[1:]))
    with pytest.raises(RecordError, match="created event"):
        from_jsonl(to_jsonl(broken))


def test_a_bad_event_is_refused_with_its_line() -> None:
    lines = to_jsonl(match_record()).splitlines()
    lines[2] = lines[2].replace('"schema": 3', '"schema": 4')
    with pytest.raises(RecordError, match="line 3: this event has schema 4"):
        from_jsonl("\n".join(lines))


def test_a_game_that_cannot_be_replayed_is_a_record_error() -> None:
    record = match_record()
    broken = replace(record, games=((record.games[0][0], *record.games[0][4:]),))
    with pytest.raises(RecordError, match="game 1 cannot be replayed"):
        broken.game(0)
    with pytest.raises(RecordError):
        record.game(9)
