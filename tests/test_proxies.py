"""The configuration of both proxies, run by the proxies themselves where they are installed."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest

from tests.services import free_port

DEPLOY = Path(__file__).parents[1] / "deploy"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CADDY = shutil.which("caddy")
SECONDS = 60.0
NEW_HTTP2 = (1, 25, 1)
"""The first nginx that knows `http2 on`."""
INTERNAL = [
    "/metrics",
    "/metrics?x=1",
    "/%6Detrics",
    "/metric%73",
    "/%2E/metrics",
    "/a/../metrics",
    "/a/%2e%2e/metrics",
    "//metrics",
    "/readyz",
    "/%72eadyz",
    "//readyz?x",
]


class Seen(NamedTuple):
    path: str
    host: str


@pytest.fixture
def backend() -> Iterator[tuple[int, list[Seen]]]:
    """A node that only notes what it is asked, and answers its health checks."""
    seen: list[Seen] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.headers["User-Agent"] != "Go-http-client/1.1":
                seen.append(Seen(self.path, self.headers["Host"]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port, seen
        server.shutdown()
        thread.join()


def get(port: int, path: str, host: str = "game.example") -> tuple[int, str]:
    """The status, and where the answer sends the client."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    line.putrequest("GET", path, skip_host=True)
    line.putheader("Host", host)
    line.endheaders()
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status, answer.headers.get("Location", "")


@contextmanager
def running(
    command: list[str], port: int, environ: Mapping[str, str], host: str = "game.example"
) -> Iterator[None]:
    with subprocess.Popen(
        command, env=dict(environ), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as proxy:
        try:
            deadline = time.monotonic() + SECONDS
            while True:
                assert proxy.poll() is None, proxy.stderr and proxy.stderr.read()
                assert time.monotonic() < deadline, "the proxy does not answer"
                try:
                    status, _ = get(port, "/", host)
                except OSError:
                    time.sleep(0.02)
                    continue
                if status != 502:  # before its first health check
                    break
                time.sleep(0.02)
            yield
        finally:
            proxy.terminate()


def check_internal(port: int, seen: list[Seen], host: str = "game.example") -> None:
    assert get(port, "/rules", host)[0] == 200
    assert seen[-1].path == "/rules"
    seen.clear()
    for path in INTERNAL:
        get(port, path, host)
    # A node decodes a path and does nothing else to it.
    reached = {unquote(urlsplit(f"x:{each.path}").path) for each in seen}
    assert not reached & {"/metrics", "/readyz"}


def test_nginx_serves_as_configured(tmp_path: Path, backend: tuple[int, list[Seen]]) -> None:
    assert NGINX is not None, "nginx is not installed: tools/services"
    node, seen = backend
    plain, secure = free_port(), free_port()
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    told = subprocess.run([NGINX, "-v"], capture_output=True, text=True).stderr
    version = tuple(map(int, re.findall(r"\d+", told)[:3]))
    if version < NEW_HTTP2:  # what the comment says
        text = re.sub(r"\n    # Before nginx 1\.25\.1.*\n    http2 on;", "", text)
    text = re.sub(r"\n *listen \[::\].*", "", text)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{plain};")
    # Without TLS, for which a test has no certificate.
    text = re.sub(r"listen 443 ssl.*", f"listen 127.0.0.1:{secure};", text)
    text = re.sub(r"\n *(ssl_\w+|http2) .*", "", text)
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{node}")
    places = "\n".join(
        f"{name}_temp_path {tmp_path / name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log stderr; events {{ worker_connections 64; }}\n"
        f"http {{ access_log off;\n{places}\n{text}\n}}\n"
    )
    command = [NGINX, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    with running(command, secure, os.environ):
        assert get(plain, "/abc?d", "evil.example") == (301, "https://game.example/abc?d")
        check_internal(secure, seen)
        get(secure, "/rules", "evil.example")
        assert seen[-1].host == "game.example"


def test_caddy_serves_as_configured(tmp_path: Path, backend: tuple[int, list[Seen]]) -> None:
    assert CADDY is not None, "Caddy is not installed: tools/services"
    node, seen = backend
    port = free_port()
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    (tmp_path / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "SITE": f"http://game.example:{port}",
        "UPSTREAMS": f"127.0.0.1:{node}",
    }
    command = [CADDY, "run", "--config", str(tmp_path / "Caddyfile"), "--adapter", "caddyfile"]
    with running(command, port, environ):
        check_internal(port, seen)


def test_redirects_and_upstreams_never_name_the_host_of_the_client() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx.conf").read_text("utf-8"))
    assert "$host" not in text
    assert "$http_host" not in text
    assert text.count("game.example") == 6  # two of them in the paths of the certificate
    assert "http2 on;" in text
    assert not re.search(r"listen .*http2", text)
    assert "worker_connections 20000" in (DEPLOY / "nginx.conf").read_text("utf-8")
