"""Tests of a real model are slow and need packages of their own: they run only when `-m slow_model` asks for them."""

from __future__ import annotations

import pytest

MARK = "slow_model"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if MARK not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker(MARK)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
