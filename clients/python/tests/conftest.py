from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest



class Service:
    """A server that answers each request with the next reply: a status, headers and a body, or None to hang up."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, dict[str, str], Any] | None] = []
        self.requests: list[dict[str, Any]] = []
        self.url = ""

    def add(self, body: Any, status: int = 200, **headers: str) -> None:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.replies.append((status, names, body))

    def fail(self, code: str, status: int, **more: Any) -> None:
        headers = more.pop("headers", {})
        body = {"success": False, "error": {"code": code, "message": "Not now.", "retryable": True, **more}}
        self.replies.append((status, {"x-request-id": "request-1", **headers}, body))


@pytest.fixture
def service() -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.requests.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
            reply = state.replies.pop(0)
            if reply is None:
                self.close_connection = True
                return
            status, headers, content = reply
            text = content if isinstance(content, str) else json.dumps(content)
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(text.encode()))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def delays(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The delays of the client, which pass at once."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(time, "sleep", found.append)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return found
