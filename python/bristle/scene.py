"""Scenes: from files, from dictionaries, or put together here."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _bristle, _toml
from ._bristle import SceneError
from .laws import Law, OwnFriction, OwnNormal

if TYPE_CHECKING:
    from .result import Run
    from .simulation import Simulation

#: A law of the gallery, one of your own, or the table that a scene file would have.
NormalLike = Union[Law, OwnNormal, Mapping[str, Any]]
FrictionLike = Union[Law, OwnFriction, Mapping[str, Any], str]
Vector = Sequence[float]

#: The law that stands in the text of a scene where one of the user's own acts.
_STAND_IN = {
    "normal": {"law": "hertz", "stiffness": 1.0},
    "friction": {"law": "coulomb", "static": 0.0},
}


class Scene:
    """Bodies, materials and contacts, and how long to watch them.

    >>> scene = Scene(duration=0.5)
    >>> scene.add_material("steel", normal=bristle.laws.HuntCrossley(stiffness=1e7, alpha=0.2))
    >>> scene.add_body("ball", mass=0.154, shape={"sphere": {"radius": 0.0165}}, position=[0, 0, 0.1])
    >>> scene.add_body("ground", fixed=True, shape={"plane": {"normal": [0, 0, 1], "offset": 0.0}})
    >>> scene.add_contact("ball", "ground", "steel")
    >>> run = scene.run()

    Keys and values are those of scene files (``docs/scenes.md``), in SI units. ``Scene.load`` reads a file, ``Scene.parse`` a
    text, ``Scene(data)`` a dictionary of the same form.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        duration: float | None = None,
        gravity: Vector | None = None,
        integrator: Mapping[str, Any] | None = None,
        record: Mapping[str, Any] | None = None,
        folder: str | os.PathLike[str] = ".",
    ) -> None:
        self._data: dict[str, Any] | None = copy.deepcopy(dict(data)) if data is not None else {}
        assert self._data is not None
        self._data.setdefault("schema", 1)
        given = {"duration": duration, "gravity": gravity, "integrator": integrator, "record": record}
        given = {key: value for key, value in given.items() if value is not None}
        if given:
            simulation = self._data.setdefault("simulation", {})
            if not isinstance(simulation, dict):
                raise SceneError(f"simulation = {simulation!r} must be a table")
            simulation.update(given)
        self._text = ""
        self._file = str(Path(folder) / "scene.toml")
        self._is_file = False
        self._allow_outside = False
        self._overrides: list[str] = []
        self._own: dict[str, tuple[Optional[OwnNormal], Optional[OwnFriction]]] = {}
        self._built: _bristle.Scene | None = None

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        set: Mapping[str, Any] | None = None,
        *,
        allow_outside: bool = False,
    ) -> Scene:
        """Reads a scene file; ``set`` changes values, e.g. ``{"bodies.ball.mass": 0.2}``."""
        scene = cls()
        scene._data, scene._file, scene._is_file = None, os.fspath(path), True
        scene._allow_outside = allow_outside
        scene._overrides = _overrides(set)
        scene._scene()
        return scene

    @classmethod
    def parse(cls, text: str, set: Mapping[str, Any] | None = None, *, folder: str | os.PathLike[str] = ".") -> Scene:
        """Reads the text of a scene; files that it names are looked for from ``folder``."""
        scene = cls(folder=folder)
        scene._data, scene._text = None, text
        scene._overrides = _overrides(set)
        scene._scene()
        return scene

    def changed(self, set: Mapping[str, Any]) -> Scene:
        """The same scene with some values changed, e.g. ``{"bodies.ball.velocity[0]": 1.5}``."""
        other = copy.copy(self)
        other._data = copy.deepcopy(self._data)
        other._overrides = [*self._overrides, *_overrides(set)]
        other._own = dict(self._own)
        other._built = None
        other._scene()
        return other

    def _scene(self) -> _bristle.Scene:
        """The scene as the engine reads it: all that is wrong with it is said here."""
        if self._built is None:
            if self._is_file:
                self._built = _bristle.Scene.load(self._file, self._overrides, self._allow_outside)
            else:
                text = self._text if self._data is None else _toml.write(self._data)
                self._built = _bristle.Scene.parse(text, self._file, self._overrides)
        return self._built

    def _table(self, name: str) -> dict[str, Any]:
        if self._data is None:
            raise SceneError("a scene that was read from a file or a text is changed with .changed({...})")
        self._built = None
        table = self._data.setdefault(name, {})
        if not isinstance(table, dict):
            raise SceneError(f"{name} = {table!r} must be a table")
        return table

    def _add(self, table: str, name: str, keys: Mapping[str, Any]) -> None:
        entries = self._table(table)
        if name in entries:
            raise SceneError(f"{table}.{name} is there already")
        entries[name] = {key: value for key, value in keys.items() if value is not None}

    def add_material(
        self,
        name: str,
        normal: NormalLike,
        friction: FrictionLike | None = None,
        rolling: Law | Mapping[str, Any] | None = None,
        spin: Law | Mapping[str, Any] | None = None,
        **keys: Any,
    ) -> None:
        """Laws of a contact. A law may be one of the gallery, a table as in scene files, or one of your own."""
        own_normal = normal if isinstance(normal, OwnNormal) else None
        own_friction = friction if isinstance(friction, OwnFriction) else None
        laws = {
            "normal": _STAND_IN["normal"] if own_normal else _law(normal),
            "friction": _STAND_IN["friction"] if own_friction else _law(friction),
            "rolling": _law(rolling),
            "spin": _law(spin),
        }
        self._add("materials", name, {**laws, **keys})
        if own_normal or own_friction:
            self._own[name] = (own_normal, own_friction)

    def add_body(
        self,
        name: str,
        *,
        shape: Mapping[str, Any] | None = None,
        mass: float | None = None,
        position: Vector | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        fixed: bool | None = None,
        **keys: Any,
    ) -> None:
        """A body: kg, m, m/s, rad/s. Further keys as in scene files: ``shapes``, ``inertia``, ``orientation``, ``start``, …"""
        given = {
            "fixed": fixed, "mass": mass, "shape": shape, "position": position, "velocity": velocity,
            "angular_velocity": angular_velocity,
        }  # fmt: skip
        self._add("bodies", name, {**given, **keys})

    def add_contact(self, first: str, second: str, material: str, **keys: Any) -> None:
        """Says that two bodies touch by the laws of a material; ``"*"`` is any body, ``"dog/*_foot"`` a pattern."""
        self._table("materials")
        assert self._data is not None
        self._data.setdefault("contacts", []).append({"between": [first, second], "material": material, **keys})

    def add_robot(self, file: str | os.PathLike[str], name: str | None = None, **keys: Any) -> None:
        """A robot from a URDF or MJCF file; called as the file unless named."""
        self._add("robots", Path(file).stem if name is None else name, {"file": os.fspath(file), **keys})

    def add_joint(self, name: str, parent: str, child: str, type: str, **keys: Any) -> None:
        """How a body moves on another (or on ``"world"``): ``"revolute"``, ``"prismatic"``, ``"spherical"``, …"""
        self._add("joints", name, {"parent": parent, "child": child, "type": type, **keys})

    def add_actuator(self, name: str, joint: str, **keys: Any) -> None:
        """A motor on a joint: ``effort``, ``servo``, ``limits``, … as in scene files."""
        self._add("actuators", name, {"joint": joint, **keys})

    def add_sensor(self, name: str, on: str, **keys: Any) -> None:
        """A point of a body that feels acceleration (m/s²) and turning (rad/s)."""
        self._add("sensors", name, {"on": on, **keys})

    def add_force(self, name: str, on: str, **keys: Any) -> None:
        """A force (N) or torque (N m) on a body, constant or over time."""
        self._add("forces", name, {"on": on, **keys})

    def add_spring(self, name: str, first: str, second: str, points: Sequence[Vector], **keys: Any) -> None:
        """A straight spring and damper between points of two bodies, each in the frame of its body (m); ``stiffness`` (N/m),
        ``damping`` (N s/m), ``rest_length`` (m)."""
        self._add("springs", name, {"between": [first, second], "points": points, **keys})

    def put_law(self, material: str, normal: OwnNormal | None = None, friction: OwnFriction | None = None) -> None:
        """Puts laws of your own in the place of those that the scene has for a material."""
        if normal is None and friction is None:
            raise SceneError("put_law needs a normal law, a friction law or both")
        if material not in self._scene().materials:
            raise SceneError(f"there is no material {material}; there are {', '.join(self._scene().materials) or 'none'}")
        self._own[material] = (normal, friction)

    @property
    def text(self) -> str:
        """The scene as one TOML text: includes merged in, changes and parameters applied."""
        return self._scene().text

    @property
    def duration(self) -> float:
        """How long it is watched, s."""
        return self._scene().duration

    @property
    def bodies(self) -> list[str]:
        """Names of all bodies, those of robots included."""
        return self._scene().bodies

    @property
    def materials(self) -> list[str]:
        """Names of all materials."""
        return self._scene().materials

    def check(self) -> list[str]:
        """What is allowed in the scene but rarely meant, one line each. Errors are raised."""
        return self._scene().warnings()

    def simulate(self, **options: Any) -> Simulation:
        """A simulation to be stepped; see `Simulation`."""
        from .simulation import Simulation

        return Simulation(self, **options)

    def run(self, **options: Any) -> Run:
        """Runs it to the end; see `bristle.run`."""
        from .simulation import run

        return run(self, **options)

    def __repr__(self) -> str:
        return f"<scene {Path(self._file).stem}: {', '.join(self.bodies) or 'a system of formulas'}; {self.duration:g} s>"

    def _laws(self) -> list[tuple[str, object, object]]:
        return [(material, normal, friction) for material, (normal, friction) in self._own.items()]


def as_scene(of: Scene | Mapping[str, Any] | str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> Scene:
    """A scene, a dictionary of one, or the path of a file."""
    if isinstance(of, Scene):
        return of.changed(set) if set else of
    if isinstance(of, Mapping):
        scene = Scene(of)
        return scene.changed(set) if set else scene
    if isinstance(of, (str, os.PathLike)):
        return Scene.load(of, set)
    raise TypeError(f"a scene is a Scene, a dict or the path of a file, not {type(of).__name__}")


def _overrides(set: Mapping[str, Any] | None) -> list[str]:
    return [_toml.override(key, value) for key, value in (set or {}).items()]


def _law(of: Any) -> Any:
    return of.to_dict() if isinstance(of, Law) else of
