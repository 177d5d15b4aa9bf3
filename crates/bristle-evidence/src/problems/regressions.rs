//! What users reported to other engines, as scenes.

use super::{last, ripple, scene, set, slope};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Deviation, Measure};
use bristle::run::Run;

const PRISM: Shipped = scene!("prism_at_rest");
const MESH: Shipped = scene!("mesh_box_at_rest");
const CUBE: Shipped = scene!("cube_at_rest");
const CUBES: Shipped = scene!("cube_on_cube");
const HEIGHTS: Shipped = scene!("restitution_heights");
const BRICK: Shipped = scene!("tilted_brick");
const PULLED: Shipped = scene!("pulled_out");
const BALL: Shipped = scene!("resting_ball");
const BEAD: Shipped = scene!("small_sphere_on_box");
const TUMBLING: Shipped = scene!("tumbling_box");

const G: f64 = 9.81;

/// All of them. Creep (mujoco#3328), the cradle (rapier#630) and grazing impacts (lammps PR #5007) stand in tier 0.
pub(super) fn cases() -> Vec<Case> {
    vec![prism(), mesh(), cube(), cubes(), heights(), brick(), pulled(), ball(), bead(), tumbling()]
}

/// Largest way of a body along the ground and largest change of the force, from `from` on; force in shares of the weight.
fn stands(run: &Run, body: &str, pair: &str, weight: f64, from: f64) -> Result<[Check; 3], crate::Fault> {
    let walked = ripple(run, &format!("{body}.position.x"), from)?.hypot(ripple(
        run,
        &format!("{body}.position.y"),
        from,
    )?);
    let force = format!("{pair}.normal_force");
    Ok([
        Check::at_most("walks", "largest way along the ground once it rests", "m", 1e-9, walked)
            .source("0: nothing pushes"),
        Check::at_most(
            "ripple",
            "ripple of the normal force over the weight",
            "",
            1e-6,
            ripple(run, &force, from)? / weight,
        )
        .source("0; rtol 1e-8 and 1e-9"),
        Check::new("weight", "normal force", "N", weight, last(run, &force)?)
            .within(1e-6, Measure::Relative)
            .source("m g"),
    ])
}

fn prism() -> Case {
    Case::new("mujoco-3524", "A prism on its triangular base walks (mujoco#3524)", |section, stop| {
        let run = PRISM.run(&[], stop)?;
        // three corners of the hull's base
        let area = 0.5 * 0.052 * 0.045;
        Ok(section
            .about("There two contacts take turns, and it slides 80 mm in 6 s with friction 0.6 and nothing pushing. Here all corners of the base carry.")
            .parameter("scene", PRISM.name)
            .checks(stands(&run, "prism", "prism-table", 1000.0 * area * 0.04 * G, 1.0)?))
    })
}

fn mesh() -> Case {
    Case::new("mujoco-1665", "A box given as a mesh jitters (mujoco#1665)", |section, stop| {
        let run = MESH.run(&[], stop)?;
        Ok(section
            .about("There contact points of a box from an STL file jump. Here the mesh is cut by the plane exactly, and the force follows the volume.")
            .parameter("scene", MESH.name)
            .checks(stands(&run, "crate", "crate-table", G, 0.5)?))
    })
}

fn cube() -> Case {
    Case::new("drake-22213", "A cube rattles or leans (drake#22213)", |section, stop| {
        let run = CUBE.run(&[], stop)?;
        let lean = ["x", "y"].map(|axis| last(&run, &format!("cube.orientation.{axis}")).map(|q| 2.0 * q));
        let [x, y] = lean;
        Ok(section
            .about("There a cube of 1 kg and 10 cm rattles with every setting of a margin, or leans on one corner; changing an edge by 0.1 mm cures it.")
            .parameter("scene", CUBE.name)
            .checks(stands(&run, "cube", "cube-ground", G, 1.0)?)
            .check(Check::at_most("leans", "lean once it rests", "rad", 1e-9, x?.hypot(y?)).source("0")))
    })
}

