"""Two hundred scripted people play a whole study; most are killed five times on the way, and three in ten drop out.

Every participant is a process of their own on a machine of their own. It is killed with SIGKILL at a random moment,
begun again, and so on until its person is through, or leaves for good. Whatever it said was saved has to be on disk,
once; all machines are merged in one go; the monitor, the export and the machines have to count the same.
Run: python benchmarks/study_scale.py [PEOPLE] [KILLS_EACH]
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from contextlib import closing, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import ROOT  # noqa: F401  # puts the checkout on the path

from engine.cli import run
from engine.public import StageAnswer
from engine.randomness import Stream
from engine.store.answers import Answers
from engine.store.collected import read_collected
from engine.study.config import template
from engine.study.desk import StudyDesk
from engine.study.folder import Study
from engine.study.gathering import study_data
from tests.study.study_world import answer_to, changed

ITEMS, EACH, DROPOUT = 24, 6, 30
MOST_EVENTS = 3
"""A process is killed after so many events at most, from 1."""


def clew(*arguments: str | Path) -> None:
    """Run a command without its output and require that it succeeds."""
    with redirect_stdout(StringIO()):
        found = run([str(argument) for argument in arguments])
    if found:
        raise SystemExit(f"clew {arguments[0]} {arguments[1]}: exit {found}")


def play(bundle: Path, code: str, answers: Path, items: int, say: int) -> None:
    """Play on to the end or until so many items are answered; say the id of every answer and stage that was saved."""
    with closing(StudyDesk(bundle=str(bundle), code=code, answers=answers)) as desk:
        desk.open()
        while (stage := desk.stage()).kind != "end":
            if stage.kind == "item" and stage.nth > items:
                desk.take(StageAnswer(key=stage.key, word="stop"))
                said = "stop"
            elif stage.kind in ("practice", "item"):
                said = desk.submit(answer_to(desk.present(stage.puzzle_id), "PRESENT")).answer_id
            else:
                chosen = {"intake": (0, 0), "check": (0, 1, 2)}.get(stage.kind, ())
                desk.take(StageAnswer(key=stage.key, word=stage.words[0], chosen=chosen))
                said = "stage"
            os.write(say, f"{said}\n".encode())


def until_killed(bundle: Path, code: str, answers: Path, items: int, events: int) -> tuple[list[str], bool]:
    """Let a participant play in a process that is killed after so many events, or never with 0.

    Returns:
        what it said, and whether it was killed.
    """
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        code_of_exit = 1
        try:
            os.close(hear)
            play(bundle, code, answers, items, say)
            code_of_exit = 0
        finally:
            os._exit(code_of_exit)
    os.close(say)
    with os.fdopen(hear) as hearing:
        said = [line for _, line in zip(range(events), hearing, strict=False)]
        if events:
            os.kill(child, signal.SIGKILL)
        # What was said before the kill counts, whether or not it was read in time.
        said += list(hearing)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{code}: the participant's process failed")
    return [line.strip() for line in said], os.WIFSIGNALED(status)


def prepare(folder: Path, codes: list[str]) -> Path:
    """Freeze a study, give places to all and write one bundle for them; return the study's folder."""
    os.environ["CLEW_DATA_DIR"] = str(folder / "data")
    clew("generate", "hidden-systems", "--count", str(ITEMS), "--length", "4", "--secret-seed", "--out", folder / "pk")
    text = template()
    wanted = {
        "packs": "[pk]", "people": str(len(codes)), "raters_per_item": str(len(codes)), "items_per_person": str(EACH),
        "exclusions": "[]",
    }  # fmt: skip
    for key, value in wanted.items():
        text = changed(text, key, value)
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    clew("study", "freeze", folder / "study.yaml", "--out", folder / "study")
    named = [part for code in codes for part in ("--code", code)]
    clew("study", "plan", folder / "study", *named)
    clew("study", "pack", folder / "study", *named, "--out", folder / "bundle")
    return folder / "study"


@dataclass
class Tally:
    """What came of playing."""

    kills: int = 0
    dropped: int = 0
    missing: int = 0
    """Said to be saved and not on disk, or damaged there."""
    doubled: int = 0


def one_person(tally: Tally, folder: Path, code: str, stream: Stream, kills: int) -> Path:
    """Let one person play, killed so many times on the way; return their answers file."""
    machine = folder / f"machine-{code}"
    machine.mkdir(mode=0o700)
    leaves = stream.chance(DROPOUT, 100)
    items, said = (stream.below(EACH) if leaves else EACH + 9), list[str]()
    for nth in range(kills + 1):
        events = stream.between(1, MOST_EVENTS) if nth < kills else 0
        told, killed = until_killed(folder / "bundle", code, machine / "answers.db", items, events)
        said += told
        tally.kills += killed
    found = read_collected(machine / "answers.db")
    stored = {row.id for row in found.attempts}
    places = Counter((row.puzzle_id, row.attempt_no) for row in found.attempts)
    with Answers.open(machine / "answers.db", create=False, read_only=True) as answers:
        tally.missing += len(answers.check())
    tally.missing += sum(one not in stored for one in said if one not in ("stage", "stop"))
    tally.doubled += sum(count - 1 for count in places.values())
    tally.dropped += leaves
    return machine / "answers.db"


def main() -> int:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    codes, stream, tally = [f"code-{nth:04d}" for nth in range(people)], Stream("benchmarks/study-scale"), Tally()
    began = time.perf_counter()
    with TemporaryDirectory() as name:
        folder = Path(name)
        home = prepare(folder, codes)
        machines = [one_person(tally, folder, code, stream, kills) for code in codes]
        played = time.perf_counter() - began
        clew("study", "merge", home, *machines)
        clew("study", "export", home, "--out", folder / "export")
        with Study.open(home) as study:
            data = study_data(study)
        said = sum(len(read_collected(machine).attempts) for machine in machines)
        kept = len(read_collected(home / "answers.db").attempts)
        exported = len((folder / "export" / "trials.jsonl").read_text(encoding="utf-8").splitlines())
    finished, rows = sum(one.ended == "finished" for one in data.people), sum(len(one.trials) for one in data.people)
    print(
        f"{people} people, {tally.kills} kills, {tally.dropped} drop out; {played:.0f} s, {kept} answers, {rows} trials"
    )
    claims = (
        ("nothing that was said to be saved is missing or damaged", tally.missing == 0),
        ("nothing is there twice", tally.doubled == 0),
        ("the merged file holds what the machines hold", kept == said),
        ("the export holds what the monitor counts", exported == rows),
        ("who did not drop out has finished, and nobody else", finished == people - tally.dropped),
    )
    for claim, held in claims:
        print(f"{'holds ' if held else 'MISSED'}  {claim}")
    return 0 if all(held for _, held in claims) else 1


if __name__ == "__main__":
    sys.exit(main())
