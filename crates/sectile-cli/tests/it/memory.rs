//! How much memory the program takes for long texts.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use super::workplace::Workplace;

/// How much more memory a text that is three times as long may take, in bytes. It is 40 MB longer.
const MORE: u64 = 16 << 20;

/// After how many chunks each time the memory is read.
const EVERY: usize = 500;

/// Returns how much memory a process has taken at most, in bytes, unless it has ended.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    Some(kilobytes * 1024)
}

/// Cuts a file into chunks, and returns how many they are and how much memory it took.
fn cut(place: &Workplace, file: &str, strategy: &str) -> (usize, u64) {
    let arguments = ["chunk", file, "--strategy", strategy, "--format", "jsonl"];
    let mut command = place.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let (mut count, mut most) = (0, 0);
    let rows = BufReader::new(child.stdout.take().unwrap()).lines();
    for (index, row) in rows.enumerate() {
        assert!(row.unwrap().starts_with('{'));
        if index % EVERY == 0 {
            most = most.max(peak(child.id()).unwrap_or_default());
        }
        count = index + 1;
    }
    assert!(child.wait().unwrap().success());
    (count, most)
}

#[test]
fn a_text_that_is_longer_takes_no_more_memory_to_cut() {
    let place = Workplace::new();
    let words =
        "The sentences follow each other, and none of them is much longer than the last one was. ";
    let part = format!("# A section\n\n{}\n\n", words.repeat(10));
    for (name, megabytes) in [("short", 20), ("long", 60)] {
        let text = part.repeat(megabytes * 1_000_000 / part.len());
        place.write(&format!("{name}.md"), &text);
        place.write(&format!("{name}.txt"), text.replace("# ", ""));
    }
    let cases = [
        ("txt", "recursive"),
        ("txt", "token"),
        ("md", "markdown"),
        ("md", "sentence"),
    ];
    for (suffix, strategy) in cases {
        let (few, short) = cut(&place, &format!("short.{suffix}"), strategy);
        let (many, long) = cut(&place, &format!("long.{suffix}"), strategy);
        assert!(
            many > 2 * few && few > 10 * EVERY,
            "{strategy}: {few}, {many}"
        );
        assert!(long < short + MORE, "{suffix} {strategy}: {short}, {long}");
    }
}
