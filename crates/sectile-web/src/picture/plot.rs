//! Plots: points with their intervals, points over two axes, and bars above and below a line.

use std::fmt::Write as _;

use maud::{Markup, html};

/// The size of a plot, and where its area begins and ends. They scale with the page.
const WIDTH: f64 = 480.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 436.0;
const ROW: f64 = 26.0;
const TOP: f64 = 8.0;

/// The height of the plots over two axes and of bar charts, and the room for their labels.
const HEIGHT: f64 = 260.0;
const SIDE: f64 = 52.0;
const FOOT: f64 = 36.0;
const BARS: f64 = 110.0;

/// How many marks an axis has, about.
const MARKS: f64 = 4.0;

/// The number of letters of a name that fit next to a row.
const LETTERS: usize = 22;

/// A point with its interval.
pub(super) struct Point {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether the point is highlighted, by being filled.
    pub(super) is_marked: bool,
    /// The label next to it.
    pub(super) said: String,
}

/// The range of an axis, and the distance of its marks.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Makes an axis with round marks that covers all values.
    fn over(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let span = if high - low > 1e-9 { high - low } else { 0.1 };
        let step = round_step(span / MARKS);
        Self {
            low: (low / step).floor() * step,
            high: ((high / step).floor() + 1.0) * step,
            step,
        }
    }

    fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        from + (value - self.low) / (self.high - self.low) * (to - from)
    }

    fn marks(&self) -> Vec<f64> {
        let count = whole((self.high - self.low) / self.step);
        (0..=count)
            .map(|at| self.low + at as f64 * self.step)
            .collect()
    }

    /// Writes a value with as many digits as tell marks apart.
    fn written(&self, value: f64) -> String {
        let digits = whole(-self.step.log10().floor());
        let text = format!("{value:.digits$}");
        text.trim_start_matches('-')
            .parse::<f64>()
            .map_or(text.clone(), |size| {
                if size == 0.0 {
                    text.trim_start_matches('-').to_owned()
                } else {
                    text
                }
            })
    }
}

/// Returns 1, 2 or 5 times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let rounded = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|times| times * power >= step);
    rounded.unwrap_or(10.0) * power
}

/// Draws a row for each point: its interval as a line and the point on it. With `zero` there is a line at
/// 0, on whose sides the colours differ.
pub(super) fn points(label: &str, points: &[Point], zero: bool) -> Markup {
    let ends = points.iter().flat_map(|point| [point.low, point.high]);
    let axis = Axis::over(ends.chain(zero.then_some(0.0)));
    let x = |value: f64| axis.place(value, LEFT, RIGHT);
    let bottom = TOP + ROW * points.len() as f64;
    let height = bottom + 22.0;
    html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(label) {
            @for mark in axis.marks() {
                line.grid x1=(px(x(mark))) x2=(px(x(mark))) y1=(TOP) y2=(bottom) {}
                text.tick x=(px(x(mark))) y=(bottom + 15.0) text-anchor="middle" { (axis.written(mark)) }
            }
            @if zero {
                line.zero x1=(px(x(0.0))) x2=(px(x(0.0))) y1=(TOP) y2=(bottom) {}
            }
            @for (at, point) in points.iter().enumerate() {
                @let y = TOP + ROW * (at as f64 + 0.5);
                g class=(side(point.value, zero)) {
                    title { (point.name) ": " (point.said) }
                    text.name x=(LEFT - 10.0) y=(y + 4.0) text-anchor="end" { (shortened(&point.name)) }
                    line.interval x1=(px(x(point.low))) x2=(px(x(point.high))) y1=(y) y2=(y) {}
                    circle.filled[point.is_marked] cx=(px(x(point.value))) cy=(y) r="5" {}
                }
            }
        }
    }
}

fn side(value: f64, zero: bool) -> &'static str {
    match zero {
        true if value > 0.0 => "point above",
        true if value < 0.0 => "point below",
        _ => "point",
    }
}

