"""What a report says, section by section: sentences, tables and figures, without any layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audits.people.agreement import Steadiness
from audits.people.aids import AidContrast
from audits.people.bars import Bar
from audits.people.contrasts import Contrast
from audits.people.figures import Figure, family_figures, findings_figures
from audits.people.findings import FamilyFindings, Findings
from audits.people.rates import Rate
from audits.people.requirements import Met
from engine.errors import counted
from engine.study.statuses import STATUSES

NONE = "–"
HARDEST = 10
TITLES = {"hidden-systems": "Hidden systems", "instruction-adherence": "Writing tasks"}


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of texts."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    flagged: frozenset[int] = frozenset()
    """Rows to be marked, such as what was not reported."""


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of a report."""

    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


def sections(found: Findings, solvers: Section | None = None) -> tuple[Section, ...]:
    """Return all sections in order.

    Args:
        solvers: tells of every solver one by one, and then stands in place of the families' own tables of that.
    """
    figures = findings_figures(found)
    return (
        _claim(found),
        *((_registered(found),) if found.version else ()),
        *((solvers,) if solvers is not None else ()),
        *(_family(family, one_by_one=solvers is None) for family in found.families),
        _differences(found, figures),
        *((_aids(found.aid_contrasts),) if found.aid_contrasts else ()),
        _course(found, figures),
        *_requirements(found, figures),
        _counts(found),
        *((_checklist(found),) if found.checklist else ()),
    )


def _claim(found: Findings) -> Section:
    return Section(
        title="What this is about",
        text=(
            *(f"Attention: {warning}." for warning in found.warnings),
            found.scope,
            *(_of_study(found) if found.version else _of_pack(found)),
            "Rates are shares of items presented: what was skipped, ran out of time, was abandoned or could not be read"
            " counts as not right, for people and for models alike. Shares of items answered stand beside them.",
        ),
    )


def _of_study(found: Findings) -> tuple[str, str]:
    left = ", ".join(f"{rule}: {count}" for rule, count in found.left_out) or "nobody"
    return (
        f"{counted(found.people, 'person', 'people')} took part, {found.analysed} analysed; left out by the registered"
        f" rules: {left}; withdrawn and deleted: {found.withdrawn}.{_attention(found)}",
        f"Study {found.name}, version {found.version}, manifest {found.manifest_sha}, clew {found.clew_version}.",
    )


def _attention(found: Findings) -> str:
    """Return how many attention items were passed, by anybody; empty without any."""
    told = ", ".join(f"{TITLES[one.family].lower()} {one.passed} of {one.met}" for one in found.attention)
    return f" Attention items passed, of all that anybody met: {told}." if told else ""


def _of_pack(found: Findings) -> tuple[str, str]:
    return (
        "This is no study: nothing was assigned, frozen or registered. Puzzles that a person did not answer were never"
        " asked for, nobody is left out, and every difference is exploratory.",
        f"Pack content {found.manifest_sha}, clew {found.clew_version}.",
    )


def _registered(found: Findings) -> Section:
    main = [one for one in found.contrasts if one.registered]
    text = [_sentence(one) for one in main] or ["The registered contrast could not be computed."]
    text += [f"With nobody left out: {_sentence(one)}" for one in found.with_everybody if found.left_out]
    rows = tuple(
        (one.person, one.model, str(one.items), str(one.person_only), str(one.model_only), f"{one.p:.3g}")
        for one in found.single
    )
    tables = (
        Table(
            caption="Each person against the registered model, exact McNemar test: about these two on these items.",
            header=("person", "model", "items", "only the person right", "only the model right", "p"),
            rows=rows,
        ),
    )
    return Section(title="The registered contrast", text=tuple(text), tables=tables if rows else ())


def _sentence(one: Contrast) -> str:
    people, items = counted(one.people, "person", "people"), counted(one.items, "item")
    start = f"{people} minus {one.model} on {items} ({one.name}, {one.aid}):"
    rates = f"people {_share(one.human)}, model {_share(one.model_mean)}"
    if one.found is None:
        return f"{start} {rates}; too few people or items for a test."
    word = "the interval leaves out 0" if one.found.low > 0 or one.found.high < 0 else "the interval holds 0"
    return (
        f"{start} {one.found.value:+.3f}, 95 % interval {one.found.low:+.3f} to {one.found.high:+.3f},"
        f" p {one.found.p:.3g}; {rates}; {word}."
    )


