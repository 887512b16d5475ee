"""R03, R04 and the C rules: every planted leak is found, clean input is silent, and the searches find all forms."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audits import (
    committed,
    faults,
    feedback,
    honeypot,
    leaking,
    model_cache,
    packaging,
    printing,
    remnants,
    seeds,
    served,
    taint,
    timing,
    tripwire,
)
from audits.base import PackAudit, ProgramAudit, Row, settled
from audits.bench import Bench
from audits.feedback import Walked, read_walk, walk_findings
from audits.flow import LOGGING, Flow, Sink, files_of, over_the_web, run_flow
from audits.honeytokens import secrets_of, token, write_tokened, write_turned
from audits.planted import clean_view, timed_view
from audits.study_flow import Done
from audits.terminal import MAIN, Home, Ran, in_terminal, piped
from audits.tokens import FORMS, Needles, Secret, forms
from audits.view import PackView, open_view
from engine.store.sealed import Sealed

FAST: tuple[PackAudit | ProgramAudit, ...] = (
    taint.TAINT, timing.TIMING, printing.PRINTED, remnants.REMNANTS, tripwire.TRIPWIRE,
    model_cache.CACHE, seeds.SEEDS, packaging.PACKAGED, committed.COMMITTED,
)  # fmt: skip
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")


@pytest.mark.parametrize("audit", FAST, ids=lambda audit: audit.key)
def test_every_plant_is_found_and_clean_input_is_silent(audit: PackAudit | ProgramAudit) -> None:
    told = audit.self_test()
    assert told.trusted, told


def test_a_token_is_found_in_every_form() -> None:
    assert honeypot.planted_forms().trusted


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("audit", [faults.FAULTS, feedback.FEEDBACK], ids=lambda audit: audit.key)
def test_every_plant_in_a_run_of_the_program_is_found(audit: ProgramAudit) -> None:
    told = audit.self_test()
    assert told.trusted, told


# Tokens ---------------------------------------------------------------------------------------------------------------


@given(st.text(min_size=12, max_size=40), st.binary(max_size=50), st.binary(max_size=50))
def test_a_secret_is_found_in_every_form_wherever_it_stands(text: str, before: bytes, after: bytes) -> None:
    needles = Needles([Secret("it", text)], shortest=8)
    for form, data in forms(text):
        assert form in {hit.form for hit in needles.found(before + data + after)}, form


@given(st.binary(min_size=0, max_size=5), st.binary(min_size=0, max_size=5))
def test_base64_is_found_whatever_stands_around_it(before: bytes, after: bytes) -> None:
    secret = Secret("it", token())
    text = base64.b64encode(before + secret.text.encode() + after)
    assert [hit.form for hit in Needles([secret]).found(b"x " + text)] == ["base64"]


def test_json_in_json_is_found() -> None:
    secret = Secret("it", 'a "quoted" secret')
    twice = json.dumps(json.dumps({"told": secret.text}))
    assert {hit.form for hit in Needles([secret]).found(twice.encode())} == {"json"}


def test_a_secret_of_a_few_bytes_is_not_looked_for() -> None:
    assert Needles([Secret("it", "1/2"), Secret("it", "")]).count == 0
    assert {form for form, _ in forms("a secret \\ text")} == set(FORMS)


def test_thousands_of_secrets_are_found_among_megabytes() -> None:
    secrets = [Secret(str(nth), token()) for nth in range(2000)]
    data = os.urandom(1 << 20) + secrets[1234].text.encode() + os.urandom(1 << 20)
    assert [hit.label for hit in Needles(secrets).found(data)] == ["1234"]


# Tokened packs --------------------------------------------------------------------------------------------------------


def test_a_tokened_pack_hides_its_tokens_from_the_public_half(tmp_path: Path) -> None:
    secrets = write_tokened(tmp_path)
    assert {secret.label for secret in secrets} >= {
        "seed",
        "salt",
        "rule",
        "flag",
        "program",
        "trace",
        "canary",
        "witness",
    }
    needles = Needles(secrets, shortest=8)
    assert needles.found((tmp_path / "pack.db").read_bytes()) == []
    labels = {hit.label for hit in needles.found((tmp_path / "sealed.db").read_bytes())}
    assert labels >= {"seed", "salt", "rule", "flag", "canary", "witness"}


def test_a_turned_half_has_other_labels_and_other_tokens(tmp_path: Path) -> None:
    write_tokened(tmp_path, tasks=0)
    write_turned(tmp_path / "sealed.db", tmp_path / "turned.db")
    with Sealed.open(tmp_path / "sealed.db") as one, Sealed.open(tmp_path / "turned.db") as other:
        pairs = list(zip(one.records(), other.records(), strict=True))
    assert all(left.puzzle_id == right.puzzle_id and left.gold != right.gold for left, right in pairs)
    assert {left.seed for left, _ in pairs}.isdisjoint({right.seed for _, right in pairs})


def view_of(folder: Path, *, practice: bool) -> PackView:
    write_tokened(folder, practice=practice)
    return open_view(folder / "pack.db", folder / "sealed.db", whole_folder=True)


@pytest.mark.parametrize("audit", [remnants.REMNANTS, committed.COMMITTED], ids=lambda audit: audit.key)
def test_a_clean_folder_passes(audit: PackAudit, tmp_path: Path) -> None:
    assert {row.status for row in audit.run(view_of(tmp_path, practice=False))} == {"pass"}


def test_a_backup_of_the_sealed_file_is_a_remnant_unless_it_is_one_by_its_header(tmp_path: Path) -> None:
    view = view_of(tmp_path, practice=False)
    sealed = (tmp_path / "sealed.db").read_bytes()
    (tmp_path / "sealed copy.db").write_bytes(sealed)
    assert {row.status for row in remnants.audit_remnants(view)} == {"pass"}
    (tmp_path / "part").write_bytes(sealed[100:])
    rows = remnants.audit_remnants(view)
    assert {row.status for row in rows} == {"fail"}
    assert all(row.location.startswith("folder part#/") for row in rows)
    with Sealed.open(tmp_path / "sealed.db") as opened:
        assert not any(canary in repr(rows) for canary in opened.canaries())


def test_a_practice_pack_gets_a_note_and_never_a_pass(tmp_path: Path) -> None:
    [row] = seeds.audit_seeds(view_of(tmp_path, practice=True))
    assert (row.severity, row.status) == ("note", "inconclusive")


def test_a_study_pack_from_a_small_seed_is_found_and_a_tokened_one_is_not(tmp_path: Path) -> None:
    view = view_of(tmp_path, practice=False)
    assert list(seeds.generated(view, range(30))) == []
    assert list(seeds.generated(seeds._study(3), range(4)))


def test_secrets_of_a_sealed_file_are_all_texts_of_its_rows(tmp_path: Path) -> None:
    write_tokened(tmp_path, tasks=0)
    with Sealed.open(tmp_path / "sealed.db") as opened:
        known = {secret.text for secret in secrets_of(tmp_path / "sealed.db")}
        for record in opened.records():
            assert {str(record.seed), record.salt.hex(), record.program, record.latent_trace} <= known


# Timing ---------------------------------------------------------------------------------------------------------------


def test_few_items_are_a_note_and_never_a_pass() -> None:
    rows = settled(timing.audit_timing(clean_view()))
    assert {(row.severity, row.status) for row in rows[:2]} == {("note", "inconclusive")}


def test_every_item_is_measured_in_its_own_time() -> None:
    view = timed_view()
    ticks = iter(range(0, 10**9, 1000))
    times = timing.shown_times(view, lambda puzzle: None, lambda: next(ticks))
    assert set(times.tolist()) == {1000.0}


# Runs of the program --------------------------------------------------------------------------------------------------


def test_a_run_through_pipes_keeps_all_that_it_writes_under_its_home(tmp_path: Path) -> None:
    home = Home.made(tmp_path / "home")
    ran = piped(home, MAIN, ("paths",))
    assert ran.code == 0 and str(home.data).encode() in ran.out


@POSIX
def test_a_run_in_a_terminal_gives_back_every_byte(tmp_path: Path) -> None:
    home = Home.made(tmp_path / "home")
    code = "import sys; print('ready', sys.stdin.isatty()); print(repr(sys.stdin.readline()))"
    ran = in_terminal(home, code, (), ("a key\n",))
    assert ran.code == 0
    assert b"ready True" in ran.out and b"'a key\\n'" in ran.out


@POSIX
@pytest.mark.slow
def test_an_injected_failure_is_reached_and_prints_nothing(tmp_path: Path) -> None:
    points = [point for point in faults.POINTS if not point.keys][:3]
    for point in points:
        outcome = faults.injected(point)
        assert outcome.fired and outcome.findings == (), point


def test_every_fault_point_exists() -> None:
    for point in faults.POINTS:
        assert leaking.resolved(point.place), point.place
    for place in leaking.places():
        assert leaking.resolved(place), place
    with pytest.raises(ValueError, match="no function at"):
        leaking.resolved("engine.desk:RealDesk.gone")


def flow_of(*sinks: Sink, played: int = 1, asked: int = 1, served: int = 1) -> Flow:
    secrets = (Secret("seed", "a secret of the test"),)
    return Flow(secrets=secrets, sinks=sinks, steps=(), played=played, asked=asked, served=served)


@POSIX
@pytest.mark.slow
def test_one_run_of_everything_finds_every_function_that_leaks_and_nothing_else(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    tokens = {place: token() for place in leaking.places()}
    flow = run_flow(tmp_path, f"{LOGGING}; {leaking.armed(tokens)}")
    assert (flow.astray, flow.played, flow.asked > 0, flow.served) == ((), 2, True, int(served.possible()))
    for place, secret in tokens.items():
        assert honeypot.sink_findings([Secret(place, secret)], flow.sinks), place
    assert honeypot.sink_findings(flow.secrets, flow.sinks) == []
    named = {sink.name.split(":")[0] for sink in flow.sinks}
    assert named >= {
        "export requests",
        "import replies",
        "export to Inspect",
        "study pack",
        "study play",
        "study report",
    }


@pytest.mark.slow
def test_a_server_that_leaks_is_found_in_what_it_says_sends_and_paints(tmp_path: Path) -> None:
    for name in ("aiohttp", "textual_serve"):
        pytest.importorskip(name)
    tokens = {place: token() for place, _ in leaking.WEB_LEAKS}
    flow = over_the_web(Home.made(tmp_path / "server"), f"{LOGGING}; {leaking.armed(tokens)}")
    assert (flow.served, [step.as_wanted for step in flow.steps]) == (1, [True])
    sinks = {sink.name: sink for sink in flow.sinks}
    said = Sink("said", flow.steps[0].ran.out)
    for place, sink, form in (
        ("tui.web.server:Address.link", said, "raw"),
        ("tui.web.server:Server._page", sinks["serve: pages"], "raw"),
        ("tui.saving:Saving.copy", sinks["serve: socket"], "base64"),
    ):
        found = honeypot.sink_findings([Secret("planted", tokens[place])], [sink])
        assert [finding.pointer for finding in found] == [f"/{form}/planted"], place
    assert honeypot.sink_findings(flow.secrets, [*flow.sinks, said]) == []
    given = sinks["server: tmp/session.txt"].data
    assert b"'resume'" in given and b"'CLEW_DATA_DIR'" in given
    answers = re.findall(rb"^(\d{3}) [A-Z]", sinks["serve: pages"].data, re.MULTILINE)
    assert set(answers) == {b"101", b"200", b"204", b"401", b"403", b"404"}


def test_a_step_that_fails_at_once_proves_nothing() -> None:
    bench = Bench()
    went = Done("study freeze", Ran(2, b"", b""))
    bench.__dict__["flow"] = replace(flow_of(Sink("study freeze: stderr", b"nothing")), steps=(went,))
    verdict, _ = honeypot.audit_honeypot(bench)
    assert verdict.status == "inconclusive" and "study freeze (2)" in verdict.threshold


@pytest.mark.parametrize(
    ("flow", "status"),
    [
        (flow_of(Sink("play: stdout", b"nothing")), "pass"),
        (flow_of(Sink("play: stdout", b"nothing"), played=0), "inconclusive"),
        (flow_of(Sink("play: stdout", b"nothing"), asked=0), "inconclusive"),
        (flow_of(Sink("play: stdout", b"nothing"), served=0), "inconclusive"),
        (flow_of(Sink("play: stdout", b"a secret of the test"), played=0), "fail"),
    ],
)
def test_a_flow_in_which_nobody_played_proves_nothing(flow: Flow, status: str) -> None:
    bench = Bench()
    bench.__dict__["flow"] = flow
    verdict: Row
    verdict, note = honeypot.audit_honeypot(bench)
    assert (verdict.status, note.severity) == (status, "note")
    assert "a secret of the test" not in repr((verdict, note))


def test_files_that_hold_gold_on_purpose_are_left_out(tmp_path: Path) -> None:
    write_tokened(tmp_path)
    (tmp_path / ".hidden").write_text("seen")
    assert {sink.name for sink in files_of(tmp_path, "who")} == {"who: pack.db", "who: .hidden"}


# This program ---------------------------------------------------------------------------------------------------------


def test_every_place_that_takes_a_secret_out_is_on_the_list() -> None:
    there = {site.line() for site in taint.program_sites()}
    new, gone = sorted(there - taint.listed_sites()), sorted(taint.listed_sites() - there)
    assert (new, gone) == ([], []), f"if it is meant, change audits/{taint.SITES}"


def test_no_secret_is_formatted_and_no_private_value_gives_itself_away() -> None:
    assert [site for site in taint.program_sites() if site.formatted] == []
    values = [value for sample in taint.sample_values() for value in taint.private_values(sample)]
    assert {type(value).__name__ for value in values} >= {"BehaviorSkeleton", "SealedPuzzle", "SealedTask", "Turn"}
    assert [found for value in values for found in taint.value_findings(value, taint.sample_secrets())] == []


def test_a_whole_session_trips_no_wire() -> None:
    with Bench() as bench:
        [row] = tripwire.audit_tripwire(bench)
    assert (row.status, row.n > 10) == ("pass", True)


@pytest.mark.slow
def test_what_is_shipped_holds_no_sealed_file() -> None:
    with Bench() as bench:
        [row] = packaging.audit_program(bench)
    assert (row.status, row.n > 100) == ("pass", True)


@pytest.mark.slow
def test_requests_and_their_keys_do_not_depend_on_the_sealed_file() -> None:
    pytest.importorskip("openai")
    with Bench() as bench:
        [row] = model_cache.audit_cache(bench)
    assert (row.status, row.n > 2) == ("pass", True)


# The walk -------------------------------------------------------------------------------------------------------------


def walked(*texts: str) -> Walked:
    return Walked(tuple(("HomeScreen", "h", text) for text in texts), 1, "")


def test_a_line_that_only_one_walk_shows_is_a_finding() -> None:
    assert walk_findings(walked("a", "right", "b"), walked("a", "wrong", "b"))
    assert walk_findings(walked("a", "b"), walked("a", "b\nright"))
    assert walk_findings(walked("a"), walked("a", "b"))


def test_a_row_that_only_one_walk_stored_is_a_finding() -> None:
    one, other = (walked("a")._replace(stored=(("event p", kept),)) for kept in ("0", "1"))
    assert [finding.pointer for finding in walk_findings(one, other)] == ["/answers/event"]
    assert walk_findings(one, one) == []


def test_a_hint_that_goes_a_step_earlier_is_none() -> None:
    assert walk_findings(walked("a", "a\nhint", "a"), walked("a\nhint", "a", "a")) == []


def test_what_was_not_pressed_is_known() -> None:
    lines = [json.dumps({"screen": "A", "key": "x", "text": ""}), json.dumps({"offered": "3", "left": "A y"})]
    assert read_walk(lines) == Walked((("A", "x", ""),), 3, "A y")
