//! Cases about points in time, and what else colons join in questions.

use super::questions::answer;
use super::{found, put_texts, uris};
use crate::Store;

pub async fn points_in_time_are_found_by_their_date_and_their_time(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("zulu", "It was made at 2020-01-06T10:20:30Z"),
            ("small", "It was again made at 2020-01-06t10:20:30z"),
            ("offset", "It was made at 2020-01-06T10:20:30.125+02:00"),
            ("compact", "It was made at 20200106T102030Z"),
            ("field", r#"{"created_at":"2020-01-06T10:20:30Z"}"#),
            ("other", "It was made at 2020-01-07T11:21:31Z"),
        ],
    )
    .await;
    for question in [
        "2020-01-06",
        "January 6, 2020",
        "6.1.2020",
        "20200106",
        "10:20:30",
        "10:20",
        "2020-01-06T10:20:30Z",
        "20200106T102030Z",
    ] {
        let answer = answer(store, question).await;
        let mut found = uris(&answer.hits);
        found.truncate(5);
        found.sort_unstable();
        let same = ["compact", "field", "offset", "small", "zulu"];
        assert_eq!(found, same, "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    let month = answer(store, "January 2020").await;
    assert_eq!(month.hits.len(), 5);
    assert_eq!(month.notes, [""; 0]);
    let without = found(store, "made NOT 6.1.2020").await;
    assert_eq!(without, ["other"]);
}

pub async fn a_point_in_time_is_found_before_other_days_and_times(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("log", "2018-05-04T19:11:18 ok, welcome"),
            ("same-day", "2018-05-04T11:19:18 hi and 18:11:19 bye"),
            ("named", "On May 4, 2018 they were all there, and it is said that none of them had to go home before the end of it"),
            (
                "april1",
                "2018-04-05T11:05:18 hi, 2018-11-05T18:11:04 bye 19:18:11",
            ),
            (
                "april2",
                "2018-04-11T11:05:18 hi, 2018-11-11T18:11:04 bye 19:18:11",
            ),
            (
                "april3",
                "2018-04-18T11:05:18 hi, 2018-11-18T18:11:04 bye 19:18:11",
            ),
            (
                "april4",
                "2018-04-19T11:05:18 hi, 2018-11-19T18:11:04 bye 19:18:11",
            ),
        ],
    )
    .await;
    for question in [
        "2018-05-04T19:11:18",
        "2018-05-04T19:11:18Z",
        "2018-05-04t19:11:18z",
        "2018-05-04T19:11:18+02:00",
        "2018-05-04T19:11",
        "20180504T191118",
        "20180504T191118Z",
        "2018/05/04T19:11:18",
        "2018/05/04 19:11:18",
        "since=2018-05-04T19:11:18",
    ] {
        assert_eq!(found(store, question).await[0], "log", "{question}");
    }
    // What is more than documents have parts the row.
    for question in [
        "2018-05-04T19",
        "2018-05-04T19:11:18.125",
        "2018-05-04T19:11:18.125Z",
        "2018-05-04T19:11:18-05:00",
    ] {
        let mut first = found(store, question).await;
        first.truncate(2);
        first.sort_unstable();
        assert_eq!(first, ["log", "same-day"], "{question}");
    }
    let named = found(store, "2018-05-04T19:11:18").await;
    assert_eq!(named[2], "named");
}

pub async fn what_colons_join_is_found_in_a_row(store: &dyn Store) {
    let target = "A wide screen of 16:9 here, see John 3:16 and what was made at 19:11:18 by \
                  00:1a:2b:3c:4d:5e or fe80::1a2b:3c4d, which calls localhost:8080 and 10.0.0.1:8443 \
                  and std::vector";
    let others = ["alpha", "beta", "gamma"].map(|name| {
        let text = format!(
            "Of 9:16, then 9 or 16, 16:3, again 9:16, at 18:19:11 and 11:18:19 by 5e 4d 3c 2b 1a 00 or \
             3c4d 1a2b fe80, which calls 8080 of localhost of 8080, and 8443 of 10.0.0.1 of 8443, \
             vector of std of vector, {name}"
        );
        (name, text)
    });
    let mut texts: Vec<(&str, &str)> = others.iter().map(|(uri, text)| (&**uri, &**text)).collect();
    texts.push(("target", target));
    texts.push(("none", "nothing of it"));
    put_texts(store, &texts).await;
    for question in [
        "16:9",
        "what is 16:9?",
        "3:16",
        "(3:16)",
        "19:11:18",
        "00:1a:2b:3c:4d:5e",
        "fe80::1a2b:3c4d",
        "10.0.0.1:8443",
        "calls localhost:8080",
        "calls std::vector",
    ] {
        let found = answer(store, question).await;
        assert_eq!(uris(&found.hits)[0], "target", "{question}");
        assert!(found.hits.len() > 3, "{question}");
        assert_eq!(found.notes, [""; 0], "{question}");
    }
    // Apart they count as one word.
    let apart = answer(store, "9:19").await;
    let times: Vec<f64> = apart.reading.words.iter().map(|of| of.times).collect();
    assert_eq!(times, [0.5, 0.5, 1.0]);
    assert_eq!(apart.hits.len(), 4);
}

pub async fn a_day_of_a_month_is_found_with_and_without_its_ordinal(store: &dyn Store) {
    put_texts(
        store,
        &[
            ("plain", "From 26 March all shops are open"),
            ("ordinal", "From 26th March all parks are open"),
            ("before", "From March 26 all pools are open"),
            (
                "apart",
                "26 of them were there, as was said before, in a March of old",
            ),
            ("other", "From 25 March nothing is open"),
        ],
    )
    .await;
    for question in [
        "26th March",
        "26 March",
        "March 26th",
        "what is open from the 26th of March?",
    ] {
        let answer = answer(store, question).await;
        let mut first = uris(&answer.hits);
        first.truncate(3);
        first.sort_unstable();
        assert_eq!(first, ["before", "ordinal", "plain"], "{question}");
        assert_eq!(answer.notes, [""; 0], "{question}");
    }
    let answer = answer(store, "25th March").await;
    assert_eq!(uris(&answer.hits)[0], "other");
    assert_eq!(answer.notes, [""; 0]);
}
