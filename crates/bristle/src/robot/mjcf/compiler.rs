//! `<compiler>`: how the numbers of the file are meant.

use super::super::error::Log;
use super::super::xml::{Element, Range};

/// Which bodies take their mass from their geoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FromGeoms {
    Never,
    Always,
    /// Those without `<inertial>`.
    Missing,
}

pub(crate) struct Compiler {
    /// Radians per unit of angle in the file.
    pub(crate) angle: f64,
    /// Axes of `euler`: lower case for axes that turn along, upper case for fixed ones.
    pub(crate) euler_axes: [char; 3],
    pub(crate) from_geoms: FromGeoms,
    /// Groups of geoms that count as mass.
    pub(crate) groups: [f64; 2],
    pub(crate) has_auto_limits: bool,
    folder: String,
    pub(crate) total_mass: Option<f64>,
    /// Least mass, kg, and least principal moment, kg m².
    pub(crate) least: (f64, f64),
    /// Impossible inertias are replaced by round ones.
    pub(crate) balances: bool,
}

const SWITCH: &[(&str, bool)] = &[("true", true), ("false", false)];

impl Compiler {
    /// All `<compiler>` elements; later ones win.
    pub(crate) fn read(root: &Element, log: &mut Log) -> Self {
        let mut all = Self {
            angle: 1f64.to_radians(),
            euler_axes: ['x', 'y', 'z'],
            from_geoms: FromGeoms::Missing,
            groups: [0.0, 5.0],
            has_auto_limits: true,
            folder: String::new(),
            total_mass: None,
            least: (0.0, 0.0),
            balances: false,
        };
        for element in root.all("compiler") {
            all.read_one(element, log);
        }
        all
    }

    fn read_one(&mut self, element: &Element, log: &mut Log) {
        let angles = [("degree", 1f64.to_radians()), ("radian", 1.0)];
        self.angle = element.choice("angle", &angles, log).unwrap_or(self.angle);
        element.choice("coordinate", &[("local", ())], log);
        if let Some(text) = element.text("eulerseq") {
            match <[char; 3]>::try_from(text.chars().collect::<Vec<_>>()) {
                Ok(axes) if axes.iter().all(|c| "xyzXYZ".contains(*c)) => self.euler_axes = axes,
                _ => log.error(element.wrong("eulerseq", "three letters of x, y, z, X, Y, Z")),
            }
        }
        let from = [("true", FromGeoms::Always), ("false", FromGeoms::Never), ("auto", FromGeoms::Missing)];
        self.from_geoms = element.choice("inertiafromgeom", &from, log).unwrap_or(self.from_geoms);
        self.groups = element.array("inertiagrouprange", Range::Any, "", log).unwrap_or(self.groups);
        self.has_auto_limits = element.choice("autolimits", SWITCH, log).unwrap_or(self.has_auto_limits);
        self.balances = element.choice("balanceinertia", SWITCH, log).unwrap_or(self.balances);
        if let Some(folder) = element.text("meshdir").or(element.text("assetdir")) {
            self.folder = folder.to_string();
        }
        if let Some(total) = element.number("settotalmass", Range::Any, "kg", log) {
            self.total_mass = (total > 0.0).then_some(total); // MuJoCo: -1 is off
        }
        self.least.0 = element.number("boundmass", Range::NotNegative, "kg", log).unwrap_or(self.least.0);
        self.least.1 =
            element.number("boundinertia", Range::NotNegative, "kg m²", log).unwrap_or(self.least.1);
    }

    /// Where a mesh file lies, relative to the robot file.
    pub(crate) fn mesh_path(&self, file: &str) -> String {
        if self.folder.is_empty() {
            file.to_string()
        } else {
            format!("{}/{file}", self.folder.trim_end_matches('/'))
        }
    }

    /// Whether a range counts: said by a switch, or by the range being there.
    pub(crate) fn is_limited(
        &self,
        element: &Element,
        switch: &'static str,
        range: &'static str,
        log: &mut Log,
    ) -> bool {
        let words = [("true", Some(true)), ("false", Some(false)), ("auto", None)];
        let is_given = element.text(range).is_some_and(|text| {
            // a range from zero to zero counts as none
            text.split_whitespace().any(|word| word.parse::<f64>().is_ok_and(|x| x != 0.0))
        });
        match element.choice(switch, &words, log).flatten() {
            Some(true) if !is_given => {
                log.error(element.missing(range, "what is limited has a range"));
                false
            }
            Some(is_limited) => is_limited,
            None if is_given && !self.has_auto_limits => {
                log.error(element.missing(switch, "autolimits is false: say whether the range counts"));
                false
            }
            None => is_given,
        }
    }
}
