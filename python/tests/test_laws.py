"""Laws on arrays: the same numbers as one by one, exact slopes, clean refusals."""

from __future__ import annotations

import inspect
import math

import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bristle
from bristle import LawError, laws

NORMAL = [
    laws.KelvinVoigt(stiffness=1e4, damping=20.0),
    laws.Hertz(stiffness=1e6),
    laws.HuntCrossley(stiffness=1e6, alpha=0.3),
    laws.HuntCrossley(stiffness=1e6, exponent=1.2, alpha=0.3, p=1.0, q=1.5),
    laws.Gonthier(stiffness=1e6, restitution=0.6),
    laws.AzadFeatherstone(stiffness=8.5e6, damping=3.1e3),
    laws.AzadFeatherstone(stiffness=8.5e6, damping=3.1e3, recovery="memory"),
    laws.VolumeKelvinVoigt(modulus=1e6, bed_depth=0.01, damping=500.0, surface_radius=0.1),
    laws.VolumeHuntCrossley(modulus=1e6, bed_depth=0.01, dissipation=0.5, surface_radius=0.1),
    laws.Proxy(stiffness=1e5, alpha=0.0025, beta=0.005),
]
FRICTION = [
    laws.Coulomb(static=0.4, kinetic=0.3),
    laws.SpringClutch(friction=0.2, stiffness=12.75e6, damping=3.1e3),
    laws.Lugre(static=0.6, kinetic=0.4, stiffness=1e5, damping=50.0),
    laws.DwellBristle(static=0.6, kinetic=0.4, stiffness=1e5, damping=50.0, stribeck_speed=0.01, dwell_time=1.0),
    laws.ProxyCoulomb(friction=0.5, stiffness=1e5, beta=1e-3),
]
SHAPES = arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)
DEPTHS = st.floats(-1e-3, 5e-3)
RATES = st.floats(-2.0, 2.0)


@pytest.mark.parametrize("law", NORMAL, ids=repr)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_arrays_of_any_shape_equal_the_law_point_by_point(law: laws.NormalLaw, data: st.DataObject) -> None:
    shapes = data.draw(SHAPES).input_shapes
    depth = data.draw(arrays.arrays(np.float64, shapes[0], elements=DEPTHS))
    rate = data.draw(arrays.arrays(np.float64, shapes[1], elements=RATES))
    for what in (law.force, law.elastic, law.stored, law.dissipated):
        whole = np.asarray(what(depth, rate, impact_speed=1.0))
        assert whole.shape == np.broadcast_shapes(*shapes)
        for at, (x, v) in enumerate(np.nditer([depth, rate])) if whole.size else ():
            assert whole.reshape(-1)[at] == what(float(x), float(v), impact_speed=1.0)


@pytest.mark.parametrize("order", ["C", "F", "strided", "reversed", "float32", "int"])
def test_any_layout_of_memory_gives_the_same_numbers(order: str) -> None:
    depth = np.linspace(1e-3, 5e-3, 24).reshape(4, 6)
    if order == "int":
        depth = np.ones((4, 6), dtype=int)
    elif order == "float32":
        depth = depth.astype(np.float32)
    elif order == "strided":
        depth = np.repeat(depth, 2, axis=1)[:, ::2]
    elif order == "reversed":
        depth = depth[::-1, ::-1]
    else:
        depth = np.asarray(depth, order=order)  # type: ignore[call-overload]
    law = NORMAL[2]
    assert np.array_equal(law.force(depth, 0.1), law.force(np.ascontiguousarray(depth, dtype=float), 0.1))


@pytest.mark.parametrize("law", NORMAL, ids=repr)
def test_slopes_are_those_of_the_force(law: laws.NormalLaw) -> None:
    depth, rate, h = np.linspace(1e-3, 4e-3, 7), np.linspace(-0.3, 0.5, 7), 1e-6
    slopes = law.gradient(depth, rate, impact_speed=1.0)
    for by, (dx, dv), step in ((slopes.depth, (h, 0.0), h), (slopes.rate, (0.0, h), h)):
        up = law.force(depth + dx, rate + dv, impact_speed=1.0)
        down = law.force(depth - dx, rate - dv, impact_speed=1.0)
        # rounding of a difference, 2 ε f/h, and its curvature, h² f/(6 x³) with x ≥ 1e-3 and a factor of at most 2
        largest = np.abs([up, down]).max()
        assert np.abs((up - down) / (2 * step) - by).max() <= largest * (2e-16 * 4 / h + h * h / 1e-9)


