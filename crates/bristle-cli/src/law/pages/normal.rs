//! Pictures of normal laws: the loop of an impact, and what comes back of it.

use super::Picture;
use crate::error::Error;
use crate::law::curve::{Point, point};
use crate::law::spec::LawSpec;
use bristle::impact::{Options, simulate};
use bristle::laws::{Impact, Normal};
use bristle::math::lens::Lens;
use bristle_report::{Axis, Curve, Plot};
use std::f64::consts::PI;

/// Two pictures of a law.
pub fn pictures(law: &str) -> Result<Vec<Picture>, Error> {
    Ok(match law {
        "kelvin-voigt" => vec![kelvin_voigt_loops()?, kelvin_voigt_restitution()?],
        "hertz" => vec![hertz_loops()?, hertz_times()?],
        "hunt-crossley" => vec![hunt_crossley_loops()?, hunt_crossley_restitution()?],
        "gonthier" => vec![gonthier_loops()?, gonthier_restitution()?],
        "azad-featherstone" => vec![azad_loops()?, azad_restitution()?],
        "volume-kelvin-voigt" => vec![bed_loops()?, bed_restitution()?],
        "volume-hunt-crossley" => vec![damped_bed_loops()?, damped_bed_restitution()?],
        "proxy" => vec![proxy_loops()?, proxy_restitution()?],
        _ => Vec::new(),
    })
}

fn build(text: &str, lens: Option<Lens<f64>>) -> Result<Normal<f64>, Error> {
    LawSpec::parse(text, lens)?.normal("pages")
}

/// Force over depth of impacts: the name of each, its law and its impact; a unit of depth with how many make a metre.
fn loops(title: &str, unit: (&str, f64), impacts: &[(&str, String, Impact)]) -> Result<Plot, Error> {
    let options = Options { samples: 2000, ..Options::default() };
    let mut plot = Plot::new(title, Axis::linear("depth", unit.0), Axis::linear("force", "N"));
    for (name, law, impact) in impacts {
        let run = simulate(&build(law, impact.lens)?, impact, &options)?;
        plot = plot.curve(Curve::new(*name, run.samples.iter().map(|m| (m.depth * unit.1, m.force))));
    }
    Ok(plot)
}

const MM: (&str, f64) = ("mm", 1e3);
const UM: (&str, f64) = ("µm", 1e6);

/// 0.01 to 10 m/s.
fn speeds() -> impl Iterator<Item = f64> {
    (0..=60).map(|i| 10f64.powf(f64::from(i) / 20.0 - 2.0))
}

fn over_speed(
    law: &Normal<f64>,
    impact: &Impact,
    read: impl Fn(&Point) -> f64,
) -> Result<Vec<(f64, f64)>, Error> {
    speeds().map(|speed| Ok((speed, read(&point(law, &Impact { speed, ..*impact })?)))).collect()
}

/// Restitution over speed of several laws under the same impact.
fn restitution(laws: &[(&str, &str)], impact: &Impact) -> Result<Plot, Error> {
    let mut plot = Plot::new(
        "Restitution over speed",
        Axis::log("impact speed", "m/s"),
        Axis::linear("restitution", ""),
    );
    for (name, law) in laws {
        let points = over_speed(&build(law, impact.lens)?, impact, |p| p.restitution)?;
        plot = plot.curve(Curve::new(*name, points));
    }
    Ok(plot)
}

fn kelvin_voigt_loops() -> Result<Picture, Error> {
    let impact = Impact::new(1.0, 1.0);
    let of = |damping: &str| format!("kelvin-voigt,stiffness=1e6,damping={damping}");
    let impacts = [
        ("ζ = 0.1", of("200"), impact),
        ("ζ = 0.3", of("600"), impact),
        ("ζ = 0.6", of("1200"), impact),
        ("ζ = 0.3, tension kept", of("600,tension=keep"), impact),
    ];
    Ok(Picture {
        name: "loop",
        caption: "1 kg at 1 m/s on k = 1e6 N/m. The area of a loop is what is lost. At touchdown the force jumps to b v; cut at zero, \
                  it ends before the depth does.",
        plot: loops("Force over depth", MM, &impacts)?,
    })
}

