//! What the parts of a page are that are left out.

/// What a part of a page is that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// What readers wrote about the text.
    Comments,
    /// Lines about the text: its author, date, tags, buttons to share it.
    Details,
    Footer,
    Forms,
    Header,
    Hidden,
    /// Lists of links within the main part.
    Links,
    Navigation,
    /// Windows over the page: about cookies, newsletters, to log in.
    Notices,
    /// What says nothing of itself, and stands beside the main part.
    Other,
    /// Links to headings and sources, and names of the languages of code.
    Marks,
    /// Related articles and teasers.
    Related,
    Sidebars,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Details => "details",
            Self::Footer => "footer",
            Self::Forms => "forms",
            Self::Header => "header",
            Self::Hidden => "hidden",
            Self::Links => "links",
            Self::Navigation => "navigation",
            Self::Notices => "notices",
            Self::Other => "other",
            Self::Marks => "marks",
            Self::Related => "related",
            Self::Sidebars => "sidebars",
        }
    }
}
