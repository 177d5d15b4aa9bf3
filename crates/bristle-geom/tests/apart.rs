//! A gap that a quick look tells is one.

#![allow(clippy::unwrap_used)]

mod support;

use bristle_geom::{Pair, Placed, Shape, is_parted_by_faces};
use nalgebra::Vector3;
use support::{Case, Random, shapes};

#[test]
fn what_a_face_parts_does_not_touch() {
    let mut random = Random(5);
    let cuboid = Shape::Cuboid { half: Vector3::new(0.3, 0.2, 0.1) };
    for other in shapes().into_iter().chain([cuboid.clone()]) {
        let Ok(pair) = Pair::of(&cuboid, &other) else { continue };
        let (mut parted, mut apart) = (0, 0);
        for _ in 0..2000 {
            let [at_a, at_b] = [(); 2].map(|()| Placed::at_rest(random.pose(0.9)));
            let case = Case { pair, a: cuboid.clone(), at_a, b: other.clone(), at_b };
            let has_gap = case.patches().iter().all(|patch| patch.depth < 0.0);
            let is_parted = is_parted_by_faces((&case.a, &case.at_a), (&case.b, &case.at_b));
            assert!(has_gap || !is_parted, "{other:?} {:?} {:?}", case.at_a, case.at_b);
            assert_eq!(is_parted, is_parted_by_faces((&case.b, &case.at_b), (&case.a, &case.at_a)));
            parted += u32::from(is_parted);
            apart += u32::from(has_gap);
        }
        let is_simple = !matches!(other, Shape::HalfSpace | Shape::Tube { .. } | Shape::Convex(_));
        assert!(!is_simple || 2 * parted > apart, "{other:?}: {parted} of {apart}");
    }
}
