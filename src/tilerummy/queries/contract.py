"""What a question and an answer are: immutable values, with one JSON form each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeAlias

Request: TypeAlias = Mapping[str, Any]
"""A JSON object as it came in. Keys that a question does not name are ignored.

`from_json` may be given anything: the readers of `parsing` refuse what is not an object."""


class Answer(Protocol):
    """The answer to a question."""

    def to_json(self, lang: str = "en") -> Mapping[str, object]:
        """The answer as a JSON object, its sentences in a language."""
        ...


class Question(Protocol):
    """A question that holds all it needs: no session, no clock, no file.

    `from_json` checks what it reads. The constructor trusts its arguments.
    """

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Read a question. Raises TileRummyError that says what was given and what is possible."""
        ...

    def answer(self) -> Answer:
        """The answer. The same question has the same answer, time limits aside."""
        ...
