"""Brings the rollouts of another tool to a pack: joined by what was asked, never by their place in a file.

A rollout belongs to a puzzle if it names its id, or if the first text that was asked is the puzzle's, byte for byte. A
puzzle's id with another text is refused. Several rollouts of a puzzle are samples, in the order of the file. What a
file says of gold or scores is not used: everything is scored here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from engine.canonical import text_digest
from engine.exchange.filing import Filed, Filer, Said
from engine.exchange.reading import Results
from engine.exchange.rollout import Rollout
from engine.hidden_systems.behavior import LABELS, read_payload
from engine.hidden_systems.presenting import choose
from engine.hidden_systems.surface.prompt import question
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import read_writing
from engine.model_desk import ModelDesk
from engine.models.asking import Shown
from engine.models.dialogue import dialogue
from engine.models.keys import Setting
from engine.models.solver import Parameters, Question
from engine.public import Presented, PresentedTask
from engine.store.answers import Answers
from engine.store.pack import Pack, PackEntry
from engine.store.places import answers_path, pack_path

PROMPT_VERSION = "as-asked/1"
"""What these models were told beside the puzzle's text is not known here."""


def file_results(results: Results, pack: str | None, answers: Path | None) -> Filed:
    """File all rollouts that belong to puzzles of a pack, and tell what became of each."""
    done = Filed()
    tries: Counter[tuple[str, str]] = Counter()
    grouped: defaultdict[tuple[str, int], dict[str, Rollout]] = defaultdict(dict)
    here = _here(results, answers or answers_path())
    for puzzle, rollout in _joined(results.rollouts, pack, done):
        if rollout.identity in here:
            done.before += 1
            continue
        sample = tries[rollout.model, puzzle]
        tries[rollout.model, puzzle] += 1
        grouped[rollout.model, sample][puzzle] = rollout
    for (model, sample), rollouts in sorted(grouped.items()):
        setting = _setting(results, model, sample)
        with closing(_desk(setting, pack, answers)) as desk:
            desk.open()
            source = f"{results.tool} {results.file_sha[:16]}"
            filer = Filer(desk, setting, _pose, served_model=model, source=source)
            for puzzle, rollout in rollouts.items():
                _file(filer, desk, puzzle, rollout, done)
    return done


def _here(results: Results, answers: Path) -> frozenset[str]:
    """Return the ids of our own exported answers that are in the file already, under whoever gave them."""
    if results.tool != "clew" or not answers.exists():
        return frozenset()
    with Answers.open(answers, create=False, read_only=True) as kept:
        return frozenset(one.identity for one in results.rollouts if kept.attempt(one.identity) is not None)


def _setting(results: Results, model: str, sample: int) -> Setting:
    return Setting(
        identity={"adapter": f"import:{results.tool}", "base_url": "", "model": model},
        parameters=Parameters(),
        mode="text",
        prompt_version=PROMPT_VERSION,
        sample=sample,
    )


def _desk(setting: Setting, pack: str | None, answers: Path | None) -> ModelDesk:
    name = f"import:{setting.identity['model']}"
    return ModelDesk(pack=pack, alias=setting.alias(name), config=setting.text(), answers=answers)


def _pose(shown: Shown) -> Question:
    return question(shown) if isinstance(shown, Presented) else dialogue(shown)


def _joined(rollouts: Sequence[Rollout], pack: str | None, done: Filed) -> Iterator[tuple[str, Rollout]]:
    """Yield puzzle and rollout for what belongs to the pack; note the rest."""
    with Pack.open(pack_path(pack)) as opened:
        shas = {entry.id: _first_text_sha(opened, entry) for entry in opened.puzzles()}
    by_text = {sha: puzzle for puzzle, sha in shas.items()}
    seen: set[str] = set()
    told: set[str] = set()
    for rollout in rollouts:
        asked = text_digest(rollout.asked[0]) if rollout.asked else rollout.prompt_sha
        puzzle = rollout.uid if rollout.uid in shas else by_text.get(asked, "")
        named = rollout.uid or asked[:16] or "a row without id or text"
        told.add(puzzle)
        if rollout.identity and rollout.identity in seen:
            done.doubled.append(named)
        elif not puzzle:
            done.unknown.append(named)
        elif asked and asked != shas[puzzle]:
            done.refused.append(f"{named}: the text that was asked is not the pack's")
        else:
            yield puzzle, rollout
        seen.add(rollout.identity)
    done.missing += [puzzle for puzzle in shas if puzzle not in told]


def _first_text_sha(pack: Pack, entry: PackEntry) -> str:
    """Return the digest of what is asked first about a puzzle, in the telling that a model is shown."""
    payload, where = pack.payload(entry.id), f"puzzle {entry.id!r}"
    if entry.family == WRITING:
        return text_digest(read_writing(payload, where=where).turns[0])
    return choose(pack.renderings(entry.id), read_payload(payload, where=where)).body_sha


def _file(filer: Filer, desk: ModelDesk, puzzle: str, rollout: Rollout, done: Filed) -> None:
    """File the turns of one rollout, as far as they fit."""
    if not desk.is_pending(puzzle):
        done.before += 1
        return
    while desk.is_pending(puzzle):
        shown = desk.present(puzzle)
        nth = shown.turn if isinstance(shown, PresentedTask) else 1
        if nth <= len(rollout.asked) and rollout.asked[nth - 1] != shown.text:
            done.refused.append(f"{puzzle}: the text of turn {nth} is not the pack's")
            return
        if not filer.turn(shown, _said(rollout, nth, shown)):
            done.failed += 1
            return
    done.filed += 1


def _said(rollout: Rollout, nth: int, shown: Shown) -> Said:
    if nth > len(rollout.replies):
        return Said(error=rollout.error or "the file has no reply to this turn")
    is_last = nth == len(rollout.replies)
    text = rollout.replies[nth - 1]
    return Said(text=_in_words(text, shown), finish_reason="length" if rollout.truncated and is_last else "stop")


def _in_words(text: str, shown: Shown) -> str:
    """Return a bare code, PRESENT or ABSENT, as the word of this telling; every other text as it is."""
    if isinstance(shown, Presented) and text.strip() in LABELS:
        words: Mapping[str, str] = {item.code: item.name for item in shown.legend.outcomes}
        return words[text.strip()]
    return text
