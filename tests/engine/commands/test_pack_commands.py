"""Making, telling, exporting and checking packs through the command line."""

from __future__ import annotations

import base64
import json
import re
import stat
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from engine import practice
from engine.canonical import Json, canonical_text
from engine.coded_packs import build, coded_recipe
from engine.errors import StoreError
from engine.hidden_systems import packing
from engine.hidden_systems.packing import Sown, write_puzzles
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import HiddenRule, HiddenSystem
from engine.hidden_systems.program.skeleton import BehaviorSkeleton
from engine.hidden_systems.surface.domain import domain_names
from engine.packs import Salts
from engine.puzzle_codes import read_code
from engine.randomness import secret_bits
from engine.store.pack import Pack
from engine.store.places import builtin_pack
from engine.store.sealed import Sealed, write_sealed
from tests.engine.world import World

ROOT = Path(__file__).parent.parent.parent.parent
PUBLIC_KEYS = {
    "family", "complexity", "event_vocabulary", "attribute_vocabulary", "observation_protocol", "support_cases",
    "query_case", "answer_options",
}  # fmt: skip
PRIVATE_KEYS = {"id", "hidden_system", "gold_answer", "gold_present_probability", "latent_trace"}


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def generate(world: World, out: str, *more: str) -> Path:
    done = world.clew(
        "generate", "hidden-systems", "--count", "12", "--length", "short", "--out", world.folder / out, *more
    )
    assert (done.code, done.err) == (0, "")
    return world.folder / out


def test_the_same_arguments_give_the_same_content(world: World) -> None:
    one, two = generate(world, "one", "--seed", "7"), generate(world, "two", "--seed", "7")
    for name in ("payloads", "records"):
        assert world.clew("export", name, one).out == world.clew("export", name, two).out
    with Pack.open(one / "pack.db") as first, Pack.open(two / "pack.db") as second:
        assert first.sha == second.sha
    again = world.clew("generate", "hidden-systems", "--count", "12", "--length", "short", "--seed", "7", "--out", one)
    assert (again.code, again.err) == (0, "")


