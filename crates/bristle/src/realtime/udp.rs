//! A loop over UDP: a state after every tick to whoever sent commands last.

use super::packet::{PacketError, read_commands, write_state};
use super::{Bridge, Seen};
use crate::world::Command;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};

/// The longest packet that is read; longer ones are malformed.
const LONGEST: usize = 1 << 16;

/// Packets that are read in one tick; what floods the port waits, and costs no more time than this.
const MOST: usize = 32;

/// What went over the bridge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Commands taken.
    pub received: u64,
    /// Commands that came after newer ones.
    pub late: u64,
    /// Packets that were not understood.
    pub rejected: u64,
    /// States sent.
    pub sent: u64,
    /// States that could not be sent.
    pub unsent: u64,
}

/// Listens for commands, answers with states. Never waits.
pub struct UdpBridge {
    socket: UdpSocket,
    peer: Option<SocketAddr>,
    last: Option<u64>,
    tick: u64,
    inbox: Vec<u8>,
    outbox: Vec<u8>,
    traffic: Traffic,
}

impl UdpBridge {
    /// Listens at an address.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            peer: None,
            last: None,
            tick: 0,
            inbox: vec![0; LONGEST],
            outbox: Vec::with_capacity(LONGEST),
            traffic: Traffic::default(),
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// What went over it.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }
}

impl Bridge for UdpBridge {
    fn exchange(&mut self, seen: &Seen<'_>, told: &mut [Command]) {
        // all that has come since, the newest last; others that speak up become the peer
        for _ in 0..MOST {
            let Ok((length, from)) = self.socket.recv_from(&mut self.inbox) else { break };
            let after = if self.peer == Some(from) { self.last } else { None };
            match read_commands(&self.inbox[..length], after, told) {
                Ok(tick) => {
                    (self.peer, self.last) = (Some(from), Some(tick));
                    self.traffic.received += 1;
                }
                Err(PacketError::Late) => self.traffic.late += 1,
                Err(_) => self.traffic.rejected += 1,
            }
        }
        if let Some(peer) = self.peer {
            write_state(self.tick, seen, &mut self.outbox);
            match self.socket.send_to(&self.outbox, peer) {
                Ok(_) => self.traffic.sent += 1,
                Err(_) => self.traffic.unsent += 1,
            }
        }
        self.tick += 1;
    }
}
