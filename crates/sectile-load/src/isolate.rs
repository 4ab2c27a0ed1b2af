//! Keeps what a parser does to its thread away from the caller.

use std::any::Any;
use std::thread;

use crate::error::Cause;

/// The stack for parsers that recurse into nested objects. It is reserved, not used: memory is
/// taken as the stack grows. 256 MiB hold the deepest nesting of all files seen but the made ones.
const STACK_BYTES: usize = 256 << 20;

/// A panic of the parser, with its message.
#[derive(Debug, thiserror::Error)]
#[error("the parser panicked: {0}")]
struct Panicked(String);

/// Runs `work` on a thread with a large stack, and turns a panic into an error.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Cause> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("sectile-load".into());
        let worker = builder.stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        worker
            .join()
            .map_err(|panic| Panicked(message(&*panic)).into())
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let error = on_large_stack(|| panic!("bad font {}", 7)).unwrap_err();
        assert_eq!(error.to_string(), "the parser panicked: bad font 7");
        assert_eq!(on_large_stack(|| 7).unwrap(), 7);
    }

    #[test]
    fn deep_recursion_has_room() {
        fn depth(levels: usize) -> usize {
            let frame = std::hint::black_box([levels; 16]);
            if levels == 0 {
                0
            } else {
                1 + depth(frame[0] - 1)
            }
        }
        assert_eq!(on_large_stack(|| depth(200_000)).unwrap(), 200_000);
    }
}
