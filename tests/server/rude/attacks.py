"""All attacks by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tests.server.rude import frames, halves, readers, requests, rooms, solver
from tests.server.rude.arena import Attack

ATTACKS: Mapping[str, Attack] = {
    **{what: partial(frames.flood, what=what) for what in frames.FLOODS},
    "endless fragments": frames.endless_fragments,
    "interleaved fragments": frames.interleaved_fragments,
    "single bytes": frames.single_bytes,
    "unread pings": frames.unread_pings,
    "unread snapshots": readers.unread_snapshots,
    "unread events": readers.unread_events,
    "delayed snapshots": readers.delayed_snapshots,
    "briefly delayed snapshots": readers.briefly_delayed_snapshots,
    "delayed joins": readers.delayed_joins,
    "a byte a second": readers.a_byte_a_second,
    "unread downloads": readers.unread_downloads,
    **{what: partial(halves.half_open, what=what) for what in halves.BEGINNINGS},
    "trickled heads": partial(halves.trickles, what="heads"),
    "trickled bodies": partial(halves.trickles, what="bodies"),
    "churn": halves.churn,
    "storm": halves.storm,
    "health": requests.health,
    "page": requests.page,
    "room list": requests.room_list,
    "tiny headers": requests.tiny_headers,
    "tiny headers after another": requests.tiny_headers_after_another,
    "large heads": requests.large_heads,
    "tiny chunks": requests.tiny_chunks,
    "large bodies": requests.large_bodies,
    "garbage": requests.garbage,
    "long log": requests.long_log,
    "rules": requests.rules,
    "records": requests.records,
    "creations": requests.creations,
    "upgrades": requests.upgrades,
    "early frames": requests.early_frames,
    "resumes": requests.resumes,
    "talkers": rooms.talkers,
    "lobby changes": rooms.lobby_changes,
    "drafts": rooms.drafts,
    "refused plays": rooms.refused_plays,
    "hints": rooms.hints,
}
SOLVER: Mapping[str, Attack] = {
    "hard draws": solver.hard_draws,
    "hard bots": solver.hard_bots,
}
"""Those that make the solver search."""
