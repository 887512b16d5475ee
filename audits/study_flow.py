"""The rest of the run of everything: requests and results of other tools, and a study from its file to its reveal.

Every step has the exit code that it must end with: a step that fails at once writes little, and would prove little.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

from audits.provider import ANSWER, MODEL
from audits.terminal import Home, Ran, batched, piped
from engine.study.config import template

CODES = ("anna-lab", "bert-lab")
"""Participants of the study; the second one withdraws."""
PLAY = "; from audits.study_flow import play; play(*sys.argv[1:])"
"""A participant at the real desk, in a process of its own."""


class Step(NamedTuple):
    """One command."""

    name: str
    arguments: tuple[str, ...]
    code: int | None = 0
    """What it must end with; None for anything but a crash."""


class Done(NamedTuple):
    """A step that was run."""

    name: str
    ran: Ran
    wanted: int | None = 0

    @property
    def as_wanted(self) -> bool:
        return self.ran.code in (0, 1, 3) if self.wanted is None else self.ran.code == self.wanted


def run_steps(home: Home, code: str, steps: tuple[Step, ...]) -> list[Done]:
    """Run steps one after the other in one process."""
    ran = batched(home, code, [step.arguments for step in steps])
    return [Done(step.name, one, step.code) for step, one in zip(steps, ran, strict=True)]


# Other tools ----------------------------------------------------------------------------------------------------------

ASKED = Step("export requests", ("export", "requests", "pack.db", "--model", MODEL, "--out", "requests.jsonl"))
OUT: tuple[Step, ...] = (
    Step("export answers", ("export", "answers", "--pack", "pack.db")),
    Step("export answers as a table", ("export", "answers", "--pack", "pack.db", "--format", "csv")),
    Step("export to Inspect", ("export", "answers", "--pack", "pack.db", "--format", "inspect", "--out", "logs")),
    Step("export to verifiers", ("export", "answers", "--pack", "pack.db", "--format", "verifiers", "--out", "runs")),
)
REPLIES = Step(
    "import replies",
    ("import", "requests-results", "replies.jsonl", "--requests", "requests.jsonl", "--pack", "pack.db"),
)


def other_tools(home: Home, code: str, word: str) -> list[Done]:
    """Export requests, let them be answered elsewhere, bring the replies in; send answers out, and in again.

    Args:
        word: what every reply says.
    """
    done = run_steps(home, code, (ASKED,))
    requests = home.work / "requests.jsonl"
    asked = [json.loads(line) for line in requests.read_text().splitlines()] if requests.exists() else []
    (home.work / "replies.jsonl").write_text("".join(_reply(one["custom_id"], word) for one in asked))
    done += run_steps(home, code, (REPLIES, *OUT))
    results = [
        Step(f"import {place.suffix or 'results'}", ("import", str(place.relative_to(home.work)), "--pack", "pack.db",
             "--model", "elsewhere", "--answers", "elsewhere.db"), None)
        for folder in ("logs", "runs")
        for place in sorted((home.work / folder).glob("*"))[:1]
    ]  # fmt: skip
    return [*done, *run_steps(home, code, tuple(results))]


def _reply(custom_id: str, word: str) -> str:
    message = {"role": "assistant", "content": ANSWER.format(word=word)}
    body = {"model": MODEL, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    reply = {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}
    return json.dumps(reply) + "\n"


# A study --------------------------------------------------------------------------------------------------------------

CHANGES = (
    ("packs: [my-pack]", "packs: [.]"),
    ("families: [hidden-systems]", "families: [hidden-systems, instruction-adherence]"),
    ("people: 12 ", "people: 2 "),
    ("raters_per_item: 6 ", "raters_per_item: 2 "),
    ("items_per_person: 20 ", "items_per_person: 0 "),
    ("resamples: 10000 ", "resamples: 200 "),
    ("hidden_systems: 1\n  writing: 0", "hidden_systems: 1\n  writing: 1"),
)
"""How the study file that `clew study new` writes is filled in."""
BEFORE: tuple[Step, ...] = (
    Step("study check", ("study", "check", "study.yaml")),
    Step("study freeze", ("study", "freeze", "study.yaml", "--out", "study")),
    Step("study plan", ("study", "plan", "study", *(part for code in CODES for part in ("--code", code)))),
    *(Step("study pack", ("study", "pack", "study", "--code", code, "--out", f"for-{code}")) for code in CODES),
)


def filled() -> str:
    """Return the study file of a small study of both families over the pack beside it."""
    text = template()
    for old, new in CHANGES:
        assert old in text, f"the study file has no {old!r}"
        text = text.replace(old, new, 1)
    return text


def after(files: tuple[str, ...]) -> tuple[Step, ...]:
    """Return what follows once the participants' files are back."""
    return (
        Step("study merge", ("study", "merge", "study", *files)),
        Step("study status", ("study", "status", "study")),
        Step("study score", ("study", "score", "study")),
        Step("study compare", ("study", "compare", "study", "--json")),
        Step("study report", ("study", "report", "study", "--out", "report")),
        Step("study export", ("study", "export", "study", "--out", "data")),
        Step("study withdraw", ("study", "withdraw", "study", CODES[-1])),
        Step("study close", ("study", "close", "study")),
        Step("seal verify", ("seal", "verify", "study/v1/reveal-1.jsonl", "--pack", "study/v1/pack-1.db")),
    )


def study_part(desk: Home, home: Home, code: str, prelude: str) -> list[Done]:
    """Run a study over the pack in the researcher's folder; the participants play in theirs.

    Args:
        prelude: Python code that goes before the participants' own.
    """
    done = run_steps(desk, code, (Step("study new", ("study", "new", "study.yaml")),))
    (desk.work / "study.yaml").write_text(filled(), encoding="utf-8")
    done += run_steps(desk, code, BEFORE)
    files = []
    for one in CODES:
        if (bundle := desk.work / f"for-{one}").exists():
            shutil.copytree(bundle, home.work / bundle.name)
        done.append(Done("study play", piped(home, prelude + PLAY, (bundle.name, one, f"{one}.db"))))
        files.append(str(home.work / f"{one}.db"))
    return [*done, *run_steps(desk, code, after(tuple(files)))]


def play(bundle: str, code: str, answers: str) -> None:
    """Go through a study at the desk, always choosing the first; print all that the desk gave."""
    from contextlib import closing

    from engine.public import Answer, PresentedTask, StageAnswer
    from engine.store.clock import utc_now, uuid7
    from engine.study.desk import StudyDesk

    with closing(StudyDesk(bundle=bundle, code=code, answers=Path(answers))) as desk:
        print(desk.open())
        while (stage := desk.stage()).kind != "end":
            print(stage)
            if stage.kind not in ("practice", "item"):
                chosen = {"intake": (0, 0), "check": (0, 1, 2)}.get(stage.kind, ())
                desk.take(StageAnswer(key=stage.key, word=stage.words[0], chosen=chosen))
                continue
            shown = desk.present(stage.puzzle_id)
            writes = isinstance(shown, PresentedTask)
            answer = Answer(
                answer_id=uuid7(), puzzle_id=shown.puzzle_id, rendering_id=shown.rendering_id, text_sha=shown.text_sha,
                answer=None if writes else "PRESENT", confidence=None if writes else 80, shown_at=utc_now(),
                response_ms=9000, raw="A text of a participant, long enough to be one." if writes else None,
                turn=shown.turn if isinstance(shown, PresentedTask) else 1,
            )  # fmt: skip
            print(shown, desk.submit(answer))
