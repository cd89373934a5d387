"""Bipartite matching with constraints: which tile of the old table lies where on the new one.

Physical tiles have one answer. Without ids (a position typed in by hand) equal tiles can be
assigned to places in several ways, and a turn is legal if one of them satisfies the joker rules.
One search handles both: every tile of the old table has the places where it may now lie (exactly
one when tiles have ids), and rules are data that list the combinations of places they forbid.

The search takes any complete matching, looks for a rule it breaks and branches on the ways to mend
just that, so it ends at once where nothing is ambiguous and never misses a matching that works.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tilerummy.rules.reasons import Reason
from tilerummy.rules.ticks import Tick, spend, ticking
from tilerummy.rules.tiles import Face

Place = int
Source = int
Domains = dict[Source, frozenset[Place]]

LOOKS_A_STEP = 64
"""Tiles or rules that are looked at in one step of a tick."""


@dataclass(frozen=True, slots=True)
class Forbid:
    """Broken when every named tile lies in one of the places named for it."""

    reason: Reason
    pattern: tuple[tuple[Source, frozenset[Place]], ...]


@dataclass(frozen=True, slots=True)
class NeedsRack:
    """Broken when the tile lies in `here` while fewer than `minimum` tiles of `row` are new."""

    reason: Reason
    source: Source
    here: frozenset[Place]
    row: frozenset[Place]
    minimum: int


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to satisfy a `Require`: tiles in places, new tiles in places, new tiles used up."""

    where: tuple[tuple[Source, frozenset[Place]], ...] = ()
    new_at: frozenset[Place] = frozenset()
    uses: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Require:
    """Satisfied by at least one alternative; a new tile is used up by one of them only."""

    reason: Reason
    alternatives: tuple[Alternative, ...]


@dataclass(slots=True)
class Problem:
    """Old tiles with their possible places, and the rules between them."""

    domains: Domains
    available: Counter[Face] = field(default_factory=Counter)
    forbids: list[Forbid] = field(default_factory=list)
    needs_rack: list[NeedsRack] = field(default_factory=list)
    requires: list[Require] = field(default_factory=list)
    tick: Tick | None = None

    def solvable(self) -> bool:
        """Whether some matching satisfies every rule."""
        return self.matching() is not None

    def matching(self) -> dict[Source, Place] | None:
        """Where each old tile lies so that every rule is satisfied, or None."""
        return _first(self._solve(domains) for domains in self._choose(list(self.requires)))

    def broken(self) -> list[Reason]:
        """The broken rules, as one matching breaks them; empty when `solvable`."""
        if self.solvable():
            return []
        found = [require.reason for require in self.requires if not any(self._choose([require]))]
        found += [rule.reason for rule in self.broken_rules()]
        if not found:  # each rule alone can be satisfied, all together not
            found += [rule.reason for rule in self.requires]
            found += [rule.reason for rule in self.forbids]
            found += [rule.reason for rule in self.needs_rack]
        return list(dict.fromkeys(found))

    def broken_rules(self) -> list[Forbid | NeedsRack]:
        """The place rules that an arbitrary matching breaks."""
        matching = _complete(self.domains)
        if matching is None:
            return []
        return [
            *(rule for rule in self.forbids if _breaks(rule, matching)),
            *(rule for rule in self.needs_rack if _lacks_rack(rule, matching)),
        ]

    def _tick(self) -> None:
        """Tick before all tiles and all rules are looked at."""
        if self.tick is not None:
            spend(self.tick, 1 + (len(self.domains) + len(self.forbids)) // LOOKS_A_STEP)

    def _choose(
        self,
        requires: list[Require],
        domains: Domains | None = None,
        available: Mapping[Face, int] | None = None,
        new: frozenset[Place] = frozenset(),
    ) -> Iterator[Domains]:
        """Domains after taking one alternative of each requirement.

        A new tile serves one requirement only: it is used up, and so is its place.
        """
        self._tick()
        domains = self.domains if domains is None else domains
        available = self.available if available is None else available
        if not requires:
            if _complete(domains) is not None:
                yield domains
            return
        first, *rest = requires
        for alternative in ticking(first.alternatives, self.tick):
            left = Counter(available)
            left.subtract(alternative.uses)
            if any(left[face] < 0 for face in alternative.uses) or new & alternative.new_at:
                continue
            narrowed = _narrow(domains, alternative)
            if narrowed is not None:
                yield from self._choose(rest, narrowed, left, new | alternative.new_at)

    def _solve(self, domains: Domains) -> dict[Source, Place] | None:
        self._tick()
        matching = _complete(domains)
        if matching is None:
            return None
        for rule in self.forbids:
            if _breaks(rule, matching):
                return _first(self._solve(branch) for branch in _escape(domains, rule.pattern))
        for need in self.needs_rack:
            if _lacks_rack(need, matching):
                inside = [(s, need.row) for s, place in matching.items() if place in need.row]
                ways = ((need.source, need.here), *inside)
                return _first(self._solve(branch) for branch in _escape(domains, ways))
        return matching


def _first(
    matchings: Iterator[dict[Source, Place] | None],
) -> dict[Source, Place] | None:
    return next((matching for matching in matchings if matching is not None), None)


def _breaks(rule: Forbid, matching: Mapping[Source, Place]) -> bool:
    return all(matching[source] in places for source, places in rule.pattern)


def _lacks_rack(rule: NeedsRack, matching: Mapping[Source, Place]) -> bool:
    if matching[rule.source] not in rule.here:
        return False
    old = sum(place in rule.row for place in matching.values())
    return len(rule.row) - old < rule.minimum


def _escape(
    domains: Domains, pattern: tuple[tuple[Source, frozenset[Place]], ...]
) -> Iterator[Domains]:
    """Domains in which the first, or the second, … tile of a pattern is kept out of its places."""
    held = domains
    for source, places in pattern:
        outside = held[source] - places
        if outside:
            yield {**held, source: outside}
        inside = held[source] & places
        if not inside:
            return
        held = {**held, source: inside}


def _narrow(domains: Domains, alternative: Alternative) -> Domains | None:
    narrowed = dict(domains)
    for source, places in alternative.where:
        narrowed[source] &= places
        if not narrowed[source]:
            return None
    if alternative.new_at:
        for source, places in narrowed.items():
            if places & alternative.new_at:
                narrowed[source] = places - alternative.new_at
                if not narrowed[source]:
                    return None
    return narrowed


def _complete(domains: Domains) -> dict[Source, Place] | None:
    """A matching of every tile to a place of its own (augmenting paths), or None."""
    holder: dict[Place, Source] = {}

    def settle(source: Source, seen: set[Place]) -> bool:
        for place in domains[source]:
            if place in seen:
                continue
            seen.add(place)
            if place not in holder or settle(holder[place], seen):
                holder[place] = source
                return True
        return False

    for source in domains:
        if not settle(source, set()):
            return None
    return {source: place for place, source in holder.items()}
