"""Columns of equal length with names and units."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table(Mapping[str, "np.ndarray[Any, Any]"]):
    """Columns by name, NumPy arrays of one length each; ``units`` says what they are in.

    >>> table = Table({"time": np.array([0.0, 0.1]), "height": np.array([1.0, 0.9])}, {"time": "s", "height": "m"})
    >>> table["height"].min(), table.units["height"], table.rows
    (np.float64(0.9), 'm', 2)
    """

    def __init__(self, columns: Mapping[str, np.ndarray[Any, Any]], units: Mapping[str, str]) -> None:
        self._columns = dict(columns)
        self.units = {name: units.get(name, "1") for name in self._columns}
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of a table have one length, not {sorted(lengths)}")
        self.rows = lengths.pop() if lengths else 0

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas frame; ``frame.attrs["units"]`` has the units."""
        import pandas

        frame = pandas.DataFrame(self._columns, copy=False)
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> polars.DataFrame:
        """As a polars frame."""
        import polars

        return polars.DataFrame(self._columns)

    def to_arrow(self) -> pyarrow.Table:
        """As an Arrow table; numbers are not copied, the unit stands in the metadata of each field."""
        import pyarrow

        arrays = [pyarrow.array(column) for column in self._columns.values()]
        fields = [
            pyarrow.field(name, array.type, metadata={"unit": self.units[name]})
            for name, array in zip(self._columns, arrays)
        ]
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))

    def _head(self, most: int) -> list[list[str]]:
        """The first rows as text, under names and units."""
        shown = [[f"{name} ({self.units[name]})" if self.units[name] != "1" else name for name in self]]
        for row in range(min(self.rows, most)):
            cells = [column[row] for column in self._columns.values()]
            shown.append([f"{c:.6g}" if isinstance(c, (float, np.floating)) else str(c) for c in cells])
        return shown

    def __repr__(self) -> str:
        rows = self._head(10)
        widths = [max(len(row[i]) for row in rows) for i in range(len(self))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
        if self.rows > 10:
            lines.append(f"… {self.rows} rows")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *body = self._head(20)
        cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in body)
        more = f"<p>{self.rows} rows</p>" if self.rows > 20 else ""
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>{more}"
