"""Gymnasium environments of robot scenes.

``BristleEnv`` is one robot, ``BristleVectorEnv`` many of them on all cores. Actions come from the motors of the scene,
observations from joints, sensors and the base.

>>> env = BristleEnv("scenes/quadruped_stand.toml")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _bristle
from ._bristle import SimulationError
from .scene import Scene, as_scene

Floats = npt.NDArray[np.float64]
#: Called with what is seen (by name) and the action.
Reward = Callable[[Mapping[str, float], Floats], float]
#: Called with what is seen (by name): whether the robot has fallen.
Terminated = Callable[[Mapping[str, float]], bool]
#: Called with a generator, coordinates and velocities of the start; answers those of the episode.
Randomise = Callable[[np.random.Generator, Floats, Floats], "tuple[npt.ArrayLike, npt.ArrayLike]"]

#: How far a servo's target moves for an action of 1 unless said otherwise, rad or m.
_TARGET = 0.25
#: No episode is longer, s: it is truncated before.
_FOREVER = 1e6


class _Task:
    """What environments of one scene share: spaces, and the way from actions to motors and from states to rewards."""

    def __init__(
        self,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        *,
        rate: float = 50.0,
        duration: float = 10.0,
        action_scale: float | Sequence[float] | None = None,
        observe: Sequence[str] | None = None,
        base: str | None = None,
        reward: Reward | None = None,
        terminated: Terminated | None = None,
        randomise: Randomise | float = 0.0,
    ) -> None:
        for name, value in (("rate", rate), ("duration", duration)):
            if not 0.0 < value < math.inf:
                raise SimulationError(f"{name} = {value} must be > 0 and finite")
        built = as_scene(scene)._scene()
        if built.is_system:
            raise SimulationError("a system of formulas has no motors: no environment can be made of it")
        self.first = _bristle.Simulation(built, _FOREVER, math.inf, False, as_scene(scene)._laws())
        self.period, self.ticks = 1.0 / rate, max(1, round(duration * rate))
        self.names = {name: i for i, (name, _) in enumerate(self.first.columns())}
        self.base = self._base(base)
        self.motors = self.first.actuators()
        if not self.motors:
            raise SimulationError("the scene has no motors: add actuators")
        self.scale = self._scale(action_scale)
        #: A servo is told a target, any other motor an effort.
        self.is_servo = np.array([stiffness > 0.0 for _, _, stiffness, _ in self.motors])
        self.observed = list(observe) if observe is not None else self._observed()
        if unknown := [name for name in self.observed if name not in self.names]:
            raise SimulationError(f"observe: nothing is called {unknown[0]}")
        self.columns = np.array([self.names[name] for name in self.observed])
        self.q, self.v = self.first.start()
        self.height = self.first.measure()[self.names[f"{self.base}.position.z"]] if self.base else 0.0
        self.reward = reward or self._reward
        self.terminated = terminated or self._terminated
        self.randomise = randomise if callable(randomise) else self._noise(float(randomise))
        size, motors = len(self.observed), len(self.motors)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (motors,), np.float64)

    def _base(self, base: str | None) -> str | None:
        if base is None:
            base = next(iter(self.first.bases()), None)
        if base is not None and f"{base}.position.z" not in self.names:
            raise SimulationError(f"base: there is no body {base}, or its position is not recorded")
        return base

    def _scale(self, given: float | Sequence[float] | None) -> Floats:
        if given is not None:
            scales: Floats = np.asarray(given, dtype=np.float64)
            if scales.shape not in ((), (len(self.motors),)) or not np.isfinite(scales).all():
                raise SimulationError(f"action_scale is one finite number, or one for each of {len(self.motors)} motors")
            return np.full(len(self.motors), scales)
        scale = []
        for name, limits, stiffness, _ in self.motors:
            if stiffness <= 0.0 and limits is None:
                raise SimulationError(f"motor {name} has no limits: give action_scale, its effort for an action of 1")
            scale.append(_TARGET if stiffness > 0.0 else max(abs(x) for x in limits or [0.0]))
        return np.array(scale)

    def _observed(self) -> list[str]:
        joints = [name for name, *_ in self.first.joints()]
        names = [n for n in self.names for j in joints if _is_of(n, j, ("position", "velocity"))]
        names += [n for n in self.names for s in self.first.sensors() if n.startswith(f"{s}.")]
        if self.base:
            kinds = ("orientation", "velocity", "angular_velocity")
            names += [f"{self.base}.position.z", *(n for n in self.names if _is_of(n, self.base, kinds))]
        return list(dict.fromkeys(names))

    def _reward(self, seen: Mapping[str, float], action: Floats) -> float:
        """Forward speed of the base (m/s) and a little less for large actions; 1 for being up."""
        forward = seen[f"{self.base}.velocity.x"] if self.base else 0.0
        return 1.0 + forward - 1e-3 * float(action @ action)

    def _terminated(self, seen: Mapping[str, float]) -> bool:
        """Fallen: the base is at less than half of its height at the start."""
        return self.base is not None and seen[f"{self.base}.position.z"] < 0.5 * float(self.height)

    def _noise(self, size: float) -> Randomise:
        """Joints of one freedom are moved at random by so much, rad or m."""
        places = [q for _, q, _, nq, _, _ in self.first.joints() if nq == 1]

        def moved(random: np.random.Generator, q: Floats, v: Floats) -> tuple[Floats, Floats]:
            q[places] += size * random.uniform(-1.0, 1.0, len(places))
            return q, v

        return moved

    def begin(self, simulation: _bristle.Simulation, random: np.random.Generator) -> Floats:
        """A new episode; answers what is observed."""
        q, v = self.randomise(random, self.q.copy(), self.v.copy())
        simulation.reset(np.asarray(q, dtype=np.float64).tolist(), np.asarray(v, dtype=np.float64).tolist())
        row: Floats = simulation.measure()[self.columns]
        return row

    def tell(self, simulation: _bristle.Simulation, action: Floats) -> None:
        """Tells the motors."""
        if action.shape != self.scale.shape or not np.isfinite(action).all():
            raise SimulationError(f"an action has {len(self.scale)} finite numbers")
        told = np.clip(action, -1.0, 1.0) * self.scale
        simulation.set_commands([(x, 0.0, 0.0) if servo else (0.0, 0.0, x) for x, servo in zip(told, self.is_servo)])

    def outcome(self, simulation: _bristle.Simulation, action: Floats) -> tuple[Floats, float, bool]:
        """Observation, reward and whether the episode has ended."""
        row = simulation.measure()
        seen = _Seen(self.names, row)
        return row[self.columns], float(self.reward(seen, action)), bool(self.terminated(seen))


class _Seen(Mapping[str, float]):
    """A row of numbers by name."""

    def __init__(self, names: Mapping[str, int], row: Floats) -> None:
        self._names, self._row = names, row

    def __getitem__(self, name: str) -> float:
        return float(self._row[self._names[name]])

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _is_of(name: str, part: str, kinds: Sequence[str]) -> bool:
    return any(name == f"{part}.{k}" or name.startswith((f"{part}.{k}.", f"{part}.{k}[")) for k in kinds)


class BristleEnv(gymnasium.Env[Floats, Floats]):
    """One robot of a scene.

    ``rate`` (Hz) is that of actions; an episode is truncated after ``duration`` (s). An action is one number in [-1, 1] per motor,
    times ``action_scale``: what a servo's target moves by (rad or m, 0.25 unless given), or an effort (N or N m, the motor's
    limit unless given). ``observe`` names what is seen (as in recordings); joints, sensors and the ``base`` (the root of the first
    robot) unless given. ``reward(seen, action)`` and ``terminated(seen)`` take what is seen by name. ``randomise`` moves the joints
    at every reset by at most so much (rad or m), or is a function of a generator, coordinates and velocities.
    """

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(self, scene: Scene | Mapping[str, Any] | str | os.PathLike[str], **options: Any) -> None:
        self._task = _Task(scene, **options)
        self._simulation = self._task.first
        self.observation_space = self._task.observation_space
        self.action_space = self._task.action_space
        self._tick = 0

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Floats, dict[str, Any]]:
        """A new episode; the same seed gives the same one."""
        super().reset(seed=seed)
        self._tick = 0
        return self._task.begin(self._simulation, self.np_random), {}

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Holds an action for one period."""
        action = np.asarray(action, dtype=np.float64)
        self._task.tell(self._simulation, action)
        self._tick += 1
        self._simulation.advance(self._tick * self._task.period)
        observation, reward, terminated = self._task.outcome(self._simulation, action)
        return observation, reward, terminated, self._tick >= self._task.ticks, {}

    def close(self) -> None:
        """Drops the simulation."""
        self._simulation.close()


