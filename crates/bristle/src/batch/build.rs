//! Worlds of one form, put on lanes number by number.

use super::group::Group;
use super::single::Single;
use super::world::{LaneWorld, Slot};
use super::{BatchError, Options};
use crate::run::Method as RunMethod;
use crate::world::{Mode, Model, PairSlot, Touching, World};
use bristle_bodies::Kinematics;
use bristle_laws::{Normal, NormalLaw};
use bristle_math::Lanes;
use bristle_ode::{FixedOptions, Layout, State};
use std::sync::Arc;

/// Worlds in one instruction.
pub const LANES: usize = 4;

/// The step of a batch.
pub(super) fn fixed(method: &RunMethod) -> Result<FixedOptions, BatchError> {
    match method {
        RunMethod::Fixed(options) => Ok(*options),
        RunMethod::Adaptive(_) => {
            Err(BatchError::Method { method: "one that chooses its steps".to_string() })
        }
    }
}

/// Refuses what has no form on lanes.
pub(super) fn check(model: &Model) -> Result<(), BatchError> {
    let refused = |what: String| Err(BatchError::NotOnLanes { what });
    let name = |class: usize| {
        let shape = model.shapes.iter().find(|s| s.class == class);
        shape.map_or("", |s| model.bodies[s.body].name.as_str())
    };
    if let Some(drive) = model.drives.first() {
        return refused(format!("driven bodies, as {} is", model.tree.links()[drive.link].name));
    }
    for (i, interaction) in model.interactions.iter().enumerate() {
        let Some(interaction) = interaction else { continue };
        let (a, b) = (name(i / model.classes), name(i % model.classes));
        match interaction.touching {
            Touching::Volume(_) => {
                return refused(format!("contacts over a volume, as {a} and {b} have"));
            }
            Touching::Bed(_) => {
                return refused(format!("meshes: {a} and {b} touch over the facets of one"));
            }
            Touching::Points(_) => {}
        }
    }
    let laws = model.materials.iter().map(|m| ("a material", m.normal()));
    let stops = model.stops.iter().map(|s| (s.name.as_str(), &s.law));
    match laws.chain(stops).find(|(_, law)| recovers(law)) {
        Some((of, law)) => refused(format!("surfaces that recover after a contact, as {law:?} of {of} does")),
        None => Ok(()),
    }
}

/// Whether a law lives on after its contact: a phase that lanes do not have.
fn recovers(law: &Normal<f64>) -> bool {
    match law {
        // it remembers its surface, or has no state
        Normal::AzadFeatherstone(law) => !law.states().is_empty(),
        Normal::Proxy(_) => true,
        _ => false,
    }
}

/// The numbers of a model, in the order in which they are lifted.
fn numbers_of(model: &Model, world: usize) -> Result<Vec<f64>, BatchError> {
    let mut all = Vec::new();
    let mut take = |x: f64| {
        all.push(x);
        x
    };
    model.lift(&mut take).map_err(|error| BatchError::from_lift(error, world))?;
    Ok(all)
}

/// Models of one form on lanes, by the numbers of each.
fn join(model: &Model, worlds: &[&[f64]; LANES], first: usize) -> Result<Model<Lanes>, BatchError> {
    let mut next = 0;
    let mut take = |_: f64| {
        let lanes = worlds.map(|numbers| numbers[next]);
        next += 1;
        Lanes::from(lanes)
    };
    model.lift(&mut take).map_err(|error| BatchError::from_lift(error, first))
}

/// Refuses worlds that differ in more than numbers.
pub(super) fn must_have_one_form(models: &[&Model]) -> Result<(), BatchError> {
    let form = |world: usize| models[world].form().map_err(|error| BatchError::from_lift(error, world));
    let shared = form(0)?;
    for world in 1..models.len() {
        if form(world)? != shared {
            return Err(BatchError::Form { world });
        }
    }
    Ok(())
}

/// Which model is that of a world: the only one, or its own.
fn model_of(models: &[&Model], world: usize) -> usize {
    if models.len() == 1 { 0 } else { world }
}

/// Worlds that run one by one.
pub(super) fn one_by_one(models: &[&Model], starts: &[(&[f64], &[f64])]) -> Result<Vec<Single>, BatchError> {
    let owned: Vec<Arc<Model>> = models.iter().map(|model| Arc::new((*model).clone())).collect();
    let build = |(world, start): (usize, &(&[f64], &[f64]))| {
        Single::new(&owned[model_of(models, world)], *start, world)
    };
    starts.iter().enumerate().map(build).collect()
}

