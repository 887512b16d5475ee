"""The one door: what is handed out, what is stored, and when anything is revealed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.errors import ConflictError, UsageError
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.public import Draft, Happening
from engine.store.answers import Answers
from engine.store.sealed import Sealed
from tests.engine.world import World, answer_to


def gold(folder: Path) -> dict[str, str]:
    with Sealed.open(folder / "sealed.db") as sealed:
        return {record.puzzle_id: record.gold for record in sealed.records()}


def test_every_puzzle_is_handed_out_once_and_then_none(world: World) -> None:
    folder = world.pack()
    seen = []
    with world.desk(folder) as desk:
        while (shown := desk.next()) is not None:
            seen.append(shown.puzzle_id)
            desk.submit(answer_to(shown))
        assert [shelf.answered for shelf in desk.shelves()] == [4]
    assert sorted(seen) == sorted(gold(folder)) and len(seen) == 4


def test_the_order_belongs_to_the_player_and_stays(world: World) -> None:
    folder = world.pack(complexities=(4,) * 8)

    def order(player: str) -> list[str]:
        with world.desk(folder, player) as desk:
            return list(desk._items.of([FAMILY_NAME]))

    assert order("ada") == order("ada")
    assert len({tuple(order(name)) for name in ("ada", "ben", "cy", "dee")}) > 1


def test_a_receipt_reveals_the_truth_after_the_commit(world: World) -> None:
    folder = world.pack()
    truth = gold(folder)
    with world.desk(folder) as desk:
        for _ in range(4):
            shown = desk.next()
            assert shown is not None
            receipt = desk.submit(answer_to(shown))
            assert receipt.reveal is not None and receipt.notice == ""
            assert receipt.reveal.label == truth[shown.puzzle_id]
            assert receipt.reveal.correct == (truth[shown.puzzle_id] == "PRESENT")
            assert len(receipt.reveal.rules) == 4
            assert {case for rule in receipt.reveal.rules for case in rule.cases} <= {
                case.id for case in shown.payload.support_cases
            }


def test_nothing_private_is_opened_before_an_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = world.pack()
    opened: list[Path] = []
    real = Sealed.open.__func__  # type: ignore[attr-defined]

    def spy(cls: type[Sealed], path: Path) -> Sealed:
        opened.append(path)
        result: Sealed = real(cls, path)
        return result

    monkeypatch.setattr(Sealed, "open", classmethod(spy))
    with world.desk(folder) as desk:
        desk.shelves(), desk.history(), desk.draft()
        shown = desk.next()
        assert shown is not None and opened == []
        desk.submit(answer_to(shown))
        assert opened == [folder / "sealed.db"]


def test_a_study_pack_reveals_nothing_and_needs_no_sealed_file(world: World) -> None:
    folder = world.pack(seed=None)
    (folder / "sealed.db").unlink()
    with world.desk(folder) as desk:
        assert (desk.open().mode, desk.open().feedback, desk.open().aid) == ("collect", "never", "A0")
        shown = desk.next()
        assert shown is not None
        receipt = desk.submit(answer_to(shown))
        assert receipt.reveal is None
        with pytest.raises(UsageError, match="this session is a collection"):
            desk.reveal(receipt.answer_id)
        with pytest.raises(UsageError, match="this session is a collection"):
            desk.hint(shown.puzzle_id, 1)
        assert [past.correct for past in desk.history()] == [None]


def test_missing_feedback_does_not_look_like_a_failed_save(world: World) -> None:
    folder = world.pack()
    (folder / "sealed.db").unlink()
    with world.desk(folder) as desk:
        shown = desk.next()
        assert shown is not None
        receipt = desk.submit(answer_to(shown))
        assert receipt.reveal is None and "no feedback" in receipt.notice
        assert [past.answer_id for past in desk.history()] == [receipt.answer_id]


def test_the_same_answer_again_is_the_same_and_another_is_refused(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = desk.next()
        assert shown is not None
        answer = answer_to(shown)
        first, again = desk.submit(answer), desk.submit(answer)
        assert (first.answer_id, first.answered_at) == (again.answer_id, again.answered_at)
        with pytest.raises(ConflictError, match="first answer stays"):
            desk.submit(answer_to(shown, "ABSENT"))
        with pytest.raises(ConflictError):
            desk.submit(msgspec.structs.replace(answer, answer="ABSENT"))
        assert len(desk.history()) == 1


def test_an_answer_to_another_text_is_refused(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = desk.next()
        assert shown is not None
        with pytest.raises(UsageError, match="show it again"):
            desk.submit(answer_to(shown, text_sha="0" * 64))
        assert desk.history() == ()


def test_a_skip_is_stored_and_reveals_nothing(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = desk.next()
        assert shown is not None
        assert desk.submit(answer_to(shown, "SKIP", confidence=None, reason="tired")).reveal is None
        assert [past.answer for past in desk.history()] == ["SKIP"]


def test_a_draft_comes_back_until_its_puzzle_is_answered(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = desk.next()
        assert shown is not None
        draft = Draft(puzzle_id=shown.puzzle_id, answer="ABSENT", confidence=65, notes="see [/] row 3", sort="share")
        desk.keep(draft)
        desk.log((Happening(puzzle_id=shown.puzzle_id, t_ms=5, kind="sort", data="share"),))
    with world.desk(folder) as desk:
        assert desk.draft() == draft
        desk.submit(answer_to(shown))
        assert desk.draft() is None
    with world.desk(folder, "ben") as desk:
        assert desk.draft() is None


def test_events_and_the_session_are_on_disk(world: World) -> None:
    folder = world.pack()
    with world.desk(folder) as desk:
        shown = desk.next()
        assert shown is not None
        desk.log((Happening(puzzle_id="", t_ms=1, kind="open"), Happening(puzzle_id="", t_ms=2, kind="pause")))
        receipt = desk.submit(answer_to(shown))
        session = desk.open()
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        row = answers.attempt(receipt.answer_id)
        assert row is not None and row.session == session.session_id and row.text_sha == shown.text_sha
        assert [event.kind for event in answers.events(session.session_id)] == ["open", "pause", "answered"]
        (stored,) = answers.sessions(row.solver)
        assert (stored.mode, stored.aid, stored.feedback) == ("practice", "A3", "now")
        assert stored.label_order == ",".join(session.labels)
        assert answers.check() == () and answers.denials == ()


def test_label_order_is_drawn_for_each_player(world: World) -> None:
    folder = world.pack()
    orders = set()
    for player in ("ada", "ben", "cy", "dee", "eve", "fay", "gus", "hal"):
        with world.desk(folder, player) as desk:
            orders.add(desk.open().labels)
    assert len(orders) == 2


def test_handing_out_a_study_puzzle_loads_nothing_private(world: World) -> None:
    folder = world.pack(seed=None)
    code = (
        "import sys; from engine.desk import RealDesk\n"
        f"desk = RealDesk.for_player(pack={str(folder)!r}, player='ada'); desk.open(); assert desk.next()\n"
        "private = ('engine.hidden_systems.program', 'engine.store.sealed')\n"
        "print([name for name in sys.modules if name.startswith(private)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
