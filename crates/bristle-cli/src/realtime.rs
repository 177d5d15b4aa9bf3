//! `bristle realtime`.

use crate::error::Error;
use crate::interrupt;
use crate::level;
use crate::output::{Cell, Sheet, print};
use bristle::realtime::{
    Bridge, Clocked, Histogram, Nobody, RealtimeError, Timing, Traffic, UdpBridge, keep_time, take_priority,
};
use bristle::scene::{Access, Scene};
use bristle::world::Model;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "Examples:
  bristle realtime scenes/quadruped_stand.toml --rate 1000 --duration 60 \\
      --set 'simulation.integrator={method=\"linearly-implicit\",step=1e-3}'
  bristle realtime robot.toml --priority 50          ahead of all other programs; needs the right to, e.g. root
  bristle realtime robot.toml --udp 5005             commands in, states out, on the loopback interface
  bristle realtime robot.toml --empty                what the machine does to ticks without work
  bristle realtime robot.toml --layout               what stands where in the packets

The scene must have a method with a fixed step, and a tick must be a whole number of steps. See docs/realtime.md for
the packets, and examples/python/udp_controller.py for a controller.
Exit codes: 0 done; 1 a step failed, or a tick was missed and --strict was given; 2 bad input.";

#[derive(clap::Args)]
pub struct Args {
    /// Scene file
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Ticks a second
    #[arg(long, value_name = "HZ", default_value_t = 1000.0)]
    rate: f64,
    /// Time to run, s [default: that of the scene]
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Take commands and send states here: a port of the loopback interface, or an address and a port
    #[arg(long, value_name = "[ADDRESS:]PORT")]
    udp: Option<String>,
    /// Print which numbers stand where in the packets, as JSON, and do not run
    #[arg(long)]
    layout: bool,
    /// Make ticks that do nothing: how well this machine keeps time, whatever is simulated
    #[arg(long, conflicts_with_all = ["udp", "layout"])]
    empty: bool,
    /// Take a real-time priority, 1 to 99, so that other programs do not take the processor for milliseconds
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=99))]
    priority: Option<u8>,
    /// Fail if a tick was missed
    #[arg(long)]
    strict: bool,
    /// Change a value of the scene first, e.g. bodies.ball.mass=0.2; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Let the scene include files from outside its folder
    #[arg(long)]
    allow_outside: bool,
    /// Print JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    let scene = Scene::load_with(&args.scene, &args.overrides, access)?;
    if scene.nonsmooth.is_some() {
        return Err(Error::NoWorld { path: args.scene.clone() });
    }
    let prepared = bristle::prepare(&scene)?;
    if args.layout {
        return print(&format!("{:#}", layout(&prepared.model)));
    }
    let duration = args.duration.unwrap_or(prepared.options.duration);
    if !(duration > 0.0 && duration.is_finite()) {
        let value = duration.to_string();
        return Err(Error::Option { option: "duration", value, rule: "positive and finite" });
    }
    let mut clocked = Clocked::new(&prepared.model, &prepared.q, &prepared.v, &prepared.options, args.rate)?;
    let mut udp = args.udp.as_deref().map(bind).transpose()?;
    if let Some(udp) = &udp
        && let Ok(address) = udp.address()
    {
        level::note(&format!("listening for commands at {address}"));
    }
    let interrupt = interrupt::watch()?;
    if let Some(level) = args.priority {
        take_priority(level)?;
    }
    let ticks = (duration * args.rate).round() as u64;
    let mut nobody = Nobody;
    let bridge: &mut dyn Bridge = udp.as_mut().map_or(&mut nobody, |udp| udp);
    let go_on = || !interrupt.has_come();
    let timing = if args.empty {
        keep_time(ticks, 1.0 / args.rate, || Ok::<(), Error>(()), go_on)?
    } else {
        clocked.run(ticks, bridge, go_on)?
    };
    let traffic = udp.map(|udp| udp.traffic());
    let (simulated, tick) = (clocked.time(), 1.0 / args.rate);
    if args.json {
        print(&format!("{:#}", as_json(&timing, traffic, simulated, tick)))?;
    } else {
        print(&as_sheet(&timing, traffic, simulated, tick).to_text())?;
        print(&spread(&timing).to_text())?;
    }
    if interrupt.has_come() {
        return Err(interrupt.error(format!("{} of {ticks} ticks", timing.work.count())));
    }
    if timing.misses > 0 && args.priority.is_none() {
        level::note(
            "ticks were missed: --priority 50 keeps other programs from taking the processor, where that is granted",
        );
    }
    match timing.misses {
        misses if misses > 0 && args.strict => Err(Error::Missed { misses, ticks }),
        _ => Ok(()),
    }
}

fn bind(address: &str) -> Result<UdpBridge, Error> {
    let whole = if address.contains(':') { address.to_string() } else { format!("127.0.0.1:{address}") };
    UdpBridge::bind(&whole).map_err(|error| Error::Bind { address: whole, reason: error.to_string() })
}

