"""docs/studies.md, command by command: what is written there runs as it is written."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from engine.store.places import practice_sealed_path
from engine.study.desk import StudyDesk
from engine.study.folder import Study
from tests.study.study_world import Lab, Time, skilled, walk

GUIDE = Path(__file__).parents[2] / "docs" / "studies.md"


def commands() -> list[list[str]]:
    """Return the words of every command of the guide, in order."""
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.S)
    return [shlex.split(line[2:]) for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def test_the_guide_shows_every_command_of_the_group() -> None:
    from engine.commands.study import COMMANDS

    shown = {words[2] for words in commands() if words[:2] == ["clew", "study"]}
    assert set(COMMANDS) - shown == {"export"} and "report" in shown


@pytest.mark.slow
def test_the_afternoon_runs_as_it_is_written(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lab.folder)
    # On a machine of one's own nothing is prepared: the sealed half of the practice items is built on the way.
    shutil.rmtree(practice_sealed_path("").parent)
    for words in commands():
        if words[0].startswith("CLEW_DATA_DIR="):
            folder = Path(words[0].partition("=")[2])
            bundle, code = words[words.index("--study") + 1], words[words.index("--as") + 1]
            _play(bundle, code, folder.absolute() / "answers.db")
        else:
            assert words[0] == "clew", words
            lab.clew(*words[1:])
    report = (lab.folder / "my-report" / "report.html").read_text(encoding="utf-8")
    assert "These figures are about 2 people" in report and "withdrawn and deleted: 1" in report
    assert (lab.folder / "my-study" / "v1" / "reveal-1.jsonl").exists()
    assert not any(b"cyd-9TRW" in path.read_bytes() for path in Path("my-study").rglob("*") if path.is_file())
    assert os.environ["CLEW_DATA_DIR"].startswith(str(lab.folder))


def _play(bundle: str, code: str, answers: Path) -> None:
    time = Time()
    with Study.open(Path("my-study")) as study:
        aliases = {copy.uid: copy.of for copy in study.manifest.aside.copies}
    with closing(StudyDesk(bundle=bundle, code=code, answers=answers, clock=time.clock)) as desk:
        desk.open()
        for _ in walk(desk, time, skilled({}, 70, code, aliases)):
            pass
