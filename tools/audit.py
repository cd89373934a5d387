"""Vulnerability audit of the pinned dependencies; a step of `make check`.

A finding fails. If no advisory service answers, the audit prints a warning and does not fail, so
that work can go on offline. An answer is cached for an hour. `--ignore-vuln ID` and all other
options are those of pip-audit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NotRequired, TypedDict

SERVICES = ("pypi", "osv")
HOUR = 3600.0
SKIPPED = "audit skipped: no advisory service reachable"


class Vulnerability(TypedDict):
    id: str
    fix_versions: list[str]


class Package(TypedDict):
    name: str
    version: NotRequired[str]
    vulns: NotRequired[list[Vulnerability]]  # missing when the service does not know the package


def pip_audit(lock: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip_audit", f"--requirement={lock}", "--require-hashes"]
    command += ["--disable-pip", "--format=json", "--progress-spinner=off", "--timeout=5"]
    return subprocess.run([*command, *options], capture_output=True, text=True)


def ask(lock: Path, service: str, options: list[str]) -> list[Package]:
    """What a service knows; nothing if it does not answer."""
    run = pip_audit(lock, f"--vulnerability-service={service}", *options)
    packages: list[Package] = json.loads(run.stdout)["dependencies"] if run.stdout else []
    # An index without advisories knows no package, and pip-audit would report that as a success.
    return packages if any("vulns" in package for package in packages) else []


def audit(lock: Path, services: list[str], options: list[str]) -> str:
    """The report; exits with an error if there is a finding."""
    for service in services:
        if packages := ask(lock, service, options):
            break
    else:
        reading = pip_audit(lock, "--dry-run", *options)
        if reading.returncode:
            sys.exit(f"error: the audit cannot read {lock}:\n{reading.stderr}")
        return SKIPPED

    findings = [
        f"error: {package['name']} {package['version']} is vulnerable: {vulnerability['id']}, "
        f"fixed in {', '.join(vulnerability['fix_versions']) or 'no version yet'}"
        for package in packages
        for vulnerability in package.get("vulns", [])
    ]
    if findings:
        sys.exit("\n".join(findings))
    unknown = [package["name"] for package in packages if "vulns" not in package]
    return f"not audited, as unknown to the service: {', '.join(unknown)}" if unknown else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lock", type=Path)
    parser.add_argument("--answer", type=Path, help="cache file of the latest answer")
    parser.add_argument("--service", choices=SERVICES, action="append", help="ask this one only")
    known, options = parser.parse_known_args()
    lock: Path = known.lock
    answer: Path | None = known.answer

    asked = hashlib.sha256(repr((options, lock.read_bytes())).encode()).hexdigest()
    if answer and answer.exists() and time.time() - answer.stat().st_mtime < HOUR:
        about, _, text = answer.read_text().partition("\n")
        if about == asked:
            print(text, end="")
            return
    text = audit(lock, known.service or list(SERVICES), options)
    text = f"{text}\n" if text else ""
    if answer:
        answer.write_text(f"{asked}\n{text}")
    print(text, end="")


if __name__ == "__main__":
    main()
