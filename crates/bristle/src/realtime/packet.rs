//! The packets of a loop over a network, little-endian.
//!
//! ```text
//! state      "BRST"  u16 version  u16 bodies  u32 nq  u32 nv  u64 tick   f64 time   f64 q[nq]  f64 v[nv]  f64 force[bodies][3]
//! commands   "BRCM"  u16 version  u16 motors                  u64 tick                     f64 (target, rate, effort)[motors]
//! ```
//! A tick is a number that counts on; that of a command is its sender's own. Commands are added to what the scene tells the motors,
//! as those of [`crate::control`] are, and hold until others come.

use super::Seen;
use crate::world::Command;

/// First bytes of a state.
pub const STATE_MAGIC: [u8; 4] = *b"BRST";
/// First bytes of commands.
pub const COMMAND_MAGIC: [u8; 4] = *b"BRCM";
/// Version of both.
pub const VERSION: u16 = 1;

const HEAD: usize = 16;

/// A packet that is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// Too short, of another kind or version, or of another length than it says.
    #[error("not a packet of commands")]
    Malformed,
    /// For another number of motors.
    #[error("commands for {found} motors, not {expected}")]
    Motors {
        /// In the packet.
        found: usize,
        /// In the scene.
        expected: usize,
    },
    /// A number is not finite.
    #[error("a command is not finite")]
    NotFinite,
    /// An older packet than the last.
    #[error("commands that came late")]
    Late,
}

/// Writes a state over `out`, which grows once.
pub fn write_state(tick: u64, seen: &Seen<'_>, out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&STATE_MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(seen.forces.len() as u16).to_le_bytes());
    out.extend_from_slice(&(seen.q.len() as u32).to_le_bytes());
    out.extend_from_slice(&(seen.v.len() as u32).to_le_bytes());
    out.extend_from_slice(&tick.to_le_bytes());
    let numbers = std::iter::once(&seen.time).chain(seen.q).chain(seen.v);
    for number in numbers.chain(seen.forces.iter().flat_map(|f| f.iter())) {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

/// Reads commands into `told` and answers their number; on an error `told` is as it was. Packets numbered up to `after` are late.
///
/// # Errors
/// When the packet is not what it should be.
pub fn read_commands(packet: &[u8], after: Option<u64>, told: &mut [Command]) -> Result<u64, PacketError> {
    let (head, body) = packet.split_at_checked(HEAD).ok_or(PacketError::Malformed)?;
    let word = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    if head[..4] != COMMAND_MAGIC || word(4) != VERSION || !body.len().is_multiple_of(24) {
        return Err(PacketError::Malformed);
    }
    let (found, expected) = (usize::from(word(6)), told.len());
    if body.len() / 24 != found {
        return Err(PacketError::Malformed);
    }
    if found != expected {
        return Err(PacketError::Motors { found, expected });
    }
    let tick = u64::from_le_bytes(std::array::from_fn(|i| head[8 + i]));
    if after.is_some_and(|last| tick <= last) {
        return Err(PacketError::Late);
    }
    let number = |chunk: &[u8], i: usize| f64::from_le_bytes(std::array::from_fn(|k| chunk[8 * i + k]));
    let commands = || body.chunks_exact(24).map(|c| [number(c, 0), number(c, 1), number(c, 2)]);
    if commands().flatten().any(|x| !x.is_finite()) {
        return Err(PacketError::NotFinite);
    }
    for (told, [target, rate, effort]) in told.iter_mut().zip(commands()) {
        *told = Command { target, rate, effort };
    }
    Ok(tick)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_math::Vector3;

    fn commands(tick: u64, numbers: &[f64]) -> Vec<u8> {
        let mut packet = COMMAND_MAGIC.to_vec();
        packet.extend(VERSION.to_le_bytes());
        packet.extend(((numbers.len() / 3) as u16).to_le_bytes());
        packet.extend(tick.to_le_bytes());
        numbers.iter().for_each(|x| packet.extend(x.to_le_bytes()));
        packet
    }

    #[test]
    fn commands_are_read_or_left_alone() {
        let mut told = [Command::default(); 2];
        let good = commands(7, &[1.0, 2.0, 3.0, -1.0, -2.0, -3.0]);
        assert_eq!(read_commands(&good, Some(6), &mut told), Ok(7));
        assert_eq!(told[1], Command { target: -1.0, rate: -2.0, effort: -3.0 });
        let before = told;
        let mut check = |packet: &[u8], error: PacketError| {
            assert_eq!(read_commands(packet, Some(7), &mut told), Err(error));
            assert_eq!(told, before);
        };
        check(&good, PacketError::Late);
        check(&commands(8, &[0.0; 3]), PacketError::Motors { found: 1, expected: 2 });
        check(&commands(8, &[0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0]), PacketError::NotFinite);
        check(&commands(8, &[0.0; 6])[..63], PacketError::Malformed);
        check(&[commands(8, &[0.0; 6]), vec![0; 24]].concat(), PacketError::Malformed);
        for length in 0..good.len() {
            check(&good[..length], PacketError::Malformed);
        }
        let mut other = commands(8, &[0.0; 6]);
        other[4] = 9;
        check(&other, PacketError::Malformed);
    }

    #[test]
    fn a_state_has_the_layout_it_is_documented_with() {
        let forces = [Vector3::new(1.0, 2.0, 3.0)];
        let seen = Seen { time: 0.5, q: &[4.0, 5.0], v: &[6.0], forces: &forces };
        let mut packet = Vec::new();
        write_state(9, &seen, &mut packet);
        assert_eq!((&packet[..4], packet.len()), (&STATE_MAGIC[..], 24 + 8 * 7));
        assert_eq!((packet[6], packet[8], packet[12], packet[16]), (1, 2, 1, 9));
        let numbers: Vec<f64> =
            packet[24..].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();
        assert_eq!(numbers, [0.5, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
    }
}
