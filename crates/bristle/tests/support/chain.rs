//! A chain of blocks on a conveyor: each sits on the belt, with springs between neighbours and the first tied to a wall.

#![allow(dead_code)] // every user takes a part
#![allow(clippy::unwrap_used)]

use bristle::nonsmooth::{Builder, Dio, Limit, Sgn, System};
use std::fmt::Write;

const MASS: f64 = 1.0;
const G: f64 = 9.8;
const SPRING: f64 = 400.0;
const BELT: f64 = 0.2;
const DIO: Dio = Dio { stiffness: 1e5, alpha: 0.0025, beta: 0.005 };
const SGN: Sgn = Sgn { stiffness: 1e5, beta: 0.005 };

/// Friction coefficient of a block; no two neighbours have the same.
fn mu(i: usize) -> f64 {
    0.2 + 0.1 * (i % 7) as f64 / 7.0
}

/// The chain in Rust; every block has one contact and one friction term.
pub fn system(count: usize) -> System {
    let mut b = Builder::new();
    let x: Vec<_> = (0..count).map(|i| b.state(format!("x{i}"), 0.0)).collect();
    let z: Vec<_> = (0..count).map(|i| b.state(format!("z{i}"), 0.0)).collect();
    let v: Vec<_> = (0..count).map(|i| b.velocity(format!("v{i}"), 0.0)).collect();
    let w: Vec<_> = (0..count).map(|i| b.velocity(format!("w{i}"), 0.0)).collect();
    let n: Vec<_> = (0..count)
        .map(|i| {
            let z = z[i];
            b.dio(format!("n{i}"), move |at| at[z], DIO)
        })
        .collect();
    let f: Vec<_> = (0..count)
        .map(|i| {
            let v = v[i];
            b.sgn(format!("f{i}"), Limit::Times(mu(i), n[i]), move |at| at[v] - BELT, SGN)
        })
        .collect();
    let (xs, zs, vs, ws) = (x.clone(), z.clone(), v.clone(), w.clone());
    b.rates(move |at, to| {
        for i in 0..count {
            let left = SPRING * (at[x[i]] - if i == 0 { 0.0 } else { at[x[i - 1]] });
            let right = if i + 1 == count { 0.0 } else { SPRING * (at[x[i + 1]] - at[x[i]]) };
            to[x[i]] = at[v[i]];
            to[z[i]] = at[w[i]];
            to[v[i]] = (right - left - at[f[i]]) / MASS;
            to[w[i]] = at[n[i]] / MASS - G;
        }
    });
    b.energy(move |at| {
        (0..count)
            .map(|i| {
                let stretch = at[xs[i]] - if i == 0 { 0.0 } else { at[xs[i - 1]] };
                let speed = at[vs[i]] * at[vs[i]] + at[ws[i]] * at[ws[i]];
                0.5 * MASS * speed + MASS * G * at[zs[i]] + 0.5 * SPRING * stretch * stretch
            })
            .sum()
    });
    b.build().unwrap()
}

/// The same as a scene, without its energy.
pub fn text(count: usize) -> String {
    let mut text = String::from("schema = 1\n[simulation]\nduration = 1.0\n[parameters]\n");
    write!(text, "M = {MASS}\ng = {G}\nk = {SPRING}\nu = {BELT}\n").unwrap();
    text += "[nonsmooth.states]\n";
    for i in 0..count {
        let left = if i == 0 { "k*x0".to_string() } else { format!("k*(x{i} - x{})", i - 1) };
        let right = if i + 1 == count { String::new() } else { format!("k*(x{} - x{i})", i + 1) };
        writeln!(text, "x{i} = {{ rate = \"v{i}\" }}\nz{i} = {{ rate = \"w{i}\" }}").unwrap();
        let pull = if right.is_empty() { format!("-{left}") } else { format!("{right} - {left}") };
        writeln!(text, "v{i} = {{ rate = \"({pull} - f{i})/M\" }}\nw{i} = {{ rate = \"n{i}/M - g\" }}")
            .unwrap();
    }
    text += "[nonsmooth.contacts]\n";
    for i in 0..count {
        let Dio { stiffness, alpha, beta } = DIO;
        writeln!(
            text,
            "n{i} = {{ gap = \"z{i}\", stiffness = {stiffness}, alpha = {alpha}, beta = {beta} }}"
        )
        .unwrap();
    }
    text += "[nonsmooth.frictions]\n";
    for i in 0..count {
        let (Sgn { stiffness, beta }, mu) = (SGN, mu(i));
        writeln!(
            text,
            "f{i} = {{ limit = \"{mu}*n{i}\", velocity = \"v{i} - u\", stiffness = {stiffness}, beta = {beta} }}"
        )
        .unwrap();
    }
    text
}
