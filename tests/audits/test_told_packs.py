"""The F rules on texts that a model wrote and `clew render` stored: right ones pass, a changed word is found."""

from __future__ import annotations

import re

import pytest

from audits.telling import Telling, tellings
from audits.telling_audits import AUDITS
from audits.view import PackView, open_view
from engine.cli import run
from engine.hidden_systems.surface.template import RENDERER

pytest.importorskip("openai")
from tests.engine.models.fault_server import in_thread
from tests.engine.models.storyteller import storyteller

TOLD = 12


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> PackView:
    """A pack of short puzzles, each told by the scripted model too."""
    folder = tmp_path_factory.mktemp("told") / "pack"
    made = ["generate", "hidden-systems", "--count", str(TOLD), "--length", "short", "--secret-seed"]
    assert run([*made, "--out", str(folder)]) == 0
    with in_thread(storyteller()) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEW_DATA_DIR", str(folder.parent / "data"))
        patch.setenv("OPENAI_API_KEY", "no-secret")
        assert run(["render", str(folder), "--renderer", "openai:m", "--base-url", server.base_url]) == 0
    return open_view(folder / "pack.db", folder / "sealed.db")


def faults(one: Telling) -> list[str]:
    return [f"{audit.rule}{at}" for audit in AUDITS for at in audit.check(one)]


def by_model(view: PackView) -> list[Telling]:
    return [one for _, _, one in tellings(view) if one.told.renderer != RENDERER]


def test_stored_texts_of_a_model_raise_no_alarm(view: PackView) -> None:
    told = by_model(view)
    assert len(told) == TOLD
    assert [found for one in told if (found := faults(one))] == []


def test_a_count_a_name_or_a_law_in_a_stored_text_is_found(view: PackView) -> None:
    for one in by_model(view):
        text = one.text
        number = re.findall(r" in (\d+)", text)[0]
        for spoiled in (
            text.replace(f" in {number}", f" in {int(number) + 1}", 1),
            text.replace(" rang ", " silent ", 1) if " rang " in text else text + " rang",
            text + " It always rings.",
        ):
            assert faults(Telling(one.told.__class__(**{**vars(one.told), "text": spoiled}), one.payload_json))
