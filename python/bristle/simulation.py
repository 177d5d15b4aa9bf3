"""Runs: to the end at once, or step by step."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Union

import numpy as np

from . import _bristle
from ._bristle import SimulationError
from .result import Floats, Part, Run
from .scene import Scene, as_scene

#: Called with the time reached and the end, s.
Progress = Union[bool, Callable[[float, float], object], None]
#: Called with the simulation at a fixed rate; it may return what to tell the motors: ``{"knee": 2.0}`` is an effort,
#: ``{"knee": {"target": 0.3}}`` says more.
Controller = Callable[["Simulation"], Any]


class Contact(NamedTuple):
    """A contact that acts now. Vectors in world axes; the force acts on the second body, its opposite on the first."""

    bodies: tuple[str, str]
    #: Which patch of the pair.
    patch: int
    #: False while the surfaces have parted and still recover.
    touching: bool
    #: m
    point: Floats
    #: From the first body into the second.
    normal: Floats
    #: m
    depth: float
    #: N
    normal_force: float
    #: Normal force and friction, N.
    force: Floats
    #: Velocity of the second body over the first in the plane of contact, m/s.
    sliding: Floats
    #: Energy stored, J.
    stored: float


class State(Mapping[str, float]):
    """A moment of a simulation: ``state["ball.position.z"]``, ``state.part("ball").position``, ``state.q``, ``state.v``."""

    def __init__(self, names: Mapping[str, int], row: Floats, q: Floats, v: Floats) -> None:
        self._names, self._row = names, row
        #: Coordinates of all joints: m, rad, quaternions as four numbers.
        self.q = q
        #: Velocities of all joints: m/s, rad/s.
        self.v = v

    @property
    def time(self) -> float:
        """s"""
        return float(self._row[0])

    def __getitem__(self, name: str) -> float:
        return float(self._row[self._names[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def part(self, name: str) -> Part:
        """All of one body, joint, pair or sensor."""
        prefix = f"{name}."
        found = {n[len(prefix) :]: self._row[i] for n, i in self._names.items() if n.startswith(prefix)}
        if not found:
            raise KeyError(f"nothing is known of {name}")
        return Part(name, found)

    def __repr__(self) -> str:
        return f"<state at {self.time:g} s: {len(self)} quantities>"


class Simulation:
    """A run that you step, watch and steer.

    >>> with Scene.load("scenes/rolling_sphere.toml").simulate() as sim:
    ...     while sim.step():
    ...         height = sim.state["ball.position.z"]
    ...     run = sim.finish()

    ``duration`` and ``every`` (s) take the place of the scene's; ``every=math.inf`` records nothing but the start. With
    ``film=True`` frames are kept for the playback of a report.
    """

    def __init__(
        self,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        *,
        set: Mapping[str, Any] | None = None,
        duration: float | None = None,
        every: float | None = None,
        film: bool = False,
    ) -> None:
        scene = as_scene(scene, set)
        self._inner = _bristle.Simulation(scene._scene(), duration, every, film, scene._laws())
        self._names: dict[str, int] | None = None

    def step(self) -> bool:
        """One accepted step of the integrator. False when the end was reached before."""
        return self._inner.step()

    def advance(self, time: float, progress: Progress = None) -> None:
        """Steps until a time (s) exactly, or to the end."""
        show = _shown(progress)
        self._inner.advance(float(time), show)
        if show is not None and progress is True:
            show(self.time, self.time)

    def run(
        self,
        until: float = math.inf,
        *,
        controller: Controller | None = None,
        rate: float | None = None,
        progress: Progress = None,
    ) -> None:
        """Goes on until a time (s) or the end. ``controller(sim)`` is called ``rate`` times a second (Hz), from t = 0 on, and
        what it tells the motors is held exactly until its next call: no step goes beyond it."""
        if controller is None:
            if rate is not None:
                raise SimulationError("rate is that of a controller, and none is given")
            self.advance(until, progress)
            return
        if rate is None or not (0.0 < rate < math.inf):
            raise SimulationError(f"rate = {rate} Hz must be > 0 and finite")
        show, end = _shown(progress), min(until, self.duration)
        tick = math.ceil(self.time * rate)
        if tick / rate < self.time:
            tick += 1  # a rounding: a tick must not lie in the past
        while self.time < end:
            if tick / rate <= self.time:
                told = controller(self)
                if told is not None:
                    self._tell(told)
                tick += 1
            self._inner.advance(min(tick / rate, end), None)
            if show is not None:
                show(self.time, end)

    def _tell(self, told: Mapping[str, Any]) -> None:
        if not isinstance(told, Mapping):
            raise SimulationError(f"a controller returns None or a dict of commands by motor, not {type(told).__name__}")
        for motor, command in told.items():
            if isinstance(command, Mapping):
                self.set_command(motor, **command)
            else:
                self.set_command(motor, effort=command)

    @property
    def time(self) -> float:
        """The time reached, s."""
        return self._inner.time

    @property
    def duration(self) -> float:
        """End time, s."""
        return self._inner.duration

    @property
    def state(self) -> State:
        """All that is recorded, as it is now."""
        if self._names is None:
            self._names = {name: i for i, (name, _) in enumerate(self._inner.columns())}
        q, v = self._inner.coordinates()
        return State(self._names, self._inner.measure(), q, v)

    @property
    def units(self) -> dict[str, str]:
        """Units of what `state` holds."""
        return dict(self._inner.columns())

    @property
    def motors(self) -> list[str]:
        """Names of all motors."""
        return [name for name, *_ in self._inner.actuators()]

    def set_command(self, motor: str, *, target: float = 0.0, rate: float = 0.0, effort: float = 0.0) -> None:
        """Tells a motor something until told otherwise: m or rad, m/s or rad/s, N or N m before the gear. It is added to what
        the scene tells it."""
        self._inner.set_command(motor, target, rate, effort)

    def command(self, motor: str) -> dict[str, float]:
        """What a motor was told last."""
        target, rate, effort = self._inner.command(motor)
        return {"target": target, "rate": rate, "effort": effort}

    def contacts(self) -> list[Contact]:
        """Every contact that acts now."""
        return [Contact(**contact) for contact in self._inner.contacts()]

    def save(self) -> bytes:
        """All of the run so far. The run goes on as the restored one does, to the bit."""
        return self._inner.save()

    def restore(self, saved: bytes) -> None:
        """Goes on from what `save` gave, in a simulation of the same scene and version."""
        self._inner.restore(saved)

    def reset(self, q: Any = None, v: Any = None) -> None:
        """Begins anew, at the scene's start or at given coordinates and velocities."""
        self._inner.reset(*(None if x is None else np.asarray(x, dtype=np.float64).tolist() for x in (q, v)))

    def finish(self) -> Run:
        """Ends the run, closes the simulation and answers what came out."""
        return Run(self._inner.finish())

    def close(self) -> None:
        """Drops the run."""
        self._inner.close()

    @property
    def is_closed(self) -> bool:
        """Whether it was finished or closed."""
        return self._inner.is_closed

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<closed simulation>" if self.is_closed else f"<simulation at {self.time:g} of {self.duration:g} s>"


