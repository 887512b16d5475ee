"""The private seed tasks: composed by a key, kept for one user alone, and never told."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from engine.errors import StoreError, UsageError
from engine.instruction_adherence import private_seed_tasks
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.private_seed_tasks import (
    compose,
    init_private,
    load_private,
    load_private_key,
    private_path,
    read_templates,
    templates,
)
from engine.instruction_adherence.seed_tasks import (
    TASK_TYPES,
    SeedTask,
    data_text,
    fill,
    public_seed_tasks,
    seed_task_reasons,
)
from engine.instruction_adherence.wordlists import bans
from engine.randomness import Stream, derive
from tests.engine.instruction_adherence.phrases import grams
from tests.engine.world import World

KEYS = [derive("test key", index).to_bytes(32, "big") for index in range(20)]


def parts() -> list[str]:
    """Return every phrase that a private seed task can be made of."""
    return [
        phrase
        for read in templates().values()
        for phrase in (
            *read.frames, *read.angles, *(subject.text for subject in read.subjects),
            *(filler for pool in read.fillers.values() for filler in pool),
        )
    ]  # fmt: skip


def texts(seed_tasks: tuple[SeedTask, ...]) -> set[str]:
    return {task.text for task in seed_tasks}


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_a_key_gives_24_proper_seed_tasks(key: bytes) -> None:
    composed = compose(key)
    assert Counter(task.task_type for task in composed) == dict.fromkeys(TASK_TYPES, 3)
    assert len({task.id for task in composed}) == len(texts(composed)) == 24
    assert [reason for task in composed for reason in seed_task_reasons(task)] == []
    assert all("{" not in fill(task, Stream("test", task.id)).text for task in composed)
    assert compose(key) == composed


def test_other_keys_give_other_seed_tasks() -> None:
    composed = [compose(key) for key in KEYS]
    assert len(set(composed)) == len(KEYS)
    shared = [len(set(one) & set(other)) for one, other in pairwise(composed)]
    assert max(shared) == 0, "fillers of a slot differ too"


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="31 bytes; 32"):
        compose(bytes(31))


def test_no_public_seed_task_shares_a_phrase_or_an_id() -> None:
    public = public_seed_tasks()
    taken = set().union(*(grams(task.text) for task in public))
    fillers = {filler.text for task in public for slot in task.slots for filler in slot.fillers}
    assert [part for part in parts() if grams(part) & taken or part in fillers] == []
    composed = [task for key in KEYS for task in compose(key)]
    assert {task.id for task in public}.isdisjoint(task.id for task in composed)
    filled = set().union(*(grams(fill(task, Stream("test", seed)).text) for task in public for seed in range(4)))
    overlaps = [grams(fill(task, Stream("test", task.id)).text) & filled for task in composed]
    assert max(map(len, overlaps)) <= 1


def test_no_keyword_is_a_word_that_bans_name() -> None:
    banned = frozenset().union(*map(forms, bans().forbidden))
    words = {word for read in templates().values() for subject in read.subjects for word in subject.keywords}
    assert words & banned == set()


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    before = os.umask(0)
    try:
        path = init_private(folder, replace=False)
    finally:
        os.umask(before)
    assert path == private_path(folder) and [entry.name for entry in folder.iterdir()] == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(folder.stat().st_mode) == 0o700
    key = load_private_key(folder)
    assert len(key) == 32 and load_private(folder) == compose(key)


def test_a_second_call_refuses_unless_told_to_replace(tmp_path: Path) -> None:
    path = init_private(tmp_path, replace=False)
    content, first = path.read_bytes(), load_private(tmp_path)
    with pytest.raises(UsageError, match="already") as refused:
        init_private(tmp_path, replace=False)
    assert refused.value.hint == "clew seeds init-private --replace" and path.read_bytes() == content
    init_private(tmp_path, replace=True)
    assert texts(load_private(tmp_path)) != texts(first) and stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_dangling_link_is_not_written_through(tmp_path: Path) -> None:
    private_path(tmp_path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="already"):
        init_private(tmp_path, replace=False)
    init_private(tmp_path, replace=True)
    assert not (tmp_path / "elsewhere").exists() and len(load_private(tmp_path)) == 24


def test_missing_seed_tasks_name_the_command(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"split 'test' needs the private seed tasks; .* is missing") as missing:
        load_private(tmp_path)
    assert missing.value.hint == "clew seeds init-private" and missing.value.exit_code == 2


def test_a_place_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="Cannot write"):
        init_private(tmp_path / "file" / "data", replace=False)
    private_path(tmp_path).mkdir()
    with pytest.raises(StoreError, match="Cannot write"):
        init_private(tmp_path, replace=True)
    with pytest.raises(UsageError, match="cannot be read"):
        load_private(tmp_path)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_file_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    path = init_private(tmp_path, replace=False)
    path.chmod(mode)
    with pytest.raises(UsageError, match=f"has mode {mode:04o}; it must be 0600") as refused:
        load_private(tmp_path)
    assert refused.value.hint == f"chmod 600 {path}"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-20],
        lambda text: text.replace('"format":1', '"format":2'),
        lambda text: text.replace('"key":"', '"key":"0'),
        lambda text: text.replace('"key":"', '"key":"zz'),
        lambda text: text.replace("email.private.01", "email.private.04"),
        lambda text: text.replace('"task_type":"email"', '"task_type":"story"', 1),
        lambda text: text.replace("{", '{"more":1,', 1),
        lambda text: text.replace('"keywords":["', '"keywords":["the","', 1),
    ],
)
def test_a_damaged_file_is_refused_without_quoting_it(tmp_path: Path, spoil: Callable[[str], str]) -> None:
    path = init_private(tmp_path, replace=False)
    text = path.read_text()
    assert spoil(text) != text
    path.write_text(spoil(text))
    with pytest.raises(UsageError) as refused:
        load_private(tmp_path)
    assert refused.value.message == (
        f"{str(path)!r} is no file of private seed tasks; restore it from a copy, or make others"
    )
    assert refused.value.__cause__ is None and refused.value.__context__ is None


def test_the_command_tells_count_and_path_only(world: World) -> None:
    folder = world.folder / "data"
    outcomes = [world.clew("seeds", "init-private")]
    kept, key = load_private(folder), load_private_key(folder)
    outcomes += [world.clew("seeds", "init-private"), world.clew("seeds", "init-private", "--replace")]
    assert [outcome.code for outcome in outcomes] == [0, 2, 0]
    assert outcomes[0].out == outcomes[2].out == f"{private_path(folder)}: 24 private seed tasks\n"
    assert outcomes[1].out == "" and "--replace" in outcomes[1].err and len(outcomes[1].err.splitlines()) == 1
    secrets = {key.hex(), *(secret for task in kept for secret in (task.text, fill(task, Stream("t", 1)).text))}
    told = "".join(outcome.out + outcome.err for outcome in outcomes)
    assert not [secret for secret in secrets if secret in told]
    assert load_private(folder) != kept


def test_values_print_without_their_content(tmp_path: Path) -> None:
    path = init_private(tmp_path, replace=False)
    key, shown = load_private_key(tmp_path), repr((private_seed_tasks._load(path), load_private(tmp_path)))
    assert key.hex() not in shown and not [task for task in load_private(tmp_path) if task.text in shown]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text + "}", "private templates: "),
        (lambda text: text.replace("  angles:", "  angels:", 1), "field `angels`"),
        (lambda text: text.replace("\nstory:", "\nsaga:"), "task types ['email', "),
        (lambda text: re.sub(r"(?m)^    - \"(?!Put).*\n", "", text, count=4), "1 frames; at least 3"),
        (lambda text: text.replace("on the matter of {subject}", "on a matter"), "it holds {subject} once"),
        (
            lambda text: text.replace("matter of {subject}", "matter of {subject}, yes, {subject}"),
            "it holds {subject} once",
        ),
        (lambda text: text.replace("    moment: [", "    moment: [Lent]\n    era: [", 1), "1 'moment'; at least 6"),
        (lambda text: text.replace("{moment}", "{minute}", 1), "slots ['minute', "),
        (lambda text: text.replace("[canoe, bill,", "[the, bill,"), "keyword 'the': a content word"),
        (
            lambda text: text.replace("text: a leaking greenhouse roof", "text: 'a leaking {roof}'"),
            "slots ['receiver', 'roof', ",
        ),
    ],
)
def test_wrong_templates_are_refused(spoil: Callable[[str], str], message: str) -> None:
    text = data_text("private_templates")
    assert read_templates(text) == templates()
    with pytest.raises(UsageError, match=re.escape(message)):
        read_templates(spoil(text))
