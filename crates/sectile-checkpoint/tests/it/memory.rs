//! Every case, in memory.

use sectile_checkpoint::MemoryCheckpointer;

async fn fresh() -> ((), MemoryCheckpointer) {
    ((), MemoryCheckpointer::new())
}

sectile_checkpoint::conformance_tests!(fresh);
