"""The reporting checklist for human baselines, filled from the manifest and the data; what nobody filled in says so.

After the checklist of Wei, Paskov and others (2025), in own words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

from audits.people.evidence import Evidence
from engine.errors import counted
from engine.study.manifest import Manifest

UNREPORTED = "unreported"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One question of the checklist."""

    group: str
    question: str
    answer: str

    @property
    def reported(self) -> bool:
        return self.answer != UNREPORTED


def checklist(evidence: Evidence) -> tuple[Entry, ...]:
    """Return all questions in order; none outside of a study, where nothing was frozen that could answer them."""
    if evidence.manifest is None:
        return ()
    parts = (_design, _recruitment, _execution, _analysis, _reporting)
    return tuple(entry for part in parts for entry in part(evidence, evidence.manifest))


def _design(evidence: Evidence, manifest: Manifest) -> Iterator[Entry]:
    design = manifest.design
    yield _entry(
        "design",
        "same items for people and models",
        f"{len(manifest.items)} items, by public id and digest of the text",
    )
    chosen = "drawn by stratum with the manifest's seed, or all of the packs, as the study file says"
    yield _entry("design", "how items were chosen", chosen)
    yield _entry("design", "people; items each; samples an item", _sizes(evidence, manifest))
    yield _entry("design", "piloting", manifest.people.piloting)
    yield _entry(
        "design",
        "power",
        f"planned for {counted(design.people, 'person', 'people')}; clew study plan prints the detectable difference",
    )
    yield _entry("design", "ethics review", manifest.people.ethics_ref)
    registered = evidence.registered.get("registration", "")
    sha = evidence.registered.get("prereg_sha", "")
    yield _entry(
        "design", "preregistration", " ".join(part for part in (registered, f"text {sha[:12]}" if sha else "") if part)
    )


def _recruitment(evidence: Evidence, manifest: Manifest) -> Iterator[Entry]:
    people, data = manifest.people, evidence.data
    yield _entry("recruitment", "population and criteria", people.population)
    yield _entry("recruitment", "how people were found", people.recruitment)
    quiz = manifest.comprehension
    failed = sum(person.ended == "failed-check" for person in data.people)
    told = f"{len(quiz.questions)} questions, {quiz.tries} tries; {failed} of {len(data.people)} did not pass"
    yield _entry("recruitment", "pre-qualification", told if quiz.questions else "none")
    yield _entry("recruitment", "authors among the people", _intake(evidence, manifest, "is_author"))
    yield _entry("recruitment", "earlier exposure to the items", _intake(evidence, manifest, "prior_exposure"))
    yield _entry(
        "recruitment",
        "training",
        f"{len(manifest.aside.practice)} practice items with feedback, none of the study",
    )
    yield _entry("recruitment", "pay", people.pay)
    yield _entry("recruitment", "bonus", people.bonus)


def _execution(evidence: Evidence, manifest: Manifest) -> Iterator[Entry]:
    sittings = mean(len(person.sessions) for person in evidence.data.people) if evidence.data.people else 0
    yield _entry(
        "execution",
        "items a sitting",
        f"blocks of at most {manifest.design.block_items}; {sittings:.1f} stored sittings a person",
    )
    order = {"blocked": "sizes in Williams order, shuffled inside", "mixed": "all shuffled"}[manifest.design.order]
    yield _entry("execution", "order of items", f"{order}; computable from the manifest and the person's place")
    rules = ", ".join(f"{use.rule} (limit {use.limit})" for use in manifest.exclusions)
    yield _entry(
        "execution",
        "rules of quality",
        f"{rules or 'none'}; {len(evidence.left_out)} of {len(evidence.data.people)} left out",
    )
    yield _entry(
        "execution",
        "same text and instructions",
        f"digest of every text on every row; {len(evidence.refused)} rows refused",
    )
    yield _entry(
        "execution",
        "tools and aids",
        f"aids {', '.join(manifest.aids)}{_varying(manifest)}; {_intake(evidence, manifest, 'tools')} (asked: tools)",
    )
    minutes = [sum(trial.rt_ms_active or 0 for trial in person.main) / 60_000 for person in evidence.kept]
    yield _entry("execution", "effort", f"{mean(minutes):.0f} active minutes a person" if minutes else "")


def _analysis(evidence: Evidence, manifest: Manifest) -> Iterator[Entry]:
    analysis = manifest.analysis
    yield _entry(
        "analysis",
        "uncertainty",
        f"people and items resampled together, {analysis.resamples} times, level {1 - float(analysis.alpha):.2f}",
    )
    yield _entry("analysis", "tests", "one registered contrast; all others Holm-corrected and called exploratory")
    yield _entry(
        "analysis",
        "same metric, scoring and reduction",
        "one scorer for people and models; rollouts reduced to one mean an item",
    )


def _reporting(evidence: Evidence, manifest: Manifest) -> Iterator[Entry]:
    yield _entry("reporting", "who the people are", manifest.people.population)
    yield _entry(
        "reporting", "process data", "times, revisions, pauses, order: in the item-level data beside this report"
    )
    yield _entry("reporting", "item-level data", "trials.csv and codebook.md beside this report")
    yield _entry(
        "reporting",
        "forms",
        f"consent version {manifest.consent.version}, instructions and questions in the manifest",
    )
    yield _entry("reporting", "code and data", manifest.people.code_and_data)


def _entry(group: str, question: str, answer: str) -> Entry:
    return Entry(group=group, question=question, answer=answer.strip() or UNREPORTED)


def _sizes(evidence: Evidence, manifest: Manifest) -> str:
    kept = evidence.kept
    each = mean(sum(trial.status != "missing" for trial in person.main) for person in kept) if kept else 0
    wanted = manifest.design.raters_per_item
    people, raters = counted(len(kept), "person", "people"), counted(wanted, "person", "people")
    return f"{people} analysed, {each:.0f} items each on average; {raters} an item wanted"


def _varying(manifest: Manifest) -> str:
    if len(manifest.aids) == 1:
        return ""
    return " within people, in balanced blocks" if manifest.aids_vary == "within" else " between people, in turn"


def _intake(evidence: Evidence, manifest: Manifest, code: str) -> str:
    """Return how the people answered an intake question, or that it was not asked."""
    asked = next((one for one in manifest.intake if one.code == code), None)
    if asked is None:
        return UNREPORTED
    counts = [
        sum(person.intake.get(code) == nth for person in evidence.data.people) for nth in range(len(asked.options))
    ]
    return ", ".join(f"{option}: {count}" for option, count in zip(asked.options, counts, strict=True))
