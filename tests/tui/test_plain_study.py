"""A study in the line mode: every stage is told and answered in lines, left, and gone on with where it was."""

from __future__ import annotations

import io

import pytest

from engine.store.collected import read_collected
from engine.study.compiling import compile_study
from tests.study.study_world import Lab
from tui.plain.run import play


def typed(lab: Lab, code: str, *lines: str) -> tuple[int, str]:
    out = io.StringIO()
    data = "".join(f"{line}\n" for line in lines).encode()
    return play(lab.desk(code), source=io.BytesIO(data), out=out, err=out), out.getvalue()


def first_outcome(said: str) -> str:
    """Return the first outcome of the last question that was told."""
    return said.rsplit("Which is likelier for ", 1)[1].split(": ", 1)[1].split(" or ")[0]


BEGIN = ("next", "agree", "choose 1 b", "choose 2 a", "next", "next", "next")


@pytest.mark.slow
def test_a_whole_study_in_lines(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0", block_items="1")
    lab.recruit("ada-lab")
    code, said = typed(lab, "ada-lab", *BEGIN)
    assert code == 129 and "no command 'next' here" in said and "Which is likelier" in said
    # Left by the end of the input, and gone on with where it was.
    code, said = typed(lab, "ada-lab", "next", f"answer {first_outcome(said)} 80", "revise", "reveal", "next")
    assert "Likelier is" in said and "no command 'revise'" in said and "Is everything clear?" in said
    for line in ("next", "choose 1 z", "choose 9 a"):
        code, said = typed(lab, "ada-lab", line)
        assert "every question needs an answer" in said or "one of" in said
    code, said = typed(lab, "ada-lab", *_check_answers(said), "next")
    for nth in (1, 2):
        assert f"{nth} of 2" in said or "Which is likelier" in said
        code, said = typed(lab, "ada-lab", "home", "next", f"answer {first_outcome(said)} 75", "next", "next")
        assert "This item waits for you" in said and "Saved." in said and "Likelier" not in said and "Right" not in said
    assert "The end" in said and code == 0
    lab.merge("ada-lab")
    with lab.study() as study:
        data = compile_study(study.manifest, read_collected(study.answers), lambda solver: lambda a, b: ("scored", ""))
    (person,) = data.people
    assert person.ended == "finished" and person.counts().answered == 2


@pytest.mark.slow
def test_the_aid_in_lines_is_that_of_the_item_at_hand(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0", aids="[A0, A2]", aids_vary="within", hidden_systems="0")
    lab.recruit("ada-lab")
    _, said = typed(lab, "ada-lab", "agree", "choose 1 a", "choose 2 a", "next", "next")
    _, said = typed(lab, "ada-lab", *_check_answers(said), "next")
    assert "COLLECT A0" in said and "COLLECT A2" not in said
    _, said = typed(lab, "ada-lab", "next", f"answer {first_outcome(said)} 75", "next", "next")
    assert "something else stands beside the text" in said and "COLLECT A2" in said


def _check_answers(said: str) -> list[str]:
    """Choose the right options of the comprehension check, as a reader would."""
    lines, right, nth = said.split("\n"), ("the likelier outcome", "50", "my own head"), 0
    chosen = []
    for line in lines:
        letter, _, option = line.strip().partition(" ")
        if nth < len(right) and len(letter) == 1 and option == right[nth]:
            nth += 1
            chosen.append(f"choose {nth} {letter}")
    return chosen


@pytest.mark.slow
def test_who_declines_or_withdraws_is_asked_twice_and_leaves_nothing(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0", block_items="1")
    lab.recruit("ada-lab", "bob-lab")
    code, said = typed(lab, "ada-lab", "decline", "agree", "withdraw", "help", "withdraw", "withdraw", "next")
    assert code == 0 and said.count("once more to confirm") == 3 and "The end" in said
    code, said = typed(lab, "bob-lab", "decline", "decline", "next")
    assert code == 0 and "The end" in said
