"""What a researcher writes about a study: one YAML file, closed and checked before anything is frozen.

`template.yaml` beside this module is the commented form; a test reads it, so that it never falls behind the types.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
import yaml

from engine.errors import UsageError, quoted
from engine.public import Aid
from engine.study.ordering import Rule

FamilyName = Literal["hidden-systems", "instruction-adherence"]
FAMILIES: tuple[FamilyName, FamilyName] = ("hidden-systems", "instruction-adherence")
ResumePolicy = Literal["resume", "restart_block", "refuse"]
AidsVary = Literal["between", "within"]
"""Whether a person has one aid, or all of them, block by block."""
BUILTIN = "builtin"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")
_CODE = re.compile(r"[a-z][a-z0-9_]{0,30}")


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all parts of a study file."""


class Items(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    families: tuple[FamilyName, ...] = ("hidden-systems",)
    per_stratum: int = 0
    """Items drawn of each stratum; 0 takes all."""


class Design(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    people: int
    raters_per_item: int = 3
    items_per_person: int = 0
    """0: all."""
    order: Rule = "blocked"
    block_items: int = 10
    attention: int = 1
    repeats: int = 1
    dropout_percent: int = 20


class Time(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    item_limit_s: int = 0
    """Visible seconds; 0: no limit."""
    nudge_min: int = 20
    lease_h: int = 72


class Resume(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    policy: ResumePolicy = "resume"
    max_age_h: int = 24


class Practice(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pack: str = BUILTIN
    hidden_systems: int = 1
    writing: int = 0


class Consent(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: str
    text: str


class Instructions(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden_systems: str = ""
    writing: str = ""


class Intake(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    code: str
    text: str
    options: tuple[str, ...]


class Quiz(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: str
    options: tuple[str, ...]
    right: int
    """From 1."""


class Comprehension(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tries: int = 2
    on_fail: Literal["end", "continue"] = "end"
    questions: tuple[Quiz, ...] = ()


class Primary(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    model: str
    family: FamilyName | Literal["all"] = "all"
    aid: Aid = "A0"


class Exclusion(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rule: str
    limit: int = 1
    """What it counts or measures must reach this for the person to be left out."""


class Analysis(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    primary: Primary
    alpha: str = "0.05"
    resamples: int = 10_000
    ends: int = 5
    exclusions: tuple[Exclusion, ...] = ()


class People(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    population: str = ""
    recruitment: str = ""
    pay: str = ""
    pay_per_hour: int = 0
    bonus: str = ""
    ethics_ref: str = ""
    piloting: str = ""
    code_and_data: str = ""


class Preregistration(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    registration: str = ""
    file: str = ""


class Config(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole study file."""

    name: str
    title: str
    packs: tuple[str, ...]
    """Folders, relative to the study file."""
    items: Items = Items()
    design: Design
    aids: tuple[Aid, ...] = ("A0",)
    aids_vary: AidsVary = "between"
    skips_per_ten: int = 1
    undo: bool = True
    paste: Literal["allowed", "logged", "refused"] = "logged"
    time: Time = Time()
    resume: Resume = Resume()
    practice: Practice = Practice()
    consent: Consent
    instructions: Instructions
    intake: tuple[Intake, ...] = ()
    comprehension: Comprehension = Comprehension()
    analysis: Analysis
    people: People = People()
    preregistration: Preregistration = Preregistration()


class _Strict(yaml.SafeLoader):
    """Refuses a key that stands twice in one mapping: the first value would be lost without a word."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> dict[object, object]:
    seen: set[object] = set()
    for key, _ in node.value:
        name = loader.construct_object(key)
        if name in seen:
            raise yaml.constructor.ConstructorError(None, None, f"key {name!r} occurs twice", key.start_mark)
        seen.add(name)
    return loader.construct_mapping(node, deep=True)


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def template() -> str:
    """Return the commented form of a study file."""
    return (files("engine.study") / "template.yaml").read_text(encoding="utf-8")


def read_config(path: Path) -> Config:
    """Read and check a study file.

    Raises:
        UsageError: no such file, not YAML, an unknown or misspelt key, or a value that cannot be; names the place.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Strict)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read; a study file in UTF-8 is needed", "clew study new FILE") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    try:
        config = msgspec.convert(document, Config, strict=True)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {error}", "clew study new FILE shows every key") from error
    if reasons := config_reasons(config):
        raise UsageError(f"{path}: {reasons[0]}")
    return config


def config_reasons(config: Config) -> tuple[str, ...]:
    """Return what is wrong with a study file of the right types. Empty when nothing is."""
    design, analysis = config.design, config.analysis
    bounds = (
        ("design.people", design.people, 1, 100_000),
        ("design.raters_per_item", design.raters_per_item, 1, 100_000),
        ("design.items_per_person", design.items_per_person, 0, 100_000),
        ("design.block_items", design.block_items, 1, 1000),
        ("design.attention", design.attention, 0, 20),
        ("design.repeats", design.repeats, 0, 20),
        ("design.dropout_percent", design.dropout_percent, 0, 90),
        ("items.per_stratum", config.items.per_stratum, 0, 100_000),
        ("skips_per_ten", config.skips_per_ten, 0, 10),
        ("time.item_limit_s", config.time.item_limit_s, 0, 86_400),
        ("time.nudge_min", config.time.nudge_min, 0, 1440),
        ("time.lease_h", config.time.lease_h, 1, 24 * 365),
        ("resume.max_age_h", config.resume.max_age_h, 0, 24 * 365),
        ("practice.writing", config.practice.writing, 0, 20),
        ("practice.hidden_systems", config.practice.hidden_systems, 0, 20),
        ("comprehension.tries", config.comprehension.tries, 1, 10),
        ("analysis.resamples", analysis.resamples, 200, 1_000_000),
        ("analysis.ends", analysis.ends, 1, 1000),
        ("people.pay_per_hour", config.people.pay_per_hour, 0, 1_000_000),
    )
    reasons = [
        f"{key} is {value}; {low} to {high} is right" for key, value, low, high in bounds if not low <= value <= high
    ]
    return tuple(reasons + _text_reasons(config) + _question_reasons(config))


def _text_reasons(config: Config) -> list[str]:
    reasons = []
    if not _NAME.fullmatch(config.name):
        reasons.append(f"name is {quoted(config.name)}; letters, digits, - and _ are right")
    for key, items in (("packs", config.packs), ("items.families", config.items.families), ("aids", config.aids)):
        if not items or len(set(items)) != len(items):
            reasons.append(f"{key} is {list(items)}; one or more different entries are right")
    if config.aids_vary == "within" and len(config.aids) < 2:
        reasons.append(f"aids_vary is 'within' and aids is {list(config.aids)}; two or more aids are right")
    primary = config.analysis.primary
    if primary.aid not in config.aids:
        reasons.append(f"analysis.primary.aid is {primary.aid!r}; one of aids, {', '.join(config.aids)}, is right")
    if primary.family not in ("all", *config.items.families):
        named = ", ".join(("all", *config.items.families))
        reasons.append(f"analysis.primary.family is {primary.family!r}; one of {named} is right")
    if not re.fullmatch(r"0\.\d{1,4}", config.analysis.alpha) or not float(config.analysis.alpha):
        reasons.append(f'analysis.alpha is {quoted(config.analysis.alpha)}; a text such as "0.05" is right')
    if not config.consent.text.strip():
        reasons.append("consent.text is empty; nothing is collected without a consent")
    wanted = {
        "hidden-systems": config.instructions.hidden_systems,
        "instruction-adherence": config.instructions.writing,
    }
    reasons += [
        f"instructions for {family} are empty" for family in config.items.families if not wanted[family].strip()
    ]
    return reasons


def _question_reasons(config: Config) -> list[str]:
    reasons = []
    codes = [question.code for question in config.intake]
    if len(set(codes)) != len(codes) or not all(_CODE.fullmatch(code) for code in codes):
        reasons.append(f"intake codes are {codes}; different small letters, digits and _ are right")
    for nth, quiz in enumerate(config.comprehension.questions, start=1):
        if not 1 <= quiz.right <= len(quiz.options):
            reasons.append(f"comprehension question {nth}: right is {quiz.right}; 1 to {len(quiz.options)} is right")
    for text, options in (
        *((one.text, one.options) for one in config.intake),
        *((one.text, one.options) for one in config.comprehension.questions),
    ):
        if not 2 <= len(options) <= 9 or len(set(options)) != len(options):
            reasons.append(f"question {quoted(text)} has options {list(options)}; 2 to 9 different ones are right")
    return reasons
