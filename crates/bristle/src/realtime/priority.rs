//! Real-time priority: nothing of less takes the processor away from a loop that keeps time.
//!
//! Without it a program shares its processor fairly. One that wakes a thousand times a second is then made to wait for whole slices of others, some milliseconds
//! each, also on a machine that has next to nothing to do.

use super::RealtimeError;

/// The priorities that there are.
pub const PRIORITIES: std::ops::RangeInclusive<u8> = 1..=99;

/// Gives the calling thread a real-time priority (`SCHED_FIFO`) of [`PRIORITIES`], for as long as it lives. The system still takes a twentieth of every second from threads that never wait.
///
/// # Errors
/// When there is no such priority, or the system does not grant it: it asks for the right to, `CAP_SYS_NICE` or a limit `rtprio`.
pub fn take_priority(level: u8) -> Result<(), RealtimeError> {
    if !PRIORITIES.contains(&level) {
        return Err(RealtimeError::Priority { level, reason: "it must be from 1 to 99".to_string() });
    }
    granted(level).map_err(|reason| RealtimeError::Priority { level, reason })
}

#[cfg(unix)]
fn granted(level: u8) -> Result<(), String> {
    use thread_priority::unix::{set_thread_priority_and_policy, thread_native_id};
    use thread_priority::{Error, RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
    let priority = ThreadPriority::Crossplatform(level.try_into()?);
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    set_thread_priority_and_policy(thread_native_id(), priority, policy).map_err(|error| match error {
        Error::OS(code) => std::io::Error::from_raw_os_error(code).to_string(),
        other => format!("{other:?}"),
    })
}

#[cfg(not(unix))]
fn granted(_level: u8) -> Result<(), String> {
    Err("this system has no such priorities".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_do_not_exist_are_refused() {
        for level in [0, 100] {
            assert!(
                matches!(take_priority(level), Err(RealtimeError::Priority { level: l, .. }) if l == level)
            );
        }
    }

    /// Granted or refused with a reason, as this machine has it; a thread that has it can have it again.
    #[test]
    fn a_thread_of_its_own_has_the_priority_or_is_told_why_not() {
        let ends = std::thread::spawn(|| [take_priority(1), take_priority(2)]).join();
        match ends.unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            [Ok(()), second] => assert_eq!(second, Ok(())),
            [Err(error), _] => assert!(error.to_string().contains("priority 1 "), "{error}"),
        }
    }
}
