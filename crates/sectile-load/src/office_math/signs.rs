//! The LaTeX of characters: operators, accents, brackets, letters.

use crate::tex::push_letter;

/// Relations and binary operators, which stand between spaces.
const RELATIONS: [(char, &str); 45] = [
    ('=', "="),
    ('+', "+"),
    ('-', "-"),
    ('−', "-"),
    ('<', "<"),
    ('>', ">"),
    ('±', "\\pm"),
    ('∓', "\\mp"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('⋅', "\\cdot"),
    ('·', "\\cdot"),
    ('∗', "*"),
    ('∘', "\\circ"),
    ('≤', "\\leq"),
    ('≥', "\\geq"),
    ('≠', "\\neq"),
    ('≈', "\\approx"),
    ('≡', "\\equiv"),
    ('≅', "\\cong"),
    ('≃', "\\simeq"),
    ('∼', "\\sim"),
    ('∝', "\\propto"),
    ('≪', "\\ll"),
    ('≫', "\\gg"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('∋', "\\ni"),
    ('⊂', "\\subset"),
    ('⊃', "\\supset"),
    ('⊆', "\\subseteq"),
    ('⊇', "\\supseteq"),
    ('∪', "\\cup"),
    ('∩', "\\cap"),
    ('∧', "\\land"),
    ('∨', "\\vee"),
    ('→', "\\rightarrow"),
    ('←', "\\leftarrow"),
    ('↔', "\\leftrightarrow"),
    ('⇒', "\\Rightarrow"),
    ('⇐', "\\Leftarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('↦', "\\mapsto"),
    ('⊕', "\\oplus"),
    ('⊗', "\\otimes"),
];

/// Other signs and letters.
const SIGNS: [(char, &str); 98] = [
    ('{', "\\{"),
    ('}', "\\}"),
    ('%', "\\%"),
    ('#', "\\#"),
    ('$', "\\$"),
    ('&', "\\&"),
    ('_', "\\_"),
    ('^', "\\hat{}"),
    ('~', "\\sim"),
    ('\\', "\\backslash"),
    ('∞', "\\infty"),
    ('∂', "\\partial"),
    ('∇', "\\nabla"),
    ('∀', "\\forall"),
    ('∃', "\\exists"),
    ('¬', "\\neg"),
    ('∅', "\\varnothing"),
    ('ℏ', "\\hslash"),
    ('ℓ', "\\ell"),
    ('ℜ', "\\mathfrak{R}"),
    ('ℑ', "\\mathfrak{I}"),
    ('ℝ', "\\mathbb{R}"),
    ('ℕ', "\\mathbb{N}"),
    ('ℤ', "\\mathbb{Z}"),
    ('ℚ', "\\mathbb{Q}"),
    ('ℂ', "\\mathbb{C}"),
    ('…', "\\ldots"),
    ('⋯', "\\cdots"),
    ('⋮', "\\vdots"),
    ('⋱', "\\ddots"),
    ('′', "'"),
    ('″', "''"),
    ('°', "{^\\circ}"),
    ('√', "\\surd"),
    ('∠', "\\angle"),
    ('⊥', "\\bot"),
    ('∥', "\\parallel"),
    ('⟨', "\\langle"),
    ('⟩', "\\rangle"),
    ('〈', "\\langle"),
    ('〉', "\\rangle"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⌈', "\\lceil"),
    ('⌉', "\\rceil"),
    ('‖', "\\parallel"),
    ('∑', "\\sum"),
    ('∏', "\\prod"),
    ('∐', "\\coprod"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∭', "\\iiint"),
    ('∮', "\\oint"),
    ('⋃', "\\bigcup"),
    ('⋂', "\\bigcap"),
    ('⋁', "\\bigvee"),
    ('⋀', "\\bigwedge"),
    ('⨁', "\\bigoplus"),
    ('⨂', "\\bigotimes"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ϵ', "\\epsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ϑ', "\\vartheta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ϖ', "\\varpi"),
    ('ρ', "\\rho"),
    ('ϱ', "\\varrho"),
    ('σ', "\\sigma"),
    ('ς', "\\varsigma"),
    ('τ', "\\tau"),
    ('υ', "\\upsilon"),
    ('φ', "\\varphi"),
    ('ϕ', "\\phi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
];

/// Signs above a base.
const ACCENTS: [(char, &str); 13] = [
    ('\u{300}', "\\grave{"),
    ('\u{301}', "\\acute{"),
    ('\u{302}', "\\widehat{"),
    ('\u{303}', "\\widetilde{"),
    ('\u{304}', "\\overline{"),
    ('\u{305}', "\\overline{"),
    ('\u{306}', "\\breve{"),
    ('\u{307}', "\\dot{"),
    ('\u{308}', "\\ddot{"),
    ('\u{30A}', "\\mathring{"),
    ('\u{30C}', "\\check{"),
    ('\u{20D7}', "\\overrightarrow{"),
    ('\u{20DB}', "\\dddot{"),
];

/// The functions that LaTeX has commands for.
const FUNCTIONS: [&str; 32] = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim",
    "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min",
    "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh",
];

/// Brackets and lines that need a command after `\left`.
const DELIMITERS: [(&str, &str); 13] = [
    ("", "."),
    ("{", "\\{"),
    ("}", "\\}"),
    ("‖", "\\|"),
    ("∥", "\\|"),
    ("⟨", "\\langle"),
    ("⟩", "\\rangle"),
    ("〈", "\\langle"),
    ("〉", "\\rangle"),
    ("⌊", "\\lfloor"),
    ("⌋", "\\rfloor"),
    ("⌈", "\\lceil"),
    ("⌉", "\\rceil"),
];

fn find(table: &[(char, &'static str)], character: char) -> Option<&'static str> {
    let entry = table.iter().find(|(key, _)| *key == character)?;
    Some(entry.1)
}

/// Returns the LaTeX of a relation or binary operator.
pub(super) fn relation(character: char) -> Option<String> {
    find(&RELATIONS, character).map(Into::into)
}

/// Returns the LaTeX of any other character; the invisible ones of Word's functions are nothing.
pub(super) fn sign(character: char) -> String {
    if let Some(sign) = find(&SIGNS, character) {
        return sign.into();
    }
    match character {
        '\u{200A}'..='\u{200F}' | '\u{2060}'..='\u{2064}' => String::new(),
        '\n' | '\r' | '\t' | '\u{A0}' | '\u{2000}'..='\u{2009}' => " ".into(),
        ',' => ",".into(),
        other => other.into(),
    }
}

/// Escapes what would end or change text in LaTeX.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\textbackslash "),
            '\n' | '\r' => escaped.push(' '),
            other => push_letter(&mut escaped, other),
        }
    }
    escaped
}

/// Returns the LaTeX of the name of a function.
pub(super) fn function(text: &str) -> String {
    let name =
        text.trim_matches(|character: char| character.is_whitespace() || character == '\u{2061}');
    if FUNCTIONS.contains(&name) {
        return format!("\\{name}");
    }
    if name.chars().count() > 1 && name.chars().all(char::is_alphanumeric) {
        return format!("\\operatorname{{{name}}}");
    }
    name.chars()
        .map(|character| relation(character).unwrap_or_else(|| sign(character)))
        .collect()
}

/// Returns the beginning of an accent over a base; a hat where none is said.
pub(super) fn accent(character: Option<&str>) -> String {
    let character = character.and_then(|character| character.chars().next());
    let character = character.unwrap_or('\u{302}');
    find(&ACCENTS, character)
        .map_or_else(|| format!("\\overset{{{}}}{{", sign(character)), Into::into)
}

/// Returns the beginning of what stands over or under a group; a brace below where none is said.
pub(super) fn group(character: Option<&str>, is_top: bool) -> String {
    match character.and_then(|character| character.chars().next()) {
        None | Some('⏟') => "\\underbrace{".into(),
        Some('⏞') => "\\overbrace{".into(),
        Some(other) => {
            let sign = relation(other).unwrap_or_else(|| sign(other));
            let place = if is_top { "overset" } else { "underset" };
            format!("\\{place}{{{sign}}}{{")
        }
    }
}

/// Returns a bracket as it stands after `\left`.
pub(super) fn delimiter(sign: &str) -> String {
    let known = DELIMITERS.iter().find(|(key, _)| *key == sign);
    known.map_or_else(|| sign.into(), |(_, latex)| (*latex).into())
}

/// Returns the operator of a sum or an integral; the integral where none is said.
pub(super) fn operator(character: Option<&str>) -> String {
    match character.and_then(|character| character.chars().next()) {
        None => "\\int".into(),
        Some(character) => relation(character).unwrap_or_else(|| sign(character)),
    }
}

/// Returns the beginning of letters in a style of their own; nothing where it is the usual one.
pub(super) fn style(text: &str, style: Option<&str>, script: Option<&str>) -> Option<&'static str> {
    if !text.chars().any(char::is_alphabetic) {
        return None;
    }
    match script {
        Some("double-struck") => return Some("\\mathbb{"),
        Some("fraktur") => return Some("\\mathfrak{"),
        Some("script") => return Some("\\mathcal{"),
        Some("sans-serif") => return Some("\\mathsf{"),
        Some("monospace") => return Some("\\mathtt{"),
        _ => {}
    }
    match style {
        Some("p") if text.chars().all(char::is_alphabetic) => Some("\\mathrm{"),
        Some("b" | "bi") => Some("\\mathbf{"),
        _ => None,
    }
}
