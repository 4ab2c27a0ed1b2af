//! The blocks of one page, from the runs of text that `unpdf` decodes.

use unpdf::parser::backend::PdfBackend;
use unpdf::parser::bidi::contains_rtl;
use unpdf::parser::{BlockType, LayoutAnalyzer, TextBlock as Laid, TextLine, TextSpan};

use super::extract::{PageBlocks, TextBlock};

/// How far, in multiples of the type size, the baselines of runs on one line may be apart: as far
/// as an exponent is raised.
const SAME_LINE: f32 = 0.5;

/// How far, in multiples of the type size, a run may begin before the end of the one before it and
/// still go on its line.
const OVERLAP: f32 = 1.0;

/// Which part of the text of a page, one in so many, may be turned.
const MAX_TURNED: usize = 5;

/// The width of a letter of fixed-pitch type, in multiples of its size.
const FIXED_PITCH: f32 = 0.6;

/// The deepest indentation that is kept of a line of code, in letters.
const MAX_INDENT: u8 = 40;

/// Reads the page with this number of the file.
///
/// The order is that in which the file draws its text: what writes PDF files writes paragraphs and
/// columns one after the other, and rows of tables too, where an analysis of the layout has to
/// guess from gaps. Text from right to left and turned text is laid out by its place.
pub(super) fn read(backend: &dyn PdfBackend, number: u32) -> Result<PageBlocks, unpdf::Error> {
    let mut analyzer = LayoutAnalyzer::new(backend);
    let mut spans = analyzer.extract_page_spans(number)?;
    let counts = analyzer.page_op_counts();
    let is_drawn = counts.image > 0 || analyzer.page_facts().fill_op_count > 0;
    let blocks = if is_by_place(&spans) {
        analyzer.extract_page_blocks(number)?
    } else {
        analyzer.filter_spans_for_page(&mut spans, number);
        in_order(&mut analyzer, spans)
    };
    Ok(PageBlocks {
        number,
        blocks: blocks.iter().filter_map(block).collect(),
        is_failed: false,
        is_drawn,
    })
}

/// Says whether runs have to be laid out by their place: those from right to left come in the order
/// of the page, and turned ones letter by letter. Of turned ones, as beside the axis of a chart,
/// there may be some.
fn is_by_place(spans: &[TextSpan]) -> bool {
    let length = |spans: &mut dyn Iterator<Item = &TextSpan>| -> usize {
        spans.map(|span| span.text.len()).sum()
    };
    let turned = length(&mut spans.iter().filter(|span| span.is_rotated()));
    turned * MAX_TURNED > length(&mut spans.iter())
        || spans.iter().any(|span| contains_rtl(&span.text))
}

/// Makes blocks of runs in their order.
fn in_order(analyzer: &mut LayoutAnalyzer<'_>, spans: Vec<TextSpan>) -> Vec<Laid> {
    let sizes = analyzer.font_stats_mut();
    for span in &spans {
        sizes.add_text(span.font_size, &span.text);
    }
    sizes.analyze();
    let lines = analyzer.detect_headings_pub(lines(spans));
    analyzer.group_lines_into_blocks_pub(lines)
}

/// Joins runs that follow each other on one baseline.
fn lines(spans: Vec<TextSpan>) -> Vec<TextLine> {
    let mut lines = Vec::new();
    let mut line: Vec<TextSpan> = Vec::new();
    for span in spans {
        if line.last().is_some_and(|last| !goes_on(last, &span)) {
            lines.push(TextLine::from_spans(std::mem::take(&mut line)));
        }
        line.push(span);
    }
    if !line.is_empty() {
        lines.push(TextLine::from_spans(line));
    }
    lines
}

fn goes_on(last: &TextSpan, next: &TextSpan) -> bool {
    let size = last.font_size.max(next.font_size);
    let is_level = (last.y - next.y).abs() < size * SAME_LINE;
    is_level && next.x > last.x + last.width - size * OVERLAP
}

fn block(laid: &Laid) -> Option<TextBlock> {
    let text = if is_code(laid) {
        code(laid)
    } else {
        laid.text()
    };
    let text = text.trim_end().replace('\0', "\u{FFFD}");
    let is_heading = laid.block_type == BlockType::Heading;
    let level = is_heading.then_some(laid.heading_level);
    (!text.trim().is_empty()).then_some(TextBlock { text, level })
}

/// Says whether a block is set in fixed-pitch type throughout, on more than one line.
fn is_code(laid: &Laid) -> bool {
    let mut spans = laid.lines.iter().flat_map(|line| &line.spans);
    laid.lines.len() > 1 && spans.all(|span| span.is_monospace)
}

/// Writes lines of code with their indentation.
fn code(laid: &Laid) -> String {
    let left = laid
        .lines
        .iter()
        .map(|line| line.x)
        .fold(f32::MAX, f32::min);
    let lines = laid.lines.iter().map(|line| {
        let letter = line.font_size.max(1.0) * FIXED_PITCH;
        let indent = (1..=MAX_INDENT)
            .take_while(|&letters| (f32::from(letters) - 0.5) * letter < line.x - left);
        format!("{}{}", " ".repeat(indent.count()), line.text())
    });
    lines.collect::<Vec<_>>().join("\n")
}
