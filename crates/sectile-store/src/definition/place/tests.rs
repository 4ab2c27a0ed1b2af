//! Which texts define a term.

use super::*;
use crate::Language as L;

fn defines(text: &str, term: &str, language: Language) -> bool {
    let found = text.match_indices(term);
    let mut spans = found.map(|(at, of)| Span::new(at, at + of.len()));
    spans.any(|span| is_defined(text, span, language))
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table of cases")]
fn terms_are_defined_in_sentences() {
    for (language, term, text) in [
        (
            L::English,
            "consumer",
            "(1) ‘consumer’ means any natural person",
        ),
        (
            L::English,
            "consumer",
            "In this Act, the term consumer refers to a person",
        ),
        (
            L::English,
            "consumer",
            "\"consumer,\" in relation to goods, means a person",
        ),
        (
            L::English,
            "closure",
            "Intro.\n\nA closure is a function with its scope",
        ),
        (L::English, "closure", "A **closure** is a function"),
        (
            L::English,
            "closure",
            "**A closure** keeps. A closure is the function",
        ),
        (L::English, "closure", "`closure` is a function of its own"),
        (
            L::English,
            "lock",
            "For the purposes of this Part, lock means a chamber",
        ),
        (
            L::English,
            "HTTP",
            "HTTP (Hypertext Transfer Protocol) is a protocol",
        ),
        (
            L::English,
            "changelog",
            "A dated list of changes is called a changelog.",
        ),
        (
            L::German,
            "Verbraucher",
            "§ 13\nVerbraucher ist jede natürliche Person, die",
        ),
        (
            L::German,
            "Verbraucher",
            "1. „Verbraucher“ jede natürliche Person, die",
        ),
        (
            L::German,
            "Ware",
            "Unter einer Ware versteht man einen Gegenstand",
        ),
        (
            L::French,
            "consommateur",
            "On entend par « consommateur » toute personne",
        ),
        (L::French, "abus", "L'abus est l'usage excessif"),
        (
            L::Spanish,
            "Consumidor",
            "Art. 2. Consumidor es toda persona física",
        ),
        (
            L::Spanish,
            "consumidor",
            "A los efectos de la ley se entiende por consumidor a quien",
        ),
        (
            L::Italian,
            "consumatore",
            "per consumatore si intende la persona fisica",
        ),
        (
            L::Portuguese,
            "Consumidor",
            "Consumidor é toda pessoa física",
        ),
        (L::Polish, "Konsument", "Konsument to osoba fizyczna"),
        (
            L::Russian,
            "потребитель",
            "Под словом «потребитель» понимается гражданин",
        ),
        (
            L::Chinese,
            "消费者",
            "本法所称消费者，是指为生活消费需要购买商品的人",
        ),
        (
            L::Japanese,
            "消費者",
            "この法律において「消費者」とは、個人をいう",
        ),
        (
            L::Korean,
            "소비자",
            "\"소비자\"란 물품을 사용하는 자를 말한다",
        ),
    ] {
        assert!(defines(text, term, language), "{text}");
    }
}

#[test]
fn terms_are_defined_by_entries() {
    for text in [
        "- **consumer:** whoever buys for private use",
        "- **consumer**: whoever buys for private use",
        "* consumer — whoever buys for private use",
        "consumer - whoever buys for private use",
        "a) consumer: whoever buys for private use",
        "| consumer | whoever buys for private use |",
        "consumer\n: whoever buys for private use",
        "consumer\n\nWhoever buys for private use",
        "«consumer» : whoever buys for private use",
        "Terms.\n\nconsumer:: whoever buys for private use",
        "| consumer | yes | whoever buys for private use |\n| trader | no | whoever sells |",
    ] {
        assert!(defines(text, "consumer", L::English), "{text}");
    }
}

#[test]
fn a_term_with_marks_and_any_verb_is_not_defined() {
    for (language, term, text) in [
        (
            L::German,
            "Ware",
            "**Ware** die im Lager ist, wird verkauft",
        ),
        (L::German, "Ware", "„Ware“ ist nicht verfügbar"),
        (
            L::German,
            "Ware",
            "„Ware“ wird verkauft, was bedeutet, dass",
        ),
        (L::French, "produit", "« produit » est aussi un mot"),
        (L::Spanish, "producto", "**Producto** es obligatorio aquí"),
        (L::Polish, "towar", "**towar** można zwrócić to wszystko"),
        (L::Polish, "towar", "„towar” to nie wszystko"),
        (L::Russian, "товар", "**товар** можно вернуть, это право"),
        (L::Arabic, "منتج", "«منتج» يباع هنا هو جيد"),
        (L::Vietnamese, "hàng", "**hàng** bán ở đây là tốt"),
    ] {
        assert!(!defines(text, term, language), "{text}");
    }
    for (language, term, text) in [
        (
            L::English,
            "goods",
            "\"goods\", in relation to a sale, means things",
        ),
        (
            L::English,
            "goods",
            "\"goods\" in relation to a sale means things",
        ),
        (L::English, "goods", "**goods** are things that move"),
        (
            L::German,
            "Ware",
            "„Ware“ im Sinne dieses Gesetzes bezeichnet jede Sache",
        ),
        (L::French, "produit", "« produit » tout bien meuble"),
        (
            L::Spanish,
            "producto",
            "«producto», a estos efectos, significa todo bien",
        ),
        (L::Turkish, "ürün", "\"ürün\" satılan her şeyi ifade eder"),
        (L::Polish, "towar", "„towar” to rzecz ruchoma"),
        (L::Russian, "товар", "**товар** — это вещь"),
        (L::Hungarian, "termék", "**termék** az a dolog, amelyet"),
        (L::Bulgarian, "стока", "„стока“ е вещ"),
    ] {
        assert!(defines(text, term, language), "{text}");
    }
}

#[test]
fn words_that_begin_as_a_verb_does_define_nothing() {
    for (language, term, text) in [
        (L::Chinese, "消费者", "消费者指南，本书介绍其权利"),
        (L::Chinese, "消费者", "消费者是否有权退货"),
        (L::Chinese, "消费者", "消费者即可退货"),
        (L::Japanese, "消費者", "消費者とは限らない者の権利"),
        (L::Japanese, "消費者", "消費者とは異なり、事業者は"),
    ] {
        assert!(!defines(text, term, language), "{text}");
    }
}

#[test]
fn what_is_only_said_of_a_term_does_not_define_it() {
    for text in [
        "The consumer is entitled to a refund",
        "The trader informs the consumer of all costs, which means a letter",
        "rights of the consumer: a refund and a letter",
        "A contract with a consumer is a contract of this kind",
        "| Right | consumer | whoever buys for private use |",
        "He told the \"consumer\" of a right, which means that much",
        "consumer: yes",
        "consumer://host/path is where all of them are",
        "consumer::new(path, options, limits)",
        "| consumer | Type of value | Default value of it | About |\n|---|:--|---|---|\n",
        "| consumer | yes | no | maybe |",
        "consumer-protection means the protection of all",
        "the consumer's means are small",
        "# consumer\n\nWhoever buys for private use",
        "# consumer: their rights and duties",
        "- consumer\n- trader\n- goods of all kinds",
        "A \"consumer\" has to act. It means that",
        "**consumer** the offer and all of it",
        "\"consumer\" the offer and all of it",
        "**consumer** is not what it was",
        "\"consumer\" is required in all of these",
        "A \"consumer\" does not mean any of these",
        "**consumer** protection law means that of all",
        "\"consumer\", who has to act, does so and means it",
        "`consumer` is not supported on Windows",
        "`consumer` the rows one by one",
        "consumer",
    ] {
        assert!(!defines(text, "consumer", L::English), "{text}");
    }
}
