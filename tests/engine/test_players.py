"""Daily, ladder and codes: played through the same desk and rows, in practice alone, and never met by a study."""

from __future__ import annotations

import inspect
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.canonical import text_digest
from engine.coded_packs import build
from engine.errors import ClewError, ConflictError, GenerationError, UsageError
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.program.generate import generate_skeleton
from engine.players import PlayerDesk
from engine.practice import RECIPE, Batch
from engine.public import Desk, Draft, Happening, Presented
from engine.puzzle_codes import PuzzleCode, daily_code
from engine.randomness import secret_bits
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.places import answers_path, players_folder
from engine.store.sealed import Sealed
from tests.engine.world import World, answer_to

NOW = "2025-06-11T10:00:00.000Z"


def desk_on(pack: Path | None, player: str = "ada", now: str = NOW) -> PlayerDesk:
    desk = PlayerDesk(pack=pack and str(pack), solver=player, kind="human", clock=lambda: now)
    desk.open()
    return desk


def sealed_label(puzzle_id: str) -> str:
    folder = next(players_folder().glob(f"*-{puzzle_id}"))
    with Sealed.open(folder / "sealed.db") as sealed:
        return sealed.record(puzzle_id).gold


def test_the_daily_puzzle_is_answered_like_any_other(world: World) -> None:
    with closing(desk_on(world.pack())) as desk:
        players = desk.players()
        shown = players.daily()
        assert shown.payload.complexity == 6 and not players.standing().daily_done
        desk.keep(Draft(puzzle_id=shown.puzzle_id, answer="ABSENT"))
        desk.log((Happening(puzzle_id=shown.puzzle_id, t_ms=5, kind="open"), Happening(puzzle_id="", t_ms=6, kind="x")))
        assert desk.draft() == Draft(puzzle_id=shown.puzzle_id, answer="ABSENT")
        receipt = desk.submit(answer_to(shown, "ABSENT"))
        assert receipt.reveal is not None and receipt.reveal.label == sealed_label(shown.puzzle_id)
        assert desk.draft() is None and players.standing().daily_done and players.standing().streak == 1
        (past,) = desk.history()
        assert (past.puzzle_id, past.complexity, past.title) == (shown.puzzle_id, 6, shown.legend.title)
        assert past.correct == receipt.reveal.correct and desk.reveal(past.answer_id) == receipt.reveal
        assert players.code(shown.puzzle_id) == str(daily_code("2025-06-11"))
        with pytest.raises(ConflictError):
            desk.submit(answer_to(shown, "PRESENT"))


def test_everybody_gets_the_same_daily_puzzle_and_tomorrow_another(world: World) -> None:
    folder = world.pack()
    with closing(desk_on(folder)) as ada, closing(desk_on(folder, "ben")) as ben:
        first = ada.players().daily()
        assert ben.players().daily().text == first.text
    with closing(desk_on(folder, now="2025-06-12T00:00:00.000Z")) as later:
        assert later.players().daily().puzzle_id != first.puzzle_id
    made_again = build(daily_code("2025-06-11"), world.folder / "again")
    assert made_again == first.puzzle_id, "another machine makes the same puzzle"


def test_rows_of_a_coded_puzzle_name_the_pack_they_are_of(world: World) -> None:
    with closing(desk_on(world.pack())) as desk:
        shown = desk.players().by_code("4-000000-" + str(PuzzleCode(complexity=4, number=0))[-1])
        answer_id = desk.submit(answer_to(shown)).answer_id  # type: ignore[arg-type]
    with Answers.open(answers_path(), read_only=True) as answers:
        row = answers.attempt(answer_id)
        assert row is not None and row.puzzle_id == shown.puzzle_id
        sessions = {one.id: one for one in answers.sessions(row.solver)}
        folder = next(players_folder().glob(f"*-{shown.puzzle_id}"))
        with Pack.open(folder / "pack.db") as pack:
            assert sessions[row.session].pack_sha == pack.sha
        assert (sessions[row.session].mode, sessions[row.session].aid) == ("practice", "A3")
        assert answers.check() == ()


