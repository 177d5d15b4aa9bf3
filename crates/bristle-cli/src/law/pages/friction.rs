//! Pictures of friction laws and resistances: the loop of a reversal, the force at steady speed, break-away after a rest.

use super::Picture;
use crate::error::Error;
use crate::law::spec::LawSpec;
use bristle::drag::{DragMoment, Pressed, break_away, hysteresis, steady_force, turning};
use bristle::laws::{Friction, Params, Resist};
use bristle_report::{Axis, Curve, Plot};

/// Pictures of a law.
pub fn pictures(law: &str) -> Result<Vec<Picture>, Error> {
    Ok(match law {
        "coulomb" => vec![coulomb_loops()?, coulomb_steady()?],
        "spring-clutch" => vec![clutch_loops()?, clutch_steady()?],
        "lugre" => vec![lugre_loops()?, lugre_steady()?],
        "dwell-bristle" => vec![dwell_slides()?, dwell_breaks()?, dwell_steady()?],
        "proxy-coulomb" => vec![proxy_loops()?, proxy_steady()?],
        "rolling" => turns(
            "rolling",
            Params::new().set("coefficient", 1e-3),
            "ρ = 1 mm, k = 2 N m/rad, turned to and fro by 20 mrad once a second. Below ρN a spring that comes back; beyond, rolling against ρN.",
        )?,
        "spin" => turns(
            "spin",
            Params::new().set("friction", 0.5).set("radius", 2e-3),
            "μ = 0.5, ℓ = 2 mm, k = 2 N m/rad, turned to and fro by 20 mrad once a second. Below μNℓ a spring that comes back; beyond, spinning \
             against μNℓ.",
        )?,
        _ => Vec::new(),
    })
}

const PRESSED: Pressed = Pressed { load: 10.0, depth: 1e-4 };
const SAMPLES: usize = 2001;

fn build(text: &str) -> Result<Friction<f64>, Error> {
    LawSpec::parse(text, None)?.friction()
}

/// Force over displacement in micrometres.
fn in_micrometres(moments: &[DragMoment]) -> Vec<(f64, f64)> {
    moments.iter().map(|m| (1e6 * m.displacement, m.force)).collect()
}

/// Force over displacement: name, law, how it is pressed, amplitude (m) and frequency (Hz).
fn loops(cases: &[(&str, String, Pressed, f64, f64)]) -> Result<Plot, Error> {
    let mut plot = Plot::new(
        "Force over displacement",
        Axis::linear("displacement", "µm"),
        Axis::linear("friction force", "N"),
    );
    for (name, law, pressed, amplitude, frequency) in cases {
        let moments = hysteresis(&build(law)?, *pressed, *amplitude, *frequency, 1.25, SAMPLES)?;
        plot = plot.curve(Curve::new(*name, in_micrometres(&moments)));
    }
    Ok(plot)
}

/// Force over sliding speed, `from` to `to` powers of ten of m/s.
fn steady(laws: &[(&str, &str)], (from, to): (i32, i32)) -> Result<Plot, Error> {
    let mut plot = Plot::new(
        "Force at steady speed",
        Axis::log("sliding speed", "m/s"),
        Axis::linear("friction force", "N"),
    );
    for (name, law) in laws {
        let law = build(law)?;
        let speeds = (20 * from..=20 * to).map(|i| 10f64.powf(f64::from(i) / 20.0));
        let points: Result<Vec<_>, Error> =
            speeds.map(|v| Ok((v, steady_force(&law, PRESSED, v)?))).collect();
        plot = plot.curve(Curve::new(*name, points?));
    }
    Ok(plot)
}

fn coulomb_loops() -> Result<Picture, Error> {
    let of = |v: &str| format!("coulomb,static=0.6,kinetic=0.4,slip_speed={v}");
    let cases = [("v_s = 0.1 mm/s", "1e-4"), ("v_s = 1 mm/s", "1e-3"), ("v_s = 5 mm/s", "5e-3")];
    Ok(Picture {
        name: "loop",
        caption: "10 N of load, moved to and fro by 1 mm once a second. The force follows the speed at once; at the turning points it is zero, \
                  whatever is pushed.",
        plot: loops(&cases.map(|(name, v)| (name, of(v), PRESSED, 1e-3, 1.0)))?,
    })
}

