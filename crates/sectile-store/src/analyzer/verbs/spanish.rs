//! Spanish verbs whose vowels or consonants change: `empezar` and `empieza`, `despedir` and `despido`, `abrir` and
//! `abierto`, and the nouns that are made of them. Forms that are other words as well are left out (`cuenta`, `puesto`,
//! `trajo` for `traje`).

use super::irregular::{ALONE, Irregular, Verb};

pub(super) static VERBS: Irregular = Irregular {
    verbs: LISTED,
    endings: &[
        ("a", "o"),
        ("as", "o"),
        ("os", "o"),
        ("es", "e"),
        ("n", ""),
        ("ieron", "ió"),
        ("s", ""),
    ],
    excepted: &["costa", "costas", "sales"],
};

#[rustfmt::skip]
const LISTED: &[Verb] = &[
    (ALONE, &["cerrar", "cierro", "cierra", "cierre"]), (ALONE, &["empezar", "empiezo", "empieza", "empiece"]),
    (ALONE, &["comenzar", "comienzo", "comienza", "comience"]),
    (ALONE, &["perder", "pierdo", "pierde", "pierda", "pérdida"]), (ALONE, &["pensar", "pienso", "piensa"]),
    (ALONE, &["calentar", "caliento", "calienta"]), (ALONE, &["despertar", "despierto", "despierta"]),
    (ALONE, &["negar", "niego", "niega"]), (ALONE, &["encender", "enciendo", "enciende", "encienda"]),
    (ALONE, &["entender", "entiendo", "entiende"]), (ALONE, &["defender", "defiendo", "defiende", "defensa"]),
    (&["ex", "a"], &["tender", "tiendo", "tiende"]),
    (&["pre", "re", "trans", "di"], &["ferir", "fiero", "fiere", "firió"]),
    (ALONE, &["requerir", "requiero", "requiere"]), (ALONE, &["sugerir", "sugiero", "sugiere"]),
    (ALONE, &["convertir", "convierto", "convierte", "convirtió"]), (ALONE, &["advertir", "advierto", "advierte"]),
    (ALONE, &["invertir", "invierto", "invierte", "inversión"]), (ALONE, &["encontrar", "encuentro", "encuentra"]),
    (ALONE, &["demostrar", "demuestro", "demuestra"]), (ALONE, &["probar", "pruebo", "prueba"]),
    (ALONE, &["costar", "cuesta", "costo", "coste"]), (ALONE, &["recordar", "recuerdo", "recuerda"]),
    (ALONE, &["renovar", "renuevo", "renueva", "renovación"]), (ALONE, &["volar", "vuelo", "vuela"]),
    (ALONE, &["colgar", "cuelgo", "cuelga"]), (ALONE, &["mover", "muevo", "mueve"]),
    (ALONE, &["volver", "vuelvo", "vuelve", "vuelto"]),
    (ALONE, &["devolver", "devuelvo", "devuelve", "devuelto", "devolución"]),
    (ALONE, &["resolver", "resuelvo", "resuelve", "resuelto", "resolución"]), (ALONE, &["doler", "duele", "dolor"]),
    (ALONE, &["morder", "muerdo", "muerde"]), (ALONE, &["dormir", "duermo", "duerme", "durmió"]),
    (ALONE, &["morir", "muere", "murió", "muerto", "muerte"]), (ALONE, &["jugar", "juego", "juega"]),
    (&["", "im"], &["pedir", "pido", "pide", "pidió"]), (ALONE, &["despedir", "despido", "despide", "despidió"]),
    (ALONE, &["medir", "mido", "mide", "midió"]), (&["", "con", "per"], &["seguir", "sigo", "sigue", "siguió"]),
    (ALONE, &["servir", "sirvo", "sirve", "sirvió"]), (ALONE, &["repetir", "repito", "repite", "repitió"]),
    (ALONE, &["elegir", "elijo", "elige", "eligió", "elección"]),
    (ALONE, &["corregir", "corrijo", "corrige", "corrección"]), (ALONE, &["romper", "roto", "rotura"]),
    (ALONE, &["escribir", "escribo", "escribe", "escrito"]),
    (&["de", "in", "su", "sub", "tran", "pre"], &["scribir", "scribo", "scribe", "scrito", "scripción"]),
    (ALONE, &["abrir", "abre", "abrí", "abierto", "apertura"]),
    (&["", "des", "en", "re"], &["cubrir", "cubre", "cubierto"]), (ALONE, &["freír", "fríe", "frito"]),
    (ALONE, &["imprimir", "imprime", "impreso", "impresión"]),
    (&["", "com", "dis", "im", "pro", "su"], &["poner", "pongo", "pone", "puso"]),
    (ALONE, &["traer", "traigo"]), (&["a", "con"], &["traer", "traigo", "trajo"]),
    (&["con", "tra", "intro", "re", "de", "pro"], &["ducir", "duzco", "duce", "dujo", "ducción"]),
    (&["ob", "con", "man", "de", "re", "sos"], &["tener", "tengo", "tiene", "tuvo", "tención"]),
    (ALONE, &["conocer", "conozco", "conoce"]), (ALONE, &["nacer", "nazco", "nace", "nacimiento"]),
    (ALONE, &["salir", "salgo", "sale"]), (ALONE, &["caer", "caigo", "cae", "cayó"]),
    (ALONE, &["vender", "vendo", "vende", "venta"]), (ALONE, &["buscar", "busqué"]), (ALONE, &["sacar", "saqué"]),
    (ALONE, &["tocar", "toqué"]),
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::Spanish,
            &[
                &["empezar", "empieza"],
                &["despedir", "despido", "despidió"],
                &["abrir", "abierto", "apertura"],
                &["obtener", "obtengo", "obtuvo", "obtención"],
                &["volver", "vuelto"],
            ],
            &[
                ("despidieron", "despedir"),
                ("rotas", "romper"),
                ("devuelven", "devolver"),
                ("escrita", "escribir"),
                ("empiezan", "empezar"),
            ],
            &[
                "cuenta", "puesto", "medida", "puerta", "tiempo", "impuesto", "tienda", "traje",
                "sales", "como", "fue",
            ],
        );
    }
}
