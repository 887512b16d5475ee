"""Requests in the shape of OpenAI's batch files, and the replies that come back, for vendors' batches, vLLM and Ray.

A request is named by the digest of all that decides its answer, so no reply can reach another item, and a pack whose
text has changed since takes none. Conversations go turn by turn: each export holds the turn at hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from engine.canonical import Json
from engine.errors import UsageError, quoted
from engine.exchange.filing import Filed, Filer, Said
from engine.model_runs import Run
from engine.models.keys import request_key
from engine.models.openai_endpoint import HOSTED, OpenAIEndpoint, normal_url
from engine.models.outcome import DEFAULT_LIMITS
from engine.models.replies import read_reply
from engine.models.solver import Fault, OutputMode, Parameters

URL = "/v1/chat/completions"
FORMAT: Literal["clew-requests/1"] = "clew-requests/1"


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file of requests was made of; lies beside it and holds public content only."""

    format: Literal["clew-requests/1"]
    model: str
    base_url: str
    temperature: str | None
    max_tokens: int | None
    seed: int | None
    extra: tuple[tuple[str, str], ...]
    mode: OutputMode
    sample: int
    pack_sha: str
    file_sha: str
    """SHA-256 of the file of requests."""
    requests: dict[str, str]
    """Prompt digest by custom_id."""

    def run(self, pack: str | None, answers: Path | None, families: tuple[str, ...] | None = None) -> Run:
        """Return the run that these requests are of."""
        kinds: dict[str, Any] = {} if families is None else {"families": families}
        return Run(
            pack=pack,
            solver=OpenAIEndpoint(self.model, self.base_url, ""),
            parameters=Parameters(
                temperature=self.temperature, max_tokens=self.max_tokens, seed=self.seed, extra=self.extra
            ),
            mode=self.mode,
            limits=DEFAULT_LIMITS,
            sample=self.sample,
            answers=answers,
            **kinds,
        )


def manifest_path(requests: Path) -> Path:
    """Return where the manifest of a file of requests lies."""
    return requests.with_name(requests.name + ".manifest.json")


def base_url_of(url: str | None) -> str:
    """Return an endpoint's address in its one form; OpenAI's without one."""
    return normal_url(url or HOSTED)


def lines_of(run: Run, limit: int | None) -> Iterator[tuple[str, str, dict[str, Json]]]:
    """Yield custom_id, prompt digest and line of every pending item, in the solver's own order."""
    with closing(run.desk()) as desk:
        for puzzle in desk.planned(run.families, limit):
            if not desk.is_pending(puzzle):
                continue
            question = run.pose(desk.present(puzzle))
            custom_id = request_key(run.setting, question)
            body: Any = dict(run.solver.request(question, run.parameters))
            yield custom_id, question.prompt_sha, {"custom_id": custom_id, "method": "POST", "url": URL, "body": body}


def read_manifest(path: Path) -> Manifest:
    """Read the manifest of a file of requests.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; the manifest of the requests is needed") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} is no manifest of requests: {quoted(str(error))}") from error


def file_replies(replies: Path, manifest: Manifest, pack: str | None, answers: Path | None) -> Filed:
    """File the replies to a file of requests.

    Raises:
        UsageError: the file cannot be read, or the requests are of another pack.
    """
    done = Filed()
    found = _by_id(replies, manifest, done)
    run = manifest.run(pack, answers)
    served = next((one.served for one in found.values() if one.served), manifest.model)
    with closing(run.desk()) as desk:
        planned = desk.planned(run.families)
        if desk.session_row().pack_sha != manifest.pack_sha:
            raise UsageError(
                f"the requests of {replies} are of another pack; give the one that they were exported from"
            )
        filer: Filer | None = None
        used: set[str] = set()
        for puzzle in planned:
            if not desk.is_pending(puzzle):
                continue
            shown = desk.present(puzzle)
            custom_id = request_key(run.setting, run.pose(shown))
            reply = found.get(custom_id)
            if reply is None:
                done.missing += [custom_id] if custom_id in manifest.requests else []
                continue
            used.add(custom_id)
            filer = filer or Filer(desk, run.setting, run.pose, served_model=served, source="batch file")
            answered = filer.turn(shown, reply.said)
            done.filed += answered
            done.failed += not answered
        done.before += sum(key in manifest.requests and key not in used for key in found)
    return done


class _Reply(msgspec.Struct, frozen=True, kw_only=True):
    said: Any
    served: str


def _by_id(replies: Path, manifest: Manifest, done: Filed) -> Mapping[str, _Reply]:
    found: dict[str, _Reply] = {}
    try:
        lines = replies.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{quoted(str(replies))} cannot be read: {error}; a file of replies is needed") from error
    for nth, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        custom_id = row.get("custom_id") if isinstance(row, dict) else None
        if not isinstance(custom_id, str):
            done.unknown.append(f"line {nth}")
        elif custom_id not in manifest.requests:
            done.unknown.append(custom_id)
        elif custom_id in found:
            done.doubled.append(custom_id)
        else:
            found[custom_id] = _reply(row)
    return found


def _reply(row: Mapping[str, Any]) -> _Reply:
    response = row.get("response")
    if not isinstance(response, dict):
        told = row.get("error")
        message = told.get("message") if isinstance(told, dict) else told
        return _Reply(said=Said(error=str(message or "no response")), served="")
    body = response.get("body")
    text = body if isinstance(body, str) else json.dumps(body)
    try:
        completion = read_reply(int(response.get("status_code") or 200), {}, text, now=datetime.now(UTC))
    except Fault as fault:
        closing_status: Any = {"too_long": "too_long", "filtered": "filtered", "no_choices": "empty"}.get(fault.kind)
        return _Reply(said=Said(status=closing_status, error="" if closing_status else fault.message), served="")
    said = Said(
        text=completion.text,
        finish_reason=completion.finish_reason,
        refusal=completion.refusal,
        completion=completion,
    )
    return _Reply(said=said, served=completion.served_model or "")
