"""Everything that a report of a study says, computed once; the pages only lay it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

import numpy as np

from audits.people.agreement import Agreement, Attention, Steadiness, agreement, attention, labels, steadiness
from audits.people.aids import AidContrast
from audits.people.bars import Bar, bars
from audits.people.calibration import Calibration, calibration, pairs_of
from audits.people.checklist import Entry, checklist
from audits.people.contrasts import Contrast, OneAgainstOne, contrasts, single_contrasts
from audits.people.course import Learning, Speed, learning, speed
from audits.people.difficulty import Difficulty, difficulties
from audits.people.evidence import Evidence
from audits.people.panels import Distribution, Panel, distribution, model_answers, panels, people_answers
from audits.people.rates import Rate, model_rates, person_rates
from audits.people.requirements import PEOPLE, Kind, kinds, share_of_requirements
from engine.errors import counted
from engine.study.config import FAMILIES
from engine.study.manifest import Item
from engine.study.statuses import ERROR_ALARM, Counts, count
from engine.study.twoway import FEWEST_PEOPLE

KS = (1, 2, 3, 4, 5, 8, 16)


@dataclass(frozen=True, kw_only=True)
class FamilyFindings:
    """One family of items."""

    family: str
    items: int
    people: tuple[Rate, ...]
    """One a person and aid, by place."""
    models: tuple[Rate, ...]
    spread: Distribution | None
    bars: tuple[tuple[str, tuple[Bar, ...]], ...]
    """By aid level."""
    people_panels: tuple[Panel, ...]
    model_panels: tuple[tuple[str, tuple[Panel, ...]], ...]
    agreement: Agreement | None
    calibration: tuple[tuple[str, Calibration], ...]
    """People first, then models that were asked."""
    difficulty: tuple[Difficulty, ...]


@dataclass(frozen=True, kw_only=True)
class Findings:
    """A whole report."""

    title: str
    name: str
    version: int
    manifest_sha: str
    clew_version: str
    scope: str
    """For whom and for what the figures hold, in words."""
    warnings: tuple[str, ...]
    people: int
    analysed: int
    left_out: tuple[tuple[str, int], ...]
    withdrawn: int
    statuses: tuple[tuple[str, Counts], ...]
    """Of all people together and of each model, main items."""
    families: tuple[FamilyFindings, ...]
    contrasts: tuple[Contrast, ...]
    aid_contrasts: tuple[AidContrast, ...]
    """Aids against each other within people; empty where the study does not deal them so."""
    with_everybody: tuple[Contrast, ...]
    """The registered contrast again, nobody left out."""
    single: tuple[OneAgainstOne, ...]
    learning: Learning | None
    speed: Speed | None
    steadiness: tuple[Steadiness, ...]
    """By family with items shown twice."""
    attention: tuple[Attention, ...]
    """By family with attention items, of everybody who took part."""
    requirements: tuple[Kind, ...]
    requirement_shares: tuple[tuple[str, float], ...]
    checklist: tuple[Entry, ...]


def study_findings(evidence: Evidence) -> Findings:
    """Compute a report."""
    frame, data = evidence.frame, evidence.data
    rules = [one.rule for one in evidence.left_out]
    statuses = _statuses(evidence)
    everybody = [one for one in contrasts(evidence, data.people).models if one.registered]
    compared = contrasts(evidence, evidence.kept)
    families = tuple(_family(evidence, one) for one in FAMILIES if one in {item.family for item in frame.items})
    warnings = [*_warnings(evidence, statuses), *_alarms(families)]
    return Findings(
        title=frame.title, name=frame.name, version=frame.version, manifest_sha=frame.sha,
        clew_version=metadata.version("clew"), scope=scope(evidence), warnings=tuple(warnings),
        people=len(data.people), analysed=len(evidence.kept),
        left_out=tuple((rule, rules.count(rule)) for rule in dict.fromkeys(rules)), withdrawn=data.withdrawn,
        statuses=statuses,
        families=families,
        contrasts=compared.models, aid_contrasts=compared.aids, with_everybody=tuple(everybody),
        single=single_contrasts(evidence), learning=learning(evidence, frame.ends), speed=speed(evidence),
        steadiness=steadiness(evidence), attention=attention(data.people), requirements=kinds(evidence),
        requirement_shares=_shares(evidence),
        checklist=checklist(evidence),
    )  # fmt: skip


def scope(evidence: Evidence) -> str:
    """Return for whom and for what the figures hold."""
    people, items = counted(len(evidence.kept), "person", "people"), counted(len(evidence.frame.items), "item")
    who = evidence.frame.population or "of an unreported population"
    return (
        f"These figures are about {people} ({who}) on these {items}, under the aids named, and about nobody else."
        " They are no statement about people in general: a national adult population would take about a thousand."
    )


def _statuses(evidence: Evidence) -> tuple[tuple[str, Counts], ...]:
    people = count(trial.status for person in evidence.kept for trial in person.main)
    return (("people", people), *((model.name, model.counts()) for model in evidence.data.models))


def _warnings(evidence: Evidence, statuses: Sequence[tuple[str, Counts]]) -> list[str]:
    found = [
        f"{name}: {counts.of('error')} of {counts.expected} items ended in an error of the system, not of the solver"
        for name, counts in statuses
        if counts.error_share > ERROR_ALARM
    ]
    if evidence.refused:
        names = sorted({trial.code if trial.kind == "model" else "a person" for trial in evidence.refused})
        found.append(
            f"{counted(len(evidence.refused), 'row')} answered another text than the frozen one ({', '.join(names)}):"
            " refused, not analysed"
        )
    if evidence.data.models and (alone := _alone(evidence)):
        found.append(f"no model answered under {', '.join(alone)}: those answers of people are compared with none")
    if len(evidence.kept) < FEWEST_PEOPLE:
        found.append(f"fewer than {FEWEST_PEOPLE} people: results of single people only, no test about a population")
    primary = evidence.frame.primary
    if primary is not None and all(model.name != primary.model for model in evidence.data.models):
        found.append(
            f"the registered model {primary.model} has no answers yet: the registered contrast is not computed"
        )
    return found


def _alone(evidence: Evidence) -> list[str]:
    """Return the aids under which people answered and no model did."""
    told = {trial.aid for model in evidence.data.models for trial in model.trials if trial.attempt}
    return sorted({trial.aid for person in evidence.kept for trial in person.main if trial.attempt} - told)


def _alarms(families: Sequence[FamilyFindings]) -> list[str]:
    """Return who is better than the evidence allows: the likeliest reason is that gold has leaked."""
    found = []
    for family in families:
        for aid, shown in family.bars:
            ceiling = next((bar.high for bar in shown if bar.kind == "ceiling" and bar.high is not None), None)
            found += [
                f"{bar.name} ({aid}) lies above the ceiling of {ceiling:.3f} by more than its range: look for a leak"
                for bar in shown
                if ceiling is not None and bar.kind in ("people", "model") and bar.low is not None and bar.low > ceiling
            ]
    return found


def _family(evidence: Evidence, family: str) -> FamilyFindings:
    items: tuple[Item, ...] = evidence.items(lambda item: item.family == family)
    people = person_rates(evidence, items, family)
    matrix = evidence.people_matrix(items, evidence.kept)
    systems = family == "hidden-systems"
    return FamilyFindings(
        family=family, items=len(items), people=people,
        models=tuple(rate for rate in model_rates(evidence, items, family) if rate.counts.scored),
        spread=distribution([float(np.nanmean(row)) for row in matrix if np.isfinite(row).any()]),
        bars=tuple((aid, bars(evidence, family, aid)) for aid in evidence.frame.aids),
        people_panels=panels(people_answers(matrix), KS, votes=systems),
        model_panels=tuple(
            (model.name, panels(model_answers(evidence, items, model.name), KS, votes=systems))
            for model in evidence.data.models
            if any(trial.attempt and trial.family == family for trial in model.trials)
        ),
        agreement=agreement(labels(evidence.kept, items)) if systems else None,
        calibration=tuple(_calibrations(evidence, family)),
        difficulty=difficulties(items, people_answers(matrix)),
    )  # fmt: skip


def _calibrations(evidence: Evidence, family: str) -> list[tuple[str, Calibration]]:
    groups = [(PEOPLE, [trial for person in evidence.kept for trial in person.main if trial.family == family])]
    groups += [(m.name, [trial for trial in m.trials if trial.family == family]) for m in evidence.data.models]
    found = [(name, calibration(pairs_of(evidence, trials))) for name, trials in groups]
    return [(name, one) for name, one in found if one is not None]


def _shares(evidence: Evidence) -> tuple[tuple[str, float], ...]:
    groups = [(PEOPLE, [trial for person in evidence.kept for trial in person.main])]
    groups += [(model.name, list(model.trials)) for model in evidence.data.models]
    found = [(name, share_of_requirements(evidence, trials)) for name, trials in groups]
    return tuple((name, share) for name, share in found if share is not None)
