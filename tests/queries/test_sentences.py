"""The sentences for the steps of a turn, in every language."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from tests.rules.strategies import random_row, randoms
from tests.solver.steps.test_planner import mixed_up
from tilerummy.locales import LANGUAGES
from tilerummy.queries import step_text, step_texts
from tilerummy.rules.editions import TWIST
from tilerummy.rules.tiles import ALL_FACES, parse_row, parse_table, unidentified
from tilerummy.solver.steps.planner import plan_steps
from tilerummy.solver.steps.step import Step, StepKind


def sentences_of(before: str, after: str, lang: str = "en") -> list[str]:
    table = parse_table(before)
    return step_texts(table, plan_steps(table, parse_table(after)), lang)


@pytest.mark.parametrize(
    ("before", "after", "sentences"),
    [
        (
            "b4 k4 o4 r4",
            "k4 o4 r4 / b3 b4 b5 b6",
            ["Take blue 4 from the fours.", "Put down blue 3 4 5 6 as a new set."],
        ),
        ("k6 k7 k8", "k6 k7 k8 k9", ["Add black 9 to the end of the black run 6 7 8."]),
        (
            "k6 k7 k8",
            "k5 k6 k7 k8 k9",
            ["Add black 5 and black 9 to both ends of the black run 6 7 8."],
        ),
        ("r8 k8 o8", "b8 r8 k8 o8", ["Add blue 8 to the eights."]),
        ("", "r7 b7 J", ["Put down red 7, blue 7 and the joker as a new set."]),
        (
            "r5 r6 J",
            "r5 r6 r7 / k11 k12 J",
            [
                "Replace the joker with red 7 in the red run 5 6 J.",
                "Put down black 11 12 J as a new set.",
            ],
        ),
        ("r5 r6 J", "J r5 r6", ["Move the joker to the front of the red run 5 6 J."]),
        (
            "r1 r2 r3 r4 r5",
            "r1 r2 r3 / r3 r4 r5",
            ["Split the red run 1 2 3 4 5 with red 3 into red 1 2 3 and red 3 4 5."],
        ),
        (
            "r1 r2 r3 r4 r5 r6",
            "r1 r2 r3 / r4 r5 r6",
            ["Split the red run 1 2 3 4 5 6 into red 1 2 3 and red 4 5 6."],
        ),
        (
            "r1 r2 r3 / r4 r5 r6 / k1 b1 o1",
            "r1 r2 r3 r4 r5 r6 / k1 b1 o1 r1",
            ["Join the red run 4 5 6 to the end of the red run 1 2 3.", "Add red 1 to the ones."],
        ),
        (
            "r4 r5 r6 r7 / b4 k4 o4",
            "r5 r6 r7 / r4 b4 k4 o4",
            ["Move red 4 from the red run 4 5 6 7 to the fours."],
        ),
        ("b5 C r7", "b5 C r7 r8", ["Add red 8 to the end of the set b5 C r7."]),
        ("r4 b4 k4 / r4 b4 o4", "r4 b4 k4 o4 / r4 b4 o4", ["Add orange 4 to the fours r4 b4 k4."]),
    ],
)
def test_a_step_is_a_sentence(before: str, after: str, sentences: list[str]) -> None:
    assert sorted(sentences_of(before, after)) == sorted(sentences)


def test_rows_taken_up_as_a_whole_are_described_so() -> None:
    sentences = sentences_of("r7 b7 k7 / r8 b8 k8 / r9 b9 k9", "r7 r8 r9 / b7 b8 b9 / k7 k8 k9")
    assert sentences[:3] == ["Pick up the sevens.", "Pick up the eights.", "Pick up the nines."]


def test_the_same_in_chinese() -> None:
    assert sentences_of("b4 k4 o4 r4", "k4 o4 r4 / b3 b4 b5 b6", "zh-Hans") == [
        "从数字 4 的群组拿出蓝4。",
        "摆出蓝3、4、5、6。",
    ]
    assert sentences_of("k6 k7 J", "k5 k6 k7 J", "zh-Hant") == [
        "把黑5加到黑色順組（6、7、J）的前面。"
    ]


def test_the_fourth_colour_is_called_as_the_box_calls_it() -> None:
    step = Step(StepKind.LAY, parse_row("o1 o2 o3"), result=(parse_row("o1 o2 o3"),))
    assert step_text(step, "en") == "Put down orange 1 2 3 as a new set."
    assert step_text(step, "en", TWIST) == "Put down yellow 1 2 3 as a new set."


@given(randoms)
def test_every_step_has_a_sentence_in_every_language(rng: random.Random) -> None:
    before = tuple(unidentified(random_row(rng, TWIST)) for _ in range(rng.randint(0, 5)))
    played = [*unidentified([rng.choice(ALL_FACES) for _ in range(rng.randint(1, 4))])]
    way = plan_steps(before, mixed_up(rng, before, played, wild=rng.random() < 0.5))
    for lang in LANGUAGES:
        sentences = step_texts(before, way, lang, TWIST)
        assert len(sentences) == len(way)
        for sentence in sentences:
            assert sentence.endswith("." if lang == "en" else "。")
            assert "{" not in sentence
            assert "  " not in sentence
