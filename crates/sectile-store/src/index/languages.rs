//! Which chunks are in documents of the languages that a question asks for.

use std::sync::Arc;

use super::data::Needs;
use super::list::List;
use super::postings::Decoded;
use super::reader::IndexReader;
use super::segment::language_term;
use super::spoken::Spoken;
use super::terms::Segments;
use super::window::Mask;
use crate::{Clauses, Language, Languages, Result};

impl Segments {
    /// Reads the chunks of each set of languages that a question asks for.
    pub(super) async fn spoken(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
    ) -> Result<Spoken> {
        let of_variants = question.variants().map(|variant| variant.languages);
        let of_question = question.language.map(Languages::only);
        let mut wanted: Vec<Languages> = of_variants.chain(of_question).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|languages| *languages != Languages::ALL);
        if wanted.is_empty() {
            return Ok(Spoken::default());
        }
        let marked = self.marked(reader).await?;
        let masks = |languages: Languages| {
            let segments = self.list.iter().enumerate();
            let masks = segments.map(|(at, segment)| {
                let of_segment = marked.iter().map(|(of, bits)| (*of, &*bits[at]));
                Mask::of_bits(
                    segment.chunks,
                    bits_of(segment.chunks, of_segment, languages),
                )
            });
            (languages, Arc::new(masks.collect()))
        };
        Ok(Spoken(wanted.into_iter().map(masks).collect()))
    }

    /// Reads for each language but English which chunks of each segment are in it: a bit for each.
    async fn marked(
        &mut self,
        reader: &mut dyn IndexReader,
    ) -> Result<Vec<(Language, Vec<Vec<u64>>)>> {
        let terms = self.languages.iter();
        let terms = terms.filter_map(|&of| Some((of, language_term(of)?)));
        let terms: Vec<(Language, String)> = terms.collect();
        let names: Vec<&str> = terms.iter().map(|(_, term)| term.as_str()).collect();
        let lists = self.lists(reader, &names, false).await?;
        let mut needs = Needs::default();
        for (at, list) in lists.iter().flat_map(|lists| lists.iter().enumerate()) {
            if let Some(list) = list {
                (0..list.heads.len()).for_each(|block| needs.block(at, list, block));
            }
        }
        self.data.fetch(reader, needs).await?;
        let marked = terms.into_iter().zip(lists).map(|((language, _), lists)| {
            let segments = lists.iter().enumerate();
            let bits = segments.map(|(at, list)| self.marked_in(at, list.as_deref()));
            Ok((language, bits.collect::<Result<_>>()?))
        });
        marked.collect()
    }

    /// Returns the chunks of a segment that a list has: a bit for each.
    fn marked_in(&self, at: usize, list: Option<&List>) -> Result<Vec<u64>> {
        let mut bits = vec![0_u64; self.list[at].chunks.div_ceil(64) as usize];
        let Some(list) = list else {
            return Ok(bits);
        };
        let mut decoded = Decoded::default();
        for block in 0..list.heads.len() {
            self.data.read(at, list, block, &mut decoded)?;
            for &ordinal in decoded.ordinals() {
                if let Some(bits) = bits.get_mut(ordinal as usize / 64) {
                    *bits |= 1 << (ordinal % 64);
                }
            }
        }
        Ok(bits)
    }
}

/// Returns the chunks in some languages, where those in each language but English are known: who is in
/// none of these is in English.
fn bits_of<'b>(
    chunks: u32,
    marked: impl Iterator<Item = (Language, &'b [u64])>,
    languages: Languages,
) -> Vec<u64> {
    let has_english = languages.has(Language::English);
    let mut bits = vec![0_u64; chunks.div_ceil(64) as usize];
    for (_, of) in marked.filter(|(language, _)| languages.has(*language) != has_english) {
        let words = bits.iter_mut().zip(of);
        words.for_each(|(bits, of)| *bits |= of);
    }
    if has_english {
        for bits in &mut bits {
            *bits = !*bits;
        }
    }
    bits
}
