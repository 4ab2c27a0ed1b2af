//! What only asks in text without spaces, where it stands between words, and in Korean.

use sectile_core::Span;

use super::scan;

/// Words and turns of questions that say nothing of what is asked for.
const TURNS: &str = "\
    什么 什麼 甚么 甚麼 怎么 怎麼 怎样 怎樣 怎办 如何 为什 為什 为何 為何 哪些 哪个 哪個 哪里 哪裡 \
    是否 可以 能否 请问 請問 多少 这个 這個 那个 那個 这些 這些 那些 因为 因為 所以 但是 以及 或者 \
    如果 我们 我們 你们 你們 他们 他們 \
    是什么 是什麼 什么是 什麼是 什么样 什麼樣 怎么样 怎麼樣 怎么做 怎麼做 怎么用 怎麼用 怎麼辦 如何做 如何用 \
    是多少 是谁 是誰 谁是 誰是 有哪些 有多少 有什么 有什麼 哪儿 \
    怎么使用 怎麼使用 怎样使用 怎樣使用 如何使用 使用方法 的使用方法 什么意思 什麼意思 甚麼意思 \
    どうすれば どうやって どうしたら どうして どのように にはどう するには はどう ればいい ればよい \
    たらいい ですか ますか ません でしょうか いいです よいです とは は何 何です って何 なぜ 教えて \
    ください について \
    使い方 の使い方 使いかた の使いかた つかい方 の使用方法 利用方法 の利用方法 どういう意味 \
    무엇 어떻 떻게 인가 가요 나요 그리 입니 니다 습니 합니 까요 세요 무슨 어디 언제 \
    사용법 사용방법 이용법 이용방법 쓰는법 \
    ได้อย่างไร อย่างไร คืออะไร อะไร ทำไม ที่ไหน เมื่อไร \
    เมื่อไหร่ เท่าไร เท่าไหร่ ยังไง แบบไหน ได้ไหม หรือไม่ \
    หรือเปล่า ใคร \
    วิธีใช้ วิธีใช้งาน วิธีการใช้ วิธีการใช้งาน หมายความว่า หมายถึงอะไร แปลว่าอะไร \
    របៀបប្រើ របៀបប្រើប្រាស់ ជាអ្វី អ្វីជា យ៉ាងដូចម្តេច ហេតុអ្វី \
    ວິທີໃຊ້ ແມ່ນຫຍັງ ຄືຫຍັງ ແນວໃດ \
    ဘယ်လို ဘာလဲ ဘာကြောင့် အသုံးပြုနည်း";

/// Turns of two words with a blank between them: each may mean something alone.
const TURNS_OF_TWO: [(&str, &str); 8] = [
    ("사용", "방법"),
    ("사용하는", "방법"),
    ("사용하는", "법"),
    ("이용", "방법"),
    ("이용하는", "방법"),
    ("쓰는", "방법"),
    ("쓰는", "법"),
    ("하는", "방법"),
];

/// Nouns that only ask where they stand alone beside a name in Latin letters, as in `useradd 用法`: usage, meaning,
/// definition, explanation, method.
const NOUNS: &[&str] = &[
    "用法",
    "使用法",
    "方法",
    "意思",
    "意味",
    "含义",
    "含義",
    "定义",
    "定義",
    "说明",
    "說明",
    "説明",
    "解释",
    "解釋",
    "解说",
    "解説",
    "介绍",
    "介紹",
    "紹介",
    "용법",
    "방법",
    "의미",
    "뜻",
    "정의",
    "설명",
    "소개",
    "การใช้",
    "การใช้งาน",
    "วิธี",
    "วิธีการ",
    "ความหมาย",
    "อธิบาย",
    "หมายถึง",
    "แปลว่า",
    "របៀប",
    "ការប្រើប្រាស់",
    "អត្ថន័យ",
    "ការពន្យល់",
    "ການໃຊ້",
    "ຄວາມໝາຍ",
    "အဓိပ္ပာယ်",
];

/// What joins such a noun to the name before it, and to what follows.
const PARTICLES_BEFORE: &[&str] = &["の", "的", "의", "ของ"];
const PARTICLES_BEHIND: &[&str] = &[
    "は", "が", "を", "も", "是", "은", "는", "이", "가", "을", "를", "도", "에", "의",
];

