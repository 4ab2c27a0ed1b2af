//! Forms of Finnish words that meet, and words that do not.

use super::super::word::term;
use super::*;

/// Nouns: the nominative, the stem of the genitive, the partitive, the stem of several, and the genitive of several.
const NOUNS: &str = "\
    sopimus sopimukse sopimusta sopimuksi sopimusten, päätös päätökse päätöstä päätöksi päätösten, \
    säännös säännökse säännöstä säännöksi säännösten, tutkimus tutkimukse tutkimusta tutkimuksi tutkimusten, \
    hakemus hakemukse hakemusta hakemuksi hakemusten, yritys yritykse yritystä yrityksi yritysten, \
    laitos laitokse laitosta laitoksi laitosten, rikos rikokse rikosta rikoksi rikosten, \
    asennus asennukse asennusta asennuksi asennusten, asetus asetukse asetusta asetuksi asetusten, \
    rakennus rakennukse rakennusta rakennuksi rakennusten, kokous kokoukse kokousta kokouksi kokousten, \
    tarjous tarjoukse tarjousta tarjouksi tarjousten, vastaus vastaukse vastausta vastauksi vastausten, \
    jäsenyys jäsenyyde jäsenyyttä jäsenyyksi jäsenyyksien, oikeus oikeude oikeutta oikeuksi oikeuksien, \
    talous taloude taloutta talouksi talouksien, terveys terveyde terveyttä terveyksi terveyksien, \
    vapaus vapaude vapautta vapauksi vapauksien, \
    turvallisuus turvallisuude turvallisuutta turvallisuuksi turvallisuuksien, \
    kansalaisuus kansalaisuude kansalaisuutta kansalaisuuksi kansalaisuuksien, \
    lääke lääkkee lääkettä lääkkei lääkkeiden, eläke eläkkee eläkettä eläkkei eläkkeiden, \
    alue aluee aluetta aluei alueiden, huone huonee huonetta huonei huoneiden, \
    ohje ohjee ohjetta ohjei ohjeiden, tuote tuottee tuotetta tuottei tuotteiden, \
    osoite osoittee osoitetta osoittei osoitteiden, laite laittee laitetta laittei laitteiden, \
    lomake lomakkee lomaketta lomakkei lomakkeiden, virhe virhee virhettä virhei virheiden, \
    kirje kirjee kirjettä kirjei kirjeiden, palvelin palvelime palvelimen palvelimi palvelimien, \
    puhelin puhelime puhelimen puhelimi puhelimien, \
    kirjoitin kirjoittime kirjoittimen kirjoittimi kirjoittimien, nainen naise naista naisi naisten, \
    ihminen ihmise ihmistä ihmisi ihmisten, suomalainen suomalaise suomalaista suomalaisi suomalaisten, \
    työntekijä työntekijä työntekijää työntekijöi työntekijöiden, \
    opettaja opettaja opettajaa opettaji opettajien, lukija lukija lukijaa lukijoi lukijoiden, \
    asiakas asiakkaa asiakasta asiakkai asiakkaiden, potilas potilaa potilasta potilai potilaiden, \
    työtön työttömä työtöntä työttömi työttömien, jäsen jäsene jäsentä jäseni jäsenten, \
    kunta kunna kuntaa kunni kuntien, tuki tue tukea tui tukien, laki lai lakia lae lakien, \
    lupa luva lupaa luvi lupien, tapa tava tapaa tavoi tapojen, apu avu apua avui apujen, \
    leipä leivä leipää leivi leipien, luku luvu lukua luvui lukujen, alku alu alkua alui alkujen, \
    virka vira virkaa viroi virkojen, jalka jala jalkaa jaloi jalkojen, aika aja aikaa ajoi aikojen, \
    poika poja poikaa poji poikien, valta valla valtaa valloi valtojen, kulta kulla kultaa kulli kultien, \
    virta virra virtaa virroi virtojen, kerta kerra kertaa kerroi kertojen, \
    kaupunki kaupungi kaupunkia kaupungei kaupunkien, kenkä kengä kenkää kengi kenkien, \
    rakenne rakentee rakennetta rakentei rakenteiden, tilanne tilantee tilannetta tilantei tilanteiden, \
    lampi lamme lampea lammi lampien, kampa kamma kampaa kammoi kampojen, \
    pankki panki pankkia pankei pankkien, kauppa kaupa kauppaa kaupoi kauppojen, \
    kappale kappalee kappaletta kappalei kappaleiden, luokka luoka luokkaa luoki luokkien, \
    viikko viiko viikkoa viikoi viikkojen, tehdas tehtaa tehdasta tehtai tehtaiden, \
    katu kadu katua kadui katujen, muoto muodo muotoa muodoi muotojen, pöytä pöydä pöytää pöydi pöytien, \
    tieto tiedo tietoa tiedoi tietojen, lehti lehde lehteä lehdi lehtien, äiti äidi äitiä äidei äitien, \
    vuosi vuode vuotta vuosi vuosien, kuukausi kuukaude kuukautta kuukausi kuukausien, \
    virasto virasto virastoa virastoi virastojen, maksu maksu maksua maksui maksujen, \
    talo talo taloa taloi talojen, kirja kirja kirjaa kirjoi kirjojen, koira koira koiraa koiri koirien, \
    kuva kuva kuvaa kuvi kuvien, sana sana sanaa sanoi sanojen, tila tila tilaa tiloi tilojen, \
    koulu koulu koulua koului koulujen, päivä päivä päivää päivi päivien, silmä silmä silmää silmi silmien, \
    metsä metsä metsää metsi metsien, lasi lasi lasia lasei lasien, kurssi kurssi kurssia kurssei kurssien, \
    nimi nime nimeä nimi nimien, kieli kiele kieltä kieli kielten, suuri suure suurta suuri suurten, \
    ovi ove ovea ovi ovien, järvi järve järveä järvi järvien, hinta hinna hintaa hinnoi hintojen, \
    ranta ranna rantaa rannoi rantojen, toiminta toiminna toimintaa toiminnoi toimintojen, \
    hallinto hallinno hallintoa hallinnoi hallintojen, tiedosto tiedosto tiedostoa tiedostoi tiedostojen, \
    hakemisto hakemisto hakemistoa hakemistoi hakemistojen, \
    järjestelmä järjestelmä järjestelmää järjestelmi järjestelmien, \
    ohjelma ohjelma ohjelmaa ohjelmi ohjelmien, asema asema asemaa asemi asemien, \
    ongelma ongelma ongelmaa ongelmi ongelmien, kahvila kahvila kahvilaa kahviloi kahviloiden, \
    valtio valtio valtiota valtioi valtioiden, yhtiö yhtiö yhtiötä yhtiöi yhtiöiden, \
    ympäristö ympäristö ympäristöä ympäristöi ympäristöjen, henkilö henkilö henkilöä henkilöi henkilöiden, \
    palvelu palvelu palvelua palvelui palvelujen, vero vero veroa veroi verojen, \
    työpaikka työpaika työpaikkaa työpaikoi työpaikkojen, \
    määräaika määräaja määräaikaa määräajoi määräaikojen, \
    rakennuslupa rakennusluva rakennuslupaa rakennusluvi rakennuslupien, \
    asumistuki asumistue asumistukea asumistui asumistukien, \
    tilintarkastus tilintarkastukse tilintarkastusta tilintarkastuksi tilintarkastusten, \
    sairausvakuutus sairausvakuutukse sairausvakuutusta sairausvakuutuksi sairausvakuutusten, \
    perustuslaki perustuslai perustuslakia perustuslae perustuslakien, \
    toimivalta toimivalla toimivaltaa toimivalloi toimivaltojen, \
    yhdistys yhdistykse yhdistystä yhdistyksi yhdistysten, \
    kustannus kustannukse kustannusta kustannuksi kustannusten, \
    suunnitelma suunnitelma suunnitelmaa suunnitelmi suunnitelmien, verkko verko verkkoa verkoi verkkojen, \
    viesti viesti viestiä viestei viestien, sivu sivu sivua sivui sivujen, tili tili tiliä tilei tilien, \
    korko koro korkoa koroi korkojen, laina laina lainaa lainoi lainojen, \
    palkka palka palkkaa palkoi palkkojen, opiskelija opiskelija opiskelijaa opiskelijoi opiskelijoiden, \
    pankkitili pankkitili pankkitiliä pankkitilei pankkitilien, lakko lako lakkoa lakoi lakkojen, \
    kassi kassi kassia kassei kassien, kassa kassa kassaa kassoi kassojen, osa osa osaa osi osien, \
    kivi kive kiveä kivi kivien, viini viini viiniä viinei viinien, pari pari paria parei parien, \
    lääkäri lääkäri lääkäriä lääkärei lääkärien, sairaala sairaala sairaalaa sairaaloi sairaaloiden";

