//! Which chunks are in documents of the languages that a question asks for, and how many there are of each.

use std::sync::Arc;

use super::data::Needs;
use super::document_languages::{self, Chunks, Marked, Spoken};
use super::head::Head;
use super::list::List;
use super::postings::Decoded;
use super::question_terms::{Held, Known, LanguageSizes};
use super::reader::IndexReader;
use super::segment::language_term;
use super::terms::Segments;
use super::window::Mask;
use crate::analyzer::LanguageShares;
use crate::{Clauses, Language, Languages, Result, Variant};

/// A block of a list.
struct BlockOf {
    segment: usize,
    list: Arc<List>,
    block: usize,
}

impl Segments {
    /// Reads which language most of the living chunks are in, and which few.
    pub(super) async fn shares(&mut self, reader: &mut dyn IndexReader) -> Result<LanguageShares> {
        let sizes = self.sizes(reader).await?;
        let sizes = sizes.iter().copied();
        let sizes: Vec<_> = sizes
            .filter(|(of, _)| self.languages.contains(of))
            .collect();
        Ok(LanguageShares::of(&sizes))
    }

    /// Reads how many living chunks are in each language: those that no other list has are in English.
    async fn sizes(&mut self, reader: &mut dyn IndexReader) -> Result<Arc<LanguageSizes>> {
        if let Some(sizes) = &self.sizes {
            return Ok(Arc::clone(sizes));
        }
        let marked = self.languages.iter();
        let marked = marked.filter_map(|&of| Some((of, language_term(of)?)));
        let (marked, terms): (Vec<Language>, Vec<String>) = marked.unzip();
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        let held = self.held_by_each(reader, &terms).await?;
        let chunks = held.iter().map(|held| held.chunks);
        let others: u64 = chunks.clone().sum();
        let english = (Language::English, self.size.chunks.saturating_sub(others));
        let sizes = marked.into_iter().zip(chunks).chain([english]).collect();
        let sizes = Arc::new(sizes);
        self.sizes = Some(Arc::clone(&sizes));
        Ok(sizes)
    }

    /// Reads the chunks of each set of languages that a question asks for.
    pub(super) async fn spoken(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
    ) -> Result<Spoken> {
        let of_variants = question.variants().map(|variant| variant.languages);
        let of_question = question.language.map(Languages::only);
        let wanted = of_variants.chain(of_question).collect();
        self.spoken_in(reader, wanted).await
    }

    /// Notes which variants of a question are held only in documents of other languages than theirs.
    pub(super) async fn tell_elsewhere<'v>(
        &mut self,
        reader: &mut dyn IndexReader,
        variants: impl Iterator<Item = &'v Variant>,
        known: &mut Known,
    ) -> Result<()> {
        let is_open = |of: &&Variant| of.languages != Languages::ALL && known.chunks(&of.terms) > 0;
        let mut open: Vec<&Variant> = variants.filter(is_open).collect();
        if open.is_empty() {
            return Ok(());
        }
        known.sizes = Some(self.sizes(reader).await?);
        let languages = open.iter().map(|of| of.languages).collect();
        let spoken = self.spoken_in(reader, languages).await?;
        // Of most lists the first block has one, so that the others are seldom read.
        for is_first in [true, false] {
            let mut needs = Needs::default();
            let mut all = Vec::new();
            for variant in open {
                let blocks = blocks_in(known.of(&variant.terms), &spoken.of(variant.languages));
                let blocks = blocks.into_iter().filter(|of| (of.block == 0) == is_first);
                let blocks: Vec<BlockOf> = blocks.collect();
                for of in &blocks {
                    needs.block(of.segment, &of.list, of.block);
                }
                all.push((variant, blocks));
            }
            self.data.fetch(reader, needs).await?;
            open = Vec::new();
            for (variant, blocks) in all {
                if !self.has_any(&blocks, &spoken.of(variant.languages))? {
                    open.push(variant);
                }
            }
        }
        for variant in open {
            let elsewhere = known.elsewhere.entry(variant.terms.clone()).or_default();
            elsewhere.push(variant.languages);
        }
        Ok(())
    }

    /// Returns whether some blocks have a living chunk that is among others.
    fn has_any(&self, blocks: &[BlockOf], only: &Chunks) -> Result<bool> {
        let mut decoded = Decoded::default();
        for of in blocks {
            self.data
                .read(of.segment, &of.list, of.block, &mut decoded)?;
            let is_one = |&ordinal: &u32| {
                document_languages::has(only, of.segment, ordinal)
                    && self.list[of.segment].is_alive(ordinal)
            };
            if decoded.ordinals().iter().any(is_one) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the chunks of sets of languages; nothing of all languages.
    async fn spoken_in(
        &mut self,
        reader: &mut dyn IndexReader,
        mut wanted: Vec<Languages>,
    ) -> Result<Spoken> {
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
    async fn marked(&mut self, reader: &mut dyn IndexReader) -> Result<Arc<Marked>> {
        if let Some(marked) = &self.marked {
            return Ok(Arc::clone(marked));
        }
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
        let marked = Arc::new(marked.collect::<Result<Marked>>()?);
        self.marked = Some(Arc::clone(&marked));
        Ok(marked)
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

/// Returns the blocks that may have one of some chunks.
fn blocks_in(held: &Held, only: &Chunks) -> Vec<BlockOf> {
    let mut blocks = Vec::new();
    for (segment, list) in held.lists.iter().enumerate() {
        if let Some(list) = list {
            let heads = list.heads.iter().enumerate();
            let may_have = |head: &Head| {
                let masks = only.as_ref();
                masks.is_none_or(|masks| masks[segment].may_have(head.first..=head.last))
            };
            let heads = heads.filter(|(_, head)| may_have(head));
            blocks.extend(heads.map(|(block, _)| BlockOf {
                segment,
                list: Arc::clone(list),
                block,
            }));
        }
    }
    blocks
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
