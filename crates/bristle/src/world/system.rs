//! A world as an integrator sees it: what its parts say, handed on.

use super::ahead::Ahead;
use super::meeting::Meeting;
use super::mode::Mode;
use super::number::Number;
use super::spread::Found;
use super::{Scratch, World, implicit};
use bristle_bodies::Kinematics;
use bristle_laws::Phase;
use bristle_math::spatial::Wrench;
use bristle_ode::{Change, Fired, Layout, State, System};

impl<T: Number> System<T> for World<'_, T> {
    type Mode = Mode<T>;
    type Scratch = Scratch<T>;

    fn layout<'a>(&'a self, mode: &'a Mode<T>) -> &'a Layout {
        &mode.layout
    }

    fn scratch(&self) -> Scratch<T> {
        let tree = &self.model.tree;
        let links = tree.links().len();
        let most = self.model.interactions.iter().flatten().map(|i| i.touching.contacts()).max().unwrap_or(0);
        let kin = Kinematics::new(tree);
        Scratch {
            placed: self.model.shapes.iter().map(|s| kin.links[s.link].carrying(&s.pose)).collect(),
            kin,
            driven: self.model.drives.iter().map(|d| d.at(T::lit(0.0))).collect(),
            wrenches: vec![Wrench::zero(); links],
            found: Found::new(most),
            time: T::lit(f64::NAN),
            motion: Vec::with_capacity(tree.nq() + tree.nv()),
            efforts: vec![T::lit(0.0); if self.model.has_efforts() { tree.nv() } else { 0 }],
            tree: bristle_bodies::Scratch::new(tree),
            has_inertias: false,
            ends: implicit::Ends::new(self.model),
            ahead: Ahead::default(),
        }
    }

    fn end_steps_at_events(&self, ws: &mut Scratch<T>) {
        ws.ahead = Ahead::ending_at_touches(self.model.scale.length);
    }

    fn overrun(&self, ws: &mut Scratch<T>) -> f64 {
        ws.ahead.take()
    }

    fn derivative(&self, t: T, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        self.rates(t, x, mode, dx, ws);
    }

    fn drift(&self, t: T, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        self.drifts(t, x, mode, dx, ws);
    }

    fn yields(&self) -> bool {
        self.model.not_yielding().is_none()
    }

    fn yielding_rates(&self, t: T, h: T, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        self.rates_to_end(t, h, x, mode, dx, ws);
    }

    fn event_count(&self, mode: &Mode<T>) -> usize {
        let contacts: usize = mode
            .pairs
            .iter()
            .map(|p| p.contacts.len() * self.model.materials[p.material].event_count())
            .sum();
        contacts + 1 + self.model.joint_event_count()
    }

    fn events(&self, t: T, x: &[T], mode: &Mode<T>, g: &mut [T], ws: &mut Scratch<T>) {
        self.move_to(t, x, ws);
        g[0] = T::lit(mode.room(&ws.kin));
        let mut next = 1 + self.model.joint_event_count();
        self.model.joint_events(t, x, mode, &mut g[1..next]);
        let (places, found) = ws.split();
        for pair in &mode.pairs {
            let meeting = Meeting::new(self.model, pair, places);
            let each = meeting.material.event_count();
            if let Some(near) = meeting.on_still_ground() {
                let contact = &mode.contacts[pair.contacts.start];
                let (at, slots) = (near.indent(), &mut g[next..next + each]);
                let slip =
                    (contact.phase == Phase::Touching).then(|| meeting.slip_near(&near, at, contact, x));
                meeting.watch(contact, &at, slip, x, slots);
                next += each;
                continue;
            }
            meeting.find(found);
            for (i, c) in pair.contacts.clone().enumerate() {
                let (contact, patch) = (&mode.contacts[c], meeting.patch(i, found));
                let at = meeting.indent(&patch, found);
                let slip = match contact.phase {
                    // also across the end of the touch: a sign that jumped there would be an event of its own
                    Phase::Touching => meeting.slip_of(contact, &patch, found, x),
                    _ => None,
                };
                meeting.watch(contact, &at, slip, x, &mut g[next..next + each]);
                next += each;
            }
        }
    }

    /// Switches of laws are: see [`bristle_laws::FrictionLaw::switches`]. Phases go by the touch alone.
    fn is_kink(&self, mode: &Mode<T>, event: usize) -> bool {
        matches!(self.pair_event(mode, event), Some((_, false)))
    }

    fn commits_by_state(&self) -> bool {
        true
    }

    fn commit(&self, state: &mut State<T, Mode<T>>, _fired: &[Fired], ws: &mut Scratch<T>) -> Change {
        let nq = self.model.tree.nq();
        self.model.tree.normalise(&mut state.x[..nq]);
        let opened = self.settle(state, ws) | self.model.settle_joints(state);
        if state.mode.room(&ws.kin) <= 0.0 {
            state.mode.renew(self.model, &ws.kin, &mut state.x);
            return Change::Jumped;
        }
        if opened { Change::Jumped } else { Change::Projected }
    }
}
