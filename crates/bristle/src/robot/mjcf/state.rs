//! `<sensor>` and `<keyframe>`.

use super::super::error::Effect;
use super::super::form::LEFT_OUT;
use super::super::xml::{Element, Range};
use super::super::{Keyframe, Sensor, SensorTarget};
use super::Reader;

impl Reader<'_> {
    pub(crate) fn read_sensors(&mut self, root: &Element) {
        for element in root.all("sensor").flat_map(|all| &all.children) {
            let target = match self.read_target(element) {
                Target::LeftOut => continue,
                Target::None => None,
                Target::Some(target) => Some(target),
            };
            let read = ["name", "site", "joint", "body", "actuator", "objtype", "objname", "class"];
            for attribute in element.attributes.iter().filter(|a| !read.contains(&a.name.as_str())) {
                let effect = if attribute.name == "user" { Effect::Looks } else { Effect::Motion };
                self.log.warn(&attribute.place, &element.tag, Some(&attribute.name), LEFT_OUT, effect);
            }
            let name = element.text("name").unwrap_or_default().to_string();
            self.names.add("sensor", &name, self.robot.sensors.len(), element, self.log);
            let kind = element.tag.clone();
            self.robot.sensors.push(Sensor { name, kind, target, place: element.place.clone() });
        }
    }

    fn read_target(&mut self, element: &Element) -> Target {
        let found = |index: Option<usize>, of: fn(usize) -> SensorTarget| match index {
            Some(index) => Target::Some(of(index)),
            None => Target::LeftOut, // an error was said
        };
        let kinds = [
            ("site", "site", SensorTarget::Site as fn(usize) -> SensorTarget),
            ("joint", "joint", SensorTarget::Joint),
            ("body", "body", SensorTarget::Link),
        ];
        for (kind, attribute, of) in kinds {
            if element.has(attribute) {
                return found(self.names.find(kind, element, attribute, self.log), of);
            }
        }
        if element.has("actuator") {
            // one that was left out is no error
            let known = element.text("actuator").and_then(|name| {
                self.robot.actuators.iter().position(|a| a.name == name).map(SensorTarget::Actuator)
            });
            return known
                .map_or_else(|| self.leave_out(element, "an actuator that is not read"), Target::Some);
        }
        if element.has("tendon") {
            return self.leave_out(element, "a tendon");
        }
        match element.text("objtype") {
            Some("site") => found(self.names.find("site", element, "objname", self.log), SensorTarget::Site),
            Some("xbody") => found(self.names.find("body", element, "objname", self.log), SensorTarget::Link),
            Some("body") => {
                found(self.names.find("body", element, "objname", self.log), SensorTarget::CenterOfLink)
            }
            Some(_) => self.leave_out(element, "a camera or geometry"),
            None => Target::None,
        }
    }

    fn leave_out(&mut self, element: &Element, what: &str) -> Target {
        let message = format!("measures {what} and is left out");
        self.log.warn(&element.place, &element.tag, None, &message, Effect::Motion);
        Target::LeftOut
    }

    /// `actuators` holds for each actuator of the file its index, or none if it was left out.
    pub(crate) fn read_keyframes(&mut self, root: &Element, actuators: &[Option<usize>]) {
        let totals = self.robot.totals();
        for element in root.all("keyframe").flat_map(|all| all.all("key")) {
            if self.is_incomplete {
                let message = "is left out: bodies that it speaks of are";
                self.log.warn(&element.place, "key", None, message, Effect::Motion);
                continue;
            }
            let mut list = |name: &str, count: usize| {
                element.list(name, (count, count), Range::Any, "", self.log).unwrap_or_default()
            };
            let mut q = list("qpos", totals.coordinates);
            let v = list("qvel", totals.freedoms);
            let all_controls = list("ctrl", actuators.len());
            let kept = all_controls.iter().zip(actuators).filter(|(_, index)| index.is_some());
            let control = kept.map(|(u, _)| *u).collect();
            if !q.is_empty() && !self.normalize(&mut q) {
                self.log.error(element.wrong("qpos", "coordinates whose quaternions are not zero"));
            }
            let time = element.number("time", Range::Any, "s", self.log).unwrap_or(0.0);
            let name = element.text("name").unwrap_or_default().to_string();
            self.names.add("key", &name, self.robot.keyframes.len(), element, self.log);
            self.robot.keyframes.push(Keyframe { name, time, q, v, control, place: element.place.clone() });
        }
    }

    /// Quaternions made one long; false if one is zero.
    fn normalize(&self, q: &mut [f64]) -> bool {
        let mut first = 0;
        for joint in &self.robot.joints {
            let next = first + joint.kind.coordinates();
            if next - first >= 4 {
                let quaternion = &mut q[next - 4..next];
                let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
                if length < 1e-9 {
                    return false;
                }
                quaternion.iter_mut().for_each(|x| *x /= length);
            }
            first = next;
        }
        true
    }
}

/// What a sensor measures on.
enum Target {
    /// Something that is not read.
    LeftOut,
    /// Nothing in particular: a clock.
    None,
    Some(SensorTarget),
}
