"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENES = ROOT / "scenes"


@pytest.fixture
def scenes() -> Path:
    """The scenes that ship."""
    return SCENES
