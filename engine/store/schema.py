"""The tables of packs, sealed files and scores, and the identity of each kind of file.

Every table is STRICT and WITHOUT ROWID with a text key, so that rows lie in the order of their keys and no hidden
row number tells in which order they were made. The tables of `answers.db` grow by migrations and stand there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of clew file."""

    name: str
    application_id: int
    """Four letters, `clw` and one of its own."""
    version: int
    """The user_version that this clew writes, and the newest that it reads."""
    ddl: tuple[str, ...]
    """Statements that make the tables."""
    schema_sha: str
    """`engine.store.content.schema_sha` of a file of this version; a test keeps it true."""


_META = """create table meta (
    key text not null primary key,
    value text not null
) strict, without rowid"""

PACK = Kind(
    name="pack",
    application_id=int.from_bytes(b"clwP", "big"),
    version=1,
    ddl=(
        _META,
        """create table puzzle (
    id text not null primary key check (length(id) = 32),  -- salted digest of the public payload
    family text not null,
    kind text not null,
    complexity integer not null,
    n_turns integer not null check (n_turns >= 1),
    payload_sha text not null check (length(payload_sha) = 64),
    commit_sha text not null check (length(commit_sha) = 64)  -- keyed commitment to the sealed record
) strict, without rowid""",
        "create index puzzle_by_kind on puzzle (family, kind, complexity)",
        """create table puzzle_body (  -- apart from puzzle, so that a scan of the list reads no payloads
    puzzle_id text not null primary key references puzzle (id),
    payload text not null  -- canonical JSON
) strict, without rowid""",
        """create table turn_script (
    puzzle_id text not null references puzzle (id),
    turn integer not null check (turn >= 1),
    user_text text not null,
    primary key (puzzle_id, turn)
) strict, without rowid""",
        """create table rendering (
    id text not null primary key,
    puzzle_id text not null references puzzle (id),
    renderer text not null,
    domain text not null,
    params_sha text not null,
    body text not null,  -- the exact text that is shown
    body_sha text not null check (length(body_sha) = 64),
    audit_status text not null,
    unique (puzzle_id, renderer, domain, params_sha)
) strict, without rowid""",
    ),
    schema_sha="784c414b5862995dc0fbca67dd1cc666b5c224af9d8e0356d552449e7e3dd01e",
)

SEALED = Kind(
    name="sealed file",
    application_id=int.from_bytes(b"clwS", "big"),
    version=1,
    ddl=(
        _META,
        """create table sealed_hs (
    puzzle_id text not null primary key,
    seed text not null,  -- up to 256 bits, so no integer column holds it
    idx integer not null check (idx >= 0),
    generator_version text not null,
    program text not null,  -- canonical JSON
    gold text not null check (gold in ('PRESENT', 'ABSENT')),
    present_probability text not null,  -- exact fraction
    latent_trace text not null,  -- canonical JSON
    salt text not null check (length(salt) >= 32)  -- hex digits
) strict, without rowid""",
        """create table sealed_ia (
    puzzle_id text not null,
    turn integer not null check (turn >= 1),
    position integer not null check (position >= 0),
    constraint_id text not null,
    params text not null,
    requirement text not null,
    label text,
    expect integer not null check (expect in (0, 1)),
    scored integer not null check (scored in (0, 1)),
    since_turn integer not null,
    patterns text not null,
    salt text not null check (length(salt) >= 32),
    primary key (puzzle_id, turn, position)
) strict, without rowid""",
        """create table sealed_turn (
    puzzle_id text not null,
    turn integer not null check (turn >= 1),
    keywords text not null,
    conflict text,
    witness text not null,
    primary key (puzzle_id, turn)
) strict, without rowid""",
        """create table canary (
    token text not null primary key
) strict, without rowid""",
    ),
    schema_sha="7bbb1b0712ea5289239d6fe5d3c06752693053e124ee057b16cf40bdd04f43db",
)

SCORE_DDL = """create table score (
    attempt text not null,
    scorer_version text not null,
    puzzle_id text not null,
    solver text not null,
    family text not null,
    kind text not null,
    complexity integer not null,
    status text not null check (status in ('scored', 'skipped', 'ambiguous', 'unparsable', 'truncated', 'refused',
        'filtered', 'empty', 'too_long')),
    label text check (label in ('PRESENT', 'ABSENT')),  -- as given
    correct integer check (correct in (0, 1)),  -- of a writing task: whether every check of every turn passed
    present_probability text,  -- exact fraction; null for writing tasks
    primary key (attempt, scorer_version)
) strict, without rowid"""

SCORES = Kind(
    name="scores file",
    application_id=int.from_bytes(b"clwR", "big"),
    version=2,
    ddl=(
        """create table parsed (  -- what a parser reads out of a raw text
    attempt text not null,
    parser_version text not null,
    status text not null,
    label text check (label in ('PRESENT', 'ABSENT')),
    flags text not null default '',
    primary key (attempt, parser_version)
) strict, without rowid""",
        SCORE_DDL,
        """create table turn_score (  -- one answer of a writing task; exact fractions, null unless it was scored
    attempt text not null,
    scorer_version text not null,
    turn integer not null check (turn >= 1),
    status text not null,
    total text,
    all_satisfied text,
    fraction_satisfied text,
    task_relevance text,
    no_leakage text,
    self_audit_accuracy text,
    conflict_flagged text,
    words integer,
    floored integer check (floored in (0, 1)),  -- too short, so that all rewards are 0
    overlap text,
    primary key (attempt, scorer_version, turn)
) strict, without rowid""",
        """create table check_score (  -- one constraint on one answer of a writing task
    attempt text not null,
    scorer_version text not null,
    turn integer not null check (turn >= 1),
    position integer not null check (position >= 0),  -- in brief order
    constraint_id text not null,
    family text not null,
    expect integer not null check (expect in (0, 1)),
    scored integer not null check (scored in (0, 1)),
    passed integer not null check (passed in (0, 1)),
    seen text not null,
    patterns text not null,  -- canonical JSON list
    primary key (attempt, scorer_version, turn, position)
) strict, without rowid""",
        """create table audit_run (
    id text not null primary key,
    started_at text not null,
    clew_version text not null,
    subject text not null,  -- digest of what was audited
    recipe text not null  -- canonical JSON of what was asked for
) strict, without rowid""",
        """create table finding (
    run text not null references audit_run (id),
    "check" text not null,
    severity text not null,
    subject text not null,
    evidence text not null,
    primary key (run, "check", subject)
) strict, without rowid""",
    ),
    schema_sha="f7f4c93643a4b8cbd0036fabb6376e058f186949ad908516f0ac63179be9f47e",
)
