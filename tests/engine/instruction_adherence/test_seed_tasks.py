"""The public seed tasks: how many, how different, how they are filled, and what is refused with which reason."""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.seed_tasks import (
    FEWEST_USABLE,
    TASK_TYPES,
    Filler,
    SeedTask,
    Slot,
    barred_keywords,
    data_text,
    fill,
    public_seed_tasks,
    read_seed_tasks,
    seed_task_reasons,
)
from engine.instruction_adherence.wordlists import bans
from engine.randomness import Stream
from tests.engine.instruction_adherence.phrases import grams

PUBLIC = public_seed_tasks()
GOOD = SeedTask(
    id="email.01",
    task_type="email",
    text="Ask {person} for a {tool}.",
    slots=(
        Slot(name="person", fillers=tuple(Filler(text=text) for text in ("Ada", "Bo", "Cy", "Di"))),
        Slot(
            name="tool", fillers=tuple(Filler(text=text, keywords=(text,)) for text in ("saw", "drill", "rake", "hose"))
        ),
    ),
    keywords=("garden", "shed", "borrow", "hut"),
)


def every_keyword(seed_task: SeedTask) -> set[str]:
    return {
        *seed_task.keywords,
        *(word for slot in seed_task.slots for filler in slot.fillers for word in filler.keywords),
    }


def keyword_sets(seed_task: SeedTask) -> Iterator[tuple[str, ...]]:
    """Yield the keywords of every filling, worked out from the fillers alone."""
    for chosen in product(*(slot.fillers for slot in seed_task.slots)):
        yield (*seed_task.keywords, *(word for filler in chosen for word in filler.keywords))


def test_there_are_176_of_8_types() -> None:
    assert len(TASK_TYPES) == 8 and Counter(task.task_type for task in PUBLIC) == dict.fromkeys(TASK_TYPES, 22)
    assert len({task.id for task in PUBLIC}) == len({task.text for task in PUBLIC}) == 176


def test_no_two_share_a_phrase_of_four_words() -> None:
    owners = defaultdict(list)
    for task in PUBLIC:
        for gram in grams(task.text):
            owners[gram].append(task.id)
    assert {gram: ids for gram, ids in owners.items() if len(ids) > 1} == {}


def test_filled_texts_are_no_near_duplicates() -> None:
    filled = [(task.id, grams(fill(task, Stream("test", task.id)).text)) for task in PUBLIC]
    overlaps = [len(a & b) / min(len(a), len(b)) for (_, a), (_, b) in combinations(filled, 2)]
    assert max(overlaps) < 0.2


def test_keyword_sets_of_two_tasks_differ() -> None:
    shared = [len(every_keyword(a) & every_keyword(b)) for a, b in combinations(PUBLIC, 2)]
    assert max(shared) <= 4


@pytest.mark.parametrize("task", PUBLIC, ids=lambda task: task.id)
def test_every_filling_keeps_the_keyword_rules(task: SeedTask) -> None:
    for keywords in keyword_sets(task):
        assert 5 <= len(keywords) == len(set(keywords)) <= 8
        for letter in string.ascii_lowercase:
            assert sum(letter not in word for word in keywords) >= FEWEST_USABLE, letter


def test_keywords_are_base_forms_of_nouns_or_verbs_in_the_dictionary() -> None:
    import lemminflect

    for word in {word for task in PUBLIC for word in every_keyword(task)}:
        lemmas = lemminflect.getAllLemmas(word)
        assert word in (*lemmas.get("NOUN", ()), *lemmas.get("VERB", ())), word


def test_no_two_keywords_of_a_task_are_forms_of_one_word() -> None:
    for task in PUBLIC:
        for one, other in combinations(sorted(every_keyword(task)), 2):
            assert one not in forms(other) and other not in forms(one), (task.id, one, other)


def test_no_keyword_is_a_word_that_bans_name() -> None:
    banned = frozenset().union(*map(forms, bans().forbidden))
    named = {word: task.id for task in PUBLIC for word in every_keyword(task)}
    assert {word: named[word] for word in named.keys() & (banned | barred_keywords())} == {}
    assert barred_keywords() >= {"really", "very", "just", "new", "the", "you", "however", "therefore"}


