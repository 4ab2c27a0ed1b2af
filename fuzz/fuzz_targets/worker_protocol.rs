//! What comes over the pipes is answered, taken as an answer, or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some((first, message)) = bytes.split_first() {
        if first % 2 == 0 {
            sectile_load::fuzzing::requests(message);
        } else {
            sectile_load::fuzzing::replies(message);
        }
    }
});