/// Draws points over two axes, each with its number.
pub(super) fn scatter(label: &str, x_name: &str, y_name: &str, points: &[(f64, f64)]) -> Markup {
    let (bottom, end) = (HEIGHT - FOOT, WIDTH - 16.0);
    let across = Axis::over(points.iter().map(|point| point.0));
    let up = Axis::over(points.iter().map(|point| point.1));
    let x = |value: f64| across.place(value, SIDE, end);
    let y = |value: f64| up.place(value, bottom, 24.0);
    html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            @for mark in up.marks() {
                line.grid x1=(SIDE) x2=(end) y1=(px(y(mark))) y2=(px(y(mark))) {}
                text.tick x=(SIDE - 8.0) y=(px(y(mark) + 4.0)) text-anchor="end" { (up.written(mark)) }
            }
            @for mark in across.marks() {
                line.grid x1=(px(x(mark))) x2=(px(x(mark))) y1="24" y2=(bottom) {}
                text.tick x=(px(x(mark))) y=(bottom + 15.0) text-anchor="middle" { (across.written(mark)) }
            }
            text.tick x=(end) y=(HEIGHT - 4.0) text-anchor="end" { (x_name) }
            text.tick x="4" y="14" { (y_name) }
            @for (at, point) in points.iter().enumerate() {
                g.point {
                    circle cx=(px(x(point.0))) cy=(px(y(point.1))) r="10" {}
                    text.number x=(px(x(point.0))) y=(px(y(point.1) + 4.0)) text-anchor="middle" { (at + 1) }
                }
            }
        }
    }
}

/// Draws a bar for each value from -1 to 1, the largest first.
pub(super) fn bars(label: &str, values: &[f64]) -> Markup {
    let mut sorted = values.to_vec();
    sorted.sort_by(|left, right| right.total_cmp(left));
    let middle = BARS / 2.0;
    let width = WIDTH / sorted.len().max(1) as f64;
    let path = |is_wanted: fn(f64) -> bool| {
        let mut path = String::new();
        let bars = sorted
            .iter()
            .enumerate()
            .filter(|(_, value)| is_wanted(**value));
        for (at, value) in bars {
            let (left, height) = (at as f64 * width, -value * (middle - 4.0));
            let _ = write!(path, "M{left:.2} {middle}v{height:.2}h{width:.2}V{middle}z");
        }
        path
    };
    html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {BARS}")) role="img" aria-label=(label) {
            path.better d=(path(|value| value > 0.0)) {}
            path.worse d=(path(|value| value < 0.0)) {}
            line.zero x1="0" x2=(WIDTH) y1=(middle) y2=(middle) {}
        }
    }
}

fn px(place: f64) -> String {
    format!("{place:.1}")
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    let start: String = name.chars().take(LETTERS - 1).collect();
    format!("{start}…")
}

/// Returns the nearest whole number that is not negative.
#[expect(clippy::cast_sign_loss, reason = "what is negative is made 0 before")]
pub(super) fn whole(number: f64) -> usize {
    number.round().max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_marks_around_all_values() {
        let axis = Axis::over([0.312, 0.438].into_iter());
        let marks: Vec<String> = axis
            .marks()
            .into_iter()
            .map(|mark| axis.written(mark))
            .collect();
        assert_eq!(marks, ["0.30", "0.35", "0.40", "0.45"]);
        let axis = Axis::over([-0.02, 0.03].into_iter());
        let marks: Vec<String> = axis
            .marks()
            .into_iter()
            .map(|mark| axis.written(mark))
            .collect();
        assert_eq!(marks, ["-0.02", "0.00", "0.02", "0.04"]);
        let axis = Axis::over([350.0, 2_100.0].into_iter());
        assert_eq!(axis.written(axis.high), "2500");
    }

    #[test]
    fn nothing_and_a_single_value_can_be_drawn() {
        for values in [vec![], vec![0.5], vec![0.0, 0.0]] {
            let axis = Axis::over(values.into_iter());
            assert!(axis.low < axis.high && axis.marks().len() > 1);
        }
        let drawn = bars("b", &[]).into_string() + &scatter("s", "x", "y", &[]).into_string();
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }

    #[test]
    fn bars_are_above_and_below_the_line() {
        let drawn = bars("b", &[-1.0, 0.5, 0.0]).into_string();
        assert!(
            drawn.contains("class=\"better\" d=\"M0.00 55v-25.50h160.00V55z\""),
            "{drawn}"
        );
        assert!(
            drawn.contains("class=\"worse\" d=\"M320.00 55v51.00h160.00V55z\""),
            "{drawn}"
        );
    }
}