class BristleVectorEnv(VectorEnv[Floats, Floats, npt.NDArray[Any]]):
    """Many robots of one scene, stepped on all cores; the numbers do not depend on ``threads``.

    Options as for `BristleEnv`. An episode that has ended is begun anew by the next step, as Gymnasium's ``NEXT_STEP`` says. A
    robot whose run fails ends its episode; ``info["error"]`` says why.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        scene: Scene | Mapping[str, Any] | str | os.PathLike[str],
        num_envs: int,
        *,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise SimulationError(f"num_envs = {num_envs} must be >= 1")
        self._task = _Task(scene, **options)
        self._simulations = [self._task.first, *(self._task.first.fresh() for _ in range(num_envs - 1))]
        self._threads = threads or os.cpu_count() or 1
        self.num_envs = num_envs
        self.single_observation_space = self._task.observation_space
        self.single_action_space = self._task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ticks = np.zeros(num_envs, dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._random = [np.random.default_rng() for _ in range(num_envs)]

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Floats, dict[str, Any]]:
        """New episodes for all. A single seed is that of the first, the next ones count on."""
        if seed is not None:
            seeds = seed if isinstance(seed, list) else [seed + i for i in range(self.num_envs)]
            self._random = [np.random.default_rng(s) for s in seeds]
        self._ticks[:] = 0
        self._ended[:] = False
        begun = [self._task.begin(s, r) for s, r in zip(self._simulations, self._random)]
        return np.stack(begun), {}

    def step(
        self, actions: Floats
    ) -> tuple[Floats, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Holds an action each for one period."""
        task, count = self._task, self.num_envs
        actions = np.asarray(actions, dtype=np.float64)
        if actions.shape != (count, len(task.scale)):
            raise SimulationError(f"actions have shape {(count, len(task.scale))}, not {actions.shape}")
        going = [i for i in range(count) if not self._ended[i]]
        for i in going:
            task.tell(self._simulations[i], actions[i])
        self._ticks[going] += 1
        times = [float(self._ticks[i] * task.period) for i in going]
        failed = _bristle.advance_all([self._simulations[i] for i in going], times, self._threads)
        errors = {i: error for i, error in zip(going, failed) if error is not None}
        observations = np.zeros((count, len(task.observed)))
        rewards, terminated, truncated = np.zeros(count), np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        for i in range(count):
            if self._ended[i]:
                self._ticks[i] = 0
                observations[i] = task.begin(self._simulations[i], self._random[i])
            elif i in errors:
                terminated[i] = True
            else:
                observations[i], rewards[i], terminated[i] = task.outcome(self._simulations[i], actions[i])
                truncated[i] = self._ticks[i] >= task.ticks
        self._ended = terminated | truncated
        info: dict[str, Any] = {}
        if errors:
            info["error"] = np.array([errors.get(i) for i in range(count)], dtype=object)
            info["_error"] = np.array([i in errors for i in range(count)])
        return observations, rewards, terminated, truncated, info

    def close_extras(self, **kwargs: Any) -> None:
        """Drops the simulations."""
        for simulation in self._simulations:
            simulation.close()
