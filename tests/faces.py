"""The four jokers of the rule books by name, for examples."""

from __future__ import annotations

from tilerummy.rules.tiles import parse_faces

JOKER, DOUBLE, CHANGE, MIRROR = parse_faces("JDCM")
