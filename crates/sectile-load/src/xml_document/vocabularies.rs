//! Vocabularies whose elements are read as those of `DocBook` and HTML that mean the same.

/// A vocabulary whose elements have names that others do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    Dita,
    Law,
    Mallard,
    Rfc,
}

/// The first elements of topics of DITA.
const TOPICS: [&str; 8] = [
    "concept",
    "dita",
    "glossentry",
    "glossgroup",
    "reference",
    "task",
    "topic",
    "troubleshooting",
];

/// What a file of DITA has, unlike a file of data whose first element is called so.
const SIGNS_OF_DITA: [&str; 8] = [
    "DTD DITA",
    "tc:dita:",
    "ditaarch",
    "<conbody",
    "<refbody",
    "<taskbody",
    "<troublebody",
    "<glossdef",
];

/// What the namespaces of laws have in them: Akoma Ntoso and that of the United States.
const NAMESPACES_OF_LAWS: [&str; 3] = ["legaldocml", "akomantoso", "schemas/uslm"];

/// The first element of a law in Akoma Ntoso, whose namespace may have a prefix.
const AKOMA_NTOSO: &str = "akomaNtoso";

/// The first elements of files that describe or transform those of a vocabulary.
const ABOUT_VOCABULARIES: [&str; 4] = ["grammar", "schema", "stylesheet", "transform"];

impl Vocabulary {
    /// Returns the vocabulary of a file whose first element is `root`, with these attributes.
    pub(super) fn of(
        root: &str,
        attributes: impl Iterator<Item = (String, String)>,
        xml: &str,
    ) -> Option<Self> {
        if TOPICS.contains(&root) && SIGNS_OF_DITA.iter().any(|sign| xml.contains(sign)) {
            return Some(Self::Dita);
        }
        if root == "rfc" && xml.contains("<middle") {
            return Some(Self::Rfc);
        }
        if ABOUT_VOCABULARIES.contains(&root) {
            return None;
        }
        let is_namespace = |(name, _): &(String, String)| {
            name == "xmlns" || root == AKOMA_NTOSO && name.starts_with("xmlns:")
        };
        attributes
            .filter(is_namespace)
            .find_map(|(_, value)| Self::of_namespace(&value))
    }

    fn of_namespace(namespace: &str) -> Option<Self> {
        if namespace.contains("projectmallard.org") {
            return Some(Self::Mallard);
        }
        let is_law = NAMESPACES_OF_LAWS
            .iter()
            .any(|part| namespace.contains(part));
        is_law.then_some(Self::Law)
    }

    /// Returns what an element is read as, if not as what it is called.
    pub(super) fn known(self, name: &str) -> Option<&'static str> {
        match self {
            Self::Dita => dita(name),
            Self::Law => law(name),
            Self::Mallard => mallard(name),
            Self::Rfc => rfc(name),
        }
    }
}

/// The elements of DITA.
fn dita(name: &str) -> Option<&'static str> {
    Some(match name {
        "abstract"
        | "cause"
        | "cmd"
        | "condition"
        | "context"
        | "glossdef"
        | "info"
        | "postreq"
        | "prereq"
        | "remedy"
        | "responsibleParty"
        | "result"
        | "shortdesc"
        | "stepresult"
        | "steptroubleshooting"
        | "tutorialinfo" => "para",
        "steps" | "substeps" => "procedure",
        "substep" => "step",
        "choices" | "steps-unordered" => "itemizedlist",
        "choice" => "listitem",
        "sl" => "simplelist",
        "sli" => "member",
        "codeblock" | "msgblock" => "programlisting",
        "lines" => "literallayout",
        "lq" => "blockquote",
        "choicetable" | "properties" | "simpletable" => "informaltable",
        "chhead" | "chrow" | "prophead" | "property" | "sthead" | "strow" => "row",
        "chdesc" | "chdeschd" | "choption" | "choptionhd" | "propdesc" | "propdeschd"
        | "proptype" | "proptypehd" | "propvalue" | "propvaluehd" | "stentry" => "entry",
        "glossterm" => "title",
        "pt" => "term",
        "pd" => "def",
        "menucascade" => "menuchoice",
        _ => return None,
    })
}

/// The elements of Mallard, in which the help of GNOME is written.
fn mallard(name: &str) -> Option<&'static str> {
    Some(match name {
        "desc" => "para",
        "steps" => "orderedlist",
        "tree" => "itemizedlist",
        "keyseq" => "keycombo",
        "guiseq" => "menuchoice",
        _ => return None,
    })
}

/// The elements of laws. Their `title` and `paragraph` are parts of a law with a number.
fn law(name: &str) -> Option<&'static str> {
    Some(match name {
        "title" => "division",
        "paragraph" => "provision",
        "chapeau" | "content" | "continuation" | "intro" | "listIntroduction" | "listWrapUp"
        | "sourceCredit" | "wrapUp" => "para",
        _ => return None,
    })
}

/// The elements of the sources of RFCs and drafts of the IETF.
fn rfc(name: &str) -> Option<&'static str> {
    Some(match name {
        "front" => "info",
        "name" => "title",
        "t" => "para",
        "artwork" | "sourcecode" => "programlisting",
        "references" => "section",
        "reference" => "formalpara",
        _ => return None,
    })
}
