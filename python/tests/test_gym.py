"""Environments: Gymnasium's own checks, seeds, many robots on any number of threads."""

from __future__ import annotations

import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from test_runs import BALL

from bristle import SimulationError
from bristle.gym import BristleEnv, BristleVectorEnv


@pytest.fixture
def robot(scenes: Path) -> Path:
    return scenes / "quadruped_drop.toml"


def test_gymnasiums_own_checks_pass(robot: Path) -> None:
    with warnings.catch_warnings():
        # observations are accelerations and the like, which have no bounds
        warnings.filterwarnings("ignore", message=".*infinity.*")
        check_env(BristleEnv(robot, randomise=0.05, duration=0.2), skip_render_check=True)


def test_spaces_come_from_motors_joints_and_sensors(robot: Path) -> None:
    env = BristleEnv(robot)
    assert env.action_space.shape == (12,)
    observed = env._task.observed
    assert "imu.acceleration.x" in observed and "dog/trunk.position.z" in observed
    assert sum(name.endswith(".position") for name in observed) == 12
    env = BristleEnv(robot, observe=["dog/trunk.position.z"], reward=lambda seen, action: seen["dog/trunk.position.z"])
    observation, _ = env.reset(seed=1)
    _, reward, *_ = env.step(np.zeros(12))
    assert observation.shape == (1,) and 0.0 < reward < 1.0


def test_a_seed_gives_the_same_episode(robot: Path) -> None:
    def episode(seed: int) -> np.ndarray:
        env = BristleEnv(robot, randomise=0.1)
        first, _ = env.reset(seed=seed)
        action = np.linspace(-1.0, 1.0, 12)
        return np.stack([first, *(env.step(action)[0] for _ in range(5))])

    assert np.array_equal(episode(3), episode(3))
    assert not np.array_equal(episode(3), episode(4))


def test_episodes_end_in_time_or_when_the_robot_has_fallen(robot: Path) -> None:
    env = BristleEnv(robot, duration=0.06, rate=50.0)
    env.reset(seed=0)
    ends = [env.step(np.zeros(12))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    env = BristleEnv(robot, terminated=lambda seen: seen["time"] > 0.03)
    env.reset()
    assert [env.step(np.zeros(12))[2] for _ in range(2)] == [False, True]


def test_many_robots_are_each_as_one_alone_on_any_number_of_threads(robot: Path) -> None:
    actions = np.random.default_rng(0).uniform(-1.0, 1.0, (4, 3, 12))

    def episodes(threads: int) -> np.ndarray:
        env = BristleVectorEnv(robot, 3, threads=threads, randomise=0.05)
        first, _ = env.reset(seed=5)
        seen = np.stack([first, *(env.step(action)[0] for action in actions)])
        env.close()
        return seen

    many = episodes(1)
    assert np.array_equal(many, episodes(2))
    assert isinstance(BristleVectorEnv(robot, 1), gymnasium.vector.VectorEnv)
    one = BristleEnv(robot, randomise=0.05)
    one._np_random = np.random.default_rng(6)
    alone = np.stack([one.reset()[0], *(one.step(action[1])[0] for action in actions)])
    assert np.array_equal(alone, many[:, 1])


def test_ended_episodes_begin_anew_at_the_next_step(robot: Path) -> None:
    env = BristleVectorEnv(robot, 2, duration=0.04, rate=50.0)
    first, _ = env.reset(seed=1)
    actions = np.zeros((2, 12))
    assert not env.step(actions)[3].any()
    assert env.step(actions)[3].all()
    again, rewards, terminated, truncated, _ = env.step(actions)
    assert np.array_equal(again, first) and not rewards.any() and not (terminated | truncated).any()


def test_wrong_use_is_refused(robot: Path) -> None:
    env = BristleEnv(robot)
    env.reset()
    for action in (np.zeros(3), np.full(12, np.nan)):
        with pytest.raises(SimulationError, match="an action has 12 finite numbers"):
            env.step(action)
    with pytest.raises(SimulationError, match="no motors"):
        BristleEnv(BALL)
    with pytest.raises(SimulationError, match="nothing is called cat"):
        BristleEnv(robot, observe=["cat"])
    with pytest.raises(SimulationError, match="rate = 0"):
        BristleEnv(robot, rate=0.0)
    with pytest.raises(SimulationError, match="there is no body cat"):
        BristleEnv(robot, base="cat")
    with pytest.raises(SimulationError, match="num_envs = 0"):
        BristleVectorEnv(robot, 0)
    with pytest.raises(SimulationError, match="actions have shape"):
        BristleVectorEnv(robot, 2).step(np.zeros(12))
    env.close()
    with pytest.raises(SimulationError, match="closed"):
        env.step(np.zeros(12))
