"""Reads the bindings that the app's own screens and widgets declare: help, palette and checks are made from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual.actions import parse
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode


class Key(NamedTuple):
    """One declared binding and the node it belongs to."""

    binding: Binding
    node: DOMNode


def own_keys(node: DOMNode) -> Iterator[Key]:
    """Yield the bindings that clew's classes declare for this node and that it offers now.

    The most special class comes first; what it says of a key holds, and what its parents say of that key is left out.
    Of two meanings of a key in one class at most one is offered.
    """
    taken: set[str] = set()
    for kind in type(node).__mro__:
        if kind.__module__.split(".")[0] == "tui":
            declared = [one for one in kind.__dict__.get("BINDINGS", ()) if isinstance(one, Binding)]
            mine = [binding for binding in declared if not taken.issuperset(binding.key.split(","))]
            taken |= {key for binding in mine for key in binding.key.split(",")}
            yield from (Key(binding, node) for binding in mine if _offered(binding, node))


def _offered(binding: Binding, node: DOMNode) -> bool:
    """Say whether an action is one that its node has now: policy, settings and state may take it away."""
    place, action, parameters = parse(binding.action)
    return (node.app if place == "app" else node).check_action(action, parameters) is not False


def keys_on(screen: DOMNode) -> Iterator[Key]:
    """Yield all keys of a screen that are offered now: its own, its panes' in order, then the app's.

    Over a dialog the app has only the keys that come before all others.
    """
    for node in (screen, *screen.walk_children(with_self=False)):
        yield from own_keys(node)
    yield from (key for key in own_keys(screen.app) if key.binding.priority or not screen.is_modal)


def key_names(key: Key, app: App[None]) -> str:
    """Return all keys of a binding as one would write them."""
    shown = [app.get_key_display(one) for one in type(key.binding).make_bindings([key.binding])]
    return " ".join(dict.fromkeys(shown))
