"""The text that a person or a model reads: a filled seed task with its requirements buried around it.

Depth 0 lists them after the task. Depth 1 tells some in a preamble and some in the task's own paragraph, depth 2 adds
a trailing P.S., depth 3 a quoted notes block before the P.S., which says that its lines are requirements. Every
requirement's text stands once, unbroken on one line, and in list order at every depth; a brief depends on its
arguments alone. Specification, "Quickstart" (`burial_depth`), and "Readings decided", 11, 35 and 40.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from engine.errors import UsageError, quoted
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.structure import Wrapped
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.seed_tasks import FilledTask
from engine.randomness import Stream

Part = Literal["list", "preamble", "body", "notes", "postscript"]
PARTS: Mapping[int, tuple[Part, ...]] = {
    0: ("list",),
    1: ("preamble", "body"),
    2: ("preamble", "body", "postscript"),
    3: ("preamble", "body", "notes", "postscript"),
}
"""Where requirements stand at each burial depth, from top to bottom."""
FILLED_FIRST: tuple[Part, ...] = ("list", "notes", "postscript", "preamble", "body")
"""Which parts come into being if there are fewer requirements than parts: what tells the depths apart goes first."""

LEADS: Mapping[Part, tuple[str, ...]] = {
    "list": (
        "Requirements for the response:",
        "The response has to meet all of these:",
        "Keep to every one of the following points:",
        "What is asked of the response:",
    ),
    "preamble": (
        "Some conditions come before the task.",
        "A few rules hold for what you are about to write.",
        "Please note first how the response should turn out.",
        "Ahead of the task, this is what the response has to respect.",
    ),
    "body": (
        "While you write, mind this.",
        "In doing so, observe what follows.",
        "The following holds for the response.",
        "Bear these conditions in mind as you go along.",
    ),
    "notes": (
        "Each line of these notes is a requirement that the response has to meet:",
        "From my notes; every line here is a requirement for the response:",
        "Notes on the task, all of them requirements and as binding as the rest:",
    ),
    "postscript": (
        "This belongs to the requirements too.",
        "One more condition for the response, or more than one.",
        "I nearly left this out, and it counts as much as the rest.",
        "Do not overlook what comes here.",
    ),
}
LATER_LEADS: Mapping[Part, tuple[str, ...]] = {
    "list": (
        "From this turn on, the response has to meet these as well:",
        "New requirements, in addition to those that hold already:",
        "Besides what holds from before, keep to these points from now on:",
    ),
    "preamble": (
        "A few conditions are new from this turn on.",
        "To what holds already, add what comes first here.",
        "Ahead of the task, something that counts from now on in addition.",
    ),
    "body": (
        "From now on this holds in addition.",
        "In this response and in later ones, also observe what follows.",
        "New, beside what holds already.",
    ),
    "notes": (
        "Each line of these notes is one more requirement, from this turn on:",
        "From my notes; every line here is a further requirement from now on:",
        "Notes, all of them new requirements and as binding as the earlier ones:",
    ),
    "postscript": (
        "This is new too, and stays.",
        "One more thing from now on, or more than one.",
        "I nearly forgot a further condition, valid from here on.",
    ),
}
"""Sentences ahead of requirements that a later turn of a conversation adds to those in force."""
TASK_LEADS = ("Now for the task.", "Here is the task.", "This is the task.", "So much for that; the task is this.")
UNCOUNTED: Mapping[type[Constraint], str] = {
    SelfAudit: "the SELF-AUDIT block",
    Restate: "the REQUIREMENTS block",
    Wrapped: "the pair of marks around the response",
}
"""What is removed before the other requirements are checked, which the brief says wherever it asks for it."""
NOTICES = (
    "(Not counted when the other requirements are checked: {what}.)",
    "(Taken off before anything else is checked or counted: {what}.)",
    "(No part of the response as far as the other requirements go: {what}.)",
)


def brief(
    task: FilledTask, requirements: Sequence[Requirement], burial_depth: int, stream: Stream, *, later: bool = False
) -> str:
    """Return the task with its requirements as one text.

    Args:
        later: whether it is said in a later turn of a conversation, so that the requirements come to others.

    Raises:
        UsageError: the depth is unknown, or an audit is asked for and another requirement has no label.
    """
    _refuse_unusable(requirements, burial_depth)
    shares = _shares(requirements, PARTS[burial_depth], stream)
    leads = LATER_LEADS if later else LEADS
    blocks: list[str] = []
    if "preamble" in shares:
        blocks.append(_prose(leads["preamble"], shares["preamble"], stream))
    text = f"{stream.choice(TASK_LEADS)} {task.text}" if blocks else task.text
    blocks.append(f"{text} {_prose(leads['body'], shares['body'], stream)}" if "body" in shares else text)
    if "list" in shares:
        blocks += _lines(leads["list"], shares["list"], stream)
    if "notes" in shares:
        blocks += _lines(leads["notes"], shares["notes"], stream, marked=True)
    if "postscript" in shares:
        blocks.append(f"P.S. {_prose(leads['postscript'], shares['postscript'], stream)}")
    return "\n\n".join(blocks)


def _refuse_unusable(requirements: Sequence[Requirement], burial_depth: int) -> None:
    if burial_depth not in PARTS:
        raise UsageError(f"burial depth {quoted(burial_depth)} is unknown; legal: {', '.join(map(str, PARTS))}")
    if any(isinstance(requirement.constraint, SelfAudit) for requirement in requirements):
        for requirement in requirements:
            if requirement.label is None and not isinstance(requirement.constraint, SelfAudit):
                raise UsageError(
                    f"requirement {quoted(requirement.text)} has no label; a self-audit needs one for each"
                )


def _shares(
    requirements: Sequence[Requirement], parts: tuple[Part, ...], stream: Stream
) -> dict[Part, Sequence[Requirement]]:
    """Cut the list, in its order, into one run for each part, none empty; every way to cut is equally likely."""
    first = sorted(parts, key=FILLED_FIRST.index)[: len(requirements)]
    filled = [part for part in parts if part in first]
    if not filled:
        return {}
    cuts = sorted(stream.sample(range(1, len(requirements)), len(filled) - 1))
    borders = zip([0, *cuts], [*cuts, len(requirements)], strict=True)
    return {part: requirements[start:end] for part, (start, end) in zip(filled, borders, strict=True)}


def _prose(leads: Sequence[str], share: Sequence[Requirement], stream: Stream) -> str:
    """Return requirements as running text."""
    entries = [requirement.entry for requirement in share]
    return " ".join([stream.choice(leads), *entries, *_notice(share, stream)])


def _lines(
    leads: Sequence[str], share: Sequence[Requirement], stream: Stream, *, marked: bool = False
) -> Iterator[str]:
    """Yield requirements as a block of lines, then what is not counted."""
    lines = [stream.choice(leads)]
    lines += [f"- {requirement.entry}" for requirement in share]
    yield "\n".join(f"> {line}" if marked else line for line in lines)
    yield from _notice(share, stream)


def _notice(share: Sequence[Requirement], stream: Stream) -> Iterator[str]:
    """Yield the sentence on what of these requirements is not counted, if any of them asks for such a thing."""
    asked = {type(requirement.constraint) for requirement in share}
    if things := [thing for kind, thing in UNCOUNTED.items() if kind in asked]:
        yield stream.choice(NOTICES).format(what=" and ".join(things))