fn cubes() -> Case {
    Case::new("drake-18241", "A cube on a cube gains energy (drake#18241)", |section, stop| {
        let run = CUBES.run(&[], stop)?;
        let [t, v, e] =
            ["energy.kinetic", "energy.gravity", "energy.elastic_normal"].map(|name| column(&run, name));
        let (t, v, e) = (t?, v?, e?);
        let tangential = column(&run, "energy.elastic_tangential")?;
        let total: Vec<f64> = (0..t.len()).map(|i| t[i] + v[i] + e[i] + tangential[i]).collect();
        let gain = total.windows(2).map(|w| w[1] - w[0]).fold(f64::NEG_INFINITY, f64::max);
        Ok(section
            .about("Compliant cubes, the upper tilted, dropped from 5 cm: kinetic, gravity and stored energy together may only fall.")
            .parameter("scene", CUBES.name)
            .check(Check::at_most("gain", "largest gain of energy between samples", "J", 1e-7, gain).source("0; rtol 1e-8 of 0.5 J in play, times ten"))
            .check(Check::at_most("ledger", "energy that the ledger cannot place, of what is in play", "", 1e-6, run.closure / run.in_play).source("rtol 1e-8 with kinks where faces, edges and corners take turns")))
    })
}

fn heights() -> Case {
    Case::new("rapier-974", "Every restitution gives the same bounce (rapier#974)", |section, stop| {
        let mut bounce = Deviation::new("height after the bounce, e = 0.1 to 0.95", "m");
        for e in [0.1, 0.3, 0.5, 0.8, 0.95] {
            let run = HEIGHTS.run(&[set("parameters.e", e)], stop)?;
            let out = run.episodes.first().map_or(f64::NAN, |i| i.speed_out);
            bounce.compare(out * out / (2.0 * G), e * e, 1.0);
        }
        Ok(section
            .about(
                "There every restitution from 0.3 to 0.95 gave 1 % of the height. Gravity acts during the impact (about 0.6 ms on ground of 1e9 N/m^1.5) \
                 and takes some g·T = 6e-3 m/s of 4.4: twice that share of the height is allowed.",
            )
            .parameter("scene", HEIGHTS.name)
            .check(bounce.within("height", 3e-3, Measure::Absolute).source("e² h")))
    })
}

fn brick() -> Case {
    Case::new("simbody-736", "Faces that do not touch push a tilted brick (simbody#736)", |section, stop| {
        let run = BRICK.run(&[], stop)?;
        let (sin, cos) = 30f64.to_radians().sin_cos();
        // a wedge 0.2 m long of depth 1 mm
        let volume = 0.2 * 1e-3 * 1e-3 / (2.0 * sin * cos);
        let force = 1e8 / 0.1 * volume;
        let turn = slope(&run, "brick.angular_velocity.y", 0.0, 1e-3)?;
        // centroid of the wedge from the centre: the edge plus a third of the mean of both flanks
        let arm = 0.1 * (sin - cos) + (1e-3 / sin * cos - 1e-3 / cos * sin) / 3.0;
        let expected = arm * force / (500.0 * 0.2 * 0.2 / 6.0);
        Ok(section
            .about(
                "A brick of 0.2 m and 500 kg, tilted by 30°, 1 mm deep on its edge. There all faces below the ground push, whatever their angle. Here the \
                 force is that of the wedge under the ground, upwards through its centroid; the turn over the first millisecond follows.",
            )
            .parameter("scene", BRICK.name)
            .check(Check::new("force", "force", "N", force, column(&run, "brick-ground.normal_force")?[0]).within(1e-10, Measure::Relative).source("E/2h times the wedge, x²L/(2 sin θ cos θ)"))
            .check(
                Check::new("turn", "angular acceleration, size", "rad/s²", expected.abs(), turn.abs())
                    .within(0.02, Measure::Relative)
                    .source("force times arm of the wedge's centroid over the inertia; the brick sinks by 0.5 % in a millisecond, and its force grows by twice that"),
            ))
    })
}

