"""Quantities of a run over time, one panel per unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .result import Run

#: Curves of one panel: more cannot be told apart.
_MOST = 8


def _chosen(run: Run, names: Sequence[str]) -> dict[str, list[str]]:
    """Names by unit, the units in the order of their first name."""
    if not names:
        table, endings = run.table, (".position.z", ".normal_force")
        names = [n for n in run.names if n.endswith(endings) and table[n].any()]
        names += [n for n in run.names if n.startswith("energy.") and table[n].any()]
        names = names or run.names[1:]
    whole: list[str] = []
    for name in names:
        if name in run.units:
            whole.append(name)
        else:
            inside = [n for n in run.names if n.startswith(f"{name}.")]
            if not inside:
                run[name]  # says what there is
            whole.extend(inside)
    panels: dict[str, list[str]] = {}
    for name in whole:
        panel = panels.setdefault(run.units[name], [])
        if name not in panel and len(panel) < _MOST:
            panel.append(name)
    return panels


def plot(run: Run, names: Sequence[str], backend: str) -> Any:
    """A figure of matplotlib or plotly."""
    panels = _chosen(run, names)
    if backend == "matplotlib":
        return _matplotlib(run, panels)
    if backend == "plotly":
        return _plotly(run, panels)
    raise ValueError(f"backend {backend!r} must be 'matplotlib' or 'plotly'")


def _label(names: Sequence[str], unit: str) -> str:
    last = {name.rsplit(".", 1)[-1].replace("_", " ") for name in names}
    kinds = {name.split(".")[-2] if name[-2:] in (".x", ".y", ".z") else "" for name in names}
    what = kinds.pop() if len(kinds) == 1 and kinds != {""} else (last.pop() if len(last) == 1 else "")
    what = "energy" if unit == "J" else what
    shown = "" if unit == "1" else f"({unit})"
    return f"{what} {shown}".strip()


def _matplotlib(run: Run, panels: dict[str, list[str]]) -> Any:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        len(panels), 1, sharex=True, squeeze=False, figsize=(8, 1 + 2.4 * len(panels)), layout="constrained"
    )
    for axis, (unit, names) in zip(axes[:, 0], panels.items()):
        for name in names:
            axis.plot(run.time, run[name], label=name, linewidth=1.2)
        axis.set_ylabel(_label(names, unit))
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small", loc="best")
    axes[-1, 0].set_xlabel("time (s)")
    return figure


def _plotly(run: Run, panels: dict[str, list[str]]) -> Any:
    from plotly.graph_objects import Scatter
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=len(panels), cols=1, shared_xaxes=True, vertical_spacing=0.05)
    for row, (unit, names) in enumerate(panels.items(), start=1):
        for name in names:
            figure.add_trace(Scatter(x=run.time, y=run[name], name=name), row=row, col=1)
        figure.update_yaxes(title_text=_label(names, unit), row=row, col=1)
    figure.update_xaxes(title_text="time (s)", row=len(panels), col=1)
    figure.update_layout(height=120 + 240 * len(panels))
    return figure
