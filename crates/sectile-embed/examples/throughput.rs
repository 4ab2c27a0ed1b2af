//! Says how fast a local model reads a file, in floats and in bytes: `throughput MODEL FILE [ROUNDS]`.
//!
//! The forms take turns, each as often as there are rounds, and the best time of each counts: others may
//! use the machine too. Time is the processor's. Texts have 100 words.

use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use sectile_embed::{Embedder, LocalEmbedder, Precision, Purpose};

const WORDS: usize = 100;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: throughput MODEL FILE [ROUNDS]".into());
    };
    let rounds: usize = arguments.next().map_or(Ok(3), |rounds| rounds.parse())?;
    let text = std::fs::read_to_string(file)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let texts: Vec<String> = words.chunks(WORDS).map(|words| words.join(" ")).collect();
    let tokens = tokens(Path::new(&model), &texts)?;
    let mut forms = [
        Form::open(&model, Precision::Float32)?,
        Form::open(&model, Precision::Int8)?,
    ];
    for _ in 0..rounds {
        for form in &mut forms {
            form.read(&texts).await?;
        }
    }
    for form in &forms {
        let speed = tokens as f64 / form.best.as_secs_f64();
        println!(
            "{}: opened in {:.2?}, {tokens} tokens in {:.2?}, {speed:.0} a second",
            form.embedder.model().name,
            form.opened,
            form.best
        );
    }
    let likeness = likeness(&forms[0].vectors, &forms[1].vectors);
    println!("the least cosine between both is {likeness:.4}");
    Ok(())
}

/// A model in one precision.
struct Form {
    embedder: LocalEmbedder,
    opened: Duration,
    best: Duration,
    vectors: Vec<Vec<f32>>,
}

impl Form {
    fn open(model: &str, precision: Precision) -> Result<Self> {
        let began = processor_time();
        let embedder = LocalEmbedder::open_with(model, precision)?;
        Ok(Self {
            embedder,
            opened: processor_time().saturating_sub(began),
            best: Duration::MAX,
            vectors: Vec::new(),
        })
    }

    async fn read(&mut self, texts: &[String]) -> Result<()> {
        let began = processor_time();
        self.vectors = self.embedder.embed(texts, Purpose::Document).await?;
        self.best = self.best.min(processor_time().saturating_sub(began));
        Ok(())
    }
}

/// Returns the time that all threads of this process have run.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// Counts the tokens of texts, those at their ends among them.
fn tokens(model: &Path, texts: &[String]) -> Result<usize> {
    let tokenizer = tokenizers::Tokenizer::from_file(model.join("tokenizer.json"));
    let mut tokenizer = tokenizer.map_err(|error| error.to_string())?;
    tokenizer.with_padding(None);
    tokenizer
        .with_truncation(None)
        .map_err(|error| error.to_string())?;
    let encodings = tokenizer.encode_batch_fast(texts.to_vec(), true);
    let encodings = encodings.map_err(|error| error.to_string())?;
    Ok(encodings
        .iter()
        .map(|encoding| encoding.get_ids().len())
        .sum())
}

fn likeness(one: &[Vec<f32>], other: &[Vec<f32>]) -> f32 {
    let cosine = |(one, other): (&Vec<f32>, &Vec<f32>)| -> f32 {
        let product: f32 = one.iter().zip(other).map(|(one, other)| one * other).sum();
        let lengths = [one, other].map(|v| v.iter().map(|number| number * number).sum::<f32>());
        product / (lengths[0] * lengths[1]).sqrt()
    };
    one.iter().zip(other).map(cosine).fold(1.0, f32::min)
}