fn kelvin_voigt_restitution() -> Result<Picture, Error> {
    let impact = Impact::new(1.0, 1.0);
    let mut plot = Plot::new(
        "Restitution over damping",
        Axis::linear("damping ratio ζ = b/(2√(k m))", ""),
        Axis::linear("restitution", ""),
    );
    for (name, tension, most) in [("cut at zero force", "cut", 30), ("tension kept", "keep", 19)] {
        let of = |ratio: f64| {
            let law = format!("kelvin-voigt,stiffness=1e6,damping={},tension={tension}", 2e3 * ratio);
            Ok((ratio, point(&build(&law, None)?, &impact)?.restitution))
        };
        let points: Result<Vec<_>, Error> = (0..=most).map(|i| of(0.05 * f64::from(i))).collect();
        plot = plot.curve(Curve::new(name, points?));
    }
    Ok(Picture {
        name: "restitution",
        caption: "The same at every speed. The textbook formula is the lower curve; a contact that cannot pull has the upper one.",
        plot,
    })
}

/// A ball of 10 mm radius on a half-space of the same material.
fn ball(young: &str, poisson: &str, density: f64, speed: f64) -> (String, Impact) {
    let radius: f64 = 0.01;
    let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
    let impact = Impact::new(mass, speed).with_lens(Lens::on_plane(radius));
    (format!("young={young},poisson={poisson}"), impact)
}

/// The same of steel, at three speeds, on a law with these further words.
fn steel(law: &str, words: &str) -> Vec<(&'static str, String, Impact)> {
    [("2 m/s", 2.0), ("1 m/s", 1.0), ("0.5 m/s", 0.5)]
        .into_iter()
        .map(|(name, speed)| {
            let (material, impact) = ball("210e9", "0.3", 7850.0, speed);
            (name, format!("{law},{material}{words}"), impact)
        })
        .collect()
}

fn hertz_loops() -> Result<Picture, Error> {
    Ok(Picture {
        name: "loop",
        caption: "A steel ball, 20 mm across, on steel. Out and back on one curve, whatever the speed: no area, no loss.",
        plot: loops("Force over depth", UM, &steel("hertz", ""))?,
    })
}

fn hertz_times() -> Result<Picture, Error> {
    let mut plot = Plot::new(
        "Contact time over speed",
        Axis::log("impact speed", "m/s"),
        Axis::log("contact time", "µs"),
    );
    let materials = [
        ("nylon", "2.5e9", "0.4", 1000.0),
        ("glass", "72.8e9", "0.222", 2560.0),
        ("steel", "210e9", "0.3", 7850.0),
        ("aluminium oxide", "380e9", "0.23", 4000.0),
    ];
    for (name, young, poisson, density) in materials {
        let (material, impact) = ball(young, poisson, density, 1.0);
        let law = build(&format!("hertz,{material}"), impact.lens)?;
        plot = plot.curve(Curve::new(name, over_speed(&law, &impact, |p| 1e6 * p.duration)?));
    }
    Ok(Picture {
        name: "time",
        caption: "Balls, 20 mm across, on a half-space of their own material. The time falls with the fifth root of the speed. Steel and glass lie on each other: \
                  their moduli are in the ratio of their densities.",
        plot,
    })
}

fn hunt_crossley_loops() -> Result<Picture, Error> {
    Ok(Picture {
        name: "loop",
        caption: "A steel ball, 20 mm across, on steel, α = 0.2 s/m. The force begins and ends at zero; the faster the blow, the \
                  wider its loop.",
        plot: loops("Force over depth", UM, &steel("hunt-crossley", ",alpha=0.2"))?,
    })
}

