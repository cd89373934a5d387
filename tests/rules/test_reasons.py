"""Reasons say what is wrong, for programs and in logs."""

from tilerummy.rules.reasons import Reason
from tilerummy.rules.tiles import parse_row


def test_a_reason_reads_as_code_and_tiles() -> None:
    assert str(Reason("too-short", parse_row("r7 b7"))) == "too-short: r7 b7"
    assert str(Reason("nothing-played")) == "nothing-played"


def test_reasons_compare_by_what_they_say_and_can_be_collected() -> None:
    row = parse_row("r2 r3")
    one, other = Reason("gap", row, {"row": 0}), Reason("gap", row, {"row": 1})
    assert one != other
    assert len({one, other, Reason("gap", row, {"row": 0})}) == 2
