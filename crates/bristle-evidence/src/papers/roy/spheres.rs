//! Figure 1: the lens that two spheres share.

use super::super::draw::Drawing;
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::laws::normal::{BedSide, Clip, VolumeKelvinVoigt};
use bristle::laws::{Indent, NormalLaw, Phase};
use bristle::math::lens::Lens;
use bristle_report::Axis;
use std::f64::consts::PI;

/// A few roundings, and 15 digits in the file.
const GEOMETRY: f64 = 1e-13;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("roy_sphere_lens.csv")?;
    let (mut volume, mut area) = (
        Deviation::new("interference volume", "m³"),
        Deviation::new("its slope, the area of the patch", "m²"),
    );
    for row in table.rows() {
        let [r1, r2, chi, v, a, _] = row[..] else {
            return Err(Fault::Reference {
                file: table.file().into(),
                what: "a row has not six columns".into(),
            });
        };
        let lens = if r2 >= 1e99 { Lens::on_plane(r1) } else { Lens::of_spheres(r1, r2) };
        volume.relative(lens.volume(chi), v);
        area.relative(lens.area(chi), a);
    }
    let lens = Lens::of_spheres(1.0, 1.0);
    let depths: Vec<f64> = (0..=60).map(|i| 10f64.powf(-4.0 + 3.7 * f64::from(i) / 60.0)).collect();
    let printed = |chi: f64| lens.volume(0.1) * (chi / 0.1).powf(1.5);
    let drawing = Drawing::new(
        "Volume of two equal spheres",
        Axis::log("depth over radius", ""),
        Axis::log("volume over radius³", ""),
    );
    let exponent = (lens.volume(1.01e-4) / lens.volume(1e-4)).ln() / 1.01f64.ln();
    let mut section = section
        .about(
            "The volume grows with the square of the depth and its slope with the depth itself. The \
                 paper says χ^(3/2), and that slope and volume are proportional at small depth; both \
                 are wrong, and with them the equivalence of Eq. 7 and Eq. 23.",
        )
        .equations("as printed", "V ~ χ^(3/2),   dV/dχ ~ V at small χ")
        .equations(
            "corrected",
            "V = π χ² (6R − χ)/12,   dV/dχ = π χ (4R − χ)/4\n(dV/dχ)/V = 2/χ at \
             small χ",
        )
        .plot(
            drawing
                .line("Bristle, exact", depths.iter().map(|x| (*x, lens.volume(*x))))
                .dashed(
                    "printed: ~ χ^(3/2), through the value at 0.1",
                    depths.iter().map(|x| (*x, printed(*x))),
                )
                .reference(depths.iter().step_by(4).map(|x| (*x, PI * x * x * (6.0 - x) / 12.0)))
                .done(),
        )
        .check(volume.within("volume", GEOMETRY, Measure::Relative).source("exact"))
        .check(area.within("area", GEOMETRY, Measure::Relative).source("exact"))
        // 1.99998 is stated: − χ/6 of the leading term
        .check(
            Check::new("exponent", "exponent of the volume at χ = 1e-4 R", "", 1.99998, exponent)
                .within(1e-5, Measure::Absolute)
                .source("errata, Roy 3"),
        );
    let examples = scalars!("roy_dissimilar.json")?;
    for (id, name) in [("series", "consistent_ratio_example"), ("general", "general_example")] {
        let p = examples.at(name);
        let side = |i: u32| -> Result<BedSide, Fault> {
            let get = |key: &str| p.number(&format!("{key}{i}"));
            Ok(BedSide { modulus: get("E")?, damping: get("B")?, depth: get("R")? })
        };
        let law = VolumeKelvinVoigt::as_printed(side(1)?, side(2)?, 1.0, Clip::Patch)?;
        let lens = Lens::of_spheres(p.number("R1")?, p.number("R2")?);
        let at = Indent::from_lens(lens, p.number("chi")?, p.number("chidot")?);
        let force = law.eval(&at, &[], Phase::Touching, &mut []).force;
        let check = Check::new(
            id,
            &format!(
                "force between dissimilar spheres, {}",
                if id == "series" { "B₁/E₁ = B₂/E₂" } else { "any B, E" }
            ),
            "N",
            p.number("force")?,
            force,
        );
        section = section.check(check.within(GEOMETRY, Measure::Relative).source("Eq. 18"));
    }
    Ok(section)
}
