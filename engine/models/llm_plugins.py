"""Models of the `llm` command and its plugins, as solvers named `llm:ID`.

Never streamed: a stream loses why the text ended. The library has hidden retries and no short timeout, so each request
runs in a thread of its own that nobody waits for at the end, under the runner's deadline; `versions` says so.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from types import TracebackType
from typing import Any, TypeVar

from engine.canonical import Json
from engine.errors import UsageError, quoted
from engine.models.replies import read_reply
from engine.models.solver import Completion, Fault, Message, Parameters, Question, Usage

PREFIX = "llm:"
Result = TypeVar("Result")


def model_ids() -> tuple[str, ...]:
    """Return the ids of all models that the installed plugins offer, sorted."""
    return tuple(sorted(_models()))


def _models() -> dict[str, Any]:
    """Return all models by id. Plugins are loaded here, in the caller's thread: loading them in several fails."""
    import llm

    return {model.model_id: model for model in llm.get_models()}


class LlmPlugin:
    """One model of the llm command (`engine.models.solver.Solver`)."""

    def __init__(self, model: Any) -> None:
        self._model = model

    @classmethod
    def find(cls, identity: str) -> LlmPlugin:
        """Return the solver for a model.

        Raises:
            UsageError: no plugin offers it, or its key is not set.
        """
        models = _models()
        if identity not in models:
            known = ", ".join(sorted(models)) or "none; llm install NAME adds some"
            raise UsageError(f"llm has no model {quoted(identity)}; known: {known}")
        model = models[identity]
        if model.needs_key and not model.get_key():
            raise UsageError(f"model {identity!r} needs a key: llm keys set {model.needs_key}, or {model.key_env_var}")
        return cls(model)

    @property
    def name(self) -> str:
        return f"{PREFIX}{self._model.model_id}"

    def identity(self) -> Mapping[str, Json]:
        return {"adapter": "llm", "base_url": getattr(self._model, "api_base", None) or "", "model": self.name}

    def versions(self) -> str:
        return f"llm {metadata.version('llm')}, retries unknown"

    def request(self, question: Question, parameters: Parameters) -> Mapping[str, object]:
        body: dict[str, object] = {
            "model": self._model.model_id,
            "messages": [message.document() for message in question.messages],
            **_options(parameters),
        }
        return body | ({"schema": json.loads(question.schema)} if question.mode == "schema" else {})

    async def ask(self, question: Question, parameters: Parameters, timeout_s: float) -> Completion:
        if question.mode == "grammar":
            raise Fault("bad_request", "llm takes no grammar; text and schema are its output modes")
        schema = json.loads(question.schema) if question.mode == "schema" else None
        options = _options(parameters)
        return await _in_thread(lambda: self._completed(question.messages, schema, options))

    async def close(self) -> None:
        return None

    def _completed(self, messages: tuple[Message, ...], schema: object, options: Mapping[str, object]) -> Completion:
        import llm

        roles = {"system": llm.system, "user": llm.user, "assistant": llm.assistant}
        told = [roles[message.role](message.text) for message in messages]
        try:
            response = self._model.prompt(messages=told, schema=schema, options=dict(options), stream=False)
            text = response.text()
        except Exception as error:
            return _recovered(error)
        return _completion(text, response)


def _options(parameters: Parameters) -> dict[str, object]:
    given: dict[str, object] = {
        "temperature": None if parameters.temperature is None else float(parameters.temperature),
        "max_tokens": parameters.max_tokens,
        "seed": parameters.seed,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return chosen | {name: json.loads(value) for name, value in parameters.extra}


def _completion(text: str, response: Any) -> Completion:
    """Return what came; why it ended stands in the body only, where the plugin keeps it in the common form."""
    body = response.response_json
    if isinstance(body, dict) and body.get("choices"):
        return read_reply(200, {}, json.dumps(body), now=datetime.now(UTC))
    usage = response.usage()
    return Completion(
        text=text,
        usage=Usage(prompt=usage.input, completion=usage.output),
        served_model=response.resolved_model or None,
        raw=json.dumps(body, default=str) if body is not None else "",
    )


def _recovered(error: Exception) -> Completion:
    """Return the answer that an exception would lose, or raise the fault that the exception is.

    The library's own plugin reads the usage before it keeps the answer, so that a reply without usage raises; the reply
    still stands in the frame that raised.
    """
    reply = _local(error.__traceback__, "completion")
    if isinstance(error, AttributeError) and hasattr(reply, "model_dump_json"):
        return read_reply(200, {}, str(reply.model_dump_json()), now=datetime.now(UTC))
    answer = getattr(error, "response", None)
    if answer is not None and hasattr(answer, "status_code"):
        headers = {name.lower(): value for name, value in answer.headers.items()}
        read_reply(answer.status_code, headers, answer.text, now=datetime.now(UTC))
    name, text = type(error).__name__, str(error)
    if "Timeout" in name:
        raise Fault("timeout", text) from error
    if isinstance(error, OSError) or "Connection" in name:
        raise Fault("connection", text) from error
    raise Fault("server", f"{name}: {text}") from error


def _local(trace: TracebackType | None, name: str) -> Any:
    found: Any = None
    while trace is not None:
        found = trace.tb_frame.f_locals.get(name, found)
        trace = trace.tb_next
    return found


async def _in_thread(work: Callable[[], Result]) -> Result:
    """Run blocking work in a thread that does not keep the program alive."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # without an error there is a result

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except Exception as error:
            failure = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, daemon=True).start()
    return await future
