//! The limits that a worker sets on itself.

use crate::Limits;

/// Limits the address space of this process, and its processor time for the next file, so that it
/// ends even when the process that would stop it is gone.
#[cfg(unix)]
pub(super) fn apply(limits: &Limits) -> std::io::Result<()> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};

    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs();
    let seconds = used.saturating_add(limits.time.as_secs()).saturating_add(1);
    for (resource, limit) in [(Resource::As, limits.memory), (Resource::Cpu, seconds)] {
        let mut changed = getrlimit(resource);
        changed.current = Some(changed.maximum.map_or(limit, |most| most.min(limit)));
        setrlimit(resource, changed)?;
    }
    Ok(())
}

/// There are no such limits on this system.
#[cfg(not(unix))]
pub(super) fn apply(_limits: &Limits) -> std::io::Result<()> {
    Ok(())
}