/// Verbs: the infinitive, what one, another and several do, the passive, the participle, and the noun.
const VERBS: &str = "\
    maksaa maksan maksaa maksavat maksetaan maksanut maksaminen maksamista, \
    antaa annan antaa antavat annetaan antanut antaminen antamista, \
    ottaa otan ottaa ottavat otetaan ottanut ottaminen ottamista, \
    kirjoittaa kirjoitan kirjoittaa kirjoittavat kirjoitetaan kirjoittanut kirjoittaminen kirjoittamista, \
    lähettää lähetän lähettää lähettävät lähetetään lähettänyt lähettäminen lähettämistä, \
    käyttää käytän käyttää käyttävät käytetään käyttänyt käyttäminen käyttämistä, \
    muuttaa muutan muuttaa muuttavat muutetaan muuttanut muuttaminen muuttamista, \
    asettaa asetan asettaa asettavat asetetaan asettanut asettaminen asettamista, \
    laskea lasken laskee laskevat lasketaan laskenut laskeminen laskemista, \
    hakea haen hakee hakevat haetaan hakenut hakeminen hakemista, \
    kysyä kysyn kysyy kysyvät kysytään kysynyt kysyminen kysymistä, \
    puhua puhun puhuu puhuvat puhutaan puhunut puhuminen puhumista, \
    asua asun asuu asuvat asutaan asunut asuminen asumista, \
    sanoa sanon sanoo sanovat sanotaan sanonut sanominen sanomista, \
    ostaa ostan ostaa ostavat ostetaan ostanut ostaminen ostamista, \
    poistaa poistan poistaa poistavat poistetaan poistanut poistaminen poistamista, \
    tallentaa tallennan tallentaa tallentavat tallennetaan tallentanut tallentaminen tallentamista, \
    asentaa asennan asentaa asentavat asennetaan asentanut asentaminen asentamista, \
    rakentaa rakennan rakentaa rakentavat rakennetaan rakentanut rakentaminen rakentamista, \
    tarkistaa tarkistan tarkistaa tarkistavat tarkistetaan tarkistanut tarkistaminen tarkistamista";

