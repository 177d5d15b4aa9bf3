//! Crossed cylinders against independent reference values of Roy & Carretero.

#![allow(clippy::unwrap_used)] // a table that does not parse fails the test

use bristle_geom::Hertz;
use bristle_math::crossed::CrossedCylinders;
use bristle_math::lens::Lens;

fn rows(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect()
}

/// The tables print 12 to 13 digits; 1e-9 leaves room for their rounding of small differences.
#[track_caller]
fn near(value: f64, reference: f64) {
    assert!((value - reference).abs() <= 1e-9 * reference.abs(), "{value} for {reference}");
}

#[test]
fn volume_area_and_ellipse_match_the_table() {
    let rows = rows(include_str!("../testdata/roy_cylinder_volume.csv"));
    assert_eq!(rows.len(), 90);
    for row in rows {
        let [radius_a, radius_b, degrees, chi] = row[..4] else { panic!("short row") };
        let (cylinders, angle) = (CrossedCylinders { radius_a, radius_b }, degrees.to_radians());
        let at = cylinders.overlap(chi);
        near(at.volume / angle.sin(), row[4]);
        near(at.area / angle.sin(), row[5]);
        let ellipse = cylinders.ellipse(chi, angle);
        near(ellipse.area(), row[6]);
        near(ellipse.area() * chi / 2.0, row[7]);
        near(ellipse.semi_major, row[9]);
        near(ellipse.semi_minor, row[10]);
        near(ellipse.across_b, row[11]);
        near(ellipse.across_a, row[12]);
    }
}

#[test]
fn the_ellipse_lies_along_the_direction_it_gives() {
    let cylinders = CrossedCylinders { radius_a: 1.0, radius_b: 0.4 };
    for angle in [0.3f64, 1.0, 1.5, 2.0, 2.9] {
        let ellipse = cylinders.ellipse(0.1, angle);
        let (sin, cos) = ellipse.direction.sin_cos();
        // Distances of the tip of the larger axis from both axes satisfy the boundary (y/Y)² + (s/S)² = 1.
        let (x, y) = (ellipse.semi_major * cos, ellipse.semi_major * sin);
        let s = x * angle.sin() - y * angle.cos();
        near((y / ellipse.across_a).powi(2) + (s / ellipse.across_b).powi(2), 1.0);
        let (x, y) = (-ellipse.semi_minor * sin, ellipse.semi_minor * cos);
        let s = x * angle.sin() - y * angle.cos();
        near((y / ellipse.across_a).powi(2) + (s / ellipse.across_b).powi(2), 1.0);
    }
}

#[test]
fn hertz_and_ellipse_match_the_table_of_figure_nine() {
    let rows = rows(include_str!("../testdata/roy_fig9_patch_area.csv"));
    assert_eq!(rows.len(), 66);
    for row in rows {
        let [nu, degrees, chi] = row[..3] else { panic!("short row") };
        let angle = degrees.to_radians();
        let cylinders = CrossedCylinders { radius_a: 1.0, radius_b: 1.0 };
        let volume = cylinders.overlap(chi).volume / angle.sin();
        near(volume, row[3]);
        let hertz = Hertz::of_cylinders(1.0, 1.0, angle, 0.5 / (1.0 - nu * nu)).unwrap();
        let loaded = hertz.at_force(volume / 2.0);
        near(loaded.area(), row[5]);
        near(loaded.semi_major, row[12]);
        near(loaded.semi_minor, row[13]);
        near(loaded.approach, row[14]);
        let approached = hertz.at_approach(chi);
        near(approached.area(), row[6]);
        near(approached.force, row[15]);
        near(cylinders.ellipse(chi / 2.0, angle).area(), row[7]);
        near(cylinders.ellipse(chi, angle).area(), row[8]);
    }
}

#[test]
fn balls_match_the_table() {
    for row in rows(include_str!("../testdata/roy_sphere_lens.csv")) {
        let lens = if row[1] > 1e90 { Lens::on_plane(row[0]) } else { Lens::of_spheres(row[0], row[1]) };
        assert!((lens.volume(row[2]) / row[3] - 1.0).abs() < 1e-13);
        assert!((lens.area(row[2]) / row[4] - 1.0).abs() < 1e-13);
    }
}
