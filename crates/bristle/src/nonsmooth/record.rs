//! Samples of a run: states, values of terms, energies.

use super::ledger::Ledger;
use super::system::{Scratch, System};
use crate::record::{Column, Recording};

/// Units of the gap and of the velocity that go with the unit of a force.
fn units(force: &str) -> [&'static str; 2] {
    match force {
        "N" => ["m", "m/s"],
        "N m" => ["rad", "rad/s"],
        _ => ["1", "1"],
    }
}

impl System {
    /// Columns for everything there is to know.
    pub(super) fn columns(&self, rows: usize) -> Recording {
        let mut columns: Vec<(String, &'static str)> = vec![("time".to_string(), "s")];
        columns.extend(self.states.iter().map(|s| (s.name.clone(), s.unit)));
        for contact in &self.contacts {
            let (name, [length, _]) = (&contact.name, units(contact.unit));
            columns.push((name.clone(), contact.unit));
            columns.push((format!("{name}.gap"), length));
            columns.push((format!("{name}.proxy"), length));
        }
        for friction in &self.frictions {
            let (name, [length, speed]) = (&friction.name, units(friction.unit));
            let parts: &[&str] = if friction.size == 1 { &[""] } else { &["_x", "_y"] };
            columns.extend(parts.iter().map(|p| (format!("{name}{p}"), friction.unit)));
            columns.push((format!("{name}.limit"), friction.unit));
            columns.extend(parts.iter().map(|p| (format!("{name}.velocity{p}"), speed)));
            columns.extend(parts.iter().map(|p| (format!("{name}.way{p}"), length)));
            columns.extend(parts.iter().map(|p| (format!("{name}.proxy{p}"), length)));
        }
        if self.has_energy {
            columns.push(("energy.states".to_string(), "J"));
        }
        columns.push(("energy.proxies".to_string(), "J"));
        columns.extend(self.term_names().map(|name| (format!("energy.lost.{name}"), "J")));
        columns.push(("energy.work".to_string(), "J"));
        if self.has_energy {
            columns.push(("energy.closure".to_string(), "J"));
        }
        let column = |(name, unit)| Column { name, unit, values: Vec::with_capacity(rows) };
        Recording { columns: columns.into_iter().map(column).collect() }
    }

    /// One row, at a point whose derivative was just evaluated with this scratch. `start` is the balance there.
    pub(super) fn row(&self, t: f64, x: &[f64], start: Option<f64>, s: &mut Scratch, row: &mut Vec<f64>) {
        let [first_e, first_a, _, first_way] = self.offsets();
        row.clear();
        row.push(t);
        row.extend_from_slice(&x[..first_e]);
        for i in 0..self.contacts.len() {
            row.extend([s.contacts[i], s.gaps[i], x[first_e + i]]);
        }
        for (j, friction) in self.frictions.iter().enumerate() {
            let at = friction.first..friction.first + friction.size;
            row.extend_from_slice(&s.frictions[at.clone()]);
            row.push(s.limits[j]);
            row.extend_from_slice(&s.velocities[at.clone()]);
            row.extend_from_slice(&x[first_way..][at.clone()]);
            row.extend_from_slice(&x[first_a..][at]);
        }
        let Ledger { states, stored, lost, work } = self.ledger(t, x, s);
        let proxies: f64 = stored.iter().sum();
        row.extend(states);
        row.push(proxies);
        row.extend_from_slice(&lost);
        row.push(work);
        if let (Some(states), Some(start)) = (states, start) {
            row.push(states + proxies + lost.iter().sum::<f64>() - work - start);
        }
    }
}