fn hunt_crossley_restitution() -> Result<Picture, Error> {
    let impact = Impact::new(1.0, 1.0);
    let laws = [
        ("α = 0.08 s/m", "hunt-crossley,stiffness=1e9,alpha=0.08"),
        ("α = 0.2 s/m", "hunt-crossley,stiffness=1e9,alpha=0.2"),
        ("α = 0.32 s/m", "hunt-crossley,stiffness=1e9,alpha=0.32"),
    ];
    let line = Curve::new("1 − αv, α = 0.2 s/m", speeds().filter(|v| *v <= 5.0).map(|v| (v, 1.0 - 0.2 * v)));
    Ok(Picture {
        name: "restitution",
        caption: "For any mass, stiffness and exponent. The straight line that α stands for holds up to αv of some tenths.",
        plot: restitution(&laws, &impact)?.curve(line.coloured(6)),
    })
}

fn gonthier_loops() -> Result<Picture, Error> {
    let impact = Impact::new(1.0, 1.0);
    let of = |e: &str| format!("gonthier,stiffness=1e9,restitution={e}");
    let impacts =
        [("e = 0.8", of("0.8"), impact), ("e = 0.5", of("0.5"), impact), ("e = 0.2", of("0.2"), impact)];
    Ok(Picture {
        name: "loop",
        caption: "1 kg at 1 m/s on k = 1e9 N/m^3/2. Each loop is as wide as its restitution wants.",
        plot: loops("Force over depth", MM, &impacts)?,
    })
}

fn gonthier_restitution() -> Result<Picture, Error> {
    let laws = [
        ("0.7", "gonthier,stiffness=1e9,restitution=0.7"),
        ("{ alpha = 0.15 }", "gonthier,stiffness=1e9,restitution={alpha=0.15}"),
        (
            "[[0.1, 0.9], [1, 0.6], [5, 0.3]]",
            "gonthier,stiffness=1e9,restitution=[[0.1,0.9],[1,0.6],[5,0.3]]",
        ),
    ];
    Ok(Picture {
        name: "restitution",
        caption: "Restitution as a number, as 1 − αv, and as a table of speeds, interpolated and constant beyond its ends: what is asked for comes back.",
        plot: restitution(&laws, &Impact::new(1.0, 1.0))?,
    })
}

fn azad_loops() -> Result<Picture, Error> {
    let law = "azad-featherstone,stiffness=8.5e6,damping=3100".to_string();
    let impacts = [("2 m/s", 2.0), ("1 m/s", 1.0), ("0.5 m/s", 0.5)]
        .map(|(name, v)| (name, law.clone(), Impact::new(0.154, v)));
    Ok(Picture {
        name: "loop",
        caption: "The ball of Azad & Featherstone: 0.154 kg, K = 8.5e6 N/m^3/2, D = 3100 N s/m^3/2. On the way back the force ends while \
                  the ground is still pressed in.",
        plot: loops("Force over depth", MM, &impacts)?,
    })
}

fn azad_restitution() -> Result<Picture, Error> {
    let laws = [
        ("D = 1000", "azad-featherstone,stiffness=8.5e6,damping=1000"),
        ("D = 3100", "azad-featherstone,stiffness=8.5e6,damping=3100"),
        ("D = 10000 N s/m^3/2", "azad-featherstone,stiffness=8.5e6,damping=1e4"),
    ];
    Ok(Picture {
        name: "restitution",
        caption: "The same ball. Nearly straight over the logarithm of the speed, because the number that rules the impact grows with v^1/5.",
        plot: restitution(&laws, &Impact::new(0.154, 1.0))?,
    })
}

/// Two balls of 50 mm radius and 0.2 kg together.
fn soft_balls() -> Impact {
    Impact::new(0.2, 1.0).with_lens(Lens::of_spheres(0.05, 0.05))
}

