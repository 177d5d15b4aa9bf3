//! The playback: a run in three dimensions, drawn by the page's own script.

mod coarse;
mod pack;
pub(crate) mod scene;
mod shapes;

use crate::escape::{html, json_in_script};
use bristle::run::Run;
use bristle::world::Model;
use serde_json::Value;

/// All parts share one scope; see the first line of each for what it does.
pub(crate) const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("../../assets/playback/linear.js"),
    include_str!("../../assets/playback/film.js"),
    include_str!("../../assets/playback/meshes.js"),
    include_str!("../../assets/playback/shaders.js"),
    include_str!("../../assets/playback/renderer.js"),
    include_str!("../../assets/playback/camera.js"),
    include_str!("../../assets/playback/stage.js"),
    include_str!("../../assets/playback/player.js"),
    "})();\n"
);
pub(crate) const STYLE: &str = include_str!("../../assets/playback/playback.css");
const CONTROLS: &str = include_str!("../../assets/playback/controls.html");

/// Shapes at their poses, contact points, forces and trails, with a time slider and a camera.
#[derive(Clone, Debug)]
pub struct Playback {
    label: String,
    data: Value,
}

impl Playback {
    /// The playback of a run; `None` if it was not filmed.
    pub fn new(label: impl Into<String>, model: &Model, run: &Run) -> Option<Self> {
        let film = run.film.as_ref()?;
        let mut data = scene::describe(model, film);
        data["episodes"] = scene::episodes(model, run);
        data["film"] = pack::pack(film);
        Some(Self { label: label.into(), data })
    }

    pub(crate) fn to_html(&self) -> String {
        format!(
            "<section class=\"playback\" aria-label=\"{}\">\n{CONTROLS}\
             <script type=\"application/json\">{}</script>\n</section>\n",
            html(&self.label),
            json_in_script(&self.data)
        )
    }
}
