//! File systems whose files can change without an event on this system.

use std::path::Path;

/// Returns the name of the file system of a path, if it is such a file system.
#[cfg(target_os = "linux")]
pub(super) fn network_file_system(path: &Path) -> Option<&'static str> {
    /// The magic numbers of `statfs(2)`.
    const REMOTE: [(u32, &str); 10] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB2"),
        (0x6573_5546, "FUSE"),
        (0x0102_1997, "9P"),
        (0x00c3_6400, "Ceph"),
        (0x5346_414f, "AFS"),
        (0x7375_7245, "Coda"),
        (0x786f_4256, "a shared folder of VirtualBox"),
    ];
    let kind = rustix::fs::statfs(path).ok()?.f_type;
    #[expect(
        clippy::cast_sign_loss,
        reason = "the type of the field differs between processors; the numbers have 32 bits"
    )]
    let kind = kind as u32;
    let found = REMOTE.iter().find(|(magic, _)| *magic == kind);
    found.map(|(_, name)| *name)
}

/// Elsewhere nothing tells.
#[cfg(not(target_os = "linux"))]
pub(super) fn network_file_system(_: &Path) -> Option<&'static str> {
    None
}
