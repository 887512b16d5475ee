"""What the user says in one turn of a script: the task, what is added, and what is dropped, restored or quoted.

Requirements that a turn adds are buried in it as in a single brief (`brief`). One that was revoked is described by what
must not be left of it, which is what `absence` checks; a requirement that merely stays is not mentioned. A text depends
on its arguments alone. Section "Readings decided", 11, 32 and 40.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import UsageError
from engine.instruction_adherence.brief import brief
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints import language, length, lexical, meta, positional, structure
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.seed_tasks import FilledTask
from engine.randomness import Stream


class Dropped(NamedTuple):
    """A revoked requirement."""

    label: str | None
    constraint: Constraint


class Restored(NamedTuple):
    """Two requirements that contradicted each other: the one that holds, and the one that is withdrawn."""

    original: str
    """Each with its label, if it has one."""
    rival: str


@dataclass(frozen=True, kw_only=True)
class Said:
    """All that one turn has to say."""

    task: FilledTask
    added: tuple[Requirement, ...] = ()
    first: bool = False
    """Whether it is the first turn, which says that requirements stay."""
    audits: bool = False
    """Whether the turn asks for an audit."""
    listed: tuple[str, ...] = ()
    """Earlier requirements with the labels that they get in this turn."""
    dropped: Dropped | None = None
    restored: Restored | None = None
    quoted: str | None = None
    """An instruction for somebody else."""


STANDING = (
    "What is required here holds for the later texts of this conversation too, until it is taken back.",
    "More tasks will follow; the requirements stay in force for all of them unless something else is said.",
    "All of these requirements remain valid for every text after this one, as long as they are not lifted.",
    "Whatever is asked of this response is asked of each one that follows as well, until further notice.",
)
AUDITED = (
    "(In a later turn the SELF-AUDIT block covers the labels of all requirements that are in force by then.)",
    "(The SELF-AUDIT block of any later turn has a line for each requirement in force at that time.)",
    "(Later on, too: the labels in the SELF-AUDIT block are always those of the requirements that hold in that turn.)",
)
LISTED = (
    "So far these requirements are in force; from here on each has a label that it keeps:",
    "For reference, the requirements that hold already, with the labels by which they go from this turn on:",
    "To give them names, here is what holds from before, each requirement with its label:",
)
DROPPED = (
    "One thing is over: I no longer want {thing}; leave that out. {rule}",
    "No longer bother with {thing}; from now on leave that out. {rule}",
    "I have changed my mind about {thing}: no longer wanted, so leave that out. {rule}",
    "As for {thing}, this is no longer part of what I ask; leave it out completely. {rule}",
)
CANCELLED = ("{label} is cancelled.", "That was {label}, which no longer holds.", "{label} is therefore void.")
RESTORED = (
    "The last turn asked for two things that do not go together. Forget “{rival}” again; what holds is the original: "
    "“{original}”",
    "About the contradiction in my last message: “{rival}” is withdrawn, and “{original}” is in force as before.",
    "Take no notice of “{rival}” any more, that was my mistake. The earlier requirement is back: “{original}”",
    "I take “{rival}” back. As it was at first, this counts: “{original}”",
)
PEOPLE = (
    "my colleague Bettina", "our trainee Marek", "the caretaker, Mr Olsen", "my cousin Farida", "the typist Gwendolyn",
    "my neighbour Hugo", "the editor of the school paper", "our volunteer Tadeusz", "my sister-in-law Noor",
    "the translator, Ms Varga",
)  # fmt: skip
QUOTED = (
    "On another matter, this note is for {person} and concerns nobody else: “{text}”",
    "I also have to pass something on to {person}, for a text that {person} is writing: “{text}”",
    "This morning {person} got the following instruction from me, for another piece of work: “{text}”",
    "Do not be puzzled by the slip at the bottom of the page. It is addressed to {person} and reads: “{text}”",
)


def turn_text(said: Said, burial_depth: int, stream: Stream) -> str:
    """Return what the user says in a turn.

    Raises:
        UsageError: the depth is unknown, or an audit is asked for and another requirement has no label.
    """
    told = brief(said.task, said.added, burial_depth, stream, later=not said.first).split("\n\n")
    postscript = [told.pop()] if told[-1].startswith("P.S. ") else []
    before, after = list(_opening(said, stream)), list(_standing(said, stream))
    for event in stream.shuffled(list(_events(said, stream))):
        (before if stream.chance(1, 2) else after).append(event)
    return "\n\n".join([*before, *told, *after, *postscript])


def _opening(said: Said, stream: Stream) -> Iterator[str]:
    """Yield the list of labels, which comes first so that the order of appearance is the order of the labels."""
    if said.listed:
        yield "\n".join([stream.choice(LISTED), *(f"- {entry}" for entry in said.listed)])


def _standing(said: Said, stream: Stream) -> Iterator[str]:
    if said.first:
        yield stream.choice(STANDING)
    if said.audits:
        yield stream.choice(AUDITED)


def _events(said: Said, stream: Stream) -> Iterator[str]:
    if said.dropped is not None:
        yield _drop(said.dropped, stream)
    if said.restored is not None:
        yield stream.choice(RESTORED).format(rival=said.restored.rival, original=said.restored.original)
    if said.quoted is not None:
        yield stream.choice(QUOTED).format(person=stream.choice(PEOPLE), text=said.quoted)


def _drop(dropped: Dropped, stream: Stream) -> str:
    thing, rule = leavings(dropped.constraint)
    text = stream.choice(DROPPED).format(thing=thing, rule=rule)
    return f"{text} {stream.choice(CANCELLED).format(label=dropped.label)}" if dropped.label else text


# What must not be left ----------------------------------------------------------------------------------------------


class Leavings(NamedTuple):
    """A revoked constraint in words."""

    thing: str
    """What is no longer wanted."""
    rule: str
    """A sentence that says what the response must be free of; `absence` checks just that."""


def leavings(constraint: Constraint) -> Leavings:
    """Return what a revoked constraint asked for and what must not be left of it.

    Raises:
        UsageError: the type is not revocable.
    """
    if type(constraint) not in LEAVINGS:
        raise UsageError(f"{constraint.id} cannot be revoked; revocable: {', '.join(kind.id for kind in LEAVINGS)}")
    thing, rule = LEAVINGS[type(constraint)]
    return Leavings(thing.format(**constraint.spoken()), rule.format(**constraint.spoken()))


_WORD = ('the word "{word}"', 'Nowhere in the response may "{word}" occur.')
LEAVINGS: Mapping[type[Constraint], tuple[str, str]] = {
    length.BulletCount: ("the bullet points", "No line may be a bullet point, whatever its marker."),
    lexical.WordExactK: _WORD,
    lexical.Acrostic: (
        'the acrostic of "{word}"',
        'Paragraphs in a row whose first letters spell "{word}" must not occur.',
    ),
    lexical.ExactPhrase: (
        'the phrase "{phrase}"',
        'Its words ("{phrase}") must not follow one another anywhere, in capitals or not.',
    ),
    structure.Headers: ("the markdown headers", "There must be no line with a markdown header of any wording."),
    structure.NumberedSublist: ("the numbered list with its sub-list", "No line may be a numbered item."),
    structure.Wrapped: ("the marks {open} and {close}", "Neither {open} nor {close} may stand in the response."),
    structure.FirstLastWord: (
        "one and the same word at the beginning and at the end",
        "The first and the last word must differ.",
    ),
    structure.EndsQuestion: ("the question at the end", "The response must not end in a question mark."),
    structure.Sections: (
        "the division into sections by {separator}",
        "No line may consist of {separator} alone.",
    ),
    structure.Title: ("the title in double angle brackets", "No line may be such a title (<<like this>>)."),
    structure.BoldCount: ("the bold phrases", "Nothing may be in bold, by asterisks or in any other way."),
    language.ParagraphLanguage: (
        "the paragraph in {language}",
        "No paragraph and no sentence of four or more words may be in {language}.",
    ),
    positional.WordInParagraph: _WORD,
    positional.HoweverOnce: (
        'the sentence that opens with "however"',
        'No sentence may begin with "however".',
    ),
    positional.FinalParagraphStart: (
        'the opening "{phrase}" of the last paragraph',
        'No paragraph, the last or another, may open with the words "{phrase}", in capitals or not.',
    ),
    positional.NthSentenceContains: _WORD,
    meta.SelfAudit: ("the SELF-AUDIT block", "There must be no line SELF-AUDIT."),
    meta.Restate: ("the REQUIREMENTS block", "No line may begin with REQUIREMENTS:."),
    meta.NumberParagraphs: (
        "the numbers of the paragraphs",
        "No paragraph may begin with a number in square brackets.",
    ),
}
"""The revocable types; both texts are templates over the parameters."""
