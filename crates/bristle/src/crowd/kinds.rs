//! What pairs of balls, and of balls and grounds, have in common: sizes and laws, looked up once for each two classes of shapes.

use super::block::MOST_STATES;
use crate::world::{Material, Model, Place, Short};
use bristle_bodies::Kinematics;
use bristle_geom::Shape;
use bristle_laws::{Friction, Normal, NormalLaw};

/// No place in a list.
pub(super) const NONE: u32 = u32::MAX;
/// Where shapes do not act on each other.
const APART: u32 = u32::MAX - 1;
/// A place that was not looked up yet.
const UNKNOWN: u32 = u32::MAX - 2;

/// Contacts of balls with the same sizes and laws.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub short: Short<f64>,
    pub material: usize,
    /// States of each contact.
    pub states: usize,
    /// Whether such contacts are packed into blocks.
    pub is_packed: bool,
}

/// What is known about a pair of shapes.
pub(super) enum Known {
    /// Its kind; [`NONE`] where it has no short form.
    Kind(u32),
    /// They do not act on each other.
    Apart,
    /// Nothing yet.
    Not,
}

/// Where a kind is noted.
enum Table {
    Balls(usize),
    Grounds(usize),
}

/// What a shape is to its pairs.
#[derive(Clone, Copy)]
enum Role {
    /// A ball around the frame of its link.
    Ball {
        class: u32,
    },
    /// A half-space, by its number among them.
    Ground {
        number: u32,
    },
    Other,
}

/// A shape.
#[derive(Clone, Copy)]
struct Part {
    role: Role,
    /// The free body that carries it; [`NONE`] where it stands still.
    body: u32,
    /// Its body in the scene, if that meets all others.
    meets_all: Option<u32>,
}

/// The kinds that were met so far, and what shapes are.
pub(super) struct Kinds {
    pub all: Vec<Kind>,
    parts: Vec<Part>,
    classes: usize,
    /// By the classes of two balls, row by row.
    balls: Vec<u32>,
    /// By ground, class of the ball, and which of them is first.
    grounds: Vec<u32>,
    /// Of every material, whether contacts of balls with it are packed into blocks.
    is_packed: Vec<bool>,
}

impl Kinds {
    /// `body_of` tells the body of every link.
    pub fn new(model: &Model, body_of: &[Option<u32>]) -> Self {
        let mut count = 0;
        let mut role = |shape: &Shape<f64>, place: Place, class: usize| match (shape, place) {
            (Shape::Sphere { .. }, Place::Link) => Role::Ball { class: class as u32 },
            (Shape::HalfSpace, _) => {
                count += 1;
                Role::Ground { number: count - 1 }
            }
            _ => Role::Other,
        };
        let meets_all = |body: usize| model.apart.is_empty() && model.bodies[body].group.is_none();
        let parts = model.shapes.iter().map(|s| Part {
            role: role(&s.shape, s.place, s.class),
            body: body_of[s.link].unwrap_or(NONE),
            meets_all: meets_all(s.body).then_some(s.body as u32),
        });
        let (parts, classes) = (parts.collect(), model.classes);
        Self {
            all: Vec::new(),
            parts,
            classes,
            balls: vec![UNKNOWN; classes * classes],
            grounds: vec![UNKNOWN; count as usize * classes * 2],
            is_packed: model.materials.iter().map(is_packed).collect(),
        }
    }

    /// The bodies that carry two shapes.
    #[inline]
    pub fn bodies(&self, shapes: [usize; 2]) -> [u32; 2] {
        shapes.map(|shape| self.parts[shape].body)
    }

    /// The kind of a pair of shapes, one of which moves: [`NONE`] where it has no short form, and `None` where the two do not
    /// act on each other.
    pub fn meet(&mut self, model: &Model, still: &Kinematics<f64>, shapes: [usize; 2]) -> Option<u32> {
        if self.can_meet(model, shapes) { self.of(model, still, shapes) } else { None }
    }

    #[inline]
    fn can_meet(&self, model: &Model, [a, b]: [usize; 2]) -> bool {
        match (self.parts[a].meets_all, self.parts[b].meets_all) {
            (Some(one), Some(other)) => one != other,
            _ => model.can_meet(a, b),
        }
    }

    /// What was looked up about a pair of shapes so far.
    #[inline]
    pub fn known(&self, model: &Model, shapes: [usize; 2]) -> Known {
        if !self.can_meet(model, shapes) {
            return Known::Apart;
        }
        let kind = match self.place(shapes) {
            Some(Table::Balls(place)) => self.balls[place],
            Some(Table::Grounds(place)) => self.grounds[place],
            None => model.interaction(shapes[0], shapes[1]).map_or(APART, |_| NONE),
        };
        match kind {
            UNKNOWN => Known::Not,
            APART => Known::Apart,
            kind => Known::Kind(kind),
        }
    }

    /// Where the kind of two balls, or of a ball and a ground, is noted.
    #[inline]
    fn place(&self, shapes: [usize; 2]) -> Option<Table> {
        let ground = |number: u32, class: u32| (number as usize * self.classes + class as usize) * 2;
        match shapes.map(|shape| self.parts[shape].role) {
            [Role::Ball { class: a }, Role::Ball { class: b }] => {
                Some(Table::Balls(a as usize * self.classes + b as usize))
            }
            [Role::Ground { number }, Role::Ball { class }] => Some(Table::Grounds(ground(number, class))),
            [Role::Ball { class }, Role::Ground { number }] => {
                Some(Table::Grounds(ground(number, class) + 1))
            }
            _ => None,
        }
    }

    /// The same of shapes that can meet.
    #[inline]
    pub fn of(&mut self, model: &Model, still: &Kinematics<f64>, shapes: [usize; 2]) -> Option<u32> {
        let known = match self.place(shapes) {
            Some(Table::Balls(place)) => &mut self.balls[place],
            Some(Table::Grounds(place)) => &mut self.grounds[place],
            None => return model.interaction(shapes[0], shapes[1]).map(|_| NONE),
        };
        if *known == UNKNOWN {
            *known = model.pair_slot(shapes, still).map_or(APART, |slot| {
                // none of a ground that moves
                let Some(short) = slot.short else { return NONE };
                let (material, states) = (slot.material, model.materials[slot.material].parts().total);
                self.all.push(Kind { short, material, states, is_packed: self.is_packed[material] });
                self.all.len() as u32 - 1
            });
        }
        (*known != APART).then_some(*known)
    }

    /// The kind at a place, if contacts of it are packed into blocks.
    #[inline]
    pub fn packed(&self, kind: u32) -> Option<&Kind> {
        self.all.get(kind as usize).filter(|kind| kind.is_packed)
    }
}

/// Whether contacts of balls with these laws are packed into blocks.
fn is_packed(material: &Material) -> bool {
    // phases of surfaces that recover are told apart one by one
    let recovers = match material.normal() {
        Normal::AzadFeatherstone(law) => !law.states().is_empty(),
        Normal::Proxy(_) | Normal::Custom(_) => true,
        _ => false,
    };
    let is_custom = matches!(material.only_friction(), None | Some(Friction::Custom(_)));
    !(recovers || is_custom || material.needs_patch()) && material.parts().total <= MOST_STATES
}
