"""A slow or failing desk never stops the keys, never loses an answer, and never sends it as two."""

from driving import drive, open_puzzle, press, screen_text, until, until_shown, write
from fake_desk import FakeDesk
from textual.pilot import Pilot

from engine.errors import StoreError
from tui.app import ClewApp


def test_keys_paint_while_another_program_holds_the_file() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        desk.lock.clear()
        await press(pilot, "a f 7 enter escape s")
        await until_shown(pilot, "sort share, high first")
        await until_shown(pilot, "saving ... another program holds the file; still trying, nothing is lost")
        await press(pilot, "slash")
        await write(pilot, "vent")
        await press(pilot, "enter")
        await until_shown(pilot, "filter vent")
        assert not desk.answers
        desk.lock.set()
        await until_shown(pilot, "ok  Right.")

    drive(desk, script)
    assert len(desk.answers) == 1


def test_the_banner_of_a_slow_desk_goes_away() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        desk.lock.clear()
        await press(pilot, "a f escape p p")
        await until_shown(pilot, "saving ...")
        desk.lock.set()
        await until(pilot, lambda: "saving" not in screen_text(app))

    drive(desk, script)


def test_a_failed_answer_is_tried_again_as_the_same_answer() -> None:
    desk = FakeDesk(failures={"submit": [StoreError("the disk is full", hint="free some space")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "not saved: the disk is full (free some space)", "[>filled<]")
        assert not desk.answers
        await press(pilot, "enter")
        await until_shown(pilot, "ok  Right.")
        assert "not saved" not in screen_text(app)

    drive(desk, script)
    assert len(desk.answers) == 1 and desk.called.count("submit") == 2
    assert desk.answers[0].answer_id == desk.drafts[-1].answer_id


def test_a_retry_without_a_change_is_the_very_same_answer() -> None:
    desk = FakeDesk()
    seen = []

    class Once(FakeDesk):
        def submit(self, answer):  # type: ignore[no-untyped-def]
            seen.append(answer)
            return super().submit(answer)

    desk = Once(failures={"submit": [StoreError("busy"), StoreError("busy")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until(pilot, lambda: len(seen) == 1 and "not saved" in screen_text(app))
        await press(pilot, "enter")
        await until(pilot, lambda: len(seen) == 2)
        await until(pilot, lambda: not app.screen.sending)  # type: ignore[attr-defined]
        await press(pilot, "8 enter")
        await until_shown(pilot, "ok  Right.")

    drive(desk, script)
    assert seen[0] == seen[1]
    assert seen[2].confidence == 80 and seen[2].answer_id == seen[0].answer_id


def test_a_failed_draft_shows_a_banner_until_it_is_kept() -> None:
    desk = FakeDesk(failures={"keep": [StoreError("the disk is full")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await until_shown(pilot, "not saved: the disk is full")
        await press(pilot, "a e")
        await until(pilot, lambda: "not saved" not in screen_text(app))

    drive(desk, script)
    assert desk.drafts[-1].answer == "ABSENT"


def test_an_unexpected_error_of_the_desk_is_shown_without_its_message_and_written_down(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path))
    desk = FakeDesk(failures={"submit": [KeyError("gold-canary")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 7 enter")
        await until_shown(pilot, "not saved: unexpected KeyError")
        assert "gold-canary" not in screen_text(app)
        await press(pilot, "enter")
        await until_shown(pilot, "ok  Right.")

    drive(desk, script)
    (crash,) = (tmp_path / "log").glob("crash-*")
    assert "gold-canary" not in crash.read_text()


def test_a_puzzle_that_cannot_be_opened_leaves_home_as_it_is() -> None:
    desk = FakeDesk(failures={"next": [StoreError("the pack is damaged")]})

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        await press(pilot, "enter")
        await until_shown(pilot, "not possible now: the pack is damaged")
        await press(pilot, "enter")
        await until_shown(pilot, "your answer")

    drive(desk, script)


def test_a_pack_that_cannot_be_opened_ends_the_app_with_one_line() -> None:
    desk = FakeDesk(broken=StoreError("no pack at 'x.db'", hint="clew generate"))

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until(pilot, lambda: app.return_code is not None)

    app = drive(desk, script)
    assert app.return_code == 2 and app.last_words() == ["no pack at 'x.db' (clew generate)"]


def test_quitting_warns_of_an_unsent_answer_then_saves_then_leaves() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f ctrl+q")
        await until_shown(pilot, "your answer is not sent; it is kept as a draft. ctrl+q again quits")
        desk.lock.clear()
        await press(pilot, "ctrl+q")
        assert app.return_code is None
        desk.lock.set()
        await until(pilot, lambda: app.return_code == 0)

    drive(desk, script)
    assert desk.drafts[-1].answer == "PRESENT"


def test_quitting_without_being_able_to_save_needs_a_second_key() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        desk.failures["keep"] = [StoreError("the disk is full")] * 9
        await press(pilot, "ctrl+q")
        await until_shown(pilot, "the disk is full (ctrl+q again quits without it)")
        assert app.return_code is None
        app.keeper.touch()
        await until(pilot, lambda: len(desk.failures["keep"]) <= 5)
        await until_shown(pilot, "the disk is full (ctrl+q again quits without it)")
        await press(pilot, "ctrl+q")
        await until(pilot, lambda: app.return_code == 0)

    app = drive(desk, script)
    app.finish(10)
    assert app.lost and app.last_words() == ["not saved: the disk is full; what you wrote last is lost"]


def test_quitting_while_an_answer_is_on_its_way_leaves_once_it_is_stored() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_puzzle(pilot)
        await press(pilot, "a f 8")
        desk.lock.clear()
        await press(pilot, "enter ctrl+q")
        await until_shown(pilot, "saving, then quitting")
        assert app.return_code is None
        desk.lock.set()
        await until(pilot, lambda: app.return_code == 0)

    drive(desk, script)
    assert [one.answer for one in desk.answers] == ["PRESENT"]
