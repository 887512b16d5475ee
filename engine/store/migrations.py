"""The schema of `answers.db`, grown by numbered migrations of plain SQL, and what guards each step.

Append a numbered function for a change; never edit an old one. All pending ones run in one immediate transaction,
so of several programs that start together one migrates and the others find it done, and a killed one leaves nothing
applied. sqlite-utils' `transform` is not used: it drops every trigger.

What people and models answered is append-only. Insert triggers refuse an id or a natural key that exists, because
`insert or replace` would otherwise delete the old row without any delete trigger firing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from engine.errors import StoreError
from engine.store.connection import Notify, translated
from engine.store.content import check_schema, parts
from engine.store.rows import immediate

ANSWERS_MIGRATIONS = Migrations("clew")

TABLES = (
    "solver", "study", "assignment", "session", "attempt", "turn", "event", "draft", "withdrawal", "model_call",
    "model_batch", "model_config",
)  # fmt: skip
APPEND_ONLY = ("session", "attempt", "turn", "event", "model_call", "model_config")
TRIGGERS = tuple(sorted(f"{table}_{verb}" for table in APPEND_ONLY for verb in ("insert", "update", "delete")))

_TIME = "glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]*Z'"


@dataclass(frozen=True, kw_only=True)
class Steps:
    """Migrations and the state of the file after the last of them."""

    application_id: int
    migrations: Migrations
    names: tuple[str, ...]
    triggers: tuple[str, ...]
    schema_sha: str

    @property
    def version(self) -> int:
        """The user_version of a file with all steps applied."""
        return len(self.names)


def append_only(table: str, same: str, owner: str) -> tuple[str, ...]:
    """Return the three triggers that keep a table append-only.

    Args:
        same: condition, in terms of `new` and the table, under which a row exists already.
        owner: query that returns the solver of `old`.
    """
    return (
        f"""create trigger {table}_insert before insert on {table}
when exists (select 1 from {table} where {same})
begin select raise(abort, '{table} exists already'); end""",
        f"""create trigger {table}_update before update on {table}
begin select raise(abort, '{table} rows never change'); end""",
        f"""create trigger {table}_delete before delete on {table}
