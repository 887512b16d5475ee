"""Any OpenAI-compatible endpoint, through the `openai` client: llama.cpp, vLLM, Ollama, hosted vendors.

The client's own retries are off and its parsing is not used: a body is read by `engine.models.replies`, so that every
fault has one meaning. Importing the client takes half a second, so it is loaded with the first endpoint only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from engine.canonical import Json
from engine.errors import UsageError, quoted
from engine.models.replies import read_reply
from engine.models.solver import Completion, Fault, Parameters, Question

if TYPE_CHECKING:
    from openai import AsyncOpenAI

PREFIX = "openai:"
HOSTED = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
HIDDEN = "[key]"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_installed() -> bool:
    """Say whether the client is there, without loading it."""
    return find_spec("openai") is not None


def normal_url(base_url: str) -> str:
    """Return a base URL without credentials, query and closing slash, host in lower case.

    Raises:
        UsageError: it is no http or https address.
    """
    parts = urlsplit(base_url.strip())
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise UsageError(f"base URL {quoted(base_url)} is not usable; such as http://127.0.0.1:8080/v1 is right")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    place = host if parts.port is None else f"{host}:{parts.port}"
    return urlunsplit((parts.scheme.lower(), place, parts.path.rstrip("/"), "", ""))


def is_loopback(base_url: str) -> bool:
    """Say whether an endpoint is on this machine."""
    return urlsplit(base_url).hostname in LOOPBACK


def open_endpoint(model: str, *, base_url: str | None = None, key_variable: str | None = None) -> OpenAIEndpoint:
    """Return the solver for a model at an endpoint; nothing is sent.

    Args:
        key_variable: environment variable that holds the key. None: OPENAI_API_KEY, needed off this machine only.

    Raises:
        UsageError: the client is not installed, the URL is not usable, or the variable is not set.
    """
    if not is_installed():
        raise UsageError("the openai client is not installed; pip install 'clew[models]'")
    url = normal_url(base_url or HOSTED)
    key = os.environ.get(key_variable or KEY_VARIABLE, "")
    if not key and (key_variable or not is_loopback(url)):
        raise UsageError(f"environment variable {key_variable or KEY_VARIABLE} is not set; it has to hold the key")
    return OpenAIEndpoint(model, url, key)


class OpenAIEndpoint:
    """One model at one endpoint (`engine.models.solver.Solver`)."""

    def __init__(self, model: str, base_url: str, key: str) -> None:
        self._model = model
        self._base_url = base_url
        self._key = key
        self._client: AsyncOpenAI | None = None

    @property
    def name(self) -> str:
        return f"{PREFIX}{self._model}"

    def __repr__(self) -> str:
        return f"<OpenAIEndpoint {self._model!r} at {self._base_url}>"

    def identity(self) -> Mapping[str, Json]:
        return {"adapter": "openai", "base_url": self._base_url, "model": self._model}

    def versions(self) -> str:
        return f"openai {metadata.version('openai')}"

    def request(self, question: Question, parameters: Parameters) -> Mapping[str, object]:
        body: dict[str, object] = {
            "model": self._model,
            "messages": [message.document() for message in question.messages],
        }
        if parameters.temperature is not None:
            body["temperature"] = float(parameters.temperature)
        if parameters.max_tokens is not None:
            body["max_tokens"] = parameters.max_tokens
        if parameters.seed is not None:
            body["seed"] = parameters.seed
        match question.mode:
            case "schema":
                named = {"name": "answer", "strict": True, "schema": json.loads(question.schema)}
                body["response_format"] = {"type": "json_schema", "json_schema": named}
            case "grammar":
                body["grammar"] = question.schema
            case "text":
                pass
        return body | {name: json.loads(value) for name, value in parameters.extra}

    async def ask(self, question: Question, parameters: Parameters, timeout_s: float) -> Completion:
        import openai

        client = self._opened()
        body = dict(self.request(question, parameters))
        known: dict[str, Any] = {"model": body.pop("model"), "messages": body.pop("messages")}
        try:
            reply = await client.chat.completions.with_raw_response.create(**known, extra_body=body, timeout=timeout_s)
            status, headers, text = reply.http_response.status_code, reply.http_response.headers, reply.text
        except openai.APIStatusError as error:
            status, headers, text = error.response.status_code, error.response.headers, error.response.text
        except openai.APITimeoutError as error:
            raise Fault("timeout", f"no answer within {timeout_s:.0f} s") from error
        except openai.APIConnectionError as error:
            cause = f"{type(error.__cause__).__name__}: {error.__cause__}" if error.__cause__ else str(error)
            raise Fault("connection", f"no connection to {self._base_url}: {self._scrubbed(cause)}") from error
        try:
            return read_reply(status, _lower(headers), self._scrubbed(text), now=datetime.now(UTC))
        except Fault as fault:
            fault.message = self._scrubbed(fault.message)
            raise

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _opened(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI

            # The client insists on a key of some kind; local servers take any.
            self._client = AsyncOpenAI(api_key=self._key or "none", base_url=self._base_url, max_retries=0)
        return self._client

    def _scrubbed(self, text: str) -> str:
        return text.replace(self._key, HIDDEN) if self._key else text


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
