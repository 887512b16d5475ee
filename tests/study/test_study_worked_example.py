"""The worked example of docs/studies.md, run as it is written there; then the report and what it says."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from contextlib import closing, suppress
from html.parser import HTMLParser
from pathlib import Path

import pytest

from audits.people.cli import report as report_command
from audits.people.evidence import load
from audits.people.findings import study_findings
from engine.store.answer_rows import attempt_sha
from engine.store.answers import Answers
from engine.store.collected import read_collected
from engine.study.gathering import study_data
from tests.study.study_world import Lab, says, skilled, walk
from tests.study.test_study_merge import tamper

GUIDE = Path(__file__).parents[2] / "docs" / "studies.md"


@pytest.mark.slow
def test_three_people_one_killed_one_withdrawn_merged_twice_in_any_order(lab: Lab) -> None:
    lab.freeze(systems=6, writing=1, repeats="1", attention="1", model="baseline:pooled")
    lab.recruit("ada-lab", "ben-lab", "cyd-lab")
    gold = lab.gold()
    with lab.study() as study:
        aliases = {copy.uid: copy.of for copy in study.manifest.aside.copies}
    lab.play("ada-lab", skilled(gold, 90, "ada-lab", aliases))
    with closing(lab.desk("ben-lab")) as desk:  # killed in the middle of an item: the draft and every answer stay
        desk.open()
        with suppress(StopIteration):
            for _ in walk(desk, lab.time, skilled(gold, 60, "ben-lab", aliases), items=3):
                pass
        desk.present(desk.stage().puzzle_id)
    lab.time.pass_by(900)
    lab.play("ben-lab", skilled(gold, 60, "ben-lab", aliases))
    lab.play("cyd-lab", says("PRESENT"), items=3)
    models = lab.folder / "models.db"
    for name in ("pooled", "noisy-or-veto"):
        lab.clew("solve", lab.folder / "systems", "--model", f"baseline:{name}", "--answers", models)
    other = lab.folder / "other-order"
    shutil.copytree(lab.home, other)
    for order, home in (((0, 1, 2, 3), lab.home), ((3, 2, 1, 0), other)):
        files = [lab.answers("ada-lab"), lab.answers("ben-lab"), lab.answers("cyd-lab"), models]
        for nth in (*order, *order):
            lab.clew("study", "merge", home, files[nth])
    with closing(lab.desk("cyd-lab")) as desk:
        desk.open()
    lab.play("cyd-lab", items=0, end="withdraw")
    for home in (lab.home, other):
        assert "1 withdrawn" in lab.clew("study", "merge", home, lab.answers("cyd-lab")).out
        lab.clew("study", "score", home)
        lab.clew("study", "export", home, "--out", home.parent / f"data-{home.name}")
        _report(home, home.parent / f"report-{home.name}")
    for name in ("report.html", "report.md", "data/trials.csv", "data/events.jsonl"):
        one, same = lab.folder / "report-study" / name, lab.folder / "report-other-order" / name
        assert one.read_bytes() == same.read_bytes(), name
    with lab.study() as study:
        data = study_data(study)
    assert [person.code for person in data.people] == ["ada-lab", "ben-lab"] and data.withdrawn == 1
    assert all(person.counts().answered == 7 and person.ended == "finished" for person in data.people)
    assert read_collected(lab.home / "answers.db").withdrawals
    _check_page(lab.folder / "report-study" / "report.html")


def _report(home: Path, out: Path) -> None:
    report_command.main([str(home), "--out", str(out)], standalone_mode=False)


class _Page(HTMLParser):
    """Collects what a page refers to and whether its tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.refers: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.refers += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action")]
        if tag not in ("meta", "br", "line", "circle", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "circle", "polyline"):
            assert self.open.pop() == tag


def _check_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    page = _Page()
    page.feed(text)
    assert page.open == [] and page.refers == []
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert "http://" not in text and "https://" not in text and "@import" not in text and "url(" not in text
    figures = re.findall(r"<svg .*?</svg>", text, re.S)
    assert len(figures) >= 6
    for figure in figures:
        drawn = ET.fromstring(figure)
        _, _, width, height = map(float, drawn.attrib["viewBox"].split())
        assert drawn.attrib["aria-label"]
        for mark in drawn.iter("circle"):
            assert 0 <= float(mark.attrib["cx"]) <= width and 0 <= float(mark.attrib["cy"]) <= height
    for said in ("These figures are about 2 people", "fewer than 6 people", "Reporting checklist", "unreported"):
        assert said in text


def test_the_report_names_its_denominators_and_every_reference(lab: Lab) -> None:
    lab.freeze(systems=6, attention="0", repeats="0", exclusions="[{rule: few-answers, limit: 50}]")
    lab.recruit("ada-lab", "ben-lab", "cyd-lab")
    lab.play("ada-lab", says(lambda uid: lab.gold().get(uid, "PRESENT")))
    lab.play("ben-lab", says("PRESENT"))
    lab.play("cyd-lab", says("PRESENT"), items=1, end="stop")
    lab.clew("solve", lab.folder / "systems", "--model", "baseline:noisy-or-veto", "--answers", lab.folder / "m.db")
    lab.merge("ada-lab", "ben-lab", "cyd-lab")
    lab.clew("study", "merge", lab.home, lab.folder / "m.db")
    lab.clew("study", "score", lab.home)
    with lab.study() as study:
        found = study_findings(load(study))
    (family,) = found.families
    assert (found.people, found.analysed, found.left_out) == (3, 2, (("few-answers", 1),))
    by_name = {rate.name: rate for rate in family.people}
    place = {person.code: f"P{person.position + 1:02d}" for person in _people(lab)}
    assert by_name[place["ada-lab"]].presented == 1.0 and place["cyd-lab"] not in by_name
    truth = list(lab.gold().values())
    assert by_name[place["ben-lab"]].presented == truth.count("PRESENT") / 6
    names = [bar.name for _, bars in family.bars for bar in bars]
    assert {"people (2)", "baseline:noisy-or-veto", "baseline:pooled", "baseline:largest-single", "chance"} <= set(
        names
    )
    assert names.count("baseline:noisy-or-veto") == 1
    (ceiling,) = [bar for _, shown in family.bars for bar in shown if bar.kind == "ceiling"]
    assert ceiling.value is not None and ceiling.low is not None and ceiling.high is not None
    assert 0.9 < ceiling.low < ceiling.value < ceiling.high <= 1
    for _, counts in found.statuses:
        assert counts.expected == counts.scored + counts.of("error") + counts.of("missing")
    (registered,) = [one for one in found.contrasts if one.registered]
    assert registered.found is None and registered.people == 2 and registered.items == 6
    assert [one.items for one in found.single] == [6, 6]
    assert found.with_everybody[0].people == 3


