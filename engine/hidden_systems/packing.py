"""From skeletons to the two files: the public pack and the sealed file.

The sealed file is written first, before anything could render or solve a puzzle. A practice pack derives
its salts from its seed, so that two runs have equal content; a study pack takes them from the system.
PRIVATE: only commands and the practice recipe call this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.canonical import canonical_text, digest, text_digest
from engine.errors import StoreError
from engine.hidden_systems.behavior import PublicPayload, payload_text
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.program.generate import GENERATOR_VERSION
from engine.hidden_systems.program.grammar import system_document
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, fraction_text, trace_document
from engine.hidden_systems.surface.template import render
from engine.randomness import derive, secret_bits
from engine.store.pack import PACK_SALT, PackPuzzle, PackRendering, puzzle_id, write_pack
from engine.store.sealed import SealedPuzzle, commitment, write_sealed

SALT_BITS = 128
PACK_SALT_PURPOSE = "salt"
CANARIES = 4
"""Random tokens in the sealed file that must turn up nowhere else."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Sown:
    """A skeleton with the seed and index that it grew from."""

    skeleton: BehaviorSkeleton
    seed: int
    index: int

    def __repr__(self) -> str:
        return "<Sown>"


@dataclass(frozen=True, kw_only=True, repr=False)
class Salts:
    """Where the salts of one pack come from."""

    seed: int | None
    """None: from the system, for studies."""

    def token(self, purpose: str, *key: int | str) -> str:
        """Return 128 bits as 32 hex digits."""
        if self.seed is None:
            return f"{secret_bits(SALT_BITS):032x}"
        return f"{derive(f'pack/{purpose}', self.seed, *key) >> (256 - SALT_BITS):032x}"


def write_puzzles(pack: Path, sealed: Path, sown: Iterable[Sown], *, title: str, recipe: str, salts: Salts) -> str:
    """Write both files, the sealed one first; return the content digest of the pack.

    Args:
        recipe: canonical JSON of how the puzzles were drawn; goes into the sealed file only.

    Raises:
        StoreError: two puzzles have equal payloads, or a file exists or cannot be written.
    """
    pack_salt = salts.token(PACK_SALT_PURPOSE)
    puzzles, renderings, secrets = _rows(sown, pack_salt, salts)
    write_sealed(
        sealed,
        meta={"recipe": recipe, "title": title},
        puzzles=secrets,
        canaries=[salts.token("canary", nth) for nth in range(CANARIES)],
    )
    kind = "practice" if salts.seed is not None else "study"
    return write_pack(
        pack, meta={"title": title, "kind": kind, PACK_SALT: pack_salt}, puzzles=puzzles, renderings=renderings
    )


def rendering_row(of_puzzle: str, payload: PublicPayload, domain: str | None = None) -> PackRendering:
    """Return the template rendering of a puzzle as a row; the domain is drawn by the payload's digest if not given."""
    told = render(payload, domain)
    params_sha = digest({"renderer": told.renderer, "domain": told.domain})
    return PackRendering(
        id=text_digest("/".join((of_puzzle, told.renderer, told.domain, params_sha)))[:32],
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
        program=canonical_text(system_document(skeleton.hidden_system, exact=True)),  # type: ignore[arg-type]
        gold=skeleton.gold_answer,
        present_probability=fraction_text(skeleton.gold_present_probability),
        latent_trace=canonical_text(trace_document(skeleton.latent_trace)),
        salt=salt,
    )


def _rows(
    sown: Iterable[Sown], pack_salt: str, salts: Salts
) -> tuple[list[PackPuzzle], list[PackRendering], list[SealedPuzzle]]:
    puzzles: dict[str, PackPuzzle] = {}
    renderings, secrets = [], []
    for one in sown:
        payload = payload_text(one.skeleton.payload)
        identity = puzzle_id(payload, pack_salt)
        if identity in puzzles:
            raise StoreError(f"two puzzles of this pack have equal payloads ({identity!r}); take another seed")
        secret = sealed_row(identity, one, bytes.fromhex(salts.token("leaf", identity)))
        puzzles[identity] = PackPuzzle(
            id=identity,
            family=FAMILY_NAME,
            kind=one.skeleton.payload.family,
            complexity=one.skeleton.payload.complexity,
            n_turns=1,
            payload_sha=text_digest(payload),
            commit_sha=commitment(secret),
            payload=payload,
        )
        renderings.append(rendering_row(identity, one.skeleton.payload))
        secrets.append(secret)
    return list(puzzles.values()), renderings, secrets