when not exists (select 1 from withdrawal where withdrawal.solver = ({owner}))
begin select raise(abort, '{table} rows stay unless their solver withdrew'); end""",
    )


_OWNER_OF_SESSION = "select session.solver from session where session.id = old.session"

_M001 = (
    f"""create table solver (
    id text not null primary key,
    kind text not null check (kind in ('human', 'model')),
    alias text not null check (alias <> ''),
    consent_at text check (consent_at {_TIME}),
    unique (kind, alias)
) strict, without rowid""",
    """create table study (
    id text not null primary key,
    config text not null,  -- canonical JSON
    config_sha text not null
) strict, without rowid""",
    """create table assignment (
    id text not null primary key,
    study text not null references study (id),
    solver text not null references solver (id),
    puzzle_id text not null,
    rendering_id text not null,
    position integer not null check (position >= 0),
    unique (study, solver, puzzle_id),
    unique (study, solver, position)
) strict, without rowid""",
    f"""create table session (  -- one sitting; its policy never changes
    id text not null primary key,
    solver text not null references solver (id),
    started_at text not null check (started_at {_TIME}),
    app_version text not null,
    pack_sha text not null,
    site text not null,
    mode text not null check (mode in ('practice', 'collect')),
    aid text not null check (aid in ('A0', 'A1', 'A2', 'A3')),
    feedback text not null check (feedback in ('now', 'end', 'never')),
    label_order text not null,
    manifest_sha text not null,
    commit_root text not null,
    resumed_from text references session (id)
) strict, without rowid""",
    "create index session_by_solver on session (solver)",
    f"""create table attempt (
    id text not null primary key,  -- UUID of version 7
    session text not null references session (id),
    assignment text references assignment (id),
    solver text not null references solver (id),
    puzzle_id text not null check (puzzle_id <> ''),
    puzzle_sha text not null,
    rendering_id text not null default '',
    text_sha text not null,  -- of the exact text that was shown
    attempt_no integer not null check (attempt_no >= 1),
    answer text check (answer in ('PRESENT', 'ABSENT', 'SKIP')),  -- null: derived from the turns
    confidence integer check (confidence between 0 and 100),
    shown_at text not null check (shown_at {_TIME}),
    answered_at text not null check (answered_at {_TIME}),
    response_ms integer not null check (response_ms >= 0),  -- monotonic clock
    notes text not null,
    row_sha text not null check (length(row_sha) = 64),
    unique (solver, puzzle_id, rendering_id, attempt_no)
) strict, without rowid""",
    "create index attempt_by_session on attempt (session)",
    f"""create table turn (  -- committed one by one, before their attempt exists
    session text not null references session (id),
    puzzle_id text not null check (puzzle_id <> ''),
    attempt_no integer not null check (attempt_no >= 1),
    turn integer not null check (turn >= 1),
    role text not null,
    text text not null,
    at text not null check (at {_TIME}),
    response_ms integer check (response_ms >= 0),
    row_sha text not null check (length(row_sha) = 64),
    primary key (session, puzzle_id, attempt_no, turn, role)
) strict, without rowid""",
    """create table event (
    session text not null references session (id),
    n integer not null check (n >= 0),  -- counts within the session
    puzzle_id text not null default '',
    t_ms integer not null check (t_ms >= 0),  -- monotonic, since the session began
    kind text not null check (kind <> ''),
    data text not null,
    primary key (session, n)
) strict, without rowid""",
    f"""create table draft (  -- the only rows that change
    session text not null references session (id),
    puzzle_id text not null,
    body text not null,
    saved_at text not null check (saved_at {_TIME}),
    primary key (session, puzzle_id)
) strict, without rowid""",
    f"""create table withdrawal (
    solver text not null primary key,
    at text not null check (at {_TIME})
) strict, without rowid""",
    f"""create table model_call (  -- one row a request
    id text not null primary key,
    resume_key text not null,
    solver text not null references solver (id),
    attempt text not null default '',
    puzzle_id text not null,
    sample integer not null check (sample >= 0),
    try_no integer not null check (try_no >= 1),
    status text not null,
    final integer not null check (final in (0, 1)),
    http_status integer,
    finish_reason text,
    refusal text,
    reasoning text,
    raw text,
    served_model text,
    request_sha text not null,
    params text not null,  -- canonical JSON
    prompt_tokens integer,  -- null: unknown
    completion_tokens integer,
    cached_tokens integer,
    reasoning_tokens integer,
    started_at text not null check (started_at {_TIME}),
    latency_ms integer check (latency_ms >= 0),
    error_type text,
    error_text text,  -- scrubbed
    client_versions text not null
) strict, without rowid""",
    "create unique index model_call_final on model_call (resume_key) where final = 1",
    f"""create table model_batch (  -- committed before the provider is asked how far it is
    id text not null primary key,  -- the provider's
    solver text not null references solver (id),
    file_sha text not null,
    requests integer not null check (requests >= 0),
    submitted_at text not null check (submitted_at {_TIME})
) strict, without rowid""",
    *append_only("session", "id = new.id", "old.solver"),
    *append_only(
        "attempt",
        "id = new.id or (solver = new.solver and puzzle_id = new.puzzle_id"
        " and rendering_id = new.rendering_id and attempt_no = new.attempt_no)",
        "old.solver",
    ),
    *append_only(
        "turn",
        "session = new.session and puzzle_id = new.puzzle_id and attempt_no = new.attempt_no and turn = new.turn"
        " and role = new.role",
        _OWNER_OF_SESSION,
    ),
    *append_only("event", "session = new.session and n = new.n", _OWNER_OF_SESSION),
    *append_only(
        "model_call", "id = new.id or (resume_key = new.resume_key and final = 1 and new.final = 1)", "old.solver"
    ),
)


@ANSWERS_MIGRATIONS()
def m001_answers(db: Database) -> None:
    """Make the tables of people's and models' answers."""
    for statement in _M001:
        db.execute(statement)


_M002 = (
    "alter table model_call add column turn integer not null default 1 check (turn >= 1)",
    # Digests of all messages and of the last user message; empty for rows of version 1, which no program wrote.
    "alter table model_call add column prompt_sha text not null default ''",
    "alter table model_call add column text_sha text not null default ''",
    "create index model_call_by_item on model_call (solver, puzzle_id, turn)",
    f"""create table model_config (  -- what a model's solver is: all that its answers depend on, item apart
    solver text not null primary key references solver (id),
    config text not null,  -- canonical JSON
    config_sha text not null check (length(config_sha) = 64),
    served_model text not null,  -- as the endpoint named it first
    at text not null check (at {_TIME})
) strict, without rowid""",
    *append_only("model_config", "solver = new.solver", "old.solver"),
)


@ANSWERS_MIGRATIONS()
def m002_model_calls(db: Database) -> None:
    """Let a model's requests name turn, prompt and text, and keep what each model's solver is."""
    for statement in _M002:
        db.execute(statement)


ANSWERS_STEPS = Steps(
    application_id=int.from_bytes(b"clwA", "big"),
    migrations=ANSWERS_MIGRATIONS,
    names=("m001_answers", "m002_model_calls"),
    triggers=TRIGGERS,
    schema_sha="f15e76db9b2fc5d9b941e6efb5c168aacd8e4042ae27d9b93d2c861ffdf8d539",
)


def migrate(db: Database, path: Path, steps: Steps, *, back_up: Callable[[], object], notify: Notify) -> None:
    """Bring a file up to the newest schema; a file with unknown steps is refused, and nothing is written.

    Args:
        back_up: called before an older file is changed.

    Raises:
        StoreError: the file was made by a newer clew, or is not as the steps leave it.
    """
    with translated(path):
        if pending := _pending(db, path, steps):
            if len(pending) < len(steps.names):
                notify(f"Updating {path} from version {len(steps.names) - len(pending)} to {steps.version}.")
                back_up()
            with immediate(db):
                _pending(db, path, steps)
                steps.migrations.apply(db)
                db.execute(f"pragma user_version = {steps.version}")
                _check(db, path, steps)
        check_schema(db.conn, steps.schema_sha, path)


def _pending(db: Database, path: Path, steps: Steps) -> list[str]:
    applied = {step.name for step in steps.migrations.applied(db)}
    if not applied <= set(steps.names):
        raise StoreError(f"{path} was made by a newer clew; update to write.")
    return [name for name in steps.names if name not in applied]


def _check(db: Database, path: Path, steps: Steps) -> None:
    """Raise, and so undo the migration, unless triggers, schema and references are as they must be."""
    triggers = tuple(part.name for part in parts(db.conn) if part.kind == "trigger")
    if triggers != steps.triggers:
        raise StoreError(f"{path}: triggers are {triggers!r} after migration; {steps.triggers!r} is right.")
    check_schema(db.conn, steps.schema_sha, path)
    if broken := db.execute("pragma foreign_key_check").fetchall():
        raise StoreError(f"{path}: {len(broken)} rows refer to missing ones after migration; none may.")