def _people(lab: Lab) -> tuple[object, ...]:
    with lab.study() as study:
        return study_data(study).people


def test_an_answer_to_another_text_is_refused_and_listed(lab: Lab) -> None:
    lab.freeze(systems=4, attention="0", repeats="0", model="baseline:pooled")
    lab.recruit("ada-lab")
    lab.play("ada-lab", says("PRESENT"))
    rendered = lab.folder / "rendered"
    shutil.copytree(lab.folder / "systems", rendered)
    lab.clew("solve", rendered, "--model", "baseline:pooled", "--answers", lab.folder / "m.db")
    tamper(lab.folder / "m.db", "update attempt set text_sha = '" + "0" * 64 + "'")
    for row_id, sha in _digests(lab.folder / "m.db").items():
        tamper(lab.folder / "m.db", f"update attempt set row_sha = '{sha}' where id = '{row_id}'")
    lab.merge("ada-lab")
    lab.clew("study", "merge", lab.home, lab.folder / "m.db")
    lab.clew("study", "score", lab.home)
    with lab.study() as study:
        evidence = load(study)
        found = study_findings(evidence)
    assert len(evidence.refused) == 4
    assert any("answered another text" in warning and "baseline:pooled" in warning for warning in found.warnings)
    assert all(one.model != "baseline:pooled" for one in found.contrasts)


def _digests(path: Path) -> dict[str, str]:
    """Return the digests that fit the rows as they are, as a tool that really showed another text would have them."""
    with Answers.open(path, create=False, read_only=True) as answers:
        return {
            row.id: attempt_sha(
                row, [turn.row_sha for turn in answers.turns(row.session, row.puzzle_id, row.attempt_no)]
            )
            for row in answers.attempts()
        }


def test_a_report_needs_scores_and_answers(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    assert "no answers yet" in lab.clew("study", "report", lab.home, "--out", lab.folder / "r", code=2).err
    lab.recruit("ada-lab")
    lab.play("ada-lab")
    lab.merge("ada-lab")
    assert "no scores yet" in lab.clew("study", "report", lab.home, "--out", lab.folder / "r", code=2).err
    lab.clew("study", "score", lab.home)
    out = lab.clew("study", "report", lab.home, "--out", lab.folder / "r").out
    assert "report.html: 1 person," in out
    assert lab.clew("study", "compare", lab.home).out == (lab.folder / "r" / "report.md").read_text(encoding="utf-8")
    told = json.loads(lab.clew("study", "compare", lab.home, "--json").out)
    assert told["analysed"] == 1 and "NaN" not in json.dumps(told)


def test_closing_reveals_and_ends_the_collection(lab: Lab) -> None:
    lab.freeze(systems=3, writing=1, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab")
    lab.merge("ada-lab")
    lab.clew("study", "close", lab.home)
    files = [lab.home / "v1" / name for name in ("reveal-1.jsonl", "reveal-2.jsonl")]
    _check_reveals(files, lab)
    for nth, file in enumerate(files, start=1):
        assert "lead to root" in lab.clew("seal", "verify", file, "--pack", lab.home / "v1" / f"pack-{nth}.db").out
    assert "is closed" in lab.clew("study", "merge", lab.home, lab.answers("ada-lab"), code=2).err
    assert "is closed" in lab.clew("study", "plan", lab.home, "--participants", "1", code=2).err
    assert "closed already" in lab.clew("study", "close", lab.home, code=2).err
    assert "closed" in lab.clew("study", "status", lab.home).out


def _check_reveals(paths: list[Path], lab: Lab) -> None:
    """Check every record against the published root with nothing but the standard library's hashes."""
    import hashlib
    import hmac
    import json

    def line(value: object) -> bytes:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    with lab.study() as study:
        roots = {pack.commit_root for pack in study.manifest.packs}
        items = {item.uid for item in study.manifest.items}
    files = [[json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()] for path in paths]
    rows = [{"commit_root": head["commit_root"], **row} for head, *opened in files for row in opened]
    assert {row["puzzle_id"] for row in rows} == items
    for row in rows:
        commit = hmac.new(bytes.fromhex(row["salt"]), row["record"].encode(), hashlib.sha256).hexdigest()
        assert commit == row["commit_sha"]
        here = hashlib.sha256(b"\x00" + line([row["puzzle_id"], commit])).digest()
        for step in row["path"]:
            sibling = bytes.fromhex(step["sibling"])
            pair = sibling + here if step["left"] else here + sibling
            here = hashlib.sha256(b"\x01" + pair).digest()
        assert here.hex() == row["commit_root"] and row["commit_root"] in roots
