"""Shows an address in the user's browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping


def has_screen(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser would have windows: one of the terminal would be in the server's way."""
    return platform in ("darwin", "win32") or any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


def show(address: str) -> None:
    """Open it where that is possible. Does not block: some systems take seconds."""
    if has_screen():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