fn coulomb_steady() -> Result<Picture, Error> {
    let laws = [
        ("v_s = 0.1 mm/s", "coulomb,static=0.6,kinetic=0.4,slip_speed=1e-4"),
        ("v_s = 1 mm/s", "coulomb,static=0.6,kinetic=0.4,slip_speed=1e-3"),
        ("v_s = 5 mm/s", "coulomb,static=0.6,kinetic=0.4,slip_speed=5e-3"),
    ];
    Ok(Picture {
        name: "steady",
        caption: "10 N of load, μ_s = 0.6, μ_k = 0.4. Below the slip speed nothing holds: the force falls to zero with the speed.",
        plot: steady(&laws, (-5, 0))?,
    })
}

fn clutch_loops() -> Result<Picture, Error> {
    let law = "spring-clutch,friction=0.5,stiffness=2.5e7,damping=1e3".to_string();
    let cases = [("depth 25 µm", 2.5e-5), ("depth 100 µm", 1e-4), ("depth 400 µm", 4e-4)];
    Ok(Picture {
        name: "loop",
        caption: "μ = 0.5, K_t = 2.5e7 N/m^3/2, 10 N of load, moved by 0.1 mm once a second. The deeper the contact, the stiffer its spring. \
                  The clutch slips at μN; the shallow contact holds more, because the push of its far stretched spring adds to the load.",
        plot: loops(
            &cases.map(|(name, depth)| (name, law.clone(), Pressed { depth, ..PRESSED }, 1e-4, 1.0)),
        )?,
    })
}

fn clutch_steady() -> Result<Picture, Error> {
    let laws = [
        ("C_V = 0", "spring-clutch,friction=0.5,stiffness=2.5e7,damping=1e3"),
        ("C_V = 1", "spring-clutch,friction=0.5,stiffness=2.5e7,damping=1e3,viscous=1"),
        ("C_V = 4 N s/m", "spring-clutch,friction=0.5,stiffness=2.5e7,damping=1e3,viscous=4"),
    ];
    Ok(Picture {
        name: "steady",
        caption: "The same contact at 100 µm sliding on: μN, a little more by the push of the spring, and the drag of the clutch.",
        plot: steady(&laws, (-3, 0))?,
    })
}

const LUGRE: &str = "lugre,static=0.6,kinetic=0.4,stribeck_speed=1e-3,stiffness=2e5,damping=300";

fn lugre_loops() -> Result<Picture, Error> {
    let cases = [("0.1 Hz", 0.1), ("1 Hz", 1.0), ("10 Hz", 10.0)];
    Ok(Picture {
        name: "loop",
        caption: "σ₀ = 2e5 N/m, σ₁ = 300 N s/m, v_S = 1 mm/s, 10 N of load, moved to and fro by 0.2 mm. Slow loops have the static force, fast ones \
                  the kinetic; the passage from spring to sliding is round.",
        plot: loops(&cases.map(|(name, hertz)| (name, LUGRE.to_string(), PRESSED, 2e-4, hertz)))?,
    })
}

fn lugre_steady() -> Result<Picture, Error> {
    let of = |viscous: &str| format!("{LUGRE},viscous={viscous}");
    let [none, some, more] = [of("0"), of("10"), of("40")];
    let laws = [("σ₂ = 0", none.as_str()), ("σ₂ = 10", &some), ("σ₂ = 40 N s/m", &more)];
    Ok(Picture {
        name: "steady",
        caption: "The Stribeck curve: static at low speed, kinetic beyond v_S = 1 mm/s, viscous further on.",
        plot: steady(&laws, (-5, -1))?,
    })
}

/// Gonthier's Table I.
const DWELL: &str = "dwell-bristle,static=0.15,kinetic=0.1,stiffness=1e5,damping=316.23,viscous=0.1,stribeck_speed=1e-3,dwell_time=2";
/// Speed and distance of a pull that breaks a rested contact loose, m/s and m.
const PULL: (f64, f64) = (1.5e-3, 4e-5);

