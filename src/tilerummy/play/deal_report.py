"""Deal reports: who took part in the shuffle of each game of a record, and who did not."""

from __future__ import annotations

from dataclasses import dataclass

from tilerummy.play.commit_reveal import SeedSource
from tilerummy.play.events import Cancelled, Created, Fixed
from tilerummy.play.record import Record


@dataclass(frozen=True, slots=True)
class DealReport:
    """How one game was dealt."""

    game: int
    """From 1."""
    shuffle_version: int
    sources: tuple[SeedSource, ...]
    """Where the seed of each seat came from; empty in shuffle version 1, which did not say."""
    withheld: tuple[tuple[int, ...], ...]
    """For each cancelled deal, the seats that did not reveal their seeds."""

    def seats_with(self, source: SeedSource) -> tuple[int, ...]:
        """The seats whose seed has this source."""
        return tuple([seat for seat, each in enumerate(self.sources) if each == source])


def deal_reports(record: Record) -> tuple[DealReport, ...]:
    """One report for each game of a record, in order. Verify the record first."""
    found = []
    for number, events in enumerate(record.games, 1):
        version = 1
        sources: tuple[SeedSource, ...] = ()
        withheld: list[tuple[int, ...]] = []
        for event in events:
            match event:
                case Created():
                    version = event.shuffle_version
                case Fixed():
                    sources = event.sources
                case Cancelled():
                    withheld.append(event.withheld)
        found.append(DealReport(number, version, sources, tuple(withheld)))
    return tuple(found)