def run(
    scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    duration: float | None = None,
    every: float | None = None,
    controller: Controller | None = None,
    rate: float | None = None,
    progress: Progress = None,
    film: bool = True,
) -> Run:
    """Runs a scene (a `Scene`, a dict or a file) to its end.

    >>> run("scenes/bouncing_sphere.toml", set={"bodies.ball.position[2]": 0.2}).impacts["restitution"][0]  # doctest: +SKIP

    ``set`` changes values of the scene; ``controller(sim)`` is called ``rate`` times a second; ``progress`` is true for a line on
    standard error, or a function of the time reached and the end. Without ``film`` a report has no playback.
    """
    scene = as_scene(scene, set)
    if scene._scene().is_system:
        given = {"duration": duration, "every": every, "controller": controller}
        if wrong := [name for name, value in given.items() if value is not None]:
            raise SimulationError(f"a system of formulas takes no {', '.join(wrong)}: its scene says it")
        return Run(_bristle.System.run_scene(scene._scene(), _shown(progress)))
    with Simulation(scene, duration=duration, every=every, film=film) as simulation:
        simulation.run(controller=controller, rate=rate, progress=progress)
        return simulation.finish()


def _shown(progress: Progress) -> Callable[[float, float], object] | None:
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise TypeError("progress is true, false or a function")
        return progress

    def line(done: float, all: float) -> None:
        share = min(done / all, 1.0) if all > 0.0 else 1.0
        sys.stderr.write(f"\r{'█' * round(32 * share):32} {100 * share:3.0f} %" + ("\n" if share == 1.0 else ""))
        sys.stderr.flush()

    return line
