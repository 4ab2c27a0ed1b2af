//! The databases that tests make.

use sqlx::{Connection as _, PgConnection};
use tokio::runtime::Runtime;

/// Makes a database in a thread of its own, as a test does, which ends or fails while it is connected, and returns the
/// address.
fn made_by_a_test(fails: bool) -> String {
    let (sender, receiver) = std::sync::mpsc::channel();
    let test = std::thread::spawn(move || {
        let runtime = Runtime::new().unwrap();
        let url = runtime.block_on(sectile_test_postgres::database());
        let url = url.unwrap();
        let _connection = runtime.block_on(PgConnection::connect(&url)).unwrap();
        sender.send(url).unwrap();
        assert!(!fails, "as it has to");
    });
    assert_eq!(test.join().is_err(), fails);
    receiver.recv().unwrap()
}

#[test]
fn a_database_is_gone_when_its_test_ends_or_fails() {
    let runtime = Runtime::new().unwrap();
    for fails in [false, true] {
        let url = made_by_a_test(fails);
        let refused = runtime.block_on(PgConnection::connect(&url)).unwrap_err();
        let code = refused
            .as_database_error()
            .and_then(sqlx::error::DatabaseError::code);
        assert_eq!(code.as_deref(), Some("3D000"));
    }
}