/// Characters of Chinese and Japanese that only build sentences where one stands alone beside words that ask.
const LONE: &str = "是的了在有和与與吗嗎呢吧啊我你您他她它会會能要想该該应應可把被将將对對从從到就都也還还又不没沒用做何私";

/// Parts text without spaces where words only ask, and says of each part whether it only asks: pairs of
/// characters across a border are not words of what it asks for. `beside_name` says whether the question has a name in
/// Latin letters.
pub(crate) fn parted(text: &str, beside_name: bool) -> Vec<(Span, bool)> {
    let mut only_ask = vec![false; text.len()];
    if !text.is_ascii() {
        let turns = TURNS.split(' ');
        for (at, turn) in turns.flat_map(|turn| text.match_indices(turn)) {
            only_ask[at..at + turn.len()].fill(true);
        }
        if beside_name {
            for run in rest(text, &only_ask) {
                if is_noun(run.of(text)) {
                    only_ask[run.start..run.end].fill(true);
                }
            }
        }
    }
    let mut parts: Vec<(Span, bool)> = Vec::new();
    for (at, asks) in only_ask.into_iter().enumerate() {
        match parts.last_mut() {
            Some((part, only_asks)) if *only_asks == asks => part.end = at + 1,
            _ => parts.push((Span::new(at, at + 1), asks)),
        }
    }
    parts
}

/// Returns whether two words that a blank parts only ask together; a particle may follow.
pub(crate) fn is_turn_of_two(first: &str, second: &str) -> bool {
    let is_second = |turn: &str| {
        let rest = second.strip_prefix(turn);
        rest.is_some_and(|rest| rest.is_empty() || PARTICLES_BEHIND.contains(&rest))
    };
    let mut turns = TURNS_OF_TWO.into_iter();
    turns.any(|(start, end)| start == first && is_second(end))
}

/// Returns whether one leftover character is too little to search for.
pub(crate) fn is_rest(typed: &str) -> bool {
    let mut letters = typed.chars();
    let (Some(only), None) = (letters.next(), letters.next()) else {
        return false;
    };
    scan::is_unspaced(only) && (!scan::is_han(only) || LONE.contains(only))
}

/// Returns the runs of characters without spaces that do not ask so far.
fn rest(text: &str, only_ask: &[bool]) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    let characters = text.char_indices();
    for (at, character) in characters.filter(|(at, of)| scan::is_unspaced(*of) && !only_ask[*at]) {
        let end = at + character.len_utf8();
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = end,
            _ => runs.push(Span::new(at, end)),
        }
    }
    runs
}

/// Returns whether a run of characters is a noun that asks, with particles or not.
fn is_noun(run: &str) -> bool {
    let mut particles = PARTICLES_BEFORE.iter();
    let before = particles.find_map(|of| run.strip_prefix(*of));
    let ends = [Some(run), before].into_iter().flatten();
    let mut ways = ends.flat_map(|run| {
        let without = PARTICLES_BEHIND.iter();
        let without = without.filter_map(move |of| run.strip_suffix(*of));
        std::iter::once(run).chain(without)
    });
    ways.any(|way| NOUNS.contains(&way))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_only_ask_alone_beside_a_name() {
        let kept = |text: &str, beside_name| {
            let parts = parted(text, beside_name).into_iter();
            let kept = parts.filter(|(_, only_asks)| !only_asks);
            kept.map(|(part, _)| part.of(text).to_owned())
                .collect::<Vec<_>>()
                .concat()
        };
        for (text, rest) in [
            ("useraddの意味は", "useradd"),
            ("useraddの使い方", "useradd"),
            ("useradd的用法", "useradd"),
            ("useradd의", "useradd의"),
            ("설명을", ""),
            ("使用法律", "使用法律"),
            ("版本说明", "版本说明"),
            ("ความหมาย", ""),
            ("人生の意味", "人生の意味"),
        ] {
            assert_eq!(kept(text, true), rest, "{text}");
        }
        assert_eq!(kept("意味", false), "意味");
        assert!(is_turn_of_two("사용", "방법을") && !is_turn_of_two("사용", "방법론"));
        assert!(!is_turn_of_two("메모리", "방법"));
    }
}
