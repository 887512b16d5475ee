"""A model provider on this machine that keeps every byte it is sent and always answers the same."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "parrot"
ANSWER = "I cannot tell.\nANSWER: {word}"


class Provider(ThreadingHTTPServer):
    """An OpenAI-shaped endpoint on a free port of the loopback address."""

    daemon_threads = True

    def __init__(self, word: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.word = word
        """What every answer says."""
        self.received: list[bytes] = []
        """Request lines, headers and bodies, in order of arrival."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self._keep(b"")
        self._reply({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._keep(body)
        message = {"role": "assistant", "content": ANSWER.format(word=self.server.word)}
        self._reply(
            {
                "id": "1", "object": "chat.completion", "created": 0, "model": MODEL,
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        )  # fmt: skip

    def _keep(self, body: bytes) -> None:
        head = f"{self.requestline}\r\n{self.headers}".encode()
        self.server.received.append(head + body)

    def _reply(self, document: object) -> None:
        data = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def provider(word: str) -> Iterator[Provider]:
    """Lend a running provider."""
    server = Provider(word)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