def test_a_million_points_take_no_loop_of_python_and_fill_the_given_array() -> None:
    depth, rate = np.full(10**6, 1e-3), np.full(10**6, 0.1)
    out = np.empty(10**6)
    assert NORMAL[1].force(depth, rate, out=out) is out
    assert out[0] == out[-1] == NORMAL[1].force(1e-3, 0.1)


def test_figures_of_an_impact_agree_with_a_simulated_one() -> None:
    speeds = np.array([0.5, 1.0, 2.0])
    for law in (NORMAL[2], NORMAL[4], NORMAL[5]):
        restitution, peak = law.restitution(speeds, 0.5), law.peak_force(speeds, 0.5)
        for speed, e, force in zip(speeds, restitution, peak):
            impact = law.impact(mass=0.5, speed=speed)
            # both are computed at a relative error of 1e-12 per step, of which an impact has some hundred
            assert impact.restitution == pytest.approx(e, rel=1e-9)
            assert impact.peak_force == pytest.approx(force, rel=1e-9)
            assert impact.closure < 1e-9
            assert impact.samples["time"][0] == 0.0 and impact.samples.units["force"] == "N"


def test_a_designed_law_does_what_was_asked() -> None:
    law = laws.AzadFeatherstone.design(restitution=0.6, peak_force=500.0, speed=1.0, mass=0.154)
    impact = law.impact(mass=0.154, speed=1.0)
    assert impact.restitution == pytest.approx(0.6, rel=1e-8)
    assert impact.peak_force == pytest.approx(500.0, rel=1e-8)
    with pytest.raises(LawError, match="restitution = 0.5 cannot be reached|reach"):
        laws.Hertz.design(restitution=0.5, speed=1.0, mass=1.0, stiffness=1e6)


@pytest.mark.parametrize("law", FRICTION, ids=repr)
@settings(max_examples=15, deadline=None)
@given(velocity=arrays.arrays(np.float64, (3, 2, 3), elements=RATES), load=st.floats(0.0, 100.0))
def test_friction_on_arrays_equals_friction_one_by_one(
    law: laws.FrictionLaw, velocity: np.ndarray, load: float
) -> None:
    velocity[..., 2] = 0.0
    whole = law.evaluate(velocity, load)
    assert whole.force.shape == (3, 2, 3) and whole.stored.shape == (3, 2)
    for at in np.ndindex(3, 2):
        one = law.evaluate(velocity[at], load)
        assert np.array_equal(one.force, whole.force[at]) and one.dissipated == whole.dissipated[at]
        assert np.array_equal(one.rates, whole.rates[at])


def test_friction_opposes_sliding_with_the_kinetic_coefficient() -> None:
    assert np.allclose(FRICTION[0].force([2.0, 0.0, 0.0], 10.0), [-3.0, 0.0, 0.0])
    assert FRICTION[4].steady_force(0.1, 10.0) == pytest.approx(5.0, rel=1e-7)
    loop = FRICTION[4].hysteresis(10.0, 2e-4, 0.01)
    assert loop["force"].max() == pytest.approx(5.0, rel=1e-3)


def test_resistances_answer_torques() -> None:
    law = laws.Rolling(coefficient=0.001, stiffness=10.0, damping=0.01)
    assert law.torque([0.0, 1.0, 0.0], 10.0).shape == (3,)


def test_every_law_of_the_gallery_has_a_class_with_its_parameters() -> None:
    from bristle._bristle import law_table

    table = law_table()
    assert len(table) == 15
    for info in table:
        name = "".join(word.capitalize() for word in info["id"].split("-"))
        made = getattr(laws, name)
        assert made.id == info["id"] and made.kind == info["kind"]
        names = [p for p in inspect.signature(made).parameters if p != "surface_radius"]
        assert names == [p[0] for p in info["parameters"]]
        for parameter, _, unit, _, about in info["parameters"]:
            assert f"``{parameter}``" in made.__doc__
            assert unit in made.__doc__
        assert " ".join(info["equation"].split()) in " ".join(made.__doc__.split())


