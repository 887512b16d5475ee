"""Puzzles as the test side makes them, with what the scripted model says to each and what the engine makes of that."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cli import run
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.surface.template import render

Record = Mapping[str, Any]


def clew(*arguments: str | Path) -> list[str]:
    """Run a command of clew in this process and return the lines that it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = run([str(argument) for argument in arguments])
    assert code == 0, arguments
    return printed.getvalue().splitlines()


@dataclass(frozen=True, kw_only=True)
class Told:
    """One puzzle."""

    pack: Path
    record: Record
    texts: tuple[str, ...]
    """What the user says, in order."""
    replies: tuple[str, ...]
    """What the scripted model says to each."""

    @property
    def uid(self) -> str:
        return str(self.record["puzzle_id"])

    @property
    def kinds(self) -> set[str]:
        """The types of all constraints that are checked."""
        return {check["constraint"] for turn in _turns(self.record) for check in turn["checks"]}

    @property
    def secrets(self) -> Iterator[str]:
        """What must be in no request and no row: names and parameters of what is checked."""
        for turn in _turns(self.record):
            for check in turn["checks"]:
                yield check["constraint"]
                if check["params"]:
                    yield from (json.dumps(check["params"]), json.dumps(check["params"], separators=(",", ":")))


def writing_tasks(folder: Path, modes: Iterable[str], count: int, seed: int, split: str) -> dict[str, Told]:
    """Generate tasks of each mode; every second one gets damaged witnesses for replies."""
    told: dict[str, Told] = {}
    for mode in modes:
        pack = folder / mode
        key = ("--count", str(count), "--seed", str(seed), "--split", split, "--mode", mode)
        constraints = {"single": "13", "multi": "10"}[mode]
        clew("generate", "instruction-adherence", *key, "--constraints", constraints, "--out", pack)
        for nth, line in enumerate(clew("export", "records", pack)):
            record = json.loads(line)
            witnesses = [turn["witness"] for turn in _turns(record)]
            texts = [turn["text"] for turn in _turns(record)]
            replies = [damaged(w, t, nth) for w, t in zip(witnesses, texts, strict=True)] if nth % 2 else witnesses
            told[record["puzzle_id"]] = Told(pack=pack, record=record, texts=tuple(texts), replies=tuple(replies))
    return told


def damaged(witness: str, text: str, nth: int) -> str:
    """Return a witness that is half, too short, or copied from the brief; which, goes by the task's number."""
    return (witness[: len(witness) // 2], " ".join(witness.split()[:12]), f"{witness}\n\n{text}")[nth // 2 % 3]


def system_puzzles(folder: Path, count: int, length: str, seed: int) -> dict[str, Told]:
    """Generate hidden systems; replies are right, wrong, not readable and right again with some reasoning before it."""
    clew("generate", "hidden-systems", "--count", str(count), "--seed", str(seed), "--length", length, "--out", folder)
    shown = {row["puzzle_id"]: row for row in map(json.loads, clew("export", "payloads", folder))}
    told: dict[str, Told] = {}
    for nth, record in enumerate(map(json.loads, clew("export", "records", folder))):
        identity = record["puzzle_id"]
        names = labels(shown[identity]["payload"])
        right = names[record["gold_answer"]]
        wrong = next(name for name in names.values() if name != right)
        reply = (f"ANSWER: {right}", f"ANSWER: {wrong}", "I cannot tell.", f"{wrong} seems rarer.\nANSWER: **{right}**")
        texts = (shown[identity]["text"],)
        told[identity] = Told(pack=folder, record=record, texts=texts, replies=(reply[nth % 4],))
    return told


def labels(payload: Record) -> dict[str, str]:
    """Return what the two answers are called in the telling of a hidden system, by their codes."""
    legend = render(read_payload(json.dumps(payload))).legend
    return {outcome.code: outcome.name for outcome in legend.outcomes}


def engine_scores(told: Iterable[Told], folder: Path) -> dict[str, Record]:
    """Return what `clew score-response` says of the replies to writing tasks, by puzzle id."""
    scores: dict[str, Record] = {}
    by_pack: dict[Path, list[Told]] = {}
    for one in told:
        by_pack.setdefault(one.pack, []).append(one)
    for pack, tasks in by_pack.items():
        asked = folder / f"{pack.name}.jsonl"
        asked.write_text("".join(json.dumps({"puzzle_id": t.uid, "responses": t.replies}) + "\n" for t in tasks))
        lines = clew("score-response", asked, "--pack", pack)
        scores.update(zip((task.uid for task in tasks), map(json.loads, lines), strict=True))
    return scores


def _turns(record: Record) -> Sequence[Record]:
    """Return the turns of a record; a single-turn record has the fields of its one turn at the top."""
    if record["mode"] == "multi":
        return list(record["turns"])
    return [{**record, "text": record["turns"][0]}]
