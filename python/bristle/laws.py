"""Every law of the gallery, as classes; `docs/laws.md` has equations and sources.

Parameters have the names that scenes use. ``surface_radius`` (m) is the radius of a ball on a plane, or one per side: laws that take
Young's modulus or act on the volume that two surfaces share need it. Laws of your own are subclasses of `OwnNormal` and
`OwnFriction`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Optional, Union

from ._arrays import Radius, Sides
from ._law import Gradient, Impact, Law, NormalLaw
from ._own import OwnFriction, OwnNormal
from ._sliding import Answer, FrictionLaw, Resistance

__all__ = [
    "Answer",
    "AzadFeatherstone",
    "Coulomb",
    "DwellBristle",
    "FrictionLaw",
    "Gonthier",
    "Gradient",
    "Hertz",
    "HuntCrossley",
    "Impact",
    "KelvinVoigt",
    "Law",
    "Lugre",
    "NormalLaw",
    "OwnFriction",
    "OwnNormal",
    "Proxy",
    "ProxyCoulomb",
    "Resistance",
    "Rolling",
    "Spin",
    "SpringClutch",
    "VolumeHuntCrossley",
    "VolumeKelvinVoigt",
]


class KelvinVoigt(NormalLaw):
    """Linear spring and damper.

    ``f = k x + b v``

    Source: Marhefka & Orin 1996, Eq. 3-4.

    * ``stiffness`` k (N/m): spring constant.
    * ``damping`` b (N s/m): damper constant; 0 unless given.
    * ``tension``: "cut": the contact cannot pull; "keep": the textbook form, which can; cut unless given.

    >>> KelvinVoigt(stiffness=1e4, damping=20.0).force(0.01, 0.5)
    110.0
    """

    id: ClassVar[str] = "kelvin-voigt"

    def __init__(
        self,
        *,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        tension: Optional[Literal["cut", "keep"]] = None,
        surface_radius: Radius = None,
    ) -> None:
        super().__init__({"stiffness": stiffness, "damping": damping, "tension": tension}, surface_radius)


class Hertz(NormalLaw):
    """Elastic power law.

    ``f = k xⁿ``

    Source: Hertz; Azad & Featherstone 2010, Eq. 9-10; Roy & Carretero 2012, Eq. 2.

    * ``stiffness`` k (N/mⁿ): force at unit depth, or young and poisson.
    * ``exponent`` n: power of the depth; 1.5 is Hertz's; 1.5 unless given.
    * ``young`` E (Pa): Young's modulus, one value or one per side, with poisson instead of stiffness.
    * ``poisson`` ν: Poisson's ratio, one value or one per side, with young instead of stiffness.

    >>> Hertz(stiffness=1e6).force(0.01, 0.0)
    1000.0
    """

    id: ClassVar[str] = "hertz"

    def __init__(
        self,
        *,
        stiffness: Optional[float] = None,
        exponent: Optional[float] = None,
        young: Sides = None,
        poisson: Sides = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "stiffness": stiffness,
            "exponent": exponent,
            "young": young,
            "poisson": poisson,
        }
        super().__init__(given, surface_radius)


class HuntCrossley(NormalLaw):
    """Power law with damping that grows with depth.

    ``f = k xⁿ + λ xᵖ sgn(v)|v|^q,  λ = a k = 3/2 α k``

    Source: Hunt & Crossley 1975; Marhefka & Orin 1996, Eq. 6-22; Azad & Featherstone 2010, Eq. 1-2.

    * ``stiffness`` k (N/mⁿ): force at unit depth, or young and poisson.
    * ``exponent`` n: power of the depth; 1.5 is Hertz's; 1.5 unless given.
    * ``alpha`` α (s/m): slope of restitution at low speed, e ≈ 1 − αv; 0 unless given.
    * ``dissipation`` a (s/m): λ/k = 3/2 α, instead of alpha.
    * ``damping`` λ (N sᵠ/m^(p+q)): damping factor, instead of alpha.
    * ``alpha_restitution`` α₂ (s/m): another alpha while the contact restores; alpha unless given.
    * ``p`` p: power of the depth in the damping; exponent unless given.
    * ``q`` q: power of the rate in the damping; 1 unless given.
    * ``tension``: "cut": the contact cannot pull; "keep": the textbook form, which can; cut unless given.
    * ``young`` E (Pa): Young's modulus, one value or one per side, with poisson instead of stiffness.
    * ``poisson`` ν: Poisson's ratio, one value or one per side, with young instead of stiffness.

    >>> round(HuntCrossley(stiffness=50e3, exponent=1.0, dissipation=0.6).restitution(speed=1.0, mass=50.0), 5)
    0.71195
    """

    id: ClassVar[str] = "hunt-crossley"

    def __init__(
        self,
        *,
        stiffness: Optional[float] = None,
        exponent: Optional[float] = None,
        alpha: Optional[float] = None,
        dissipation: Optional[float] = None,
        damping: Optional[float] = None,
        alpha_restitution: Optional[float] = None,
        p: Optional[float] = None,
        q: Optional[float] = None,
        tension: Optional[Literal["cut", "keep"]] = None,
        young: Sides = None,
        poisson: Sides = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "stiffness": stiffness,
            "exponent": exponent,
            "alpha": alpha,
            "dissipation": dissipation,
            "damping": damping,
            "alpha_restitution": alpha_restitution,
            "p": p,
            "q": q,
            "tension": tension,
            "young": young,
            "poisson": poisson,
        }
        super().__init__(given, surface_radius)


class Gonthier(NormalLaw):
    """Power law with exactly the restitution asked for.

    ``f = k xᵖ(1 + a v),  a = d(e)/(e v_i)``

    Source: Gonthier, McPhee, Lange & Piedbœuf 2004, Eq. 4-14.

    * ``stiffness`` k (N/mᵖ): force at unit depth, or young and poisson.
    * ``exponent`` p: power of the depth; 1.5 is Hertz's; 1.5 unless given.
    * ``restitution`` e: a number in (0, 1], { alpha = s/m } for 1 − αv, or a table [[speed, e], …].
    * ``speed_floor`` v₀ (m/s): slower touchdowns count as this speed; 1e-4 unless given.
    * ``young`` E (Pa): Young's modulus, one value or one per side, with poisson instead of stiffness.
    * ``poisson`` ν: Poisson's ratio, one value or one per side, with young instead of stiffness.

    >>> law = Gonthier(stiffness=1e9, restitution=0.5)
    >>> round(law.restitution(speed=2.0, mass=0.454), 9)
    0.5
    """

    id: ClassVar[str] = "gonthier"

    def __init__(
        self,
        *,
        stiffness: Optional[float] = None,
        exponent: Optional[float] = None,
        restitution: Union[float, Mapping[str, Any], Sequence[Any], None] = None,
        speed_floor: Optional[float] = None,
        young: Sides = None,
        poisson: Sides = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "stiffness": stiffness,
            "exponent": exponent,
            "restitution": restitution,
            "speed_floor": speed_floor,
            "young": young,
            "poisson": poisson,
        }
        super().__init__(given, surface_radius)


class AzadFeatherstone(NormalLaw):
    """Viscoelastic half-space.

    ``f = K x^3/2 + D x^1/2 v,  f ≥ 0``

    Source: Azad & Featherstone 2010, Eq. 3-14.

    * ``stiffness`` K_n (N/m^3/2): spring factor 4/3 E*√r, or young and poisson.
    * ``damping`` D_n (N s/m^3/2): damper factor 2η√r, η the viscous modulus in Pa s; 0 unless given.
    * ``recovery``: after the force is zero: "with-body", or "memory" by the ground's own dynamics; with-body unless
      given.
    * ``young`` E (Pa): Young's modulus, one value or one per side, with poisson instead of stiffness.
    * ``poisson`` ν: Poisson's ratio, one value or one per side, with young instead of stiffness.

    >>> law = AzadFeatherstone(stiffness=8.5e6, damping=3.1e3)
    >>> round(law.impact(mass=0.154, speed=1.28).restitution, 3)
    0.607
    """

    id: ClassVar[str] = "azad-featherstone"

    def __init__(
        self,
        *,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        recovery: Optional[Literal["with-body", "memory"]] = None,
        young: Sides = None,
        poisson: Sides = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "stiffness": stiffness,
            "damping": damping,
            "recovery": recovery,
            "young": young,
            "poisson": poisson,
        }
        super().__init__(given, surface_radius)


class VolumeKelvinVoigt(NormalLaw):
    """Bed of springs and dampers over the interference volume.

    ``f = c_E V + c_B dV/dt,  c = 1/(h₁/E₁ + h₂/E₂)``

    Source: Roy & Carretero 2012, Eq. 13-18, 23.

    * ``modulus`` E (Pa): elastic modulus of the bed, one value or one per side.
    * ``damping`` B (Pa s): viscous modulus of the bed, one value or one per side; 0 unless given.
    * ``bed_depth`` h (m): thickness of the bed, one value or one per side; a plane needs it given; radius unless
      given.
    * ``rate_exponent`` m: power of the strain rate in the damping; 1 unless given.
    * ``clip``: what lets go at zero force: the whole "patch", or each "element" as on a mesh; patch unless given.
    * ``series``: two dissimilar sides: "exact" with states for their interface, or "as-printed" (Eq. 18); exact unless
      given.

    >>> law = VolumeKelvinVoigt(modulus=1e6, bed_depth=0.01, surface_radius=0.1)
    >>> law.force(0.001, 0.0) > 0.0
    True
    """

    id: ClassVar[str] = "volume-kelvin-voigt"

    def __init__(
        self,
        *,
        modulus: Sides = None,
        damping: Sides = None,
        bed_depth: Sides = None,
        rate_exponent: Optional[float] = None,
        clip: Optional[Literal["patch", "element"]] = None,
        series: Optional[Literal["exact", "as-printed"]] = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "modulus": modulus,
            "damping": damping,
            "bed_depth": bed_depth,
            "rate_exponent": rate_exponent,
            "clip": clip,
            "series": series,
        }
        super().__init__(given, surface_radius)


class VolumeHuntCrossley(NormalLaw):
    """Elastic bed over the interference volume with proportional damping.

    ``f = (E/h) V (1 + a v)``

    Source: Roy & Carretero 2012, Eq. 7.

    * ``modulus`` E (Pa): elastic modulus of the bed, one value or one per side.
    * ``bed_depth`` h (m): thickness of the bed, one value or one per side; a plane needs it given; radius unless
      given.
    * ``dissipation`` a (s/m): damping over elastic force and rate; 0 unless given.

    >>> law = VolumeHuntCrossley(modulus=1e6, bed_depth=0.01, dissipation=0.5, surface_radius=0.1)
    >>> law.force(0.001, 0.1) > law.force(0.001, 0.0)
    True
    """

    id: ClassVar[str] = "volume-hunt-crossley"

    def __init__(
        self,
        *,
        modulus: Sides = None,
        bed_depth: Sides = None,
        dissipation: Optional[float] = None,
        surface_radius: Radius = None,
    ) -> None:
        super().__init__({"modulus": modulus, "bed_depth": bed_depth, "dissipation": dissipation}, surface_radius)


class Proxy(NormalLaw):
    """Rigid contact as a differential equation.

    ``f = K max(0, e − β(g + e)/α),  ė = max(−e/β, −(g + e)/α)``

    Source: Xiong, Kikuuwe & Yamamoto 2013, Eq. 14-15.

    * ``stiffness`` K (N/m): static stiffness.
    * ``alpha`` α (s): time constant of the proxy in contact, at most beta; alpha = beta is elastic.
    * ``beta`` β (s): time constant of the proxy after release; sets the damping.

    >>> law = Proxy(stiffness=1e5, alpha=0.0025, beta=0.005)
    >>> 0.0 < law.restitution(speed=1.0, mass=1.0) < 1.0
    True
    """

    id: ClassVar[str] = "proxy"

    def __init__(
        self,
        *,
        stiffness: Optional[float] = None,
        alpha: Optional[float] = None,
        beta: Optional[float] = None,
        surface_radius: Radius = None,
    ) -> None:
        super().__init__({"stiffness": stiffness, "alpha": alpha, "beta": beta}, surface_radius)


class Coulomb(FrictionLaw):
    """Smoothed Coulomb friction.

    ``F = N[min(r, 1)(μ_k + 2(μ_s − μ_k)/(1 + r²)) + c|v|],  r = |v|/v_s``

    Source: Sherman, Seth & Delp 2011.

    * ``static`` μ_s: static coefficient.
    * ``kinetic`` μ_k: kinetic coefficient, at most static; static unless given.
    * ``slip_speed`` v_s (m/s): speed at which friction reaches its static value; 1e-3 unless given.
    * ``viscous`` c (s/m): viscous friction per newton of load; 0 unless given.

    >>> Coulomb(static=0.3).force([1.0, 2.0, 0.0], load=10.0).round(3)
    array([-1.342, -2.683, -0.   ])
    """

    id: ClassVar[str] = "coulomb"

    def __init__(
        self,
        *,
        static: Optional[float] = None,
        kinetic: Optional[float] = None,
        slip_speed: Optional[float] = None,
        viscous: Optional[float] = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "static": static,
            "kinetic": kinetic,
            "slip_speed": slip_speed,
            "viscous": viscous,
        }
        super().__init__(given, surface_radius)


class SpringClutch(FrictionLaw):
    """Depth-coupled spring and damper with a slipping clutch, without creep.

    ``F = K_t√x u + D_t√x u̇,  clutch slips at μN with drag C_V``

    Source: Azad & Featherstone 2010, Eq. 19-33.

    * ``friction`` μ: coefficient of friction.
    * ``stiffness`` K_t (N/m^3/2): spring factor, 2E*√r or Mindlin's 8G*√R from young and poisson (N/m if linear).
    * ``damping`` D_t (N s/m^3/2): damper factor 2η√r (N s/m if linear).
    * ``viscous`` C_V (N s/m): drag of the slipping clutch; 0 unless given.
    * ``variant``: "conservative", "as-printed" (can create energy), or "linear" (no depth coupling); conservative
      unless given.
    * ``young`` E (Pa): Young's modulus, one value or one per side, with poisson instead of stiffness.
    * ``poisson`` ν: Poisson's ratio, one value or one per side, with young instead of stiffness.

    >>> law = SpringClutch(friction=0.2, stiffness=12.75e6, damping=3.1e3, variant="as-printed")
    >>> round(law.steady_force(1.0, load=10.0), 6)
    2.0
    """

    id: ClassVar[str] = "spring-clutch"

    def __init__(
        self,
        *,
        friction: Optional[float] = None,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        viscous: Optional[float] = None,
        variant: Optional[Literal["conservative", "as-printed", "linear"]] = None,
        young: Sides = None,
        poisson: Sides = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "friction": friction,
            "stiffness": stiffness,
            "damping": damping,
            "viscous": viscous,
            "variant": variant,
            "young": young,
            "poisson": poisson,
        }
        super().__init__(given, surface_radius)


class Lugre(FrictionLaw):
    """LuGre bristle.

    ``f = −(σ₀z + σ₁ż + σ₂v),  ż = v − σ₀|v|z/g(v)``

    Source: Canudas de Wit et al. 1995; Xiong et al. 2013, Fig. 3.

    * ``static`` μ_s: static coefficient.
    * ``kinetic`` μ_k: kinetic coefficient, at most static; static unless given.
    * ``stribeck_speed`` v_S (m/s): speed over which static falls to kinetic; 1e-3 unless given.
    * ``stiffness`` σ₀ (N/m): bristle stiffness (1/m with per_load).
    * ``damping`` σ₁ (N s/m): bristle damping (s/m with per_load); 0 unless given.
    * ``viscous`` σ₂ (N s/m): viscous friction (s/m with per_load); 0 unless given.
    * ``per_load``: stiffness, damping and viscous are per newton of load; false unless given.

    >>> law = Lugre(static=0.6, kinetic=0.4, stribeck_speed=0.01, stiffness=1e5, damping=50.0)
    >>> round(law.steady_force(0.5, load=10.0), 6)
    4.0
    """

    id: ClassVar[str] = "lugre"

    def __init__(
        self,
        *,
        static: Optional[float] = None,
        kinetic: Optional[float] = None,
        stribeck_speed: Optional[float] = None,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        viscous: Optional[float] = None,
        per_load: Optional[bool] = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "static": static,
            "kinetic": kinetic,
            "stribeck_speed": stribeck_speed,
            "stiffness": stiffness,
            "damping": damping,
            "viscous": viscous,
            "per_load": per_load,
        }
        super().__init__(given, surface_radius)


class DwellBristle(FrictionLaw):
    """Bristle whose break-away force grows with the time at rest.

    ``f = −(sat(σ₀z + σ₁ż, f_max(s_dw)) + σ₂v)``

    Source: Gonthier, McPhee, Lange & Piedbœuf 2004, Eq. 15-26.

    * ``static`` μ_s: static coefficient.
    * ``kinetic`` μ_k: kinetic coefficient, at most static.
    * ``stiffness`` σ₀ (N/m): bristle stiffness.
    * ``damping`` σ₁ (N s/m): bristle damping.
    * ``viscous`` σ₂ (N s/m): viscous friction; 0 unless given.
    * ``stribeck_speed`` v_S (m/s): speed that separates sticking from sliding.
    * ``dwell_time`` τ_dw (s): time at rest over which static friction builds up.
    * ``direction_speed`` v_ε (m/s): speed below which the sliding direction is smoothed (as-printed);
      stribeck_speed/100 unless given.
    * ``variant``: "passive", or "as-printed" (drifts, can create energy); passive unless given.

    >>> law = DwellBristle(static=0.6, kinetic=0.4, stiffness=1e5, damping=50.0, stribeck_speed=0.01, dwell_time=1.0)
    >>> round(law.steady_force(0.5, load=10.0), 3)
    4.0
    """

    id: ClassVar[str] = "dwell-bristle"

    def __init__(
        self,
        *,
        static: Optional[float] = None,
        kinetic: Optional[float] = None,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        viscous: Optional[float] = None,
        stribeck_speed: Optional[float] = None,
        dwell_time: Optional[float] = None,
        direction_speed: Optional[float] = None,
        variant: Optional[Literal["passive", "as-printed"]] = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "static": static,
            "kinetic": kinetic,
            "stiffness": stiffness,
            "damping": damping,
            "viscous": viscous,
            "stribeck_speed": stribeck_speed,
            "dwell_time": dwell_time,
            "direction_speed": direction_speed,
            "variant": variant,
        }
        super().__init__(given, surface_radius)


class ProxyCoulomb(FrictionLaw):
    """Coulomb friction as a differential equation, without creep.

    ``f = −K sat(μN/K, a + βv),  ȧ = (sat(μN/K, a + βv) − a)/β``

    Source: Xiong, Kikuuwe & Yamamoto 2013, Eq. 8-10, 21.

    * ``friction`` μ: coefficient of friction.
    * ``stiffness`` K (N/m): stiffness before sliding.
    * ``beta`` β (s): time constant of the damper beside the spring.

    >>> round(ProxyCoulomb(friction=0.5, stiffness=1e5, beta=1e-3).steady_force(0.1, load=10.0), 6)
    5.0
    """

    id: ClassVar[str] = "proxy-coulomb"

    def __init__(
        self,
        *,
        friction: Optional[float] = None,
        stiffness: Optional[float] = None,
        beta: Optional[float] = None,
        surface_radius: Radius = None,
    ) -> None:
        super().__init__({"friction": friction, "stiffness": stiffness, "beta": beta}, surface_radius)


class Rolling(Resistance):
    """Elastic-plastic resistance to rolling, without creep.

    ``T = k θ + c θ̇, slips at ρN``

    Source: Ai, Chen, Rotter & Ooi 2011, model C, with constant stiffness.

    * ``coefficient`` ρ (m): arm of the resisting load.
    * ``stiffness`` k (N m/rad): stiffness before rolling.
    * ``damping`` c (N m s/rad): damping before rolling.

    >>> law = Rolling(coefficient=0.001, stiffness=10.0, damping=0.01)
    >>> bool(law.torque([0.0, 1.0, 0.0], load=10.0)[1] < 0.0)
    True
    """

    id: ClassVar[str] = "rolling"

    def __init__(
        self,
        *,
        coefficient: Optional[float] = None,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        surface_radius: Radius = None,
    ) -> None:
        super().__init__({"coefficient": coefficient, "stiffness": stiffness, "damping": damping}, surface_radius)


class Spin(Resistance):
    """Elastic-plastic resistance to spinning, without creep.

    ``T = k φ + c φ̇, slips at μNℓ``

    Source: torsional counterpart of rolling; lever from the patch.

    * ``friction`` μ: coefficient of friction.
    * ``stiffness`` k (N m/rad): stiffness before spinning.
    * ``damping`` c (N m s/rad): damping before spinning.
    * ``radius`` ℓ (m): lever of friction, from the patch unless given; ∫p r dA/N unless given.

    >>> law = Spin(friction=0.3, stiffness=10.0, damping=0.01, radius=0.002)
    >>> bool(law.torque([0.0, 0.0, 1.0], load=10.0)[2] < 0.0)
    True
    """

    id: ClassVar[str] = "spin"

    def __init__(
        self,
        *,
        friction: Optional[float] = None,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        radius: Optional[float] = None,
        surface_radius: Radius = None,
    ) -> None:
        given = {
            "friction": friction,
            "stiffness": stiffness,
            "damping": damping,
            "radius": radius,
        }
        super().__init__(given, surface_radius)