/// Worlds in groups that share their instructions.
pub(super) fn on_lanes(
    models: &[&Model],
    starts: &[(&[f64], &[f64])],
    options: &Options,
) -> Result<Vec<Group>, BatchError> {
    let first = models[0];
    let mut groups: Vec<Group> = Vec::with_capacity(starts.len().div_ceil(LANES));
    let mut last: Option<[Vec<f64>; LANES]> = None;
    for begin in (0..starts.len()).step_by(LANES) {
        let lanes: [usize; LANES] = std::array::from_fn(|lane| (begin + lane).min(starts.len() - 1));
        let state = |world: usize| {
            let (q, v) = starts[world];
            World::new(models[model_of(models, world)]).start(q, v)
        };
        let states = lanes.map(state);
        let states: [&State<f64, Mode>; LANES] = std::array::from_fn(|lane| &states[lane]);
        let mode = &states[0].mode;
        if mode.margin.is_finite() {
            let what = format!("more than 24 shapes, and there are {}", first.shapes.len());
            return Err(BatchError::NotOnLanes { what });
        }
        let world = match (groups.last(), models.len()) {
            (Some(group), 1) => group.world.clone(),
            _ => {
                let mut numbers: [Vec<f64>; LANES] = Default::default();
                for (numbers, &world) in numbers.iter_mut().zip(&lanes) {
                    *numbers = numbers_of(models[model_of(models, world)], world)?;
                }
                match (groups.last(), &last) {
                    (Some(group), Some(same)) if *same == numbers => group.world.clone(),
                    _ => {
                        let slices: [&[f64]; LANES] = std::array::from_fn(|lane| &*numbers[lane]);
                        let model = join(first, &slices, begin)?;
                        last = Some(numbers);
                        Arc::new(LaneWorld::new(model, mode, options.ledger))
                    }
                }
            }
        };
        groups.push(Group::new(world, &states, begin, LANES.min(starts.len() - begin)));
    }
    Ok(groups)
}

impl LaneWorld {
    /// The equations of worlds whose pairs and states stand as in `mode`.
    pub(super) fn new(model: Model<Lanes>, mode: &Mode, keeps_ledger: bool) -> Self {
        let still = Kinematics::new(&model.tree);
        let accounts = mode.accounts();
        let pairs: Vec<PairSlot<Lanes>> = mode
            .pairs
            .iter()
            .filter_map(|pair| {
                let Touching::Points(points) = pair.touching else { return None };
                let touching = Touching::Points(points);
                Some(PairSlot {
                    shapes: pair.shapes,
                    contacts: pair.contacts.clone(),
                    links: pair.links,
                    moves: pair.moves,
                    short: model.short(pair.shapes, &touching, &still),
                    reach: pair.reach,
                    touching,
                    material: pair.material,
                    accounts: pair.accounts,
                })
            })
            .collect();
        let mut layout = Layout::new();
        for (i, c) in mode.layout.components().iter().enumerate() {
            layout = match i {
                i if i < mode.layout.q().end => layout.with_q(c.name.clone(), c.scale),
                i if i < mode.layout.v().end => layout.with_v(c.name.clone(), c.scale),
                i if i < accounts => layout.with_z(c.name.clone(), c.scale),
                _ if keeps_ledger => layout.with_w(c.name.clone(), c.scale),
                _ => break,
            };
        }
        let slot = |z: usize, count: usize| Slot { z, count };
        let contacts = mode.contacts.iter().map(|c| {
            let material = mode.pairs[c.pair].material;
            slot(c.z, model.materials[material].parts().total)
        });
        Self {
            contacts: contacts.collect(),
            stops: mode.stops.iter().zip(&model.stops).map(|(c, stop)| slot(c.z, stop.states())).collect(),
            frictions: mode
                .frictions
                .iter()
                .zip(&model.frictions)
                .map(|(z, f)| slot(*z, f.states()))
                .collect(),
            has_contact_states: mode.pairs.iter().any(|p| model.materials[p.material].parts().total > 0),
            has_joint_states: model.joint_states() > 0,
            pairs,
            layout,
            accounts,
            keeps_ledger,
            model,
        }
    }
}
