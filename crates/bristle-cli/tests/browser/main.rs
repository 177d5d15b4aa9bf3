//! Reports in a real browser. `cargo xtask test` runs these after it has seen to it that there is a Chromium.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

mod chromium;
#[path = "../support/mod.rs"]
mod support;

use chromium::{Chromium, DESKTOP, Look, PHONE};
use serde_json::json;
use support::{Folder, succeed};

fn scene(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// Runs a scene and answers with the path of its report.
fn report(folder: &Folder, name: &str, words: &[&str]) -> String {
    let out = folder.file(name);
    succeed(&[&["run", &scene(name), "--out", &out, "--quiet"], words].concat());
    format!("{out}/report.html")
}

/// Poses of the first body that moves, as the page draws it.
const FIRST: &str = "document.querySelector('.playback').dataset.first";
const NOW: &str = "bristleTime.now";
/// Where the time line stands in each plot, px.
const CURSORS: &str =
    "[...document.querySelectorAll('.cursor')].map((line) => line.hidden ? -1 : parseFloat(line.style.left))";
/// How far the page is wider than the window, px.
const OVERFLOW: &str = "document.documentElement.scrollWidth - innerWidth";

fn set_slider(page: &mut Chromium, share: f64) {
    page.evaluate(&format!(
        "(() => {{ const s = document.querySelector('[data-part=slider]'); s.value = {share}; \
         s.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    ));
    page.settle();
}

fn check_report(name: &str, moment: f64) {
    let folder = Folder::new();
    let file = report(&folder, name, &[]);
    assert!(std::fs::metadata(&file).unwrap().len() < 10_000_000, "{name} is too large");
    let mut page = Chromium::start(name);
    page.open(&file, DESKTOP);

    // The scene is drawn, and drawn differently after the slider has moved.
    assert_eq!(page.evaluate("document.querySelector('.no-webgl')"), json!(null), "WebGL works here");
    page.settle();
    let (pose, cursors) = (page.evaluate(FIRST), page.evaluate(CURSORS));
    let before = page.screenshot(&format!("{name}-start"));
    set_slider(&mut page, moment);
    let end = page.number("bristleTime.end");
    assert!((page.number(NOW) - moment * end).abs() < 1e-9 * end);
    assert_ne!(page.evaluate(FIRST), pose, "the slider moves the body");
    assert_ne!(page.screenshot(&format!("{name}-desktop")), before, "the slider changes the picture");
    let moved = page.evaluate(CURSORS);
    assert!(moved.as_array().unwrap().len() >= 4, "{moved}");
    for (old, new) in cursors.as_array().unwrap().iter().zip(moved.as_array().unwrap()) {
        assert!(new.as_f64() > old.as_f64(), "every cursor moves: {cursors} to {moved}");
    }

    // Every plot shows curves.
    let empty = "[...document.querySelectorAll('.plot')].filter((box) => !box.querySelector('.scatterlayer path')).length";
    assert_eq!(page.number(empty), 0.0, "plots without curves");

    // A click in a plot sets the time.
    let place = page.evaluate(
        "(() => { const r = document.querySelector('.plot .nsewdrag').getBoundingClientRect(); \
         return [r.left + 0.25 * r.width, r.top + 0.5 * r.height]; })()",
    );
    page.click(place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    assert!((page.number(NOW) / end - 0.25).abs() < 0.01, "{} of {end}", page.number(NOW));

    // Play, pause and the keyboard.
    page.evaluate("document.activeElement.blur()");
    let start = page.number(NOW);
    page.press(" ");
    page.wait(&format!("bristleTime.now > {start}"));
    page.press(" ");
    let stopped = page.number(NOW);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(page.number(NOW), stopped, "space pauses");
    page.press("Home");
    assert_eq!(page.number(NOW), 0.0);
    page.press("n");
    let first = page.number(
        "Math.min(...[...document.querySelectorAll('tr[data-time]')].map((row) => row.dataset.time))",
    );
    assert!((page.number(NOW) - first).abs() < 1e-12, "n goes to the first impact");
    page.press("End");
    page.press("p");
    assert!(page.number(NOW) < end, "p goes back to an impact");

    // The camera by keys, on the picture.
    page.evaluate("document.querySelector('[data-part=canvas]').focus()");
    let seen = page.screenshot(&format!("{name}-camera"));
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    assert_ne!(page.screenshot(&format!("{name}-camera")), seen, "arrow keys turn the camera");

    // Tab leads somewhere that is seen to be chosen.
    page.press("Tab");
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(page.evaluate(outline), json!("solid"), "focus is visible");

    check_table(&mut page);
    assert_eq!(page.faults(), Vec::<String>::new());

    page.open(&file, Look { is_dark: true, ..DESKTOP });
    set_slider(&mut page, moment);
    let paper = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(page.evaluate(paper), json!("rgb(21, 24, 28)"), "dark paper");
    page.screenshot(&format!("{name}-dark"));
    page.evaluate("document.getElementById('theme').click()");
    assert_eq!(page.evaluate(paper), json!("rgb(255, 255, 255)"), "the button turns it light");
    assert_eq!(page.faults(), Vec::<String>::new());

    page.evaluate("localStorage.clear()");
    page.open(&file, PHONE);
    set_slider(&mut page, moment);
    assert!(page.number(OVERFLOW) <= 0.0, "wider than a phone");
    page.screenshot(&format!("{name}-phone"));
    page.evaluate("document.querySelector('.plots').scrollIntoView()");
    page.screenshot(&format!("{name}-phone-plots"));
    assert_eq!(page.faults(), Vec::<String>::new());
}

/// The impact table sorts by a column and goes to the time of a row.
fn check_table(page: &mut Chromium) {
    let column = "(() => [...document.querySelectorAll('tr[data-time]')].map((row) => \
                  parseFloat([...row.cells].find((cell) => cell.cellIndex === 3)?.dataset.value)))()";
    let header = "document.querySelector('tr[data-time]').closest('table').tHead.rows[0].cells[3].querySelector('button').click()";
    for is_descending in [false, true] {
        page.evaluate(header);
        let values = page.evaluate(column);
        let values: Vec<f64> = values.as_array().unwrap().iter().filter_map(|v| v.as_f64()).collect();
        let is_sorted = values.windows(2).all(|w| if is_descending { w[0] >= w[1] } else { w[0] <= w[1] });
        assert!(values.len() > 1 && is_sorted, "{values:?}");
    }
    let last = page.number("Number([...document.querySelectorAll('tr[data-time]')].pop().dataset.time)");
    page.evaluate("[...document.querySelectorAll('tr[data-time]')].pop().querySelector('button').click()");
    assert_eq!(page.number(NOW), last);
}

#[test]
fn rolling_sphere_can_be_played_and_read() {
    check_report("rolling_sphere", 0.1315 / 2.0);
}

#[test]
fn ball_in_cylinder_can_be_played_and_read() {
    check_report("ball_in_cylinder_3d", 0.291 / 5.0);
}

#[test]
fn newtons_cradle_can_be_played_and_read() {
    check_report("newtons_cradle", 0.106);
}

/// Every shape that has triangles or heights, and a ball that presses on a plane.
const SHAPES: &str = r#"schema = 1
[simulation]
duration = 0.2
record = { every = 0.01 }
[materials.rubber]
normal = { law = "volume-kelvin-voigt", modulus = 2e7, damping = 3e4, bed_depth = 0.3 }
friction = "none"
[bodies.ball]
density = 500
shape = { sphere = { radius = 0.15 } }
position = [-0.6, -0.2, 0.149]
[bodies.egg]
density = 1000
shape = { ellipsoid = { radii = [0.1, 0.1, 0.16] } }
position = [-0.2, 0.2, 0.6]
[bodies.rock]
density = 1000
shape = { convex = { points = [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]] } }
position = [0.1, 0.3, 0.6]
[bodies.fine]
density = 1000
shape = { mesh = { sphere = { radius = 0.1 }, edge = 0.0015 } }
position = [0.4, 0.2, 0.6]
[bodies.floor]
fixed = true
shape = { plane = {} }
[bodies.hills]
fixed = true
shape = { terrain = { waves = { amplitude = 0.05, wavelength_x = 0.5 } } }
position = [0, 0, 0.1]
[[contacts]]
between = ["ball", "floor"]
material = "rubber"
"#;

#[test]
fn shapes_of_triangles_and_pressure_are_drawn() {
    let folder = Folder::new();
    let (scene, out) = (folder.file("shapes.toml"), folder.file("shapes"));
    std::fs::write(&scene, SHAPES).unwrap();
    succeed(&["run", &scene, "--out", &out, "--quiet"]);
    let mut page = Chromium::start("shapes");
    page.open(&format!("{out}/report.html"), DESKTOP);
    set_slider(&mut page, 0.3);
    let kinds = "JSON.parse(document.querySelector('.playback script').textContent).bodies.map((b) => b.shapes[0].kind)";
    let expected = json!(["sphere", "ellipsoid", "mesh", "mesh", "half-space", "terrain"]);
    assert_eq!(page.evaluate(kinds), expected);
    let text = |part: &str| format!("document.querySelector('[data-part={part}]').textContent");
    assert!(
        page.evaluate(&text("notes"))
            .as_str()
            .unwrap()
            .starts_with("fine has 88200 facets and is drawn with ")
    );
    assert!(page.evaluate(&text("hud")).as_str().unwrap().ends_with("Pa"), "the pressure is said");
    assert_eq!(page.evaluate("document.querySelector('[data-part=press]').hidden"), json!(false));
    let with = page.screenshot("shapes-pressure");
    page.evaluate("document.querySelector('[data-part=pressure]').click()");
    page.settle();
    assert_ne!(page.screenshot("shapes"), with, "patches are drawn");
    assert_eq!(page.faults(), Vec::<String>::new());
}

#[test]
fn scenes_without_contact_or_motion_give_a_page_without_empty_sections() {
    let folder = Folder::new();
    let text = "schema = 1\n[simulation]\nduration = 1.0\ngravity = [0, 0, 0]\nrecord = { every = 0.01 }\n\
                [bodies.brick]\nmass = 1.0\nshape = { box = { size = [0.3, 0.2, 0.1] } }\n";
    let mut page = Chromium::start("still");
    for (name, more) in [("still", ""), ("drifting", "velocity = [1, 0, 0]\nangular_velocity = [0, 1, 2]\n")]
    {
        let (scene, out) = (folder.file(&format!("{name}.toml")), folder.file(name));
        std::fs::write(&scene, format!("{text}{more}")).unwrap();
        succeed(&["run", &scene, "--out", &out, "--quiet"]);
        page.open(&format!("{out}/report.html"), DESKTOP);
        set_slider(&mut page, 0.5);
        page.screenshot(name);
        let headings = "[...document.querySelectorAll('h2')].map((heading) => heading.textContent)";
        assert_eq!(page.evaluate(headings), json!(["Integration", "Scene"]));
        assert_eq!(page.faults(), Vec::<String>::new());
    }
}

#[test]
fn a_comparison_is_drawn_and_its_plots_share_one_time() {
    let folder = Folder::new();
    let one = report(&folder, "bouncing_sphere", &["--set", "simulation.duration=0.5"]);
    let two = folder.file("slower");
    let words = [
        "--set",
        "simulation.duration=0.5",
        "--set",
        "bodies.ball.position[2]=0.08",
        "--quiet",
        "--no-report",
    ];
    succeed(&[&["run", &scene("bouncing_sphere"), "--out", &two], &words[..]].concat());
    let file = folder.file("compare.html");
    succeed(&["compare", one.trim_end_matches("/report.html"), &two, "--html", &file]);
    let mut page = Chromium::start("compare");
    for (look, name) in [(DESKTOP, "compare-desktop"), (PHONE, "compare-phone")] {
        page.open(&file, look);
        let curves = "[...document.querySelectorAll('.plot')].map((box) => box.querySelectorAll('.scatterlayer .trace').length)";
        let curves = page.evaluate(curves);
        let counts: Vec<_> = curves.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        assert!(counts.len() >= 3 && counts.iter().all(|n| *n == 2), "{counts:?}");
        page.evaluate("bristleTime.set(0.2)");
        page.settle();
        let cursors = page.evaluate(CURSORS);
        assert!(cursors.as_array().unwrap().iter().all(|x| x.as_f64().unwrap() > 0.0), "{cursors}");
        assert!(page.number(OVERFLOW) <= 0.0);
        page.screenshot(name);
        assert_eq!(page.faults(), Vec::<String>::new());
    }
}

#[test]
fn a_page_of_evidence_is_drawn_in_full() {
    let folder = Folder::new();
    let file = folder.file("evidence.html");
    // more plots than are drawn at once
    succeed(&["reproduce", "azad", "marhefka", "roy", "xiong", "--html", &file, "--quiet"]);
    let mut page = Chromium::start("evidence");
    page.open(&file, DESKTOP);
    let count = page.number("document.querySelectorAll('.plot').length");
    assert!(count > 24.0, "{count} plots");
    let empty = "[...document.querySelectorAll('.plot')].filter((box) => !box.querySelector('.scatterlayer path')).length";
    assert_eq!(page.number(empty), 0.0, "plots without curves");
    let dead = "[...document.querySelectorAll('a[href^=\"#\"]')].filter((a) => !document.querySelector(a.hash)).length";
    assert_eq!(page.number(dead), 0.0, "links that lead nowhere");
    assert_eq!(page.number("document.querySelectorAll('td.doubtful').length"), 0.0, "nothing fails");
    let sections = page.number("document.querySelectorAll('h3[id]').length");
    for i in 0..sections as usize {
        page.evaluate(&format!("document.querySelectorAll('h3[id]')[{i}].scrollIntoView()"));
        page.screenshot(&format!("evidence-{i:02}"));
    }
    assert_eq!(page.faults(), Vec::<String>::new());
    page.open(&file, Look { is_dark: true, ..DESKTOP });
    page.screenshot("evidence-dark");
    page.evaluate("document.getElementById('azad-fig16').scrollIntoView()");
    page.screenshot("evidence-dark-plots");
    page.open(&file, PHONE);
    assert!(page.number(OVERFLOW) <= 0.0, "wider than a phone");
    page.screenshot("evidence-phone");
    assert_eq!(page.faults(), Vec::<String>::new());
}