def _family(family: FamilyFindings, *, one_by_one: bool) -> Section:
    text = []
    if family.spread is not None:
        spread = family.spread
        sd = f", SD {spread.sd:.3f}" if spread.sd is not None else ""
        text.append(
            f"A single person is right on {spread.mean:.3f} of the items on average{sd}; half of the people lie between"
            f" {spread.low:.3f} and {spread.high:.3f}, the best has {spread.best:.3f}"
            f" ({counted(spread.people, 'person', 'people')})."
        )
    if family.agreement is not None:
        told = family.agreement
        alpha = f"{told.alpha:.3f}" if told.alpha is not None else told.note
        text.append(
            f"Two people give the same label on {told.raw:.3f} of {counted(told.pairs, 'pair')}"
            f" ({counted(told.items, 'item')}; {told.prevalence:.3f} of all labels are PRESENT);"
            f" Krippendorff's alpha {alpha}."
        )
    for name, one in family.calibration:
        auc = f"{one.discrimination:.3f}" if one.discrimination is not None else "not computed"
        text.append(
            f"Confidence of {name}: Brier {one.brier:.3f}, ECE {one.ece:.3f} (bins of 10 %), mean confidence minus"
            f" share right {one.overconfidence:+.3f}, type-2 AUC {auc}, {one.answers} answers."
        )
    return Section(
        title=TITLES[family.family],
        text=tuple(text), tables=tuple(_family_tables(family, one_by_one=one_by_one)),
        figures=tuple(family_figures(family)),
    )  # fmt: skip


def _family_tables(family: FamilyFindings, *, one_by_one: bool) -> Iterator[Table]:
    for aid, bars in family.bars:
        yield Table(
            caption=f"Every score beside its references, aid {aid}.",
            header=("who", "items", "share right", "95 % range", "where the best shortcut is wrong"),
            rows=tuple(
                (
                    bar.name, str(bar.items), bar.note if bar.value is None else _share(bar.value),
                    _span(bar.low, bar.high), _hard(bar),
                )
                for bar in bars
            ),
        )  # fmt: skip
    if one_by_one:
        yield Table(
            caption="People and models one by one: right of presented, right of answered, and half a point for skips.",
            header=(
                "who", "aid", "presented", "answered", "right", "of presented", "95 % range", "of answered",
                "half for skips",
            ),
            rows=tuple(_rate_row(rate) for rate in (*family.people, *family.models)),
        )  # fmt: skip
    ks = [("people", panel) for panel in family.people_panels]
    ks += [(name, panel) for name, panels in family.model_panels for panel in panels]
    yield Table(
        caption="Several answers together, drawn without replacement; a model's best of k is its pass@k.",
        header=("who", "k", "items", "majority of k", "best of k"),
        rows=tuple((name, str(p.k), str(p.items), _share(p.majority), _share(p.best)) for name, p in ks),
    )
    yield Table(
        caption=f"The {HARDEST} hardest items for people.",
        header=("item", "answers", "right", "95 % range", "drawn towards the mean"),
        rows=tuple(
            (one.uid[:12], str(one.answers), str(one.right), _span(*one.interval), _share(one.shrunk))
            for one in family.difficulty[:HARDEST]
        ),
    )


def _hard(bar: Bar) -> str:
    return NONE if bar.hard is None else f"{_share(bar.hard)} ({bar.hard_items} items)"


def _rate_row(rate: Rate) -> tuple[str, ...]:
    return (
        rate.name, rate.aid, str(rate.counts.scored), str(rate.counts.answered), str(rate.correct),
        _share(rate.presented), _span(rate.low, rate.high) if rate.counts.scored else NONE, _share(rate.answered),
        _share(rate.half_for_skips),
    )  # fmt: skip


def _differences(found: Findings, figures: dict[str, Figure]) -> Section:
    rows = tuple(
        (
            "registered" if one.registered else "exploratory", one.model, one.name, one.aid, str(one.people),
            str(one.items), _share(one.human), _share(one.model_mean),
            f"{one.found.value:+.3f}" if one.found else "no test",
            _span(one.found.low, one.found.high) if one.found else NONE,
            f"{one.found.p:.3g}" if one.found else NONE, f"{one.p_holm:.3g}" if one.p_holm is not None else NONE,
        )
        for one in found.contrasts
    )  # fmt: skip
    return Section(
        title="Differences between people and models",
        text=(
            "People and items are resampled together. All but the registered contrast are exploratory: their p-values"
            " are also given with Holm's correction over all of them. With fewer than six people or ten items no test"
            " is made.",
        ),
        tables=(
            Table(
                caption="People minus model on the items that both met, under the same aid.",
                header=(
                    "contrast", "model", "items taken", "aid", "people", "items", "people right", "model right",
                    "difference", "interval", "p", "p, Holm",
                ),
                rows=rows,
            ),
        ),
        figures=(figures["contrasts"],) if "contrasts" in figures else (),
    )  # fmt: skip