fn bed_loops() -> Result<Picture, Error> {
    let of = |words: &str| format!("volume-kelvin-voigt,modulus=1e7,damping={words}");
    let impacts = [
        ("B = 3e3 Pa s", of("3e3"), soft_balls()),
        ("B = 1e4 Pa s", of("1e4"), soft_balls()),
        ("B = 3e4 Pa s", of("3e4"), soft_balls()),
        ("B = 3e4 Pa s, element clip", of("3e4,clip=element"), soft_balls()),
    ];
    Ok(Picture {
        name: "loop",
        caption: "Balls of 50 mm radius with beds of 10 MPa, 0.2 kg effective mass at 1 m/s. Under strong damping it matters whether the patch lets go \
                  as a whole or element by element.",
        plot: loops("Force over depth", MM, &impacts)?,
    })
}

fn bed_restitution() -> Result<Picture, Error> {
    let laws = [
        ("B = 3e3", "volume-kelvin-voigt,modulus=1e7,damping=3e3"),
        ("B = 1e4", "volume-kelvin-voigt,modulus=1e7,damping=1e4"),
        ("B = 3e4 Pa s", "volume-kelvin-voigt,modulus=1e7,damping=3e4"),
    ];
    Ok(Picture {
        name: "restitution",
        caption: "The same balls. The loss grows with the cube root of the speed at first.",
        plot: restitution(&laws, &soft_balls())?,
    })
}

fn damped_bed_loops() -> Result<Picture, Error> {
    let of = |a: &str| format!("volume-hunt-crossley,modulus=1e7,dissipation={a}");
    let impacts = [
        ("a = 0.2 s/m", of("0.2"), soft_balls()),
        ("a = 0.6 s/m", of("0.6"), soft_balls()),
        ("a = 2 s/m", of("2"), soft_balls()),
    ];
    Ok(Picture {
        name: "loop",
        caption: "Balls of 50 mm radius with beds of 10 MPa, 0.2 kg effective mass at 1 m/s. The force grows with the square of the depth, begins and ends at zero.",
        plot: loops("Force over depth", MM, &impacts)?,
    })
}

fn damped_bed_restitution() -> Result<Picture, Error> {
    let laws = [
        ("a = 0.2 s/m", "volume-hunt-crossley,modulus=1e7,dissipation=0.2"),
        ("a = 0.6 s/m", "volume-hunt-crossley,modulus=1e7,dissipation=0.6"),
        ("a = 2 s/m", "volume-hunt-crossley,modulus=1e7,dissipation=2"),
    ];
    Ok(Picture {
        name: "restitution",
        caption: "In closed form, for any shape, mass and modulus.",
        plot: restitution(&laws, &soft_balls())?,
    })
}

fn proxy_loops() -> Result<Picture, Error> {
    let impact = Impact::new(1.0, 1.0);
    let of = |alpha: &str| format!("proxy,stiffness=1e4,alpha={alpha},beta=0.02");
    let impacts =
        [("α = β", of("0.02"), impact), ("α = β/4", of("0.005"), impact), ("α = β/20", of("0.001"), impact)];
    Ok(Picture {
        name: "loop",
        caption: "1 kg at 1 m/s, K = 1e4 N/m, β = 0.02 s. With α = β a spring; the smaller α, the earlier the force comes and the more is lost.",
        plot: loops("Force over depth", MM, &impacts)?,
    })
}

fn proxy_restitution() -> Result<Picture, Error> {
    let mut plot = Plot::new("Restitution over α", Axis::linear("α/β", ""), Axis::linear("restitution", ""));
    for (name, beta) in [("β = 0.5/ω", 0.005), ("β = 1/ω", 0.01), ("β = 2/ω", 0.02)] {
        let of = |share: f64| {
            let law = format!("proxy,stiffness=1e4,alpha={},beta={beta}", share * beta);
            Ok((share, point(&build(&law, None)?, &Impact::new(1.0, 1.0))?.restitution))
        };
        let points: Result<Vec<_>, Error> = (1..=50).map(|i| of(0.02 * f64::from(i))).collect();
        plot = plot.curve(Curve::new(name, points?));
    }
    Ok(Picture {
        name: "restitution",
        caption: "The same at every speed; ω = √(K/m). What can be reached goes from that of a cut damper, at the left, to 1.",
        plot,
    })
}
