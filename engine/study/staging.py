"""What each stage of a study says, made from the manifest: the words, the questions, what may be answered."""

from __future__ import annotations

from collections.abc import Sequence

from engine.public import Question, Stage, StageWord
from engine.study.manifest import Manifest
from engine.study.ordering import Slot
from engine.study.progress import END, puzzle_of

LEAVING: tuple[StageWord, StageWord] = ("stop", "withdraw")
TITLES = {
    "consent": "Before you begin", "intake": "Two or three questions", "instructions": "What you will do",
    "practice": "Practice", "check": "Is everything clear?", "item": "", "break": "A break", "end": "The end",
}  # fmt: skip
AGAIN = "Not all of that was right. Here are the instructions once more."
ENDS = {
    "finished": "That was all. Thank you. Everything is saved; you may close the window.",
    "stopped": "You stopped here. What you answered so far is saved. Thank you.",
    "failed-check": "Thank you. The task was not explained well enough to go on, so no puzzles follow.",
    "expired": "It is too long since you were last here, so this session is over. What you answered is saved.",
    "refused": "This study cannot be taken up again once it was left. What you answered is saved.",
    "declined": "You did not agree, so nothing was stored.",
    "withdrawn": "Everything that was stored of you on this machine has been deleted.",
}
PAUSED = "Take the time you need; no clock runs here. Go on when you are ready."
ANOTHER = "From here on, something else stands beside the text than before. ? tells what there is."
PRACTISED = (
    "This one is for practice. You will see afterwards what the right answer is. After the practice you will not."
)


def stage_of(manifest: Manifest, slots: Sequence[Slot], key: str, *, tries: int = 0, ended: str = "finished") -> Stage:
    """Return one stage.

    Args:
        tries: failed tries of the check so far.
        ended: why the study is over, for the end.
    """
    kind, _, number = key.partition("/")
    if kind == "consent":
        return Stage(
            key=key, kind="consent", title=TITLES[kind], text=manifest.consent.text, words=("agree", "decline")
        )
    if kind == "intake":
        asked = tuple(Question(text=one.text, options=one.options) for one in manifest.intake)
        return Stage(key=key, kind="intake", title=TITLES[kind], questions=asked, words=("next", *LEAVING))
    if kind == "instructions":
        return Stage(
            key=key, kind="instructions", title=TITLES[kind], text=instructions(manifest), words=("next", *LEAVING)
        )
    if kind == "check":
        asked = tuple(Question(text=one.text, options=one.options) for one in manifest.comprehension.questions)
        text = f"{AGAIN}\n\n{instructions(manifest)}" if tries else ""
        return Stage(key=key, kind="check", title=TITLES[kind], text=text, questions=asked, words=("next", *LEAVING))
    if kind == "break":
        blocks = 1 + max((slot.block for slot in slots), default=0)
        return Stage(
            key=key, kind="break", title=TITLES[kind], text=_pause(slots, int(number)),
            nth=int(number), total=blocks - 1, words=("next", *LEAVING),
        )  # fmt: skip
    if key == END:
        return Stage(key=key, kind="end", title=TITLES[kind], text=ENDS[ended], words=_at_the_end(ended))
    return _item(manifest, slots, key, kind, int(number))


def instructions(manifest: Manifest) -> str:
    """Return the instructions for the families that the study has."""
    families = {item.family for item in manifest.items}
    told = []
    if "hidden-systems" in families:
        told.append(manifest.instructions.hidden_systems.strip())
    if "instruction-adherence" in families:
        told.append(manifest.instructions.writing.strip())
    return "\n\n".join(told)


def _pause(slots: Sequence[Slot], block: int) -> str:
    """Return what the break before a block says."""
    aids = [next(slot.aid for slot in slots if slot.block == nth) for nth in (block - 1, block)]
    return PAUSED if len(set(aids)) == 1 else f"{PAUSED}\n\n{ANOTHER}"


def _at_the_end(ended: str) -> tuple[StageWord, ...]:
    return ("next",) if ended in ("declined", "withdrawn") else ("next", "withdraw")


def _item(manifest: Manifest, slots: Sequence[Slot], key: str, kind: str, nth: int) -> Stage:
    puzzle = puzzle_of(manifest, slots, key)
    assert puzzle is not None, f"stage {key!r} shows a puzzle"
    family = family_of(manifest, puzzle)
    scale = next((one for one in manifest.confidence if one.family == family), None)
    practice = kind == "practice"
    return Stage(
        key=key, kind="practice" if practice else "item", title=TITLES[kind], text=PRACTISED if practice else "",
        puzzle_id=puzzle, family=family, nth=nth, total=len(manifest.aside.practice) if practice else len(slots),
        words=LEAVING, limit_s=0 if practice else manifest.time.item_limit_s, nudge_min=manifest.time.nudge_min,
        aid=slots[0 if practice else nth - 1].aid, paste=manifest.paste, undo=manifest.undo,
        confidence=(scale.low, scale.high) if scale else (50, 100),
        confidence_question=scale.question if scale else "",
    )  # fmt: skip


def family_of(manifest: Manifest, puzzle: str) -> str:
    """Return the family of anything that a study shows."""
    families = {item.uid: item.family for item in manifest.items}
    families |= {extra.uid: extra.family for extra in (*manifest.aside.attention, *manifest.aside.practice)}
    families |= {copy.uid: families[copy.of] for copy in manifest.aside.copies}
    return families[puzzle]
