"""`tools/audit.py`: a finding fails, and an audit that did not take place is never silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

AUDIT = Path(__file__).parent.parent / "tools" / "audit.py"
ADVISORY = {
    "id": "PYSEC-2099-1",
    "summary": "Tiles fall off the table.",
    "affected": [
        {
            "package": {"name": "tiles", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.1"}]}],
        }
    ],
}
UNKNOWN = {"name": "tiles", "skip_reason": "Dependency not found"}


class Advisories(HTTPServer):
    """Speaks as OSV does, and says the same about every package."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.known: list[object] = []
        self.questions = 0

    @property
    def options(self) -> list[str]:
        return ["--service=osv", f"--osv-url=http://127.0.0.1:{self.server_port}"]


class Answer(BaseHTTPRequestHandler):
    server: Advisories

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.questions += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(
            json.dumps({"vulns": self.server.known} if self.server.known else {}).encode()
        )

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def advisories() -> Iterator[Advisories]:
    with Advisories() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "requirements.lock"
    path.write_text(f"tiles==1.0 --hash=sha256:{'0' * 64}\n")
    return path


def audit(
    lock: Path, *options: str, module: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONPATH": str(module or "")}
    command = [sys.executable, str(AUDIT), str(lock), *options]
    return subprocess.run(command, capture_output=True, text=True, env=environ)


def test_finding_fails(lock: Path, advisories: Advisories) -> None:
    advisories.known = [ADVISORY]
    run = audit(lock, *advisories.options)
    assert run.returncode == 1
    assert run.stderr == "error: tiles 1.0 is vulnerable: PYSEC-2099-1, fixed in 1.1\n"


def test_finding_may_be_accepted(lock: Path, advisories: Advisories) -> None:
    advisories.known = [ADVISORY]
    run = audit(lock, *advisories.options, "--ignore-vuln=PYSEC-2099-1")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_answer_holds_for_an_hour_and_for_the_same_lock(
    lock: Path, advisories: Advisories, tmp_path: Path
) -> None:
    answer = tmp_path / "answer"
    options = [*advisories.options, f"--answer={answer}"]
    for _ in range(2):
        assert audit(lock, *options).returncode == 0
    assert advisories.questions == 1

    os.utime(answer, (0, 0))
    assert audit(lock, *options).returncode == 0
    assert advisories.questions == 2

    lock.write_text(lock.read_text().replace("1.0", "1.0.1"))
    advisories.known = [ADVISORY]
    for _ in range(2):
        assert audit(lock, *options).returncode == 1


def test_silence_of_the_service_is_reported(lock: Path, tmp_path: Path) -> None:
    nobody = ["--service=osv", "--osv-url=http://127.0.0.1:1", f"--answer={tmp_path / 'answer'}"]
    for _ in range(2):
        run = audit(lock, *nobody)
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout == "audit skipped: no advisory service reachable\n"


def test_service_that_knows_no_package_has_audited_nothing(lock: Path, tmp_path: Path) -> None:
    (tmp_path / "pip_audit.py").write_text(f"print({json.dumps({'dependencies': [UNKNOWN]})!r})")
    run = audit(lock, module=tmp_path)
    assert run.stdout == "audit skipped: no advisory service reachable\n"


def test_lock_that_cannot_be_read_fails(lock: Path) -> None:
    lock.write_text("tiles\n")
    run = audit(lock, "--service=osv", "--osv-url=http://127.0.0.1:1")
    assert run.returncode == 1
    assert "cannot read" in run.stderr
