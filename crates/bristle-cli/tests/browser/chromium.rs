//! A headless Chromium, spoken to over its debugging socket.

use base64::Engine;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long anything on a page may take: software rendering on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a page is looked at.
#[derive(Clone, Copy)]
pub struct Look {
    pub width: u32,
    pub height: u32,
    pub is_dark: bool,
}

pub const DESKTOP: Look = Look { width: 1440, height: 900, is_dark: false };
pub const PHONE: Look = Look { width: 360, height: 780, is_dark: false };

/// One browser with one page.
pub struct Chromium {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    profile: PathBuf,
    session: Option<String>,
    count: u64,
    events: Vec<Value>,
}

/// `BRISTLE_BROWSER`, or the first of the usual names that runs.
fn program() -> String {
    if let Ok(chosen) = std::env::var("BRISTLE_BROWSER") {
        return chosen;
    }
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs);
    found.unwrap_or_else(|| panic!("no Chromium found; `cargo xtask browser` installs it")).to_string()
}

impl Chromium {
    pub fn start(name: &str) -> Self {
        let profile = std::env::temp_dir().join(format!("bristle-browser-{}-{name}", std::process::id()));
        let mut child = Command::new(program())
            .args("--headless --no-sandbox --no-first-run --disable-quic --disable-sync".split(' '))
            .args("--disable-background-networking --disable-component-update --hide-scrollbars".split(' '))
            .args("--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader".split(' '))
            .arg("--remote-debugging-port=0")
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_string))
            .expect("Chromium says where it listens");
        std::thread::spawn(move || lines.for_each(drop)); // a full pipe would stop the browser
        let (mut socket, _) = tungstenite::connect(address).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let mut browser = Self { child, socket, profile, session: None, count: 0, events: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_string);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer; what happens meanwhile is kept.
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.count += 1;
        let mut message = json!({ "id": self.count, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let answer = self.socket.read().unwrap_or_else(|e| panic!("{method}: {e}"));
            let Ok(text) = answer.into_text() else { continue };
            let Ok(answer) = serde_json::from_str::<Value>(&text) else { continue };
            if answer["id"] == json!(self.count) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    /// Opens a file and waits until its plots are drawn.
    pub fn open(&mut self, file: &str, look: Look) {
        let Look { width, height, is_dark } = look;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        self.events.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{file}") }));
        self.wait(
            "document.readyState === 'complete' && location.protocol === 'file:' && \
             [...document.querySelectorAll('.plot')].every((box) => box.querySelector('svg.main-svg'))",
        );
    }

    /// The value of an expression on the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.evaluate(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.evaluate(expression) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the page has painted what it knows.
    pub fn settle(&mut self) {
        let frames =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
        self.evaluate(frames);
    }

    /// Presses a key, by its name in the browser.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let code = match key {
            "Tab" => 9,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Clicks a place of the window, px.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// A PNG of the window, kept as `target/browser/NAME.png`.
    pub fn screenshot(&mut self, name: &str) -> Vec<u8> {
        self.settle();
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes =
            base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("browser");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), &bytes).unwrap();
        bytes
    }

    /// Errors, warnings and requests since the page was opened; the page itself is no request.
    pub fn faults(&self) -> Vec<String> {
        let fault = |event: &Value| {
            let params = &event["params"];
            let is_bad = match event["method"].as_str()? {
                "Runtime.exceptionThrown" => true,
                "Runtime.consoleAPICalled" => matches!(params["type"].as_str(), Some("error" | "warning")),
                // Chromium itself complains about slow software rendering.
                "Log.entryAdded" => params["entry"]["level"] == "error",
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str()?;
                    params["type"] != "Document" && !url.starts_with("data:") && !url.starts_with("blob:")
                }
                _ => false,
            };
            is_bad.then(|| event.to_string())
        };
        self.events.iter().filter_map(fault).collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
