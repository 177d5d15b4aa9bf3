//! The systems of Xiong, Kikuuwe & Yamamoto, declared in Rust.

#![allow(dead_code)] // every user takes a part
#![allow(clippy::unwrap_used)]

use bristle::nonsmooth::{Builder, Dio, Limit, Sgn, System};
use std::f64::consts::PI;

/// Figure 3: a block that is pushed.
pub fn friction() -> System {
    let (mass, limit) = (1.0, 0.5);
    let push = |t: f64| match t {
        t if t < 1.0 => 0.55 * t,
        t if t < 1.2 => 0.55,
        t => 0.40 + 0.08 * (4.0 * PI * (t - 1.2)).sin(),
    };
    let mut b = Builder::new();
    let (p, v) = (b.state("p", 0.0), b.velocity("v", 0.0));
    b.scaled(p, "m", 1e-2).scaled(v, "m/s", 1e-2);
    let f = b.sgn("f", limit, move |at| at[v], Sgn { stiffness: 1e4, beta: 0.02 });
    b.rates(move |at, to| {
        to[p] = at[v];
        to[v] = (push(at.t) - at[f]) / mass;
    });
    b.energy(move |at| 0.5 * mass * at[v] * at[v]).power(move |at| push(at.t) * at[v]);
    b.breaks(&[1.0, 1.2]);
    b.build().unwrap()
}

/// Figure 5: four masses that are dropped on contacts with these shares α/β.
pub const SHARES: [f64; 4] = [1.0, 0.7, 0.5, 0.1];

/// Figure 5.
pub fn contact() -> System {
    let (mass, g, stiffness, beta) = (1.0, 9.8, 1e4, 0.01);
    let mut b = Builder::new();
    let p = [1, 2, 3, 4].map(|i| b.state(format!("p{i}"), 0.1));
    let v = [1, 2, 3, 4].map(|i| b.velocity(format!("v{i}"), 0.0));
    p.iter().for_each(|p| _ = b.scaled(*p, "m", 0.1));
    let f = [0, 1, 2, 3].map(|i| {
        let dio = Dio { stiffness, alpha: SHARES[i] * beta, beta };
        b.dio(format!("f{}", i + 1), move |at| at[p[i]], dio)
    });
    b.rates(move |at, to| {
        for i in 0..4 {
            to[p[i]] = at[v[i]];
            to[v[i]] = at[f[i]] / mass - g;
        }
    });
    b.energy(move |at| (0..4).map(|i| mass * (0.5 * at[v[i]] * at[v[i]] + g * at[p[i]])).sum());
    b.build().unwrap()
}

/// Example 1: a point mass on a plane with friction.
pub fn point_mass() -> System {
    let (mass, g, mu) = (1.0, 9.8, 0.3);
    let mut b = Builder::new();
    let (px, py, pz) = (b.state("px", 0.0), b.state("py", 0.0), b.state("pz", 0.05));
    let (vx, vy, vz) = (b.velocity("vx", 1.0), b.velocity("vy", 0.5), b.velocity("vz", 0.0));
    [px, py, pz].iter().for_each(|p| _ = b.scaled(*p, "m", 0.1));
    let n = b.dio("n", move |at| at[pz], Dio { stiffness: 1e5, alpha: 0.0025, beta: 0.005 });
    let sgn = Sgn { stiffness: 1e5, beta: 0.005 };
    let f = b.sgn2("f", Limit::Times(mu, n), move |at| [at[vx], at[vy]], sgn);
    b.rates(move |at, to| {
        let [fx, fy] = at.vector(f);
        (to[px], to[py], to[pz]) = (at[vx], at[vy], at[vz]);
        (to[vx], to[vy], to[vz]) = (-fx / mass, -fy / mass, at[n] / mass - g);
    });
    b.energy(move |at| mass * (0.5 * (at[vx] * at[vx] + at[vy] * at[vy] + at[vz] * at[vz]) + g * at[pz]));
    b.build().unwrap()
}

/// Example 2: two blocks, a wall, a conveyor.
pub fn two_blocks() -> System {
    two_blocks_with(1e5, 0.005)
}

/// Example 2 with K and β of all terms; α = β/2.
pub fn two_blocks_with(stiffness: f64, beta: f64) -> System {
    let (m1, m2, g, k, u) = (1.0, 2.0, 9.8, 200.0, 0.5);
    let (dio, sgn) = (Dio { stiffness, alpha: beta / 2.0, beta }, Sgn { stiffness, beta });
    let mut b = Builder::new();
    let (p1x, p1y) = (b.state("p1x", 0.0), b.state("p1y", 0.1));
    let (p2x, p2y) = (b.state("p2x", 0.2), b.state("p2y", 0.0));
    let (v1x, v1y) = (b.velocity("v1x", 0.0), b.velocity("v1y", 0.0));
    let (v2x, v2y) = (b.velocity("v2x", 0.0), b.velocity("v2y", 0.0));
    [p1x, p1y, p2x, p2y].iter().for_each(|p| _ = b.scaled(*p, "m", 0.1));
    let wall = b.dio("wall", move |at| at[p1x], dio);
    let between = b.dio("between", move |at| at[p2x] - at[p1x], dio);
    let floor = b.dio("floor", move |at| at[p2y], dio);
    let wall_friction = b.sgn("wall_friction", Limit::Times(0.2, wall), move |at| at[v1y], sgn);
    let between_friction =
        b.sgn("between_friction", Limit::Times(0.3, between), move |at| at[v1y] - at[v2y], sgn);
    let belt = b.sgn("belt", Limit::Times(0.4, floor), move |at| at[v2x] + u, sgn);
    b.rates(move |at, to| {
        (to[p1x], to[p1y], to[p2x], to[p2y]) = (at[v1x], at[v1y], at[v2x], at[v2y]);
        to[v1x] = (at[wall] - at[between]) / m1;
        to[v1y] = -(k * at[p1y] + at[wall_friction] + at[between_friction]) / m1;
        to[v2x] = (at[between] - at[belt]) / m2;
        to[v2y] = (at[floor] + at[between_friction]) / m2 - g;
    });
    b.energy(move |at| {
        0.5 * m1 * (at[v1x] * at[v1x] + at[v1y] * at[v1y])
            + 0.5 * m2 * (at[v2x] * at[v2x] + at[v2y] * at[v2y])
            + 0.5 * k * at[p1y] * at[p1y]
            + m2 * g * at[p2y]
    });
    b.power(move |at| at[belt] * u);
    b.build().unwrap()
}
