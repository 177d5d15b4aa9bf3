"""Every example and every notebook runs and leaves its picture; every example in the documentation is true."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from nbclient import NotebookClient

import bristle

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))
NOTEBOOKS = sorted((ROOT / "examples" / "python").glob("*.ipynb"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_makes_its_picture(path: Path, tmp_path: Path) -> None:
    # pictures can be kept to be looked at
    folder = Path(os.environ.get("BRISTLE_PICTURES", tmp_path))
    picture = folder / f"{path.stem}.png"
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, str(path), str(picture)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_runs_from_top_to_bottom(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs), "it has a picture"
    assert any("text/html" in output.get("data", {}) for output in outputs), "it has a table"


MODULES = [name for _, name, _ in pkgutil.iter_modules(bristle.__path__) if not name.startswith("_")]


@pytest.mark.parametrize("name", ["bristle", *(f"bristle.{module}" for module in MODULES)])
def test_examples_in_docstrings_are_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    found = doctest.testmod(module, extraglobs={"bristle": bristle, "np": np}, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def code_of(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_code_in_pages_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    matplotlib.use("Agg")
    blocks = code_of(ROOT / page)
    assert blocks
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"folder": tmp_path}
    for block in blocks:
        exec(compile(block.replace('"out/', f'"{tmp_path}/'), page, "exec"), names)
