"""The commands before anybody plays: the study file, the freeze, the plan, the bundles."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from engine.errors import UsageError, counted
from engine.store.clock import utc_now
from engine.study import folder as folders
from engine.study.assigning import Needs, aids_of, needs
from engine.study.composing import Seeds, compose
from engine.study.config import read_config, template
from engine.study.exclusions import RULES
from engine.study.gathering import excluded, study_data
from engine.study.handing import fresh_codes, pack_bundle
from engine.study.handing import reserve as reserve_places
from engine.study.manifest import SHORT, Manifest
from engine.study.power import Assumed, Shape, detectable, detectable_within
from engine.study.twoway import FEWEST_ITEMS, FEWEST_PEOPLE

FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
SEALED = click.option(
    "--sealed", type=click.Path(path_type=Path), multiple=True,
    help="A sealed file, one a pack in their order; where they lay at the freeze without it.",
)  # fmt: skip
STUDIES = 200
"""Simulated studies behind a printed figure."""
AIDS_VARY = {"between": "one a person in turn", "within": "all of them within each person, in balanced blocks"}


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def new(file: Path) -> None:
    """Write a commented study file to fill in.

    \b
    Example: clew study new study.yaml
    """
    if file.exists():
        raise UsageError(f"{file} exists already; give a new name")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(template(), encoding="utf-8")
    click.echo(f"{file}: fill it in, then clew study check {file}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def check(file: Path) -> None:
    """Say what a study file would freeze, and what it needs; nothing is written.

    \b
    Example: clew study check study.yaml
    """
    config = read_config(file)
    folders.prereg(file)
    manifest = compose(config, file.parent, Seeds(order="0" * 32, resampling="0" * 32), 1).manifest
    click.echo("\n".join(described(manifest)))
    click.echo(f"exclusion rules known: {', '.join(RULES)}")
    click.echo(f"{file}: can be frozen")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="The study's own folder.")
@click.option("--amend", is_flag=True, help="A changed file makes the next version; the older ones stay.")
def freeze(file: Path, out: Path, amend: bool) -> None:
    """Fix everything before the first answer: items, texts, order, rules, the registered contrast.

    Prints the digest to publish. A later change of the file is refused, with what differs.

    \b
    Example: clew study freeze study.yaml --out my-study
    """
    frozen = folders.freeze(file, out, amend=amend)
    click.echo("\n".join(described(frozen.manifest)))
    word = "frozen" if frozen.new else "frozen already, unchanged"
    click.echo(f"{out}: version {frozen.manifest.version} {word}, manifest {frozen.sha}")


@click.command()
@FOLDER
@click.option("--participants", type=click.IntRange(1, 10_000), help="Give places to so many new people.")
@click.option("--code", "codes", multiple=True, help="Give a place to this code; a fresh one is drawn without it.")
@click.option("--minutes", type=click.FloatRange(0.1, 240), default=4.0, show_default=True, help="Time of one item.")
@click.option("--level", type=click.FloatRange(0.5, 0.99), help="Expected share of right answers of people.")
@click.option("--person-sd", type=click.FloatRange(0, 5), help="Spread of people on the logit scale, from a pilot.")
@click.option("--item-sd", type=click.FloatRange(0, 5), help="Spread of items on the logit scale, from a pilot.")
def plan(
    folder: Path, participants: int | None, codes: tuple[str, ...], minutes: float, level: float | None,
    person_sd: float | None, item_sd: float | None,
) -> None:  # fmt: skip
    """Say what the design can show and what it costs; with --participants, give places and codes.

    Planning again after people dropped out gives their items to others.

    \b
    Example: clew study plan my-study --participants 12
    """
    with folders.Study.open(folder) as study:
        if participants is None and not codes:
            usual = Assumed()
            assumed = replace(
                usual,
                level=usual.level if level is None else level,
                person_sd=usual.person_sd if person_sd is None else person_sd,
                item_sd=usual.item_sd if item_sd is None else item_sd,
            )
            click.echo("\n".join(planned(study.manifest, assumed, minutes)))
            return
        chosen = codes or fresh_codes(study, participants or 0)
        left_out = [one.solver for one in excluded(study, study_data(study))]
        places = reserve_places(study, chosen, discounted=left_out)
        for place in places:
            click.echo(f"{place.code}  place {place.position}  {'>'.join(aids_of(study.manifest, place.position))}")
        if len(places) < len(chosen):
            click.echo(f"{len(places)} of {len(chosen)} places: no further item is open", err=True)


@click.command()
@FOLDER
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A new folder.")
@click.option("--code", "codes", multiple=True, help="Who plays there; everybody without it.")
@SEALED
def pack(folder: Path, out: Path, codes: tuple[str, ...], sealed: tuple[Path, ...]) -> None:
    """Write what a participant's machine gets: packs, manifest, practice, lists. It holds no gold and no seed.

    Its bytes are searched for everything sealed before it is handed out.

    \b
    Example: clew study pack my-study --code 7KQ2-MX9C --out for-ada
    """
    with folders.Study.open(folder) as study:
        places = pack_bundle(study, out, codes, sealed)
        sha = study.sha[:SHORT]
    click.echo(f"{out}: study {sha}, {counted(len(places), 'participant')}, nothing sealed found in it")
    click.echo(f"there: clew play --study {out.name} --as {places[0].code}", err=True)


def described(manifest: Manifest) -> list[str]:
    """Return what a manifest says, in lines for people."""
    design, items, primary = manifest.design, len(manifest.items), manifest.analysis.primary
    strata: dict[str, int] = {}
    for item in manifest.items:
        strata[item.stratum] = strata.get(item.stratum, 0) + 1
    need = needed(manifest)
    each = min(design.items_per_person or items, items)
    lines = [f"{manifest.name}, version {manifest.version}: {counted(items, 'item')}"]
    lines += [f"  {stratum}: {count}" for stratum, count in sorted(strata.items())]
    lines += [
        f"  beside them: {len(manifest.aside.practice)} practice, {len(manifest.aside.attention)} attention,"
        f" {design.repeats} of each family shown twice",
        f"{counted(each, 'item')} a person, {_people(design.raters_per_item)} an item: {_people(need.people)} for all"
        f" ({need.with_reserve} with {design.dropout_percent} % dropping out); planned: {design.people}",
        f"aids {', '.join(manifest.aids)}, {AIDS_VARY[manifest.aids_vary]}; primary: people minus"
        f" {primary.model}, {primary.family}, {primary.aid}, alpha {manifest.analysis.alpha}",
    ]
    if need.people > design.people:
        lines.append(f"  design.people is {design.people}; items will have fewer raters than wanted")
    return lines


def _people(number: int) -> str:
    return counted(number, "person", "people")


def needed(manifest: Manifest) -> Needs:
    """Return how many people the manifest's design needs."""
    design = manifest.design
    return needs(len(manifest.items), design.raters_per_item, design.items_per_person, design.dropout_percent)


