//! `<actuator>`: motors, position and velocity servos, and general actuators that are affine.

use super::super::error::Effect;
use super::super::xml::{Element, Range};
use super::super::{Actuator, ActuatorLaw};
use super::Reader;

impl Reader<'_> {
    /// Adds the actuators; for each of the file in turn its index, or none if it is left out.
    pub(crate) fn read_actuators(&mut self, root: &Element) -> Vec<Option<usize>> {
        let mut indices = Vec::new();
        for written in root.all("actuator").flat_map(|all| &all.children) {
            let is_read = ["general", "motor", "position", "velocity"].contains(&written.tag.as_str());
            let fallback = format!("actuator#{}", indices.len() + 1);
            let actuator = if is_read { self.read_actuator(written, fallback) } else { None };
            let index = actuator.map(|actuator| {
                self.names.add("actuator", &actuator.name, self.robot.actuators.len(), written, self.log);
                self.robot.actuators.push(actuator);
                self.robot.actuators.len() - 1
            });
            indices.push(index);
        }
        indices
    }

    fn read_actuator(&mut self, written: &Element, fallback: String) -> Option<Actuator> {
        let element = self.classes.apply(written, None, self.log);
        if !element.has("joint") {
            let others = ["tendon", "site", "body", "jointinparent", "cranksite"];
            match others.iter().find(|other| element.has(other)) {
                Some(other) => {
                    let message =
                        format!("drives a {other}, which has no counterpart; the actuator is left out");
                    self.log.warn(&written.place, &written.tag, None, &message, Effect::Motion);
                }
                None => self.log.error(written.missing("joint", "the joint that it drives")),
            }
            return None;
        }
        let joint = self.names.find("joint", &element, "joint", self.log)?;
        let mut gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let given = element.list("gear", (1, 6), Range::Any, "", self.log).unwrap_or_default();
        gear.iter_mut().zip(given).for_each(|(g, x)| *g = x);
        let law = self.read_law(&element)?;
        let force_limits = self.range(&element, "forcelimited", "forcerange");
        let mut control_limits = self.range(&element, "ctrllimited", "ctrlrange");
        if let Some(share) = element.number("inheritrange", Range::NotNegative, "", self.log)
            && share > 0.0
        {
            // the range of the joint, widened or narrowed about its middle
            if written.has("ctrlrange") && written.has("inheritrange") {
                self.log.error(written.wrong("inheritrange", "left out beside ctrlrange"));
            }
            match self.robot.joints[joint].limits {
                Some([low, high]) => {
                    let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0 * share);
                    control_limits = Some([middle - half, middle + half]);
                }
                None => self.log.error(element.wrong("inheritrange", "given for a joint with a range")),
            }
        }
        let name = written.text("name").filter(|name| !name.is_empty()).map_or(fallback, str::to_string);
        Some(Actuator { name, joint, law, gear, force_limits, control_limits, place: written.place.clone() })
    }

    fn range(&mut self, element: &Element, switch: &'static str, name: &'static str) -> Option<[f64; 2]> {
        let range = element.array::<2>(name, Range::Any, "", self.log);
        let is_limited = self.compiler.is_limited(element, switch, name, self.log);
        let range = range.filter(|_| is_limited)?;
        if range[0] >= range[1] {
            self.log.error(element.wrong(name, "two numbers, the first below the second"));
        }
        Some(range)
    }

    fn read_law(&mut self, element: &Element) -> Option<ActuatorLaw> {
        let unit = "N m s/rad or N s/m";
        match element.tag.as_str() {
            "motor" => Some(ActuatorLaw::Motor),
            "velocity" => {
                let gain = element.number("kv", Range::NotNegative, unit, self.log).unwrap_or(1.0);
                Some(ActuatorLaw::Velocity { gain })
            }
            "position" => {
                let stiffness =
                    element.number("kp", Range::NotNegative, "N m/rad or N/m", self.log).unwrap_or(1.0);
                let damping = element.number("kv", Range::NotNegative, unit, self.log).unwrap_or(0.0);
                Some(ActuatorLaw::Position { stiffness, damping })
            }
            _ => {
                let is_plain =
                    |name: &str, words: &[&str]| element.text(name).is_none_or(|t| words.contains(&t));
                if !is_plain("gaintype", &["fixed"]) || !is_plain("biastype", &["none", "affine"]) {
                    let message = "has a gain or bias that has no counterpart; the actuator is left out";
                    self.log.warn(&element.place, &element.tag, None, message, Effect::Motion);
                    return None;
                }
                if !is_plain("dyntype", &["none"]) {
                    let message = "is left out: the control acts without delay";
                    self.log.warn(&element.place, "general", Some("dyntype"), message, Effect::Motion);
                }
                let gains = element.list("gainprm", (1, 10), Range::Any, "", self.log);
                let gain = gains.map_or(1.0, |gains| gains[0]);
                let mut bias = [0.0; 3];
                if element.text("biastype") == Some("affine") {
                    let given =
                        element.list("biasprm", (1, 10), Range::Any, "", self.log).unwrap_or_default();
                    bias.iter_mut().zip(given).for_each(|(b, x)| *b = x);
                }
                Some(match (gain == 1.0, bias) {
                    (true, [0.0, 0.0, 0.0]) => ActuatorLaw::Motor,
                    _ => ActuatorLaw::Affine { gain, bias },
                })
            }
        }
    }
}
