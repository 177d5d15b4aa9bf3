//! Frames as text: 16-bit numbers in the range they need, in base 64.
//!
//! A position is a share of the box in which its body moves (1/65535 of its travel), a quaternion four signed shares, a
//! force a share of the strongest in its frame. Contacts that know their area also have its radius, as a share of the
//! widest, and their normal, folded from an octahedron to a square. Between frames the page interpolates, so that steps
//! are not seen.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bristle::film::{Film, FilmContact, Frame, Grip};
use serde_json::{Value, json};

/// Pairs beyond this share one number: a code has 14 bits for the pair.
const MOST_PAIRS: usize = 1 << 14;

#[derive(Clone, Copy)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bounds {
    fn around(points: impl Iterator<Item = [f32; 3]>) -> Self {
        let empty = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };
        let bounds = points.fold(empty, |b, p| Self {
            min: [0, 1, 2].map(|i| b.min[i].min(p[i])),
            max: [0, 1, 2].map(|i| b.max[i].max(p[i])),
        });
        if bounds.min[0].is_finite() { bounds } else { Self { min: [0.0; 3], max: [0.0; 3] } }
    }

    fn share(&self, point: [f32; 3]) -> [u16; 3] {
        [0, 1, 2].map(|i| {
            let (size, from) = (f64::from(self.max[i] - self.min[i]), f64::from(point[i] - self.min[i]));
            if size > 0.0 { (from / size * 65535.0).round() as u16 } else { 0 }
        })
    }

    fn to_json(self) -> Value {
        let size = [0, 1, 2].map(|i| self.max[i] - self.min[i]);
        json!({ "min": self.min, "size": size })
    }
}

fn signed_share(value: f32, most: f32) -> u16 {
    let share = if most > 0.0 { f64::from(value / most).clamp(-1.0, 1.0) } else { 0.0 };
    ((share * 32767.0).round() as i16).cast_unsigned()
}

pub(super) fn text(bytes: impl Iterator<Item = u8>) -> String {
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}

/// The radius of a disc of the area of a contact, m.
fn patch_radius(contact: &FilmContact) -> f32 {
    (contact.area.max(0.0) / std::f32::consts::PI).sqrt()
}

/// The greatest mean pressure, Pa, of contacts that are wide enough to be drawn.
fn most_pressure<'f>(contacts: impl Iterator<Item = &'f FilmContact>, widest: f32) -> f32 {
    let drawn = contacts.filter(|c| radius_share(c, widest) > 0);
    drawn.map(|c| c.normal_force.abs() / c.area).fold(0.0, f32::max)
}

fn radius_share(contact: &FilmContact, widest: f32) -> u16 {
    (f64::from(patch_radius(contact) / widest) * 65535.0).round() as u16
}

/// A direction as a place in a square: the octahedron that it pierces, with its lower half turned outwards.
fn folded(n: [f32; 3]) -> [f32; 2] {
    let size = n.iter().map(|x| x.abs()).sum::<f32>().max(f32::MIN_POSITIVE);
    let [x, y, z] = n.map(|c| c / size);
    let outward = |a: f32, b: f32| (1.0 - b.abs()) * 1f32.copysign(a);
    if z < 0.0 { [outward(x, y), outward(y, x)] } else { [x, y] }
}

fn strongest(frame: &Frame) -> f32 {
    frame.contacts.iter().map(|c| c.force.iter().map(|f| f * f).sum::<f32>().sqrt()).fold(0.0, f32::max)
}

/// The film for the page's script.
pub(super) fn pack(film: &Film) -> Value {
    let place = |pose: &[f32; 7]| [pose[0], pose[1], pose[2]];
    let boxes: Vec<Bounds> = (0..film.bodies.len())
        .map(|body| Bounds::around(film.frames.iter().map(|f| place(&f.poses[body]))))
        .collect();
    let contacts = || film.frames.iter().flat_map(|f| &f.contacts);
    let contact_box = Bounds::around(contacts().map(|c| c.point));
    let widest = contacts().map(patch_radius).fold(0.0, f32::max);
    let record = if widest > 0.0 { 10 } else { 7 };
    let mut poses: Vec<u16> = Vec::new();
    let mut touches: Vec<u16> = Vec::new();
    let mut starts: Vec<u32> = vec![0];
    for frame in &film.frames {
        for (pose, bounds) in frame.poses.iter().zip(&boxes) {
            poses.extend(bounds.share(place(pose)));
            poses.extend(pose[3..].iter().map(|q| signed_share(*q, 1.0)));
        }
        let most = strongest(frame);
        for contact in &frame.contacts {
            touches.extend(contact_box.share(contact.point));
            touches.extend(contact.force.map(|f| signed_share(f, most)));
            let grip = match contact.grip {
                Grip::Frictionless => 0,
                Grip::Sticks => 1,
                Grip::Slips => 2,
            };
            touches.push((contact.pair.min(MOST_PAIRS - 1) << 2) as u16 | grip);
            if widest > 0.0 {
                touches.push(radius_share(contact, widest));
                touches.extend(folded(contact.normal).map(|x| signed_share(x, 1.0)));
            }
        }
        starts.push((touches.len() / record) as u32);
    }
    let halves = |numbers: Vec<u16>| text(numbers.into_iter().flat_map(u16::to_le_bytes));
    json!({
        "times": text(film.frames.iter().flat_map(|f| f.t.to_le_bytes())),
        "boxes": boxes.iter().map(|b| b.to_json()).collect::<Vec<_>>(),
        "poses": halves(poses),
        "contact_box": contact_box.to_json(),
        "contact_starts": text(starts.into_iter().flat_map(u32::to_le_bytes)),
        "contacts": halves(touches),
        "contact_record": record,
        "widest": widest,
        "most_pressure": most_pressure(contacts(), widest),
        "strongest": text(film.frames.iter().flat_map(|f| strongest(f).to_le_bytes())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shares_of_their_box() {
        let bounds = Bounds::around([[0.0, -1.0, 2.0], [4.0, 1.0, 2.0]].into_iter());
        assert_eq!(bounds.share([4.0, 0.0, 2.0]), [65535, 32768, 0]);
    }

    #[test]
    fn folded_directions_fill_the_square() {
        assert_eq!(folded([0.0, 0.0, 1.0]), [0.0, 0.0]);
        assert_eq!(folded([0.0, 0.0, -1.0]).map(f32::abs), [1.0, 1.0]);
        assert_eq!(folded([0.0, -1.0, 0.0]), [0.0, -1.0]);
        assert_eq!(folded([0.6, 0.0, -0.6]), [1.0, 0.5]);
    }

    #[test]
    fn signed_shares_keep_sign_and_never_overflow() {
        assert_eq!(signed_share(-3.0, 3.0).cast_signed(), -32767);
        assert_eq!(signed_share(5.0, 3.0), 32767);
        assert_eq!(signed_share(5.0, 0.0), 0);
    }
}