def planned(manifest: Manifest, assumed: Assumed, minutes: float) -> list[str]:
    """Return what a design can show and what it costs, in lines for people."""
    design, items = manifest.design, len(manifest.items)
    each = min(design.items_per_person or items, items)
    lines = [f"{utc_now()[:10]}, {manifest.name} version {manifest.version}"]
    for people in sorted({design.people, 2 * design.people}):
        found = detectable(
            Shape(people=people, items=items, each=each), assumed, studies=STUDIES, alpha=float(manifest.analysis.alpha)
        )
        hours = people * each * minutes / 60
        cost = (
            f", {round(hours * manifest.people.pay_per_hour)} {manifest.people.pay}"
            if manifest.people.pay_per_hour
            else ""
        )
        lines.append(
            f"{_people(people)} x {each} of {counted(items, 'item')}: finds a difference of"
            f" {found.difference:.3f} with 80 % power ({hours:.0f} hours at {minutes:g} minutes an item{cost})"
        )
        if manifest.aids_vary == "within":
            lines += [_aids_apart(manifest, assumed, people, each, family) for family in _families(manifest)]
    lines.append(
        f"assumed: people's mean {assumed.level:g}, SD of people {assumed.person_sd:g} and of items {assumed.item_sd:g}"
        f" on the logit scale, correlation of item difficulty {assumed.correlation:g}, {assumed.rollouts} rollouts;"
        f" {STUDIES} simulated studies each"
    )
    lines.append("beyond about four people an item, more items help more than more people")
    return lines


def _families(manifest: Manifest) -> list[str]:
    return sorted({item.family for item in manifest.items})


def _aids_apart(manifest: Manifest, assumed: Assumed, people: int, each: int, family: str) -> str:
    """Say which difference between two aids is found on the items of a family, of which a person gets a fair share."""
    items = sum(item.family == family for item in manifest.items)
    share = max(round(each * items / len(manifest.items)), 1)
    where = f"  two aids, {family}, {share} of {counted(items, 'item')} a person"
    if people < FEWEST_PEOPLE or items < FEWEST_ITEMS or share < len(manifest.aids):
        return (
            f"{where}: no test, which takes {FEWEST_PEOPLE} people, {FEWEST_ITEMS} items and as many items a person"
            " as there are aids"
        )
    found = detectable_within(
        Shape(people=people, items=items, each=share), assumed, aids=manifest.aids, studies=STUDIES,
        alpha=float(manifest.analysis.alpha),
    )  # fmt: skip
    return f"{where}: finds a difference of {found.difference:.3f} with 80 % power"
