"""The text of a record, as people read it."""

from __future__ import annotations

from tests.play.states import SECRET, SEED
from tilerummy.play.commands import Commit, FixCommitments, Reveal, Start
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.events import Cancelled, Drew, Ended, Event, Passed, Played, Seeded
from tilerummy.play.game import Game
from tilerummy.play.match import Match
from tilerummy.play.notation import from_text, to_text
from tilerummy.play.record import Record
from tilerummy.rules.editions import edition
from tilerummy.rules.rows import Kind
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import Row, parse_tile

RULES = edition("classic", {"joker.reuse": "any", "hand_size": 2})


def tiles(text: str) -> Row:
    return tuple(parse_tile(word) for word in text.split())


def record(*more: Event) -> Record:
    game, created = Game.create(RULES, ("Ann", "Ben"), secret=SECRET, now=0)
    made = seat_commitment(game.transcript, 0, SEED)
    setup: list[Event] = [*created]
    for command in (Commit(0, made), FixCommitments((1,)), Reveal(0, SEED), Start()):
        game, events = game.apply(command, 1)
        setup += events
    start = Record.of(Match(RULES, ("Ann", "Ben"), 3))
    return start.with_events((*setup, *more))


def test_the_head_of_a_text() -> None:
    lines = to_text(record()).splitlines()
    assert lines[:8] == [
        "Tile Rummy record, schema 3",
        "edition classic",
        "option hand_size = 2",
        'option joker.reuse = "any"',
        'player 1 "Ann"',
        'player 2 "Ben"',
        "rounds 3",
        "holds 1 games, 6 events",
    ]
    assert lines[-1] == "end of record"
    assert lines[9] == "game 1, starter by draw, @0"
    assert lines[11] == f"  secret {SECRET}"
    assert lines[12].startswith("  @1 commit 1 ")
    assert lines[13:15] == ["  @1 fixed own dealer", f"  @1 reveal 1 {SEED}"]


def test_every_event_has_its_line() -> None:
    row = tiles("r7.1 b7.2 J.1")
    draft = (row, tiles("o1.1"))
    secret, made = "ab" * 32, "cd" * 32
    events: list[tuple[Event, str]] = [
        (Seeded(4, 1, "a seed"), '  @4 seed 2 "a seed"'),
        (
            Cancelled(4, (0, 1), secret, made),
            f"  @4 cancelled, withheld by 1 2\n  commitment {made}\n  secret {secret}",
        ),
        (Played(5, 0, row, (row,)), "  @5 1 plays r7.1 b7.2 J.1 = r7.1 b7.2 J.1"),
        (
            Played(5, 1, row[:1], draft, {row: Kind.GROUP}, by_clock=True),
            "  @5 2 plays by clock r7.1 = r7.1 b7.2 J.1 / o1.1 ; group r7.1 b7.2 J.1",
        ),
        (Drew(6, 1, tiles("k9.2")), "  @6 2 draws k9.2"),
        (Drew(6, 1, tiles("k9.2"), "clock"), "  @6 2 draws k9.2 (clock)"),
        (
            Drew(6, 1, (), "penalty", draft, {row: Kind.GROUP}),
            "  @6 2 draws nothing (penalty) draft r7.1 b7.2 J.1 / o1.1 ; group r7.1 b7.2 J.1",
        ),
        (Drew(6, 1, (), "illegal", ()), "  @6 2 draws nothing (illegal) draft empty"),
        (Passed(7, 0), "  @7 1 passes"),
        (Passed(7, 0, "penalty", ()), "  @7 1 passes (penalty) draft empty"),
        (Passed(7, 0, unproven=True), "  @7 1 passes unproven"),
        (
            Passed(7, 0, "penalty", (), unproven=True),
            "  @7 1 passes unproven (penalty) draft empty",
        ),
        (Drew(6, 1, tiles("k9.2"), unproven=True), "  @6 2 draws unproven k9.2"),
        (
            Played(5, 0, row, (row,), by_clock=True, unproven=True),
            "  @5 1 plays by clock unproven r7.1 b7.2 J.1 = r7.1 b7.2 J.1",
        ),
        *(
            (
                Ended(8, end is not Ending.OUT, (0,), (24, -24), end),
                f"  @8 ends {end}, winner 1, scores 24 -24",
            )
            for end in Ending
        ),
        (
            Ended(-8, True, (), (0, 0), Ending.ALL_PASSED),
            "  @-8 ends all_passed, winner none, scores 0 0",
        ),
    ]
    for event, line in events:
        text = to_text(record(event))
        assert text.endswith(f"\n{line}\n\nend of record\n")
        assert from_text(text).games[0][-1] == event
