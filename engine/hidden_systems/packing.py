"""From skeletons to rows of the two files: the public pack and the sealed file.

PRIVATE: only commands and the practice recipe call this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.canonical import canonical_text, digest, text_digest
from engine.hidden_systems.behavior import PublicPayload, payload_text
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import GENERATOR_VERSION
from engine.hidden_systems.program.grammar import system_document
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, fraction_text, trace_document
from engine.hidden_systems.surface.template import render
from engine.packs import PACK_SALT_PURPOSE, Halves, Salts, write_halves
from engine.private import Private
from engine.store.pack import PackPuzzle, PackRendering, puzzle_id, rendering_id
from engine.store.sealed import SealedPuzzle, commitment


@dataclass(frozen=True, kw_only=True, repr=False)
class Sown(Private):
    """A skeleton with the seed and index that it grew from."""

    skeleton: BehaviorSkeleton
    seed: int
    index: int


def write_puzzles(pack: Path, sealed: Path, sown: Iterable[Sown], *, title: str, recipe: str, salts: Salts) -> str:
    """Write a pack of hidden systems and its sealed file; return the content digest of the pack."""
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    made = [halves(one, pack_salt, salts) for one in sown]
    return write_halves(pack, sealed, made, title=title, recipe=recipe, salts=salts, pack_salt=pack_salt)


def halves(one: Sown, pack_salt: str, salts: Salts) -> Halves:
    """Return the public and the private rows of one hidden system."""
    payload = payload_text(one.skeleton.payload)
    identity = puzzle_id(payload, pack_salt)
    secret = sealed_row(identity, one, bytes.fromhex(salts.token("leaf", identity)))
    return Halves(
        puzzle=PackPuzzle(
            id=identity,
            family=FAMILY_NAME,
            kind=one.skeleton.payload.family,
            complexity=one.skeleton.payload.complexity,
            n_turns=1,
            payload_sha=text_digest(payload),
            commit_sha=commitment(secret),
            payload=payload,
        ),
        rendering=rendering_row(identity, one.skeleton.payload),
        system=secret,
    )


def rendering_row(of_puzzle: str, payload: PublicPayload, domain: str | None = None) -> PackRendering:
    """Return the template rendering of a puzzle as a row; the domain is drawn by the payload's digest if not given."""
    told = render(payload, domain)
    params_sha = digest({"renderer": told.renderer, "domain": told.domain})
    return PackRendering(
        id=rendering_id(of_puzzle, told.renderer, told.domain, params_sha),
        puzzle_id=of_puzzle,
        renderer=told.renderer,
        domain=told.domain,
        params_sha=params_sha,
        body=told.text,
        body_sha=text_digest(told.text),
        audit_status="",
    )


def sealed_row(of_puzzle: str, sown: Sown, salt: bytes) -> SealedPuzzle:
    """Return the private half of a puzzle as a row."""
    skeleton = sown.skeleton
    return SealedPuzzle(
        puzzle_id=of_puzzle,
        seed=sown.seed,
        idx=sown.index,
        generator_version=GENERATOR_VERSION,
        program=canonical_text(system_document(skeleton.hidden_system, exact=True)),
        gold=skeleton.gold_answer,
        present_probability=fraction_text(skeleton.gold_present_probability),
        latent_trace=canonical_text(trace_document(skeleton.latent_trace)),
        salt=salt,
    )