fn pulled() -> Case {
    Case::new(
        "simbody-219",
        "Energy vanishes when a contact is pulled apart (simbody#219)",
        |section, stop| {
            let run = PULLED.run(&[], stop)?;
            let lost: f64 = run.last.lost.iter().sum();
            Ok(section
            .about("A ball is torn off while the surface is still compressed. What the surface held is booked as lost, and every joule is placed.")
            .parameter("scene", PULLED.name)
            .check(Check::at_most("ledger", "energy that the ledger cannot place, of what is in play", "", 1e-9, run.closure / run.in_play).source("rtol 1e-11"))
            .check(Check::at_least("lost", "energy booked as lost", "J", 1e-3, lost).source("the damper took a share of 0.05 J"))
            .check(
                Check::at_least("pushes", "least normal force", "N", 0.0, column(&run, "ball-ground.normal_force")?.iter().copied().fold(f64::INFINITY, f64::min))
                    .source("a contact does not pull"),
            ))
        },
    )
}

fn ball() -> Case {
    Case::new("brax-151", "A ball at rest begins to bounce (brax#151)", |section, stop| {
        let run = BALL.run(&[], stop)?;
        Ok(section
            .about("A ball that rests for a minute. Its height may move by what the integrator allows, rtol 1e-9 of the depth of 1 mm and of the way, and no more.")
            .parameter("scene", BALL.name)
            .check(Check::at_most("rises", "largest way up or down in a minute", "m", 1e-9, ripple(&run, "ball.position.z", 0.0)?).source("0; rtol 1e-9"))
            .check(Check::at_most("touches", "contacts that began anew", "", 0.0, run.episodes.len() as f64 - 1.0).source("it never leaves the ground")))
    })
}

fn bead() -> Case {
    Case::new("genesis-2801", "A small ball rolls off its box (genesis-world#2801)", |section, stop| {
        let run = BEAD.run(&[], stop)?;
        let moved = (last(&run, "bead.position.x")? - 0.003).hypot(last(&run, "bead.position.y")? - 0.002);
        Ok(section
            .about("A ball of 2.5 mm is dropped on a box by 0.1 mm. Nothing pushes it sideways, so it comes to rest where it fell.")
            .parameter("scene", BEAD.name)
            .check(Check::at_most("moved", "way along the box in 2 s", "m", 1e-12, moved).source("0: symmetry"))
            .check(Check::at_most("speed", "speed at the end", "m/s", 1e-8, last(&run, "bead.velocity.z")?.abs()).source("0; rtol 1e-9 of speeds up to 0.04 m/s, and damping of 0.6/ms over 2 s")))
    })
}

fn tumbling() -> Case {
    Case::new("rbd-568", "A dropped box becomes NaN (RigidBodyDynamics.jl#568)", |section, stop| {
        let run = TUMBLING.run(&[], stop)?;
        let bad = run
            .recording
            .columns
            .iter()
            .filter(|c| c.name != "time" && !c.name.ends_with("depth"))
            .flat_map(|c| &c.values);
        let bad = bad.filter(|v| !v.is_finite()).count();
        let speeds = ["x", "y", "z"].map(|axis| last(&run, &format!("box.velocity.{axis}")));
        let [x, y, z] = speeds;
        Ok(section
            .about("A box dropped at an angle with spin, on points with Hunt–Crossley contact and bristles. It tumbles, loses energy, and comes to rest on a face.")
            .parameter("scene", TUMBLING.name)
            .check(Check::at_most("finite", "values that are not finite", "", 0.0, bad as f64).source("none"))
            .check(Check::at_most("rest", "speed after 3 s", "m/s", 1e-3, x?.hypot(y?).hypot(z?)).source("at rest; a Hunt–Crossley contact damps slow swings slowly"))
            .check(
                Check::new("height", "height of the centre after 3 s", "m", 0.025 - (G / 4.0 / 5e5f64).powf(2.0 / 3.0), last(&run, "box.position.z")?)
                    .within(1e-5, Measure::Absolute)
                    .source("half its thickness less the depth of four corners under its weight"),
            )
            .check(Check::at_most("ledger", "energy that the ledger cannot place, of what is in play", "", 1e-6, run.closure / run.in_play).source("rtol 1e-8 over some hundred impacts")))
    })
}
