//! Tests that run in processes of their own, whose memory is measured.

use std::process::Command;
use std::{env, fs};

/// How much memory such a test may take.
const MAX_BYTES: u64 = 512 << 20;

/// Tells a process that it was started to run one test.
const ALONE: &str = "SECTILE_TEST_ALONE";

/// Runs the `body` of a `test`, which is named as on the command line, in a process of its own, and expects that
/// it takes 512 MiB at most. Elsewhere than on Linux nothing is measured.
pub(crate) fn bounded(test: &str, body: impl FnOnce()) {
    if !cfg!(target_os = "linux") {
        body();
        return;
    }
    if env::var_os(ALONE).is_some() {
        body();
        let peak = peak();
        assert!(peak <= MAX_BYTES, "{test} takes {peak} bytes");
        return;
    }
    let mut command = Command::new(env::current_exe().unwrap());
    let output = command.args([test, "--exact"]).env(ALONE, "1").output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{test} ends with {}: {said}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns how much memory this process has taken at most, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    kilobytes * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn the_peak_counts_what_is_free_again() {
    const BYTES: usize = 64 << 20;
    drop(std::hint::black_box(vec![1_u8; BYTES]));
    assert!(peak() >= BYTES as u64);
}
