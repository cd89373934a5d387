"""Declarations in the JSON of questions and answers."""

from __future__ import annotations

from typing import TypedDict, cast

from tilerummy.rules.declarations import Declared, plain
from tilerummy.rules.tiles import face_texts

DeclarationJson = TypedDict("DeclarationJson", {"set": list[str], "as": str | list[str]})
"""What a row is: a kind of set, or the tile that each of its places stands for."""


def declared_json(declared: Declared) -> list[DeclarationJson]:
    """`[{"set": ["r8", "J", "J"], "as": ["r8", "b8", "k8"]}]`."""
    return cast(list[DeclarationJson], plain(declared, face_texts))