def test_laws_print_compare_and_become_tables_of_scenes() -> None:
    law = laws.Hertz(stiffness=np.float64(1e6), exponent=1.5)
    assert repr(law) == "Hertz(stiffness=1000000.0, exponent=1.5)"
    assert law == laws.Hertz(stiffness=1e6, exponent=1.5) and law != laws.Hertz(stiffness=2e6)
    assert hash(law) == hash(laws.Hertz(stiffness=1e6, exponent=1.5))
    assert law.to_dict() == {"law": "hertz", "stiffness": 1e6, "exponent": 1.5}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: laws.Hertz(), "hertz: stiffness (N/mⁿ) is missing"),
        (lambda: laws.HuntCrossley(stiffness=1e6, alpha=-1.0), "hunt-crossley: alpha = -1 s/m must be >= 0"),
        (lambda: laws.Hertz(stiffness=math.nan), "hertz: stiffness = NaN N/mⁿ must be > 0 and finite"),
        (lambda: laws.Hertz(stiffness="hard"), 'hertz: stiffness = "hard" must be a number'),  # type: ignore
        (lambda: laws.KelvinVoigt(stiffness=1.0, tension="pull"), "one of cut, keep"),  # type: ignore
        (lambda: laws.Hertz(young=7e10, poisson=0.3), "young needs the radius of the surfaces"),
        (lambda: laws.Hertz(stiffness=1.0, surface_radius=-1.0), "radius = -1 m must be > 0 and finite"),
        (lambda: laws.Hertz(stiffness=1.0, surface_radius=[1.0, 2.0, 3.0]), "one radius, or two"),
        (lambda: laws.Hertz(stiffness=1.0).force([1.0, 2.0], [1.0, 2.0, 3.0]), "shapes do not fit"),
        (lambda: laws.Hertz(stiffness=1.0).force("deep", 0.0), "depth must be a number or an array"),
        (lambda: laws.Hertz(stiffness=1.0).force([0.0, math.nan], 0.0), r"depth[1] = NaN must be finite"),
        (lambda: laws.Hertz(stiffness=1.0).force(0.0, math.inf), r"rate[0] = inf must be finite"),
        (lambda: laws.Hertz(stiffness=1.0).force(1.0, 1.0, out=np.empty(3)), "out must be a contiguous array"),
        (lambda: laws.Hertz(stiffness=1.0).force(1.0, 1.0, state=[1.0]), "state has 1 numbers, the law has 0 states"),
        (lambda: laws.VolumeHuntCrossley(modulus=1e6, bed_depth=0.01).force(1.0, 1.0), "needs the radius"),
        (lambda: laws.Hertz(stiffness=1.0).restitution(-1.0, 1.0), "impact: speed = -1 m/s must be > 0"),
        (lambda: laws.Hertz(stiffness=1.0).impact(mass=math.nan, speed=1.0), "impact: mass = NaN kg"),
        (lambda: laws.Coulomb(static=0.3).force([1.0, 0.0], 1.0), "three numbers in its last dimension"),
        (lambda: laws.Coulomb(static=0.3).force([1.0, 0.0, 0.0], -1.0), "load = -1 N must be >= 0"),
        (lambda: laws.Coulomb(static=0.3).force([[1.0, 0.0, math.nan]], 1.0), "must be finite"),
        (lambda: laws.Coulomb(static=0.3).force([1.0, 0.0, 0.0], 1.0, state=[1.0]), "state must have 0 numbers"),
        (lambda: laws.Coulomb(static=0.3).hysteresis(1.0, -1.0, 1.0), "amplitude = -1 must be > 0"),
        (lambda: laws.Hertz.design(speed=1.0, mass=1.0), "nothing to design"),
    ],
)
def test_wrong_use_is_refused_by_name_and_rule(make: object, message: str) -> None:
    with pytest.raises(LawError) as error:
        make()  # type: ignore[operator]
    assert message in str(error.value)


def test_wrong_names_are_refused_as_python_does() -> None:
    with pytest.raises(TypeError, match="stifness"):
        laws.Hertz(stifness=1.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="speed"):
        laws.Hertz(stiffness=1.0).stored(1.0, 1.0, speed=1.0)
    with pytest.raises(TypeError, match="a parameter must be a number"):
        laws.Hertz(stiffness=object())  # type: ignore[arg-type]
    assert issubclass(LawError, bristle.Error)
