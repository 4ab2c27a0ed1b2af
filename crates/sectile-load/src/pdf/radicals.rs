//! The radicals of Chinese characters, which some writers put for the characters that look like them.

use std::iter::once;

use unicode_normalization::UnicodeNormalization as _;

/// Radicals, each with the character that it is the form of (`EquivalentUnifiedIdeograph.txt` of Unicode).
const PAIRS: &str = "\
    ⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺈刀⺉刂⺊卜⺋㔾⺌小⺍尐⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄 \
    ⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爬⺦丬⺧牛⺨犭⺩王⺫目⺬示 \
    ⺭礻⺯糹⺰纟⺱罓⺲罒⺳㓁⺴冗⺶羊⺹耂⺺肀⺻聿⺼肉⺾艹⺿艺⻀艻⻁虎⻂衤⻃覀⻄西⻅见 \
    ⻆角⻈讠⻉贝⻋车⻌辶⻍辷⻎辸⻏邑⻐钅⻑長⻒镸⻓长⻔门⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞 \
    ⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀 \
    ⻳龟";

/// Returns whether a character is a radical.
pub(super) fn is_radical(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{2FDF}')
}

/// Returns the character that a radical looks like or, where there is none, itself.
pub(super) fn ideograph(radical: char) -> char {
    let mut pairs = PAIRS.chars().filter(|c| !c.is_whitespace());
    while let Some(one) = pairs.next()
        && let Some(other) = pairs.next()
    {
        if one == radical {
            return other;
        }
    }
    once(radical).nfkc().next().unwrap_or(radical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radicals_are_the_characters_that_they_look_like() {
        let found: String = "⼀⾏⽇⿕⺠⻑⻳⺛⺸".chars().map(ideograph).collect();
        assert_eq!(found, "一行日龠民長龟旡⺸");
        assert!(found.chars().filter(|&c| is_radical(c)).eq(['⺸']));
    }
}
