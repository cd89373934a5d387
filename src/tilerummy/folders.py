"""Where a user's files are kept, by the customs of each system."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """What the system sets aside for a user's data. It need not exist."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        base = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "tilerummy"