fn dwell_slides() -> Result<Picture, Error> {
    let law = build(DWELL)?;
    let mut plot = Plot::new(
        "Pulled after a rest",
        Axis::linear("displacement", "µm"),
        Axis::linear("friction force", "N"),
    );
    for (name, rest) in [("10 s at rest", 10.0), ("2 s", 2.0), ("0.5 s", 0.5), ("none", 0.0)] {
        plot = plot.curve(Curve::new(name, in_micrometres(&break_away(&law, PRESSED, rest, PULL, SAMPLES)?)));
    }
    Ok(Picture {
        name: "pull",
        caption: "Gonthier's Table I, 10 N of load, pulled at 1.5 mm/s after rests of different length: the longer the rest, the higher the peak \
                  before it slides.",
        plot,
    })
}

fn dwell_breaks() -> Result<Picture, Error> {
    let law = build(DWELL)?;
    let rests = || (-40..=40).map(|i| 10f64.powf(f64::from(i) / 20.0));
    let peak = |rest: f64| {
        let slid = break_away(&law, PRESSED, rest, PULL, SAMPLES)?;
        Ok((rest, slid.iter().fold(0.0, |most: f64, m| most.max(m.force))))
    };
    let peaks: Result<Vec<_>, Error> = rests().map(peak).collect();
    let plot = Plot::new(
        "Break-away over rest",
        Axis::log("time at rest", "s"),
        Axis::linear("largest friction force", "N"),
    )
    .curve(Curve::new("pulled at 1.5 mm/s", peaks?))
    .curve(Curve::new(
        "f_max at the end of the rest",
        rests().map(|t| (t, 1.0 + 0.5 * (1.0 - (-t / 2.0f64).exp()))),
    ));
    Ok(Picture {
        name: "rest",
        caption: "The peak of the pull over the time at rest. It stays below f_max, which falls while the bristle is still bending.",
        plot,
    })
}

fn dwell_steady() -> Result<Picture, Error> {
    Ok(Picture {
        name: "steady",
        caption: "Steady sliding: static below v_S = 1 mm/s, kinetic beyond.",
        plot: steady(&[("F", DWELL)], (-5, -1))?,
    })
}

const PROXY: &str = "proxy-coulomb,friction=0.5,stiffness=1e5,beta=2e-3";

fn proxy_loops() -> Result<Picture, Error> {
    let cases = [("20 N", 20.0), ("10 N", 10.0), ("5 N", 5.0)];
    Ok(Picture {
        name: "loop",
        caption: "μ = 0.5, K = 1e5 N/m under three loads, moved to and fro by 0.2 mm once a second: a spring up to μN, then μN.",
        plot: loops(
            &cases.map(|(name, load)| (name, PROXY.to_string(), Pressed { load, ..PRESSED }, 2e-4, 1.0)),
        )?,
    })
}

fn proxy_steady() -> Result<Picture, Error> {
    let laws = [("proxy-coulomb", PROXY), ("coulomb, for comparison", "coulomb,static=0.5,slip_speed=1e-3")];
    Ok(Picture {
        name: "steady",
        caption: "10 N of load. No speed below which it would let go.",
        plot: steady(&laws, (-5, 0))?,
    })
}

/// Torque over angle and over rate of a resistance under three loads.
fn turns(law: &str, params: Params, caption: &'static str) -> Result<Vec<Picture>, Error> {
    let law = Resist::build(law, &params.set("stiffness", 2.0).set("damping", 2e-3))?;
    let torque = || Axis::linear("torque", "N mm");
    let mut angle = Plot::new("Torque over angle", Axis::linear("angle", "mrad"), torque());
    let mut rate = Plot::new("Torque over rate", Axis::linear("rate", "mrad/s"), torque());
    for (name, load) in [("20 N", 20.0), ("10 N", 10.0), ("5 N", 5.0)] {
        let moments = turning(&law, Pressed { load, ..PRESSED }, 0.02, 1.0, 1.25, SAMPLES)?;
        angle = angle.curve(Curve::new(name, moments.iter().map(|m| (1e3 * m.displacement, 1e3 * m.force))));
        rate = rate.curve(Curve::new(name, moments.iter().map(|m| (1e3 * m.velocity, 1e3 * m.force))));
    }
    let seen = "The same motion over its rate: either way the same limit, and between the limits the spring after each turn. No rate below which it would let go.";
    Ok(vec![
        Picture { name: "loop", caption, plot: angle },
        Picture { name: "rate", caption: seen, plot: rate },
    ])
}
