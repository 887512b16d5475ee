"""The resume key: a digest of everything that decides what a model answers. Any change is another item.

It covers adapter, endpoint, requested and served model, all messages, every sampling parameter, output mode with its
schema or grammar, sample index and prompt version. What is left out would mix answers of different questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.canonical import Json, canonical_text, digest
from engine.models.solver import OutputMode, Parameters, Question


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What all items of a run share: a model's solver is this and nothing more."""

    identity: Mapping[str, Json]
    """See `Solver.identity`."""
    parameters: Parameters
    mode: OutputMode
    prompt_version: str
    sample: int = 0
    renderer: str = ""
    """The model whose telling of hidden systems is asked about; empty for the template's."""
    served_model: str = ""
    """The served model that the user asks for; empty: whichever the first answer names."""

    def document(self) -> dict[str, Json]:
        return {
            **self.identity,
            "parameters": self.parameters.document(),
            "mode": self.mode,
            "prompt_version": self.prompt_version,
            "sample": self.sample,
            "renderer": self.renderer,
            "served_model": self.served_model,
        }

    def text(self) -> str:
        """Return the canonical JSON that is stored with the solver."""
        return canonical_text(self.document())

    def alias(self, name: str) -> str:
        """Return the name under which answers are kept: equal settings and no others share one."""
        return f"{name}#{digest(self.document())[:8]}"


def request_key(setting: Setting, question: Question) -> str:
    """Return the key of an item before any answer is known: all of the resume key but the served model.

    It names the item in batch files, where no model has been served yet.
    """
    return digest({**setting.document(), **_asked(question)})


def resume_key(setting: Setting, question: Question, served_model: str) -> str:
    """Return the key under which an item's requests are kept."""
    return digest({**setting.document(), "served_model": served_model, **_asked(question)})


def _asked(question: Question) -> dict[str, Json]:
    return {
        "messages": [message.document() for message in question.messages],
        "schema": question.schema,
        "labels": list(question.labels),
    }
