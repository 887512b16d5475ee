"""Reads the bindings that the app's own screens and widgets declare: help, palette and checks are made from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual.binding import Binding
from textual.dom import DOMNode


class Key(NamedTuple):
    """One declared binding and the node it belongs to."""

    binding: Binding
    node: DOMNode


def own_keys(node: DOMNode) -> Iterator[Key]:
    """Yield the bindings that clew's classes declare for this node, most special class first."""
    for kind in type(node).__mro__:
        if kind.__module__.split(".")[0] == "tui":
            for binding in kind.__dict__.get("BINDINGS", ()):
                if isinstance(binding, Binding):
                    yield Key(binding, node)


def keys_on(screen: DOMNode) -> Iterator[Key]:
    """Yield all keys of a screen: its own, its panes' in order, then the app's."""
    yield from own_keys(screen)
    for node in screen.walk_children(with_self=False):
        yield from own_keys(node)
    yield from own_keys(screen.app)