def test_another_pack_is_never_overwritten(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = generate(world, "one", "--seed", "7")
    before = (folder / "pack.db").read_bytes()
    monkeypatch.setattr(packing, "halves", lambda *_: pytest.fail("it was drawn before it was refused"))
    done = world.clew(
        "generate", "hidden-systems", "--count", "12", "--length", "short", "--seed", "8", "--out", folder
    )
    assert done.code == 2 and len(done.err.splitlines()) == 1 and "another pack" in done.err
    done = world.clew(
        "generate", "hidden-systems", "--count", "3", "--length", "short", "--secret-seed", "--out", folder
    )
    assert done.code == 2 and (folder / "pack.db").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["pack.db", "sealed.db"]


def test_records_hold_every_field_and_balanced_golds(world: World) -> None:
    folder = generate(world, "one", "--seed", "7")
    records = rows(world.clew("export", "records", folder).out)
    assert all(set(record) >= PUBLIC_KEYS | PRIVATE_KEYS | {"puzzle_id"} for record in records)
    assert Counter(record["gold_answer"] for record in records) == {"PRESENT": 6, "ABSENT": 6}
    for record in records:
        gold = Fraction(str(record["gold_present_fraction"]))
        assert abs(gold - Fraction(1, 2)) >= Fraction(8, 100)
        assert record["gold_answer"] == ("PRESENT" if gold > Fraction(1, 2) else "ABSENT")
        assert record["gold_present_probability"] == float(gold)


def test_a_record_fed_to_gold_gives_its_own_gold(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = generate(world, "one", "--seed", "7")
    records = rows(world.clew("export", "records", folder).out)
    asked = world.folder / "asked.jsonl"
    asked.write_text(
        "".join(
            json.dumps(
                {
                    "system": record["hidden_system"],
                    "attributes": record["query_case"]["attributes"],  # type: ignore[index]
                    "events": record["query_case"]["events"],  # type: ignore[index]
                    "event_vocabulary": record["event_vocabulary"],
                }
            )
            + "\n"
            for record in records
        )
    )
    answers = rows(world.clew("gold", asked).out)
    assert [(a["answer"], a["present_probability"]) for a in answers] == [
        (record["gold_answer"], record["gold_present_probability"]) for record in records
    ]


def test_public_rows_hold_public_keys_only(world: World) -> None:
    folder = generate(world, "one", "--seed", "7")
    exported = rows(world.clew("export", "payloads", folder).out)
    assert [set(row) for row in exported] == [{"puzzle_id", "family", "payload", "text"}] * 12
    for row in exported:
        payload = row["payload"]
        assert isinstance(payload, dict) and set(payload) == PUBLIC_KEYS
        assert all(set(case) == {"id", "attributes", "events", "trials", "observed_present", "observed_absent"}
                   for case in (*payload["support_cases"], payload["query_case"]))  # fmt: skip
    assert [row["puzzle_id"] for row in exported] == sorted(str(row["puzzle_id"]) for row in exported)


def test_files_have_the_modes_that_keep_them(world: World) -> None:
    folder = generate(world, "one", "--secret-seed")
    assert stat.S_IMODE((folder / "pack.db").stat().st_mode) == 0o444
    assert stat.S_IMODE((folder / "sealed.db").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_secret_seed_is_drawn_anew_and_verifies(world: World) -> None:
    one, two = generate(world, "one", "--secret-seed"), generate(world, "two", "--secret-seed")
    assert world.clew("export", "payloads", one).out != world.clew("export", "payloads", two).out
    done = world.clew("verify-pack", one / "pack.db", "--sealed", one / "sealed.db")
    assert (done.code, done.err) == (0, "")
    done = world.clew("verify-pack", one / "pack.db", "--sealed", two / "sealed.db")
    assert done.code == 2 and "not the sealed half" in done.err


def test_exactly_one_kind_of_seed(world: World) -> None:
    for seeds in ((), ("--seed", "1", "--secret-seed")):
        done = world.clew(
            "generate", "hidden-systems", "--count", "1", "--length", "4", "--out", world.folder / "x", *seeds
        )
        assert done.code == 2 and "exactly one" in done.err
    assert not (world.folder / "x").exists()


@pytest.mark.parametrize("length", ["3", "11", "tiny", " ", "4.0", "-4", "４"])
def test_a_length_off_the_list_is_named(world: World, length: str) -> None:
    done = world.clew(
        "generate", "hidden-systems", "--count", "1", "--length", length, "--seed", "1", "--out", world.folder / "x"
    )
    assert done.code == 2 and repr(length) in done.err and "short, medium, long or 4..10" in done.err
    assert len(done.err.splitlines()) == 1 and not (world.folder / "x").exists()


def test_rendering_adds_and_keeps_ids(world: World) -> None:
    folder = generate(world, "one", "--seed", "7")
    before = rows(world.clew("export", "payloads", folder).out)
    assert "12 renderings" not in world.clew("render", folder).out
    done = world.clew("render", folder, "--renderer", "template", "--domain", "kiln")
    assert done.code == 0
    with Pack.open(folder / "pack.db") as pack:
        told = {entry.id: pack.renderings(entry.id) for entry in pack.puzzles()}
    assert all(any(one.domain == "kiln" for one in tellings) for tellings in told.values())
    assert rows(world.clew("export", "payloads", folder).out) == before
    identity, tellings = next((key, value) for key, value in told.items() if len(value) == 2)
    kiln = next(one for one in tellings if one.domain == "kiln")
    (row,) = rows(world.clew("export", "payloads", folder, "--rendering", kiln.id).out)
    assert (row["puzzle_id"], row["text"]) == (identity, kiln.body)
    assert world.clew("verify-pack", folder / "pack.db").code == 0
    for bad in (("--domain", "atlantis"), ("--renderer", "parrot")):
        done = world.clew("render", folder, *bad)
        assert done.code == 2 and bad[1] in done.err


def disguised(skeleton: BehaviorSkeleton, token: str) -> BehaviorSkeleton:
    """Return the skeleton with every private name made of a token."""
    flag = f"flag{token}"
    rules = tuple(
        HiddenRule(
            id=f"{token}{nth}", on_event=rule.on_event, probability=rule.probability, action=rule.action,
            target=flag if rule.target else None,
            conditions=tuple(
                replace(condition, key=flag) if condition.source == "state" else condition
                for condition in rule.conditions
            ),
        )
        for nth, rule in enumerate(skeleton.hidden_system.rules)
    )  # fmt: skip
    return BehaviorSkeleton(
        payload=skeleton.payload,
        hidden_system=HiddenSystem(rules=rules),
        gold_answer=skeleton.gold_answer,
        gold_present_probability=skeleton.gold_present_probability,
        latent_trace=skeleton.latent_trace,
    )


def encodings(token: str) -> set[bytes]:
    raw = token.encode()
    plain = {
        raw,
        raw.upper(),
        raw.hex().encode(),
        raw.hex().upper().encode(),
        token.encode("utf-16-le"),
        token.encode("utf-16-be"),
    }
    shifted = {base64.b64encode(b"x" * shift + raw)[4:-4] for shift in range(3)}
    return plain | shifted | {bytes.fromhex(token)}


def test_a_pack_holds_no_private_token_in_any_encoding(world: World) -> None:
    token, seed = f"{secret_bits(128):032x}", secret_bits(256)
    sown = [
        Sown(skeleton=disguised(generate_skeleton(6, seed, index), token), seed=seed, index=index) for index in range(6)
    ]
    folder = world.folder / "p"
    recipe = json.dumps({"seed": str(seed)})
    write_puzzles(folder / "pack.db", folder / "sealed.db", sown, title="t", recipe=recipe, salts=Salts(seed=None))
    public, private = (folder / "pack.db").read_bytes(), (folder / "sealed.db").read_bytes()
    secrets = encodings(token) | {str(seed).encode()} | encodings(f"{seed:064x}")
    assert [form for form in secrets if form in public] == []
    assert token.encode() in private and str(seed).encode() in private


def test_a_packs_schema_and_meta_speak_of_nothing_private(world: World) -> None:
    folder = generate(world, "one", "--seed", "7")
    with Pack.open(folder / "pack.db") as pack:
        ddl = " ".join(
            row[0] or "" for row in pack.database.execute("select sql from sqlite_master").fetchall()
        ).lower()
        meta = pack.meta
    assert set(meta) == {"title", "kind", "pack_salt", "content_sha", "commit_root", "built_with"}
    for word in ("seed", "gold", "probability", "trace", "idx", "program", "rule", "created"):
        assert word not in ddl.replace("rowid", "")


def test_the_practice_pack_is_what_the_recipe_makes(world: World) -> None:
    done = world.clew("verify-pack", builtin_pack())
    assert (done.code, done.err) == (0, "") and "equal" in done.out
    with Pack.open(builtin_pack()) as pack:
        assert pack.sha == (ROOT / "tests" / "golden" / "puzzles.content_sha.txt").read_text().strip()
        entries = pack.puzzles()
        systems = [entry for entry in entries if entry.family == "hidden-systems"]
        tasks = [entry for entry in entries if entry.family == "instruction-adherence"]
        told = [pack.renderings(entry.id)[0].domain for entry in systems]
    assert Counter(entry.complexity for entry in systems) == {4: 20, 6: 20, 8: 20}
    assert Counter(entry.complexity for entry in tasks) == dict.fromkeys(range(3, 14), 3)
    assert set(told) == set(domain_names())


def test_the_practice_gold_is_rebuilt_once(world: World) -> None:
    with Pack.open(builtin_pack()) as pack:
        path = practice.sealed(pack.sha)
        stamp = path.stat().st_mtime_ns
        assert practice.sealed(pack.sha) == path and path.stat().st_mtime_ns == stamp
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [child.name for child in path.parent.iterdir()] == [path.name]


def test_a_changed_pack_is_found_out(world: World, tmp_path: Path) -> None:
    folder = generate(world, "one", "--seed", "7")
    changed = tmp_path / "changed.db"
    body = bytearray((folder / "pack.db").read_bytes())
    found = re.search(rb'"observed_present":(\d)', body)
    assert found is not None
    body[found.start(1)] = ord("7") if found.group(1) != b"7" else ord("6")
    changed.write_bytes(body)
    done = world.clew("verify-pack", changed)
    assert done.code == 1 and "payload_sha" in done.out


@pytest.mark.parametrize(
    "command", [("verify-pack",), ("export", "payloads"), ("render",), ("solve", "--model", "baseline:pooled")]
)
@pytest.mark.parametrize("content", [b"", b"x", b"not a database, just text\n" * 50, None])
def test_what_is_no_pack_gives_one_line(
    world: World, tmp_path: Path, command: tuple[str, ...], content: bytes | None
) -> None:
    path = tmp_path / "odd.db"
    if content is not None:
        path.write_bytes(content)
    done = world.clew(*command, path)
    assert done.code == 2 and len(done.err.splitlines()) == 1 and "odd.db" in done.err
    assert content is None or path.read_bytes() == content


def test_a_seed_for_scripts_never_reaches_the_pack(world: World) -> None:
    folder = generate(world, "one", "--seed", "731946285")
    assert b"731946285" not in (folder / "pack.db").read_bytes()
    assert b"731946285" in (folder / "sealed.db").read_bytes()
    assert not any("731946285" in path.name for path in folder.iterdir())


def test_two_equal_puzzles_make_no_pack(world: World) -> None:
    sown = [Sown(skeleton=generate_skeleton(4, 1, 0), seed=1, index=0)] * 2
    folder = world.folder / "p"
    with pytest.raises(StoreError, match="equal payloads"):
        write_puzzles(folder / "pack.db", folder / "sealed.db", sown, title="t", recipe="{}", salts=Salts(seed=1))
    assert not folder.exists()


def with_recipe(pack: Path, recipe: str) -> None:
    """Write the sealed half anew with another recipe."""
    with Sealed.open(pack / "sealed.db") as sealed:
        meta, records, canaries = sealed.meta, sealed.records(), sealed.canaries()
    write_sealed(
        pack / "sealed.db", meta={**meta, "recipe": recipe}, puzzles=records, canaries=canaries, replace=True
    )  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [{"count": 5}, {"count": 3}, {"count": 10**12}, {"seed": "8"}, {"complexity": 6}, {"select": "0.75"}, {"by": "x"},
     {"generator_version": "0"}, {"seed": "eight"}, {"complexity": 99}],
    ids=str,
)  # fmt: skip
def test_another_recipe_in_the_sealed_file_is_a_finding(world: World, changed: dict[str, Json]) -> None:
    pack = generate(world, "p", "--count", "4", "--seed", "7")
    with Sealed.open(pack / "sealed.db") as sealed:
        recipe = json.loads(sealed.meta["recipe"])
    with_recipe(pack, canonical_text({**recipe, **changed}))
    done = world.clew("verify-pack", pack, "--sealed", pack / "sealed.db")
    assert done.code == 1 and done.out == "the recipe in the sealed file does not draw the pack's hidden systems\n"


@pytest.mark.parametrize("recipe", ["{}", "", "no JSON", "[]"])
def test_a_sealed_file_without_its_recipe_is_a_finding(world: World, recipe: str) -> None:
    for pack in (world.pack(), world.pack("study", seed=None)):
        assert world.clew("verify-pack", pack, "--sealed", pack / "sealed.db").code == 0
        with_recipe(pack, recipe)
        done = world.clew("verify-pack", pack, "--sealed", pack / "sealed.db")
        assert done.code == 1 and "the recipe in the sealed file" in done.out


def test_recipes_of_every_maker_draw_their_hidden_systems(world: World) -> None:
    build(read_code("6-JTXZZ9-6"), world.folder / "coded")
    selected = generate(world, "selected", "--length", "6", "--count", "4", "--seed", "7", "--select")
    for pack in (world.folder / "coded", selected):
        assert world.clew("verify-pack", pack, "--sealed", pack / "sealed.db").code == 0
    with_recipe(world.folder / "coded", coded_recipe(read_code("6-P1MDNR-J")))
    done = world.clew("verify-pack", world.folder / "coded", "--sealed", world.folder / "coded" / "sealed.db")
    assert done.code == 1 and "the recipe in the sealed file" in done.out
    practice.build(world.folder / "own.db", world.folder / "own-sealed.db")
    assert world.clew("verify-pack", world.folder / "own.db", "--sealed", world.folder / "own-sealed.db").code == 0
