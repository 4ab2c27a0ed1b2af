//! Portuguese verbs whose vowels or consonants change: `perder` and `perco`, `abrir` and `aberto`, and the nouns that are
//! made of them. Forms that are other words as well are left out (`roto` for `rota`).

use super::irregular::{ALONE, Irregular, Verb};

pub(super) static VERBS: Irregular = Irregular {
    verbs: LISTED,
    endings: &[("a", "o"), ("as", "o"), ("os", "o"), ("em", "e"), ("s", "")],
    excepted: &[],
};

#[rustfmt::skip]
const LISTED: &[Verb] = &[
    (ALONE, &["perder", "perco", "perde", "perda"]), (&["", "im"], &["pedir", "peço", "pede", "pedido"]),
    (ALONE, &["despedir", "despeço", "despede"]), (ALONE, &["abrir", "abre", "aberto", "abertura"]),
    (&["", "des", "en"], &["cobrir", "cubro", "cobre", "coberto", "cobertura"]),
    (ALONE, &["escrever", "escreve", "escrito"]),
    (&["de", "in", "pre", "trans"], &["screver", "screve", "scrito", "scrição"]),
    (&["", "con", "per"], &["seguir", "sigo", "segue"]), (ALONE, &["dormir", "durmo", "dorme"]),
    (ALONE, &["morrer", "morre", "morto", "morte"]), (ALONE, &["trazer", "trago", "trouxe"]),
    (ALONE, &["vender", "vende", "venda"]), (ALONE, &["servir", "sirvo", "serve"]),
    (ALONE, &["preferir", "prefiro", "prefere"]), (ALONE, &["fugir", "fujo", "foge", "fuga"]),
    (ALONE, &["eleger", "elejo", "elege", "eleito", "eleição"]),
    (ALONE, &["imprimir", "imprime", "impresso", "impressão"]), (ALONE, &["medir", "meço", "mede"]),
    (ALONE, &["ouvir", "ouço", "ouve"]), (ALONE, &["nascer", "nasce", "nascido", "nascimento"]),
    (&["con", "pro", "tra", "intro", "re", "de"], &["duzir", "duzo", "duz"]),
    (&["ob", "con", "man", "de", "re"], &["ter", "tenho", "tém", "teve", "tenção"]),
    (ALONE, &["acender", "acende", "aceso"]), (ALONE, &["suspender", "suspende", "suspenso", "suspensão"]),
    (ALONE, &["estender", "estende", "extensão"]), (ALONE, &["defender", "defende", "defesa"]),
    (ALONE, &["decidir", "decide", "decisão"]), (ALONE, &["dividir", "divide", "divisão"]),
    (ALONE, &["romper", "rompe", "ruptura"]), (ALONE, &["resolver", "resolve", "resolvido", "resolução"]),
    (ALONE, &["devolver", "devolve", "devolvido", "devolução"]), (ALONE, &["sair", "saio", "sai", "saída"]),
    (ALONE, &["cair", "caio", "cai", "queda"]),
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::Portuguese,
            &[
                &["perder", "perco", "perda"],
                &["abrir", "aberto", "abertura"],
                &["conseguir", "consigo", "consegue"],
                &["inscrever", "inscrito", "inscrição"],
            ],
            &[("abertas", "abrir")],
            &["medida", "porta", "casa", "tempo", "rotas", "tensão"],
        );
    }
}
