"""A small OpenAI-compatible server that replies from a table: the last user message it gets, the text it gives back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

MODEL = "scripted"


@dataclass
class ScriptedModel:
    """What the server replies with, and what it was asked."""

    reply: Callable[[str], str]
    """From the last user message to the reply."""
    stop_after: int | None = None
    """Requests that are answered; later ones are left hanging until `release`."""
    bodies: list[bytes] = field(default_factory=list)
    """Every request body, as received."""
    stuck: Event = field(default_factory=Event)
    """Set once a request is left hanging."""
    release: Event = field(default_factory=Event)
    base_url: str = ""

    def answer(self, body: bytes) -> bytes:
        self.bodies.append(body)
        if self.stop_after is not None and len(self.bodies) > self.stop_after:
            self.stuck.set()
            self.release.wait()
        asked = json.loads(body)["messages"][-1]
        assert asked["role"] == "user", asked
        return completion(self.reply(asked["content"]))

    def go_on(self) -> None:
        """Answer everything from now on, and let go of what hangs."""
        self.stop_after = None
        self.release.set()

    def asked(self) -> list[str]:
        """Return the last user message of every request."""
        return [json.loads(body)["messages"][-1]["content"] for body in self.bodies]


def completion(text: str) -> bytes:
    """Return a response body with one message."""
    message = {"role": "assistant", "content": text}
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    ).encode()


@contextmanager
def serving(model: ScriptedModel) -> Iterator[ScriptedModel]:
    """Serve on a free loopback port; on leaving, let hanging requests go and stop."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    model.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield model
    finally:
        model.release.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._send(model.answer(body))

        def do_GET(self) -> None:
            self._send(json.dumps({"object": "list", "data": [{"id": MODEL, "object": "model"}]}).encode())

        def _send(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            with suppress(ConnectionError):  # who asked may have been killed meanwhile
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
