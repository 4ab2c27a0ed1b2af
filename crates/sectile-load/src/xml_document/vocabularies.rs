//! Vocabularies whose elements are read as those of `DocBook` and HTML that mean the same.

/// Returns what an element is read as, if not as what it is called.
pub(super) type Known = fn(&str) -> Option<&'static str>;

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

/// Returns how the elements of a file are read whose first element is `root`, with these attributes.
pub(super) fn of(
    root: &str,
    mut attributes: impl Iterator<Item = (String, String)>,
    xml: &str,
) -> Option<Known> {
    if TOPICS.contains(&root) && SIGNS_OF_DITA.iter().any(|sign| xml.contains(sign)) {
        return Some(dita);
    }
    let is_mallard =
        attributes.any(|(name, value)| name == "xmlns" && value.contains("projectmallard.org"));
    is_mallard.then_some(mallard as Known)
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