def test_the_ladder_gives_the_same_puzzle_until_it_is_answered(world: World) -> None:
    folder = world.pack()
    with closing(desk_on(folder)) as desk:
        first = desk.players().ladder()
        assert first.payload.complexity == 4
    with closing(desk_on(folder)) as desk:
        assert desk.players().ladder().puzzle_id == first.puzzle_id
        desk.submit(answer_to(first))
        assert desk.players().ladder().puzzle_id != first.puzzle_id


def test_ten_calibrated_answers_open_the_next_step(world: World) -> None:
    with closing(desk_on(world.pack())) as desk:
        players = desk.players()
        for nth in range(10):
            shown = players.ladder()
            assert shown.payload.complexity == 4
            standing = players.standing()
            assert (standing.step, standing.answers, standing.top) == (4, nth, False)
            desk.submit(answer_to(shown, sealed_label(shown.puzzle_id), confidence=75))
        standing = players.standing()
        assert (standing.step, standing.answers, standing.brier) == (5, 0, None)
        told = players.statistics()
        assert (told.whole.answers, told.whole.correct) == (10, 10)
        assert told.whole.brier == pytest.approx(0.0625)
        assert [(point.confidence, point.answers) for point in told.curve] == [(75, 10)]
        assert [one.complexity for one in told.by_length] == [4] and [one.aid for one in told.by_aid] == ["A3"]


def test_codes_name_puzzles_of_the_built_in_pack_too(world: World) -> None:
    with closing(desk_on(None)) as desk:
        players = desk.players()
        system, text = desk.next(), desk.next_task()
        assert system is not None and text is not None
        for shown in (system, text):
            code = players.code(shown.puzzle_id)
            assert code.startswith("P-") and players.by_code(code).puzzle_id == shown.puzzle_id
    with closing(desk_on(world.pack())) as desk:
        own = desk.next()
        assert own is not None and desk.players().code(own.puzzle_id) == ""
        with pytest.raises(UsageError, match="built-in"):
            desk.players().by_code(code)


def test_every_code_of_the_built_in_pack_is_unique(world: World) -> None:
    with closing(desk_on(None)) as desk:
        codes = [desk.players().code(puzzle) for puzzle in desk._items.ids]
    assert len(set(codes)) == len(codes) > 90


def test_a_collection_has_no_side_door(world: World) -> None:
    folder = world.pack()
    with closing(desk_on(folder)) as desk:
        shown = desk.players().daily()
        desk.submit(answer_to(shown))
    study = world.pack("study", seed=None)
    with closing(desk_on(study)) as desk:
        assert desk.open().mode == "collect"
        with pytest.raises(UsageError, match="for practice"):
            desk.players()
        assert desk.history() == ()
        with pytest.raises(ClewError):
            desk.present(shown.puzzle_id)


def test_statistics_know_nothing_of_a_study(world: World) -> None:
    study = world.pack("study", seed=None)
    with closing(desk_on(study)) as desk:
        while (shown := desk.next()) is not None:
            desk.submit(answer_to(shown))
    assert world.clew("score", study).code == 0, "so there are verdicts that must not be told"
    with closing(desk_on(world.pack())) as desk:
        assert desk.players().statistics().whole.answers == 0
        assert desk.players().standing().streak == 0
        shown = desk.next()
        assert shown is not None
        desk.submit(answer_to(shown))
        assert desk.players().statistics().whole.answers == 1


def test_the_first_time_is_over_once_something_is_stored(world: World) -> None:
    folder = world.pack()
    with closing(desk_on(folder)) as desk:
        assert desk.open().first_time
    with closing(desk_on(folder)) as desk:
        assert desk.open().first_time, "looking in leaves nothing"
        desk.log((Happening(puzzle_id="", t_ms=1, kind="introduction", data="left"),))
    with closing(desk_on(folder)) as desk:
        assert not desk.open().first_time


def test_two_that_make_the_same_puzzle_meet(world: World) -> None:
    folder = world.pack()
    with closing(desk_on(folder)) as one, closing(desk_on(folder, "ben")) as other:
        assert one.players().daily().puzzle_id == other.players().daily().puzzle_id
    assert len(list(players_folder().iterdir())) == 1


