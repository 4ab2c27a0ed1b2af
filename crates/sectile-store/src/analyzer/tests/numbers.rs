//! What becomes of numbers.

use super::*;

#[test]
fn numbers_with_a_hyphen_are_numbers() {
    check("pages 7-9, 1-2 cloves", "page 7 9 1 2 clove");
    check("2019-2021 7\u{2013}9", "20192021|2019 2021 7 9");
    check("B-6 utf-8 10-K", "b6|b 6 utf8|utf 8 10k|10 k");
    check(
        "2023-04-05 555-1234",
        "20230405|2023 04 05 5551234|555 1234",
    );
    check("1.5-2 x86_64", "1.5 2 x8664|x86 64");
    check("2020-01-06T10:20:30Z", "20200106|2020 01 06 10 20 30");
    check("20200106T102030.5Z x", "20200106 10 20 30.5|30 x");
    check_apart("1-2", "12");
    check_apart("12", "1-2");
    assert!(meets("7", "7-9", &[], Language::English));
    assert!(meets("7-9", "7\u{2013}9", &[], Language::English));
}

#[test]
fn fractions_are_two_numbers_and_degrees_no_letter() {
    check("½ cup, 1½ cups, 3¾l", "1 2 cup 1 1 2 cup 3 3 4 l");
    check("1/2 cup", "1 2 cup");
    check("180ºC 180 °C 90º nº 5", "180 c 180 c 90 no 5");
    let words = Analyzer::english().words("½ cup");
    assert!(words.iter().eq([("cup", 1)]));
}

#[test]
fn a_version_is_found_by_its_beginning() {
    check("v2.3.1 2.3.1", "2.3.1|2.3. 2.3.1|2.3.");
    check("python-3.11.2", "python3.11.2|python 3.11.2|3.11.|11");
    check("3.14 10.2", "3.14 10.2|10");
    check(
        "1.0rc1 192.168.0.1",
        "1.0rc1|1.0 192.168.0.1|192.168.0.|192.168.|192|168",
    );
    check_meets(&["v2.3.1", "2.3.1", "V2.3.1"]);
    assert!(meets("2.3", "v2.3.1", &[], Language::English));
    assert!(meets("2.3.9", "v2.3.1", &[], Language::English));
    assert!(meets("2.3.9", "2.3", &[], Language::English));
    check_apart("2.3", "2.4.3");
    check_apart("10.2", "10.3");
}

#[test]
fn a_name_with_a_number_is_found_by_each() {
    check("Python3.8 is", "python3.8|python|python3|3.8 is");
    check("JDK17 Windows10 v2 h2", "jdk17|jdk windows10|window v2 h2");
    check(
        "TLSv1.3 SSLv3",
        "tlsv1.3|tls|tls1.3|tls1|1.3 sslv3|ssl|ssl3",
    );
    check(
        "tlsv1.3 sslv3 dev2",
        "tlsv1.3|tls|tls1.3|tls1|1.3 sslv3|ssl|ssl3 dev2|dev",
    );
    check("getRow2", "getrow2|getrow|get row2|row");
    check("cafe12 deadbeef12 ab12", "cafe12 deadbeef12 ab12");
    for (question, document) in [
        ("python", "Python3.8"),
        ("Python3", "Python3.8"),
        ("3.8", "Python3.8"),
        ("windows", "Windows10"),
        ("ios", "iOS15"),
        ("log4j", "Log4j2"),
        ("tls", "TLSv1.3"),
        ("TLS1.3", "TLSv1.3"),
        ("tls", "tlsv1.3"),
    ] {
        let meets = meets(question, document, &[], Language::English);
        assert!(meets, "{question} should find {document}");
    }
    check_apart("Python3.8", "python");
    check_apart("Python3.9", "Python3.8");
    check_apart("8", "utf8");
}
