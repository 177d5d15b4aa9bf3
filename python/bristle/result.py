"""What came out of a run."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _bristle
from .table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Floats = npt.NDArray[np.float64]

#: How components of a quantity are called.
_COMPONENTS = (("w", "x", "y", "z"), ("x", "y", "z"))


class Part:
    """All that was recorded of one body, joint, pair, sensor or robot: ``run["ball"].position`` is an array of rows x, y, z."""

    def __init__(self, name: str, columns: Mapping[str, Floats]) -> None:
        self._name = name
        self._columns = columns

    def __dir__(self) -> list[str]:
        first = {name.split(".")[0].split("[")[0] for name in self._columns}
        return sorted(first)

    def __getattr__(self, quantity: str) -> Floats:
        if quantity.startswith("_"):
            raise AttributeError(quantity)
        if quantity in self._columns:
            return self._columns[quantity]
        named = ([f"{quantity}.{c}" for c in components] for components in _COMPONENTS)
        counted = [name for name in self._columns if name.startswith(f"{quantity}[")]
        for names in (*named, counted):
            if names and all(name in self._columns for name in names):
                return np.stack([self._columns[name] for name in names], axis=-1)
        raise AttributeError(f"nothing called {quantity} was recorded of {self._name}; there are {', '.join(dir(self))}")

    def __repr__(self) -> str:
        return f"<{self._name}: {', '.join(dir(self))}>"


class Run:
    """A finished run: ``run["ball.position.z"]`` or ``run["ball"].position``, ``run.impacts``, ``run.energy``, ``run.plot()``.

    Arrays of samples are views of what was recorded, without copies; they cannot be written to.
    """

    def __init__(self, inner: _bristle.Run) -> None:
        self._inner = inner
        self.units: dict[str, str] = dict(inner.columns())
        self._columns: dict[str, Floats] = {}
        self._summary: dict[str, Any] | None = None

    @property
    def names(self) -> list[str]:
        """Names of all that was recorded; the first is the time."""
        return list(self.units)

    @property
    def time(self) -> Floats:
        """Times of the samples, s."""
        return self["time"]  # type: ignore[return-value]

    def _column(self, name: str) -> Floats:
        if name not in self._columns:
            self._columns[name] = self._inner.column(name)
        return self._columns[name]

    def __getitem__(self, name: str) -> Floats | Part:
        if name in self.units:
            return self._column(name)
        prefix = f"{name}."
        found = {full[len(prefix) :]: self._column(full) for full in self.units if full.startswith(prefix)}
        if not found:
            known = sorted({full.rsplit(".", 2)[0] if full.count(".") > 1 else full.split(".")[0] for full in self.units})
            raise KeyError(f"nothing called {name} was recorded; there are {', '.join(known)}")
        return Part(name, found)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.units or any(n.startswith(f"{name}.") for n in self.units))

    def __len__(self) -> int:
        return len(self.time)

    @property
    def summary(self) -> dict[str, Any]:
        """What ``summary.json`` of a run folder holds."""
        if self._summary is None:
            self._summary = json.loads(self._inner.summary())
        return self._summary

    @property
    def cut(self) -> str | None:
        """Why the run ended before its time, if it did."""
        return self._inner.cut

    @property
    def warnings(self) -> list[str]:
        """What is odd about the scene."""
        return self._inner.warnings

    @property
    def closure(self) -> float:
        """The largest energy that the ledger could not place, over the energy in play; NaN if the system has no energy."""
        value = self.summary["energy"].get("closure_relative")
        return float("nan") if value is None else float(value)

    @property
    def table(self) -> Table:
        """All samples."""
        return Table({name: self._column(name) for name in self.units}, self.units)

    @property
    def energy(self) -> Table:
        """Where the energy was at every sample, J: stored, lost by cause, work done, and what the ledger cannot place."""
        names = ["time", *(name for name in self.units if name.startswith("energy."))]
        short = {name: name.split(".", 1)[-1] for name in names}
        return Table({short[n]: self._column(n) for n in names}, {short[n]: self.units[n] for n in names})

    @property
    def impacts(self) -> Table:
        """One row per contact episode: touchdown, lift-off, speeds, restitution, peaks, energy lost by cause."""
        units = {
            "start": "s", "end": "s", "duration": "s", "v_in": "m/s", "v_out": "m/s", "peak_force": "N",
            "peak_force_time": "s", "peak_depth": "m", "peak_depth_time": "s",
        }  # fmt: skip
        rows = self.summary.get("impacts", [])
        names = ["pair", "patch", *units, "restitution", "restitution_poisson", "restitution_energetic"]
        columns: dict[str, np.ndarray[Any, Any]] = {}
        for name in names:
            kind = {"pair": object, "patch": np.int64}.get(name, np.float64)
            columns[name] = np.array([np.nan if row[name] is None else row[name] for row in rows], dtype=kind)
        for cause in rows[0]["lost"] if rows else []:
            units[f"lost_{cause}"] = "J"
            columns[f"lost_{cause}"] = np.array([row["lost"][cause] for row in rows], dtype=np.float64)
        return Table(columns, units)

    def to_pandas(self) -> pandas.DataFrame:
        """All samples as a pandas frame."""
        return self.table.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """All samples as a polars frame."""
        return self.table.to_polars()

    def to_arrow(self) -> pyarrow.Table:
        """All samples as an Arrow table, without copies."""
        return self.table.to_arrow()

    def plot(self, *names: str, backend: str = "matplotlib") -> Any:
        """Draws quantities over time, one panel per unit: heights, forces and energies unless names are given.

        ``backend`` is ``"matplotlib"`` or ``"plotly"``; the answer is a figure of that library.
        """
        from .plotting import plot

        return plot(self, names, backend)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes one self-contained page about the run: verdict, playback, plots, impacts, scene."""
        self._inner.report(path)

    def save(self, folder: str | os.PathLike[str], *, csv: bool = False, report: bool = True) -> None:
        """Writes a run folder, as ``bristle run`` does. An older run there is replaced; anything else is left alone."""
        self._inner.write(folder, csv, report)

    def __repr__(self) -> str:
        end = f"cut: {self.cut}" if self.cut else f"{self.summary['time']:g} s"
        return f"<run of {self._inner.title}: {end}, {len(self)} samples of {len(self.units)} quantities>"

    def _repr_html_(self) -> str:
        energy = self.summary["energy"]
        facts = {
            "time": f"{self.summary['time']:g} s",
            "steps": str(self.summary["steps"]),
            "contact episodes": str(len(self.summary.get("impacts", []))),
            "energy at the start": f"{energy['initial']:.6g} J" if energy.get("initial") is not None else "–",
            "energy at the end": f"{energy['final']:.6g} J" if energy.get("final") is not None else "–",
            "what the ledger cannot place": f"{self.closure:.2e} of the energy in play",
        }
        rows = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in facts.items())
        return f"<h4>{html.escape(self._inner.title)}</h4><table>{rows}</table>"
