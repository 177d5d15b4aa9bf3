//! A polynomial goes through every operation on its differences as itself.

use super::*;

/// A quartic at steps of 0.1, as five points give it.
fn quartic(t: f64) -> f64 {
    1.0 + t * (2.0 + t * (-1.0 + t * (0.5 + t * 0.25)))
}

fn past(end: f64, h: f64) -> History<f64> {
    let mut history = History::new();
    history.resize(1);
    history.put(h, 4, |back| vec![quartic(end - f64::from(back) * h)]);
    history
}

fn differences(end: f64, h: f64) -> Vec<f64> {
    past(end, h).table[..5].iter().map(|row| row[0]).collect()
}

#[test]
fn a_polynomial_is_the_same_on_every_grid() {
    let mut history = past(1.0, 0.1);
    for h in [0.1, 0.03, 0.25] {
        history.lay(h, 4);
        for (row, exact) in history.tried.iter().zip(differences(1.0, h)) {
            assert!((row[0] - exact).abs() < 1e-13, "{h}");
        }
    }
}

#[test]
fn steps_of_any_length_go_along_the_polynomial() {
    for (h, is_cut, spacing) in [(0.1, false, 0.1), (0.02, true, 0.1), (0.25, false, 0.25)] {
        let mut history = past(1.0, 0.1);
        history.lay(h, 4);
        let end = [quartic(1.0 + h)];
        history.path_order = Some(4);
        history.keep_path(&end);
        let mut x = [0.0];
        history.interpolate(0.3, &mut x);
        assert!((x[0] - quartic(1.0 + 0.3 * h)).abs() < 1e-13);
        history.push(h, &end, is_cut, 4);
        for (row, exact) in history.table.iter().zip(differences(1.0 + h, spacing)) {
            assert!((row[0] - exact).abs() < 1e-13, "{h}");
        }
    }
}

#[test]
fn a_cubic_begins_a_past_of_order_three() {
    let f = |t: f64| 1.0 + t * (2.0 + t * (-1.0 + t * 0.5));
    let df = |t: f64| 2.0 + t * (-2.0 + t * 1.5);
    let mut history = History::new();
    history.resize(1);
    history.begin(0.6, [&[f(0.4)], &[f(1.0)]], [&[df(0.4)], &[df(1.0)]]);
    history.lay(0.1, 3);
    let ahead: f64 = history.tried[..4].iter().map(|row| row[0]).sum();
    assert!((ahead - f(1.1)).abs() < 1e-14);
}