@given(st.sampled_from(PUBLIC), st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_a_filled_task_has_no_gap_left(task: SeedTask, seed: int) -> None:
    filled = fill(task, Stream("test", seed))
    assert (filled.seed_task_id, filled.task_type) == (task.id, task.task_type)
    assert not set("{}") & set(filled.text) and "  " not in filled.text
    assert filled.keywords in set(keyword_sets(task))
    pattern = re.escape(task.text)
    for slot in task.slots:
        texts = "|".join(re.escape(filler.text) for filler in slot.fillers)
        pattern = pattern.replace(rf"\{{{slot.name}\}}", f"(?:{texts})")
    assert re.fullmatch(pattern, filled.text)
    assert fill(task, Stream("test", seed)) == filled


def test_a_slot_named_twice_gets_one_filler_with_its_keywords() -> None:
    task = msgspec.structs.replace(GOOD, text="Ask {person} for a {tool}. Tell {person} why the {tool} is wanted.")
    seen = set()
    for seed in range(40):
        filled = fill(task, Stream("test", seed))
        tool = filled.keywords[-1]
        seen.add(tool)
        assert filled.text.count(tool) == 2 and filled.keywords == (*GOOD.keywords, tool)
    assert seen == {"saw", "drill", "rake", "hose"}


def test_fillings_are_pinned() -> None:
    by_id = {task.id: task for task in PUBLIC}
    email, story = (fill(by_id[name], Stream("golden", name)) for name in ("email.01", "story.22"))
    assert email.text == (
        "Tell the building manager by e-mail that the ceiling lamp flickers in the shared laundry room, and ask when "
        "somebody will come to look at it."
    )
    assert email.keywords == ("laundry", "repair", "tenant", "basement", "visit", "floor", "lamp")
    assert story.text == (
        "Make a fairy tale of collecting tolls, in which a humble person outwits a king with kindness."
    )
    assert story.keywords == ("castle", "servant", "gold", "riddle", "crown", "bow", "king")


def _slots(*slots: Slot) -> Callable[[SeedTask], SeedTask]:
    return lambda task: msgspec.structs.replace(task, slots=slots)


def _changed(**changes: object) -> Callable[[SeedTask], SeedTask]:
    return lambda task: msgspec.structs.replace(task, **changes)


def _slot(name: str, *texts: str) -> Slot:
    return Slot(name=name, fillers=tuple(Filler(text=text) for text in texts))


PERSON, TOOL = GOOD.slots


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_changed(task_type="sonnet"), "task type 'sonnet'; legal are email, "),
        (_changed(id="story.01"), "id 'story.01'; it begins with"),
        (_changed(text="Ask {person} for a {tool}. Pay 3."), "letters, plain punctuation and slots"),
        (_changed(text="Ask {person}  for a {tool}."), "single spaces"),
        (_changed(text="{person} wants a {tool}."), "each from a capital letter, not a slot"),
        (_changed(text="Go there. {person} wants a {tool}."), "each from a capital letter, not a slot"),
        (_changed(text="Ask {person} for a {tool}"), "to a full stop or question mark"),
        (_changed(text="Ask {person} for help."), "slots ['person'] in the text"),
        (_changed(text="Ask {person} at {place} for a {tool}."), "declared are ['person', 'tool']"),
        (_changed(text="Ask {person} for a {tool} }."), "declared are"),
        (_slots(PERSON, TOOL, TOOL), "declared are ['person', 'tool', 'tool']"),
        (_changed(text="Ask {person} for an {tool}."), "article 'an' ahead of 'saw'"),
        (_slots(PERSON, _slot("tool", "saw", "axe", "rake", "hose")), "article 'a' ahead of 'axe'"),
        (_changed(text="Ask {person} for a {tool} in two sentences."), "holds 'sentences'; only constraints"),
        (_slots(_slot("person", "Ada", "Bo", "Cy", "a short man"), TOOL), "holds 'short'; only constraints"),
        (_changed(slots=(), text="Ask for a rake."), "0 slots; 1 to 3"),
        (_slots(PERSON, TOOL, _slot("x", *"abcd"), _slot("y", *"efgh")), "4 slots; 1 to 3"),
        (_slots(PERSON, TOOL, _slot("Big one", *"abcd")), "slot 'Big one': small letters"),
        (_slots(_slot("person", "Ada", "Bo", "Cy"), TOOL), "3 fillers of 'person'; at least 4"),
        (_slots(_slot("person", "Ada", "Bo", "Cy", ""), TOOL), "filler '': letters"),
        (_slots(_slot("person", "Ada", "Bo", "Cy", "{tool}"), TOOL), "filler '{tool}': letters"),
        (_slots(_slot("person", "Ada", "Bo", "Cy", "saw"), TOOL), "filler 'saw' occurs twice"),
        (_changed(keywords=("garden", "shed", "borrow", "Hut")), "keyword 'Hut': a content word"),
        (_changed(keywords=("garden", "shed", "borrow", "tool box")), "keyword 'tool box': a content word"),
        (_changed(keywords=("garden", "shed", "borrow", "really")), "keyword 'really': a content word"),
        (_changed(keywords=("garden", "shed", "shed", "hut")), "keyword 'shed' occurs twice"),
        (_changed(keywords=("garden", "shed", "rake", "hut")), "keyword 'rake' may occur twice"),
        (_changed(keywords=("garden", "shed", "hut")), "4 to 4 keywords; 5 to 8"),
        (_changed(keywords=("pond", "shed", "fork", "hut", "fence", "lawn", "oil", "dirt")), "9 to 9 keywords; 5 to 8"),
        (_changed(keywords=("garden", "shed", "fence", "gate")), "0 keywords without the letter 'e'; at least 2"),
    ],
)  # fmt: skip
def test_a_wrong_seed_task_is_told_why(change: Callable[[SeedTask], SeedTask], reason: str) -> None:
    assert seed_task_reasons(GOOD) == ()
    assert reason in "\n".join(seed_task_reasons(change(GOOD)))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text.replace("id: email.02", "id: email.01"), "'email.01', 'email.01'"),
        (lambda text: text[: text.index("- id: email.22")], "21 ids"),
        (lambda text: text.replace("id: email.01", "id: email.23"), "email.01 to email.22, each once and in order"),
        (lambda text: text.replace("  keywords:", "  length: 5\n  keywords:", 1), "unknown field `length`"),
        (lambda text: text.replace("  text:", "  said:", 1), "field `said`"),
        (lambda text: text.replace("[laundry, repair", "[laundry, 7", 1), "Expected `str`, got `int`"),
        (lambda text: text.replace("[laundry, repair, tenant", "[tent, tree, leak", 1), "email.01: "),
        (lambda text: text + "}", "seed tasks 'email': "),
        (lambda text: "", "Expected `array`, got `null`"),
    ],
)
def test_a_wrong_file_is_refused(spoil: Callable[[str], str], message: str) -> None:
    text = data_text("email")
    assert read_seed_tasks(text, "email") == PUBLIC[:22]
    with pytest.raises(UsageError, match=re.escape(message)):
        read_seed_tasks(spoil(text), "email")


def test_a_seed_task_prints_its_id_alone() -> None:
    assert repr(GOOD) == str(GOOD) == f"{GOOD}" == "SeedTask('email.01')"