/// Words that have little to do with each other.
const APART: &str = "\
    kunta kunto, tulo tila, lupa luku, tieto tie, sopimus sopu, maksu maku, päivä päivitys, koulu koulutus, \
    talo talous, valtio valta, hakemus hakemisto, vero verho, palvelu palkka, kuva kuvio, lehti lähde, \
    järjestelmä järki, asema asennus, luokka luonto, yhtiö yhteys, apu appi, alku alue, tila tili, tilat tilit, \
    pankkitili asuintila, tiloissa tileissä, kassa kassi, taksa taksi, viina viini, kiva kivi, kirja kirje, \
    asiakirjat kirjeet, laki lakko, lakia lakkoja, sala sali, paras pari, osa osio";

fn stem(word: &str) -> String {
    term(word, Language::Finnish)
}

/// Returns eight forms of a noun.
fn forms(noun: &str) -> Vec<String> {
    let words: Vec<&str> = noun.split(' ').collect();
    let [nominative, one, partitive, several, genitive] = *words else {
        panic!("{noun}");
    };
    let ending = |stem: &str, ending: &str| format!("{stem}{ending}");
    vec![
        nominative.to_owned(),
        ending(one, "n"),
        ending(one, "t"),
        ending(one, "ssa"),
        partitive.to_owned(),
        ending(several, "ssa"),
        ending(several, "lla"),
        genitive.to_owned(),
    ]
}

#[test]
fn forms_of_a_finnish_noun_have_one_term() {
    for noun in NOUNS.split(", ") {
        for form in forms(noun) {
            let first = noun.split(' ').next().unwrap();
            assert_eq!(stem(&form), stem(first), "{form} of {first}");
        }
    }
}

#[test]
fn forms_of_a_finnish_verb_have_one_term() {
    for verb in VERBS.split(", ") {
        let mut forms = verb.split(' ');
        let first = forms.next().unwrap();
        for form in forms {
            assert_eq!(stem(form), stem(first), "{form} of {first}");
        }
    }
}

#[test]
fn endings_behind_others_are_cut_from_finnish_words() {
    for (form, word) in [
        ("sopimuksensa", "sopimus"),
        ("päätöksellään", "päätös"),
        ("taloissaan", "talo"),
        ("talossakin", "talo"),
        ("verotuksemme", "verotus"),
        ("asunnottomien", "asunnoton"),
        ("virkamiehille", "virkamies"),
        ("tilintarkastuksesta", "tilintarkastus"),
    ] {
        assert_eq!(stem(form), stem(word), "{form}");
    }
}

#[test]
fn finnish_words_typed_without_accents_have_the_same_term() {
    for (typed, word) in [
        ("laakkeiden", "lääke"),
        ("paatoksen", "PÄÄTÖS"),
        ("saannos", "säännöstä"),
    ] {
        assert_eq!(stem(typed), stem(word), "{typed}");
    }
}

#[test]
fn other_finnish_words_have_other_terms() {
    for pair in APART.split(", ") {
        let (one, other) = pair.split_once(' ').unwrap();
        assert_ne!(stem(one), stem(other), "{pair}");
    }
    for word in ["ei", "se", "api", "html", "xml"] {
        assert_eq!(stem(word), word);
    }
}