/// Names in the order of the packets.
fn layout(model: &Model) -> Value {
    let place = |nth: &dyn Fn(usize) -> std::ops::Range<usize>| -> Value {
        let mut all = serde_json::Map::new();
        for joint in &model.joints {
            let range = nth(joint.link);
            all.insert(joint.name.clone(), json!([range.start, range.end]));
        }
        for body in model.bodies.iter().filter(|b| b.is_movable) {
            let range = nth(body.link);
            if !range.is_empty() && !model.joints.iter().any(|j| j.link == body.link) {
                all.insert(body.name.clone(), json!([range.start, range.end]));
            }
        }
        all.into()
    };
    json!({
        "q": place(&|link| model.tree.q_range(link)),
        "v": place(&|link| model.tree.v_range(link)),
        "nq": model.tree.nq(),
        "nv": model.tree.nv(),
        "motors": model.actuators.iter().map(|a| &a.name).collect::<Vec<_>>(),
        "bodies": model.bodies.iter().map(|b| &b.name).collect::<Vec<_>>(),
    })
}

const QUANTILES: [(&str, f64); 3] = [("median", 0.5), ("99 %", 0.99), ("99.99 %", 0.9999)];

fn as_sheet(timing: &Timing, traffic: Option<Traffic>, simulated: f64, tick: f64) -> Sheet {
    let mut sheet = Sheet::new("Real time", &[("of a tick", ""), ("value", ""), ("unit", "")]);
    let us = |d: Duration| Cell::Number(d.as_secs_f64() * 1e6);
    let mut push = |name: &str, value: Cell, unit: &str| sheet.push(vec![name.into(), value, unit.into()]);
    push("length", us(Duration::from_secs_f64(tick)), "us");
    for (what, histogram) in [("work", &timing.work), ("late by", &timing.lateness)] {
        for (name, share) in QUANTILES {
            push(&format!("{what}, {name}"), us(histogram.quantile(share)), "us");
        }
        push(&format!("{what}, worst"), us(histogram.worst()), "us");
    }
    push("share of the time at work", (timing.work.mean().as_secs_f64() / tick).into(), "");
    push("ticks", timing.work.count().into(), "");
    push("ticks missed", timing.misses.into(), "");
    push("simulated", simulated.into(), "s");
    push("on the clock", timing.wall_seconds.into(), "s");
    if let Some(traffic) = traffic {
        push("commands received", traffic.received.into(), "");
        push("commands late", traffic.late.into(), "");
        push("packets rejected", traffic.rejected.into(), "");
        push("states sent", traffic.sent.into(), "");
        push("states not sent", traffic.unsent.into(), "");
    }
    sheet
}

/// Durations up to this are told as one, ns: no clock and no tick is finer.
const FINEST: u128 = 1023;

/// How many ticks took how long, and began how late.
fn spread(timing: &Timing) -> Sheet {
    let columns = [("up to", "us"), ("took so long", ""), ("", ""), ("began so late", ""), ("", "")];
    let mut sheet = Sheet::new(
        "Ticks by how long they took, and how late they began; ten times as many for each sign of a bar",
        &columns,
    );
    let mut below = [0; 2];
    let rows = timing.work.doublings().zip(timing.lateness.doublings());
    let longest = timing.work.worst().max(timing.lateness.worst());
    for ((upto, work), (_, late)) in rows {
        below = [below[0] + work, below[1] + late];
        if upto.as_nanos() < FINEST {
            continue;
        }
        let mut row = vec![Cell::Number(upto.as_secs_f64() * 1e6)];
        for count in std::mem::take(&mut below) {
            row.extend([count.into(), bar(count).into()]);
        }
        sheet.push(row);
        if upto >= longest {
            break;
        }
    }
    sheet
}

/// One sign for one, one more for every ten times as many, and for the part of that in eighths.
fn bar(count: u64) -> String {
    if count == 0 {
        return String::new();
    }
    let eighths = (8.0 * (1.0 + (count as f64).log10())).round() as usize;
    let part = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    "█".repeat(eighths / 8)
        + &part[..].get((eighths % 8).wrapping_sub(1)).map_or(String::new(), char::to_string)
}

fn as_json(timing: &Timing, traffic: Option<Traffic>, simulated: f64, tick: f64) -> Value {
    let seconds = |h: &Histogram| {
        json!({
            "median": h.quantile(0.5).as_secs_f64(),
            "p99": h.quantile(0.99).as_secs_f64(),
            "p9999": h.quantile(0.9999).as_secs_f64(),
            "worst": h.worst().as_secs_f64(),
            "mean": h.mean().as_secs_f64(),
            "counts": h.doublings().filter(|(_, n)| *n > 0).map(|(upto, n)| json!([upto.as_secs_f64(), n])).collect::<Vec<_>>(),
        })
    };
    let mut answer = json!({
        "ticks": timing.work.count(),
        "tick": tick,
        "work": seconds(&timing.work),
        "lateness": seconds(&timing.lateness),
        "misses": timing.misses,
        "simulated": simulated,
        "wall_seconds": timing.wall_seconds,
    });
    if let Some(t) = traffic {
        answer["udp"] = json!({ "received": t.received, "late": t.late, "rejected": t.rejected, "sent": t.sent, "unsent": t.unsent });
    }
    answer
}

impl From<RealtimeError> for Error {
    fn from(error: RealtimeError) -> Self {
        match error {
            RealtimeError::Step(error) => error.into(),
            other => Self::Realtime(other),
        }
    }
}
