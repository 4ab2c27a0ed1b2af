//! The alternative texts of pictures in documents of Office programs.

use crate::blocks::Block;
use crate::link::label;
use crate::one_line::one_line;
use crate::placeholder_title::is_of_program;
#[cfg(feature = "opc")]
use crate::xml::Element;

/// What programs write into texts that they make up, in the languages of their users.
const GENERATED: [&str; 21] = [
    "ai-generated content",
    "description automatically generated",
    "machine generated alternative text",
    "automatisch gegenereerde beschrijving",
    "automatisch generierte beschreibung",
    "automatisk generert beskrivelse",
    "automatisk genereret beskrivelse",
    "automatiskt genererad beskrivning",
    "ki-generierte inhalte",
    "descripción generada automáticamente",
    "descrizione generata automaticamente",
    "descrição gerada automaticamente",
    "description générée automatiquement",
    "kuvaus luotu automaattisesti",
    "opis wygenerowany automatycznie",
    "popis byl vytvořen automaticky",
    "автоматически созданное описание",
    "描述已自动生成",
    "自動產生的描述",
    "自動的に生成された説明",
    "자동 생성된 설명",
];

/// What programs number pictures with, and the beginning of descriptions that they make up.
const NUMBERED: [&str; 22] = [
    "afbeelding",
    "billede",
    "bild",
    "grafik",
    "graphic",
    "image",
    "imagem",
    "imagen",
    "immagine",
    "kuva",
    "kép",
    "obraz",
    "obrázek",
    "picture",
    "resim",
    "изображение",
    "рисунок",
    "그림",
    "图片",
    "圖片",
    "図",
    "画像",
];
const CONTAINING: &str = "a picture containing ";

/// The endings of the names of files that hold pictures.
const ENDINGS: [&str; 11] = [
    "bmp", "emf", "gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp", "wmf",
];

/// A picture with what is said of it.
#[derive(Debug, Default)]
pub(crate) struct Picture {
    pub(crate) description: String,
    pub(crate) title: String,
    pub(crate) is_decorative: bool,
}

impl Picture {
    /// Reads the properties of a picture in Office Open XML.
    #[cfg(feature = "opc")]
    pub(crate) fn of_properties(element: &Element) -> Self {
        let text = |name| element.attribute(name).unwrap_or_default();
        Self {
            description: text("descr"),
            title: text("title"),
            is_decorative: matches!(text("hidden").as_str(), "1" | "true"),
        }
    }

    /// Returns what the picture shows, as Markdown has it; nothing where nobody has described it.
    pub(crate) fn block(&self) -> Option<Block> {
        let texts = [&self.description, &self.title];
        let mut texts = texts.iter().map(|text| one_line(text));
        let text = texts.find(|text| !self.is_decorative && is_of_author(text))?;
        Some(Block::Text(format!("![{}]()", label(&text))))
    }
}

/// Returns whether somebody wrote a text, and not a program.
fn is_of_author(text: &str) -> bool {
    let text = text.to_lowercase();
    let unnumbered = text.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ' ');
    !unnumbered.is_empty()
        && !NUMBERED.contains(&unnumbered)
        && !text.starts_with(CONTAINING)
        && !GENERATED.iter().any(|words| text.contains(words))
        && !is_of_program(&text)
        && !is_file(&text)
}

/// Returns whether a text is the name or the address of a file.
fn is_file(text: &str) -> bool {
    let is_address = text.starts_with("http://") || text.starts_with("https://");
    let ending = text.rsplit_once('.').map(|(_, ending)| ending);
    is_address && !text.contains(' ') || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(description: &str, title: &str, expected: Option<&str>) {
        let picture = Picture {
            description: description.into(),
            title: title.into(),
            is_decorative: false,
        };
        let expected = expected.map(|text| Block::Text(text.into()));
        assert_eq!(picture.block(), expected, "{description}");
    }

    #[test]
    fn what_somebody_wrote_is_text() {
        check(
            "Sales by\nregion, 2024",
            "Chart",
            Some("![Sales by region, 2024]()"),
        );
        check("", "Map of the harbour", Some("![Map of the harbour]()"));
        check("Picture 3", "Harbour", Some("![Harbour]()"));
        check("Picture of the year", "", Some("![Picture of the year]()"));
        check("Image 3 of 5", "", Some("![Image 3 of 5]()"));
        check("Level [dB]", "", Some("![Level [dB]]()"));
        check("From a] to b\\", "", Some("![From a\\] to b\\\\]()"));
    }

    #[test]
    fn what_a_program_wrote_is_none() {
        for text in [
            "",
            " ",
            "Picture 3",
            "image12",
            "Grafik 1",
            "图片 2",
            "untitled",
            "image001.png",
            "C:\\Users\\me\\Logo final.jpg",
            "https://a.example/logo?size=2",
            "A picture containing text, sign",
            "Ein Bild, das Text enthält.\n\nAutomatisch generierte Beschreibung",
            "A graph of a line\n\nAI-generated content may be incorrect.",
        ] {
            check(text, "", None);
        }
    }

    #[test]
    fn a_picture_that_decorates_shows_nothing() {
        let picture = Picture {
            description: "Waves".into(),
            is_decorative: true,
            ..Picture::default()
        };
        assert_eq!(picture.block(), None);
    }
}
