//! `impacts.csv`: one row per contact episode.

use crate::episode::Episode;
use crate::world::WORLD_ACCOUNTS;

pub(super) fn csv(episodes: &[Episode]) -> String {
    let mut text = String::from(
        "pair,patch,start (s),end (s),speed_in (m/s),speed_out (m/s),restitution,restitution_poisson,restitution_energetic,\
         peak_force (N),peak_force_time (s),peak_depth (m),peak_depth_time (s),stick (s),slip (s),slip_intervals",
    );
    for account in &WORLD_ACCOUNTS[..6] {
        text += &format!(",lost_{account} (J)");
    }
    text.push('\n');
    let number = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    for e in episodes {
        let spent = |slips: bool| -> f64 {
            e.spans.iter().filter(|s| s.slips == slips).map(|s| s.end - s.start).sum()
        };
        let slips: Vec<String> =
            e.spans.iter().filter(|s| s.slips).map(|s| format!("{}:{}", s.start, s.end)).collect();
        let mut cells = vec![e.pair.clone(), e.patch.to_string(), e.start.to_string()];
        cells.push(e.end.map_or(String::new(), |t| t.to_string()));
        let has_end = |x: f64| if e.end.is_some() { number(x) } else { String::new() };
        cells.extend([number(e.speed_in), has_end(e.speed_out), has_end(e.newton()), has_end(e.poisson)]);
        cells.extend([has_end(e.energetic), number(e.peak_force.0), number(e.peak_force.1)]);
        cells.extend([
            number(e.peak_depth.0),
            number(e.peak_depth.1),
            number(spent(false)),
            number(spent(true)),
        ]);
        cells.push(slips.join(" "));
        cells.extend(e.losses.map(number));
        text += &cells.join(",");
        text.push('\n');
    }
    text
}
