//! `bristle realtime`: ticks on the clock, commands and states over UDP. Nothing here depends on how fast the machine is.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use serde_json::Value;
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const WHEEL: &str = r#"
schema = 1
[simulation]
duration = 0.4
gravity = [0, 0, 0]
integrator = { method = "linearly-implicit", step = 1e-3 }
[bodies.wheel]
mass = 1.0
inertia = [1, 1, 1]
[joints.axle]
parent = "world"
child = "wheel"
type = "revolute"
[actuators.motor]
joint = "axle"
effort = 0
"#;

fn scene(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("bristle-realtime-{name}-{}.toml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn bristle(path: &std::path::Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bristle"));
    command.arg("realtime").arg(path).args(words);
    command
}

#[test]
fn ticks_are_counted_and_time_is_that_of_the_scene() {
    let path = scene("ticks", WHEEL);
    let output = bristle(&path, &["--rate", "100", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["ticks"], 40);
    assert!((answer["simulated"].as_f64().unwrap() - 0.4).abs() < 1e-12);
    assert!(answer["wall_seconds"].as_f64().unwrap() >= 0.39, "39 ticks of 10 ms are waited for");
    let work = &answer["work"];
    let [median, worst] = ["median", "worst"].map(|k| work[k].as_f64().unwrap());
    assert!(0.0 < median && median <= worst);
    let counts = work["counts"].as_array().unwrap();
    assert_eq!(counts.iter().map(|bucket| bucket[1].as_u64().unwrap()).sum::<u64>(), 40);
    assert!(counts.last().unwrap()[0].as_f64().unwrap() >= worst);
    let text = bristle(&path, &["--rate", "100", "--duration", "0.05"]).output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("work, 99.99 %") && text.contains("ticks missed") && text.contains('█'), "{text}");
}

#[test]
fn empty_ticks_simulate_nothing() {
    let output = bristle(&scene("empty", WHEEL), &["--rate", "100", "--empty", "--json"]).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["ticks"], answer["simulated"].as_f64()), (&40.into(), Some(0.0)));
    assert!(answer["wall_seconds"].as_f64().unwrap() >= 0.39, "39 ticks of 10 ms are waited for");
}

/// Granted or refused with a reason, as the machine has it.
#[test]
fn a_priority_is_taken_or_the_run_does_not_begin() {
    let output = bristle(&scene("priority", WHEEL), &["--rate", "100", "--priority", "1"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    match output.status.code() {
        Some(0) => assert!(!output.stdout.is_empty()),
        code => {
            assert!(text.contains("real-time priority 1 was not granted"), "{text}");
            assert_eq!((code, output.stdout.is_empty()), (Some(2), true));
        }
    }
}

#[test]
fn wrong_methods_rates_and_addresses_are_refused() {
    let path = scene("wrong", WHEEL);
    let refuse = |words: &[&str], reason: &str| {
        let output = bristle(&path, words).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(reason), "{text}");
    };
    refuse(&["--rate", "333"], "must be a whole number");
    refuse(&["--rate", "2000"], "must be a whole number");
    refuse(&["--rate=-5"], "must be positive and finite");
    refuse(&["--rate", "nan"], "must be positive and finite");
    refuse(&["--duration", "0"], "positive and finite");
    refuse(&["--priority", "100"], "100 is not in 1..=99");
    refuse(&["--udp", "no-such-host:1"], "cannot listen at no-such-host:1");
    refuse(&["--udp", "99999"], "cannot listen at 127.0.0.1:99999");
    let adaptive = scene("adaptive", &WHEEL.replace("integrator", "# integrator"));
    let output = bristle(&adaptive, &[]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("needs a method with a fixed step"), "{text}");
}

#[test]
fn the_layout_names_what_the_packets_hold() {
    let output = bristle(&scene("layout", WHEEL), &["--layout"]).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["q"]["axle"], &answer["v"]["axle"]),
        (&serde_json::json!([0, 1]), &serde_json::json!([0, 1]))
    );
    assert_eq!((&answer["motors"][0], &answer["bodies"][0]), (&"motor".into(), &"wheel".into()));
}

/// Sends commands until a state comes back, then one with a number each time.
#[test]
fn commands_move_motors_and_states_come_back() {
    let link = UdpSocket::bind("127.0.0.1:0").unwrap();
    link.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let path = scene("udp", &WHEEL.replace("0.4", "60"));
    let words = ["--rate", "100", "--udp", &port.to_string(), "--json"];
    let mut run = Run(bristle(&path, &words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let send = |packet: &[u8]| link.send_to(packet, ("127.0.0.1", port)).map(drop);
    let push = |tick: u64, effort: f64| {
        let mut packet = b"BRCM\x01\x00\x01\x00".to_vec();
        packet.extend(tick.to_le_bytes());
        [0.0, 0.0, effort].iter().for_each(|x| packet.extend(x.to_le_bytes()));
        packet
    };
    let mut buffer = [0u8; 4096];
    let mut speeds = Vec::new();
    for tick in 1..2000 {
        let _ = send(&push(tick, 2.0)); // refused until it listens
        let Ok(length) = link.recv(&mut buffer) else { continue };
        assert_eq!((&buffer[..4], length), (&b"BRST"[..], 24 + 8 * (1 + 1 + 1 + 3)));
        let number = |at: usize| f64::from_le_bytes(buffer[at..at + 8].try_into().unwrap());
        speeds.push((number(24), number(40)));
        if speeds.len() == 30 {
            break;
        }
    }
    assert_eq!(speeds.len(), 30);
    // 2 N m on 1 kg m²: the speed grows by 2 rad/s each second, exactly
    let ((t0, v0), (t1, v1)) = (speeds[5], speeds[29]);
    assert!(t1 > t0 && ((v1 - v0) - 2.0 * (t1 - t0)).abs() < 1e-9, "{speeds:?}");
    for bad in [&b""[..], b"BRCM", &[0; 40], &push(9999, f64::NAN), &push(9999, 1.0)[..39]] {
        send(bad).unwrap();
    }
    send(&push(1, 5.0)).unwrap(); // late
    std::thread::sleep(Duration::from_millis(200));
    let answer = run.interrupt();
    assert_eq!((&answer["udp"]["rejected"], &answer["udp"]["late"]), (&5.into(), &1.into()), "{answer}");
    assert!(answer["udp"]["sent"].as_u64().unwrap() >= 30);
}

/// Ends with the test, whatever happens.
struct Run(Child);

impl Run {
    /// Ctrl-C, and what it prints then.
    fn interrupt(&mut self) -> Value {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let mut text = String::new();
        std::io::Read::read_to_string(self.0.stdout.as_mut().unwrap(), &mut text).unwrap();
        assert_eq!(self.0.wait().unwrap().code(), Some(130));
        serde_json::from_str(&text).unwrap()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