def test_a_puzzle_that_cannot_be_made_is_one_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.players.MAKER", "engine.nowhere")
    with closing(desk_on(world.pack())) as desk:
        with pytest.raises(GenerationError, match="could not be made") as caught:
            desk.players().daily()
        assert "\n" not in caught.value.line()
        assert list(players_folder().iterdir()) == [], "nothing half made is left"


def test_the_app_s_process_never_holds_the_program_before_an_answer(world: World) -> None:
    script = f"""
import sys
from engine.cli import OpenDoors
desk = OpenDoors().desk(pack={str(world.pack())!r}, player="ada")
desk.open()
players = desk.players()
shown = players.daily(), players.ladder(), players.by_code("5-000000-{str(PuzzleCode(complexity=5, number=0))[-1]}")
players.standing(), players.statistics(), desk.history(), desk.draft()
private = [name for name in sys.modules if name.startswith("engine.hidden_systems.program") or "coded_packs" in name]
assert not private, private
assert "numpy" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_payload_of_a_code_is_in_a_study_or_in_the_practice_pack() -> None:
    """Practice draws by purpose and number, a study by 256 bits of the system: equal payloads would be one in 2^60."""

    def digests(seeds: list[tuple[int, int]], complexity: int) -> set[str]:
        return {text_digest(payload_text(generate_skeleton(complexity, *one).payload)) for one in seeds}

    for complexity in (4, 6):
        codes = [PuzzleCode(complexity=complexity, number=number) for number in range(60)]
        codes += [daily_code(f"2025-06-{day:02d}") for day in range(1, 29)] if complexity == 6 else []
        shared = digests([(code.seed(), code.index()) for code in codes], complexity)
        study_seed = secret_bits(256)
        study = digests([(study_seed, index) for index in range(60)], complexity)
        length = {4: "short", 6: "medium"}[complexity]
        (batch,) = [one for one in RECIPE if one.length == length]
        assert isinstance(batch, Batch)
        practice = digests([(batch.seed, index) for index in range(batch.puzzles)], complexity)
        assert len(shared) == len(codes) and not shared & study and not shared & practice


def test_the_list_of_seeds_of_a_study_begins_beyond_that_of_codes() -> None:
    assert max(PuzzleCode(complexity=6, number=number).seed() for number in range(500)) < 2**63
    assert min(secret_bits(256) for _ in range(50)) > 2**200


def test_the_desk_of_a_program_has_no_side_door(world: World) -> None:
    with world.desk(world.pack()) as desk, pytest.raises(UsageError):
        desk.players()


def test_what_is_presented_is_the_pack_s_own_text(world: World) -> None:
    with closing(desk_on(world.pack())) as desk:
        shown = desk.players().daily()
        again = desk.present(shown.puzzle_id)
        assert isinstance(again, Presented) and again == shown


def test_every_door_that_names_a_puzzle_leads_to_coded_ones_too() -> None:
    """`judge` and `review` are for writing tasks, which have no puzzles made from codes; `hint` goes by `present`."""
    words = {"puzzle_id", "answer_id", "answer", "draft", "happenings"}
    naming = {
        name
        for name, method in vars(Desk).items()
        if callable(method) and not name.startswith("_") and words & inspect.signature(method).parameters.keys()
    }
    assert {"present", "submit", "keep", "log", "draft", "reveal", "hint"} <= naming
    assert naming - {"judge", "review", "hint"} <= vars(PlayerDesk).keys()


def test_hints_drafts_by_name_and_skips_work_for_coded_puzzles(world: World) -> None:
    with closing(desk_on(world.pack(complexities=(4,) * 10))) as desk:
        shown = desk.players().daily()
        assert desk.hint(shown.puzzle_id, 1) is not None
        own = desk.next()
        assert own is not None
        desk.keep(Draft(puzzle_id=shown.puzzle_id, notes="daily"))
        desk.keep(Draft(puzzle_id=own.puzzle_id, notes="pack"))
        assert [desk.draft(one.puzzle_id).notes for one in (shown, own)] == ["daily", "pack"]  # type: ignore[union-attr]
        assert desk.draft(desk.players().ladder().puzzle_id) is None
        desk.submit(answer_to(shown, "SKIP", confidence=None, reason="tired"))
        standing = desk.players().standing()
        assert standing.daily_done and standing.streak == 0, "a skipped item is done with, and nothing was finished"
