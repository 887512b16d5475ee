"""The list of requirements is an aid: what is in force at A3, what the turn's brief says at A2, nothing below."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine.desk import RealDesk
from engine.public import Aid
from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.world import World, answer_to

COMMAS, QUESTION, TITLE = "Use no commas.", "End with a question.", "Start with a title."
ACTIVE, NEW, DROPPED, QUOTED = "active", "new", "dropped", "quoted"
LISTS: dict[Aid, list[list[tuple[str, str]]]] = {
    "A3": [
        [(TITLE, ACTIVE)],
        [(TITLE, ACTIVE), (COMMAS, NEW)],
        [(TITLE, DROPPED), (COMMAS, ACTIVE), (QUESTION, QUOTED)],
        [(COMMAS, ACTIVE)],
    ],
    "A2": [[(TITLE, ACTIVE)], [(COMMAS, ACTIVE)], [], []],
    "A1": [[]] * 4,
    "A0": [[]] * 4,
}


@pytest.mark.parametrize("aid", LISTS)
def test_what_is_listed_depends_on_the_aid(world: World, aid: Aid) -> None:
    pack: Path = write_conversation(world.folder / "talk")
    found = []
    with closing(RealDesk.for_player(pack=str(pack), player="ada", aid=aid)) as desk:
        desk.open()
        for _ in TURNS:
            shown = desk.next_task()
            assert shown is not None
            found.append([(one.text, one.state) for one in shown.requirements])
            desk.submit(answer_to(shown, None, confidence=None, raw="a", turn=shown.turn))
    assert found == LISTS[aid]
