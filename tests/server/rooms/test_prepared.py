"""Types that threads decode are prepared at import: msgspec crashes if two threads prepare one."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from tilerummy.server.rooms.events import decode, encode
from tilerummy.server.rooms.fold import open_room
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.snapshot import freeze, thaw

room, event = open_room("a" * 32, "AAAAAA", Settings(), 1)
stored, frozen = encode(event), freeze(room)
prepared = []

def watch(frame, what, _):
    if frame.f_code.co_name == "get_class_annotations":
        prepared.append(frame.f_locals.get("obj"))

sys.setprofile(watch)
decode(stored)
thaw(frozen)
sys.setprofile(None)
print(sorted({each.__name__ for each in prepared}))
"""


def test_the_first_event_and_the_first_snapshot_find_their_types_prepared() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