def _aids(found: Sequence[AidContrast]) -> Section:
    rows = tuple(
        (
            TITLES[one.family], f"{one.first} minus {one.second}", str(len(one.people)), str(one.items),
            f"{one.value:+.3f}", _span(one.found.low, one.found.high) if one.found else "no test",
            f"{one.found.p:.3g}" if one.found else NONE, f"{one.p_holm:.3g}" if one.p_holm is not None else NONE,
        )
        for one in found
    )  # fmt: skip
    return Section(
        title="Aids against each other, within people",
        text=(
            "Every person met some of their items under each aid, in blocks whose order is balanced over people; which"
            " item comes under which aid turns from person to person. The difference is the mean over people of their"
            " share right under one aid minus that under the other, with people and items resampled together. All of"
            " it is exploratory; the p-values share Holm's correction with the contrasts above. With fewer than six"
            " people, or ten items under one of the aids, no test is made.",
        ),
        tables=(
            Table(
                caption="Pairs of aids.",
                header=("family", "aids", "people", "items", "mean difference", "interval", "p", "p, Holm"),
                rows=rows,
            ),
            *map(_own_table, found),
        ),
    )


def _own_table(one: AidContrast) -> Table:
    return Table(
        caption=f"{TITLES[one.family]}, person by person: {one.first} and {one.second}.",
        header=("person", f"right under {one.first}", f"right under {one.second}", "difference"),
        rows=tuple(
            (
                own.person, f"{own.first_right} of {own.first_items}", f"{own.second_right} of {own.second_items}",
                f"{own.difference:+.3f}",
            )
            for own in one.people
        ),
    )  # fmt: skip


def _course(found: Findings, figures: dict[str, Figure]) -> Section:
    text, tables = [], []
    if found.learning is not None:
        one = found.learning
        text.append(
            f"First {one.ends} items {one.first:.3f} right, last {one.ends} items {one.last:.3f}"
            f" ({counted(one.people, 'person', 'people')});"
            f" {_seconds(one.first_s)} an item at first, {_seconds(one.last_s)} in the end (geometric means)."
        )
    if found.speed is not None:
        pace = found.speed
        text.append(
            f"The median answer took {_seconds(pace.median_s)} in view (95 % range {_seconds(pace.low_s)} to"
            f" {_seconds(pace.high_s)}); {counted(round(pace.minutes_a_person), 'minute')} a person in all."
        )
        tables.append(
            Table(
                caption="Being right, given the time taken.",
                header=("answers", "how many", "share right"),
                rows=tuple((name, str(count), _share(share)) for name, count, share in pace.thirds),
            )
        )
    text += map(_steady, found.steadiness)
    shown = tuple(figures[name] for name in ("learning", "time") if name in figures)
    return Section(title="Over the session", text=tuple(text), tables=tuple(tables), figures=shown)


def _steady(one: Steadiness) -> str:
    if one.interval is not None:
        span = _span(one.interval.low, one.interval.high)
        return f"Items shown twice got the same label {one.same} of {one.judged} times ({span})."
    return (
        f"Writing tasks shown twice, {counted(one.pairs, 'pair')} of texts: the second got the verdict of the first on"
        f" {one.same} of {counted(one.judged, 'requirement')}; no range, since verdicts on one text hang together."
    )


def _requirements(found: Findings, figures: dict[str, Figure]) -> Iterator[Section]:
    if not found.requirements:
        return
    names = list(dict.fromkeys(name for kind in found.requirements for name in kind.met))
    rows = tuple(
        (
            kind.constraint_id, kind.family,
            *(_met(kind.met.get(name)) for name in names),
        )
        for kind in found.requirements
    )  # fmt: skip
    shares = ", ".join(f"{name} {share:.3f}" for name, share in found.requirement_shares)
    yield Section(
        title="Writing, requirement by requirement",
        text=(f"Mean share of requirements met in texts that were sent: {shares}.",) if shares else (),
        tables=(Table(caption="How often each kind was met.", header=("kind", "family", *names), rows=rows),),
        figures=(figures["requirements"],) if "requirements" in figures else (),
    )


def _counts(found: Findings) -> Section:
    used = [status for status in STATUSES if any(counts.of(status) for _, counts in found.statuses)]
    rows = tuple(
        (name, str(counts.expected), str(counts.scored), *(str(counts.of(status)) for status in used))
        for name, counts in found.statuses
    )
    return Section(
        title="What became of every item",
        text=("Assigned is presented plus error plus missing, on both sides.",),
        tables=(Table(caption="Items by status.", header=("who", "assigned", "presented", *used), rows=rows),),
    )


def _checklist(found: Findings) -> Section:
    missing = frozenset(nth for nth, entry in enumerate(found.checklist) if not entry.reported)
    return Section(
        title="Reporting checklist",
        text=(f"{len(missing)} of {len(found.checklist)} entries are unreported.",),
        tables=(
            Table(
                caption="Filled from the frozen study and from the data.",
                header=("part", "what", "reported"),
                rows=tuple((entry.group, entry.question, entry.answer) for entry in found.checklist),
                flagged=missing,
            ),
        ),
    )


def _met(met: Met | None) -> str:
    return NONE if met is None else f"{met.share:.3f} ({met.passed} of {met.counted})"


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def _span(low: float | None, high: float | None) -> str:
    return NONE if low is None or high is None else f"{low:.3f} to {high:.3f}"


def _seconds(value: float | None) -> str:
    return NONE if value is None else f"{value:.0f} s" if value >= 10 else f"{value:.1f} s"
