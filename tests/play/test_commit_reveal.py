"""Commit–reveal before a deal: what is accepted when, and what a cancelled deal leaves behind."""

from __future__ import annotations

import hashlib

import pytest

from tests.play.states import NAMES, SECRET, SEED
from tilerummy.play.commands import CancelDeal, Command, Commit, FixCommitments, Reveal, Start
from tilerummy.play.commit_reveal import (
    MOST_WITHHELD,
    dealer_seed,
    first_transcript,
    next_transcript,
    seat_commitment,
)
from tilerummy.play.events import Cancelled
from tilerummy.play.game import Game
from tilerummy.play.refusals import Refused
from tilerummy.play.shuffle import SeedError, commitment
from tilerummy.rules.editions import CLASSIC


def created(players: int = 2) -> Game:
    return Game.create(CLASSIC, NAMES[:players], secret=SECRET, now=0)[0]


def after(game: Game, *commands: Command) -> Game:
    for command in commands:
        game, _ = game.apply(command, 0)
    return game


def refusal(game: Game, command: Command) -> str:
    with pytest.raises(Refused) as caught:
        game.apply(command, 0)
    return caught.value.code


def made(game: Game, seat: int, seed: str = SEED) -> Commit:
    return Commit(seat, seat_commitment(game.transcript, seat, seed))


def secret(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def test_the_hashes_are_over_the_documented_texts() -> None:
    def sha(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    assert first_transcript(3, "ab") == sha('["tilerummy-deal-2",3,"ab"]')
    assert next_transcript("ab", ("cd", None), (None, None), "ef") == sha(
        '["tilerummy-deal-2","ab",["cd",null],[null,null],"ef"]'
    )
    assert seat_commitment("ab", 1, SEED) == sha(f'["tilerummy-commit-2","ab",1,"{SEED}"]')
    assert len(dealer_seed(SECRET, "ab", 1)) == 64
    assert dealer_seed(SECRET, "ab", 1) != dealer_seed(SECRET, "ab", 0)


@pytest.mark.parametrize("seed", ["", "5eed", SEED.upper(), SEED + "x", "0" * 65])
def test_a_seed_is_long_enough_that_nobody_guesses_it(seed: str) -> None:
    with pytest.raises(SeedError, match="32 to 64 lower-case hexadecimal digits"):
        seat_commitment("ab", 0, seed)


def test_nothing_is_revealed_before_the_commitments_are_fixed() -> None:
    game = after(created(), made(created(), 0))
    assert refusal(game, Reveal(0, SEED)) == "not-fixed"
    assert refusal(game, Start()) == "not-fixed"
    assert refusal(game, CancelDeal(secret(1))) == "not-fixed"


def test_fixed_commitments_stay_as_they_are() -> None:
    game = after(created(), made(created(), 0), FixCommitments())
    assert refusal(game, made(game, 1)) == "already-fixed"
    assert refusal(game, made(game, 0, SEED[::-1])) == "already-fixed"
    assert refusal(game, FixCommitments()) == "already-fixed"
    assert refusal(game, Start()) == "seeds-missing"


def test_a_seat_commits_once_and_to_a_hash() -> None:
    game = after(created(), made(created(), 0))
    assert refusal(game, made(game, 0, SEED[::-1])) == "seed-given"
    assert refusal(game, made(game, 2)) == "unknown-seat"
    for text in ("", "ab", "AB" * 32, "zz" * 32):
        assert refusal(game, Commit(1, text)) == "bad-seed"


def test_only_the_seed_that_was_committed_to_is_accepted_and_once() -> None:
    game = after(created(), made(created(), 0), FixCommitments())
    assert refusal(game, Reveal(0, SEED[::-1])) == "bad-opening"
    assert refusal(game, Reveal(1, SEED)) == "bad-opening"
    assert refusal(game, Reveal(0, "short")) == "bad-seed"
    game = after(game, Reveal(0, SEED))
    assert refusal(game, Reveal(0, SEED)) == "seed-given"


def test_a_copied_commitment_cannot_be_opened() -> None:
    game = created()
    own = made(game, 0)
    game = after(game, own, Commit(1, own.commitment), FixCommitments(), Reveal(0, SEED))
    assert refusal(game, Reveal(1, SEED)) == "bad-opening"


def test_a_cancelled_deal_is_followed_by_another_one() -> None:
    first = after(created(3), made(created(3), 0), made(created(3), 1), FixCommitments((2,)))
    first = after(first, Reveal(0, SEED))
    assert refusal(first, CancelDeal(SECRET)) == "bad-seed"
    game, (event,) = first.apply(CancelDeal(secret(1)), 7)
    assert event == Cancelled(7, (1,), secret(1), commitment(secret(1)))
    assert game.is_waiting
    assert not game.is_fixed
    assert game.transcript != first.transcript
    assert game.commitments == game.seeds == (None, None, None)
    (cancelled,) = game.cancelled
    assert (cancelled.secret, cancelled.seeds) == (SECRET, (SEED, None, None))
    assert cancelled.withheld == (1,)
    stale = made(first, 0)
    game = after(game, stale, FixCommitments())
    assert refusal(game, Reveal(0, SEED)) == "bad-opening", "it was for the deal before"


def test_a_seat_that_withholds_too_often_plays_with_the_default_seed() -> None:
    game = created()
    for number in range(MOST_WITHHELD):
        assert game.may_commit(1)
        game = after(game, made(game, 0), made(game, 1), FixCommitments(), Reveal(0, SEED))
        game = after(game, CancelDeal(secret(number)))
    assert not game.may_commit(1)
    assert game.may_commit(0)
    assert refusal(game, made(game, 1)) == "seed-withheld"
    game = after(game, made(game, 0), FixCommitments(), Reveal(0, SEED), Start())
    assert game.sources == ("own", "default")
    assert game.fairness().seeds == (SEED, "-")


def test_a_deal_with_all_its_seeds_cannot_be_cancelled() -> None:
    game = after(created(), made(created(), 0), FixCommitments(), Reveal(0, SEED))
    assert refusal(game, CancelDeal(secret(1))) == "not-fixed"
