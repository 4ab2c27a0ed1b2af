//! The numbers of a chart, as a table: a row for each category, a column for each series.

use crate::blocks::{Block, Cell};
use crate::failure::Failure;
use crate::number_format::NumberFormat;
use crate::one_line::one_line;
use crate::xml::{Element, Node, Walk};

/// How many points of a series are read; sheets have no more rows.
const MAX_POINTS: usize = 1 << 20;

/// How many levels of categories are read above the lowest.
const MAX_LEVELS: usize = 8;

/// How many places the table of a chart may have for each point before it is a list.
const PLACES_PER_POINT: usize = 8;

/// The kind of the relationship of a chart to the boxes that are drawn on it.
pub(crate) const USER_SHAPES: &str = "chartUserShapes";

/// Points with their numbers.
type Points = Vec<(usize, String)>;

/// A series of a chart: its name, its categories and its values, by their numbers.
#[derive(Debug, Default)]
struct Series {
    name: String,
    categories: Points,
    /// The levels of categories above the lowest, from the inside out.
    outer: Vec<Points>,
    values: Points,
    /// The sizes of bubbles, and what stands beside the points.
    sizes: Points,
    labels: Points,
}

/// Where the walk is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Other,
    Name,
    Categories,
    Values,
    Sizes,
    Labels,
}

/// Reads the title and the numbers of a chart.
pub(crate) fn read(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let mut chart = Chart::default();
    loop {
        match walk.next()? {
            Node::Open(element) if element.name() == "Fallback" => walk.skip()?,
            Node::Open(element) => {
                chart.open(&element);
                chart.names.push(element.name().into());
            }
            Node::Text(text) => chart.text(&text),
            Node::Close => {
                if let Some(name) = chart.names.pop() {
                    chart.close(&name);
                }
            }
            Node::End => return Ok(chart.blocks()),
        }
    }
}

#[derive(Debug, Default)]
struct Chart {
    titles: Vec<String>,
    series: Vec<Series>,
    /// The names of the elements that are open.
    names: Vec<String>,
    title: Option<String>,
    place: Place,
    index: usize,
    /// How many levels of categories have begun.
    levels: usize,
    /// The name of a series that says later where its numbers are.
    name: Option<String>,
    /// The code of a format that is being read.
    code: String,
    /// How the numbers are shown that are being read; nothing within texts.
    format: Option<NumberFormat>,
    /// How the numbers of one point are shown, where it says so.
    of_point: Option<NumberFormat>,
    /// How the labels of the series show its values, where they have a format of their own.
    of_labels: Option<NumberFormat>,
    is_1904: bool,
}

impl Chart {
    fn open(&mut self, element: &Element) {
        let number = |name| element.attribute(name).and_then(|text| text.parse().ok());
        let parent = self.names.last().map(String::as_str);
        match element.name() {
            "title" => self.title = Some(String::new()),
            // The charts of 2016 and later have their numbers apart from the series.
            "ser" | "data" => {
                self.series.push(Series::default());
                self.of_labels = None;
            }
            "tx" if parent == Some("ser") => self.place = Place::Name,
            "tx" if parent == Some("series") => self.name = Some(String::new()),
            "dataId" => self.name_series(number("val")),
            "cat" | "xVal" | "strDim" => {
                self.place = Place::Categories;
                self.levels = 0;
            }
            "lvl" => self.levels += 1,
            "val" | "yVal" | "numDim" => self.place = Place::Values,
            "bubbleSize" => self.place = Place::Sizes,
            "datalabelsRange" | "dLbl" => self.place = Place::Labels,
            "idx" if parent == Some("dLbl") => self.index = number("val").unwrap_or(0),
            "pt" => self.index = number("idx").unwrap_or(0),
            _ => {}
        }
        self.note_format(element);
        self.note_labels(element);
    }

    /// Notes how numbers are shown, where an element says so.
    fn note_format(&mut self, element: &Element) {
        let code = |name| {
            element
                .attribute(name)
                .map(|code| NumberFormat::parse(&code))
        };
        match element.name() {
            "date1904" => self.is_1904 = element.attribute("val").is_none_or(|value| value != "0"),
            "numCache" | "numLit" | "numDim" => self.format = Some(NumberFormat::default()),
            "lvl" if self.format.is_some() => {
                self.format = code("formatCode").or(self.format.take());
            }
            "pt" => self.of_point = code("formatCode"),
            _ => {}
        }
    }

    /// Notes how the labels of a series show its values, unless they show shares of the whole.
    fn note_labels(&mut self, element: &Element) {
        let [.., above, parent] = self.names.as_slice() else {
            return;
        };
        if parent != "dLbls" || above != "ser" {
            return;
        }
        let is_on = |name| element.attribute(name).is_none_or(|value| value != "0");
        match element.name() {
            "numFmt" if !is_on("sourceLinked") => {
                let code = element.attribute("formatCode");
                self.of_labels = code.map(|code| NumberFormat::parse(&code));
            }
            "showVal" if !is_on("val") => self.of_labels = None,
            "showPercent" if is_on("val") => self.of_labels = None,
            _ => {}
        }
    }

    /// Shows the number that was read last, which had no more than digits.
    fn show_number(&mut self) {
        let is_value = self.place == Place::Values && self.format.is_some();
        let of_labels = self.of_labels.as_ref().filter(|_| is_value);
        let of_point = self.of_point.as_ref().or(self.format.as_ref());
        let Some(format) = of_labels.or(of_point) else {
            return;
        };
        let Some(series) = self.series.last_mut() else {
            return;
        };
        let points = match self.place {
            Place::Categories => &mut series.categories,
            Place::Values => &mut series.values,
            Place::Sizes => &mut series.sizes,
            Place::Name | Place::Labels | Place::Other => return,
        };
        let last = points.last_mut().filter(|(index, _)| *index == self.index);
        if let Some((_, text)) = last
            && let Ok(number) = text.trim().parse()
        {
            let mut shown = format.show(number, self.is_1904);
            // A label that shows nothing hides itself, not the value.
            if shown.trim().is_empty()
                && let Some(of_point) = of_point
            {
                shown = of_point.show(number, self.is_1904);
            }
            *text = shown;
        }
    }

    /// Gives the name that was read to the series whose numbers have this place.
    fn name_series(&mut self, place: Option<usize>) {
        let series = place.and_then(|place| self.series.get_mut(place));
        if let (Some(series), Some(name)) = (series, self.name.take()) {
            series.name = name;
        }
    }

    fn text(&mut self, text: &str) {
        let element = self.names.last().map(String::as_str);
        if let (Some(title), Some("t" | "v")) = (&mut self.title, element) {
            title.push_str(text);
            return;
        }
        if let (Some(name), Some("v")) = (&mut self.name, element) {
            name.push_str(text);
            return;
        }
        let Some(series) = self.series.last_mut() else {
            return;
        };
        if element == Some("formatCode") {
            self.code.push_str(text);
            return;
        }
        let points = match (self.place, element) {
            (Place::Name, Some("v")) => return series.name.push_str(text),
            (Place::Categories, Some("v" | "pt")) => match self.levels.checked_sub(2) {
                None => &mut series.categories,
                Some(level) if level < MAX_LEVELS => {
                    series.outer.resize(level + 1, Points::new());
                    &mut series.outer[level]
                }
                Some(_) => return,
            },
            (Place::Values, Some("v" | "pt")) => &mut series.values,
            (Place::Sizes, Some("v")) => &mut series.sizes,
            // A name in brackets stands for a value that is elsewhere.
            (Place::Labels, Some("t")) if text.starts_with('[') => return,
            (Place::Labels, Some("t" | "v")) => &mut series.labels,
            _ => return,
        };
        let has_room = points.len() < MAX_POINTS;
        match points.last_mut() {
            Some((index, last)) if *index == self.index => last.push_str(text),
            _ if has_room => points.push((self.index, text.into())),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "title" => self.titles.extend(self.title.take()),
            "formatCode" => {
                let code = std::mem::take(&mut self.code);
                if let Some(format) = &mut self.format {
                    *format = NumberFormat::parse(&code);
                }
            }
            "pt" => self.show_number(),
            "numCache" | "numLit" => self.format = None,
            "tx" if self.place != Place::Name => {}
            "tx" | "cat" | "xVal" | "val" | "yVal" | "strDim" | "numDim" | "bubbleSize"
            | "datalabelsRange" | "dLbl" => {
                self.place = Place::Other;
                self.format = None;
            }
            "ser" | "data" => {
                if let Some(series) = self.series.last_mut() {
                    series.join_levels();
                }
            }
            _ => {}
        }
    }

    fn blocks(self) -> Vec<Block> {
        let titles = self.titles.iter().map(|title| one_line(title));
        let titles: Vec<String> = titles.filter(|title| !title.is_empty()).collect();
        let mut blocks = Vec::new();
        if !titles.is_empty() {
            blocks.push(Block::Text(format!("Chart: {}", titles.join(", "))));
        }
        // The charts of 2016 and later may have categories alone.
        let lengths = self.series.iter();
        let lengths = lengths.map(|series| series.values.len().max(series.categories.len()));
        let points: usize = lengths.clone().sum();
        let rows = lengths.max().unwrap_or(0);
        if points == 0 {
            return blocks;
        }
        if rows * self.series.len() > PLACES_PER_POINT * points || !self.shares_categories() {
            blocks.extend(
                self.series
                    .iter()
                    .map(|one| table(std::slice::from_ref(one))),
            );
        } else {
            blocks.push(table(&self.series));
        }
        blocks
    }

    /// Returns whether the series have the same categories, or none of their own.
    fn shares_categories(&self) -> bool {
        let first = self.series.first().map(|series| &series.categories);
        let mut all = self.series.iter();
        all.all(|series| series.categories.is_empty() || Some(&series.categories) == first)
    }
}

impl Series {
    /// Writes the names of the outer levels, which hold up to the next, before the categories.
    fn join_levels(&mut self) {
        for mut outer in std::mem::take(&mut self.outer) {
            outer.sort_by_key(|(index, _)| *index);
            for (index, name) in &mut self.categories {
                let above = outer.partition_point(|(first, _)| first <= index);
                if let Some((_, above)) = above.checked_sub(1).and_then(|at| outer.get(at)) {
                    *name = format!("{above} {name}");
                }
            }
        }
    }

    /// Returns the columns of the series with their heads.
    fn columns(&self) -> Vec<(String, &Points)> {
        let mut columns = vec![(self.name.clone(), &self.values)];
        for (what, points) in [("size", &self.sizes), ("label", &self.labels)] {
            if !points.is_empty() {
                columns.push((format!("{} {what}", self.name), points));
            }
        }
        columns
    }
}

/// Makes a table of series with the same categories.
fn table(series: &[Series]) -> Block {
    let cell = |text: &str| Cell {
        text: one_line(text),
        span: 1,
    };
    let categories = series.first().map_or(&[][..], |first| &first.categories);
    let all: Vec<(String, &Points)> = series.iter().flat_map(Series::columns).collect();
    let mut numbers: Vec<usize> = all
        .iter()
        .flat_map(|(_, points)| points.iter())
        .chain(categories)
        .map(|(index, _)| *index)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut rows = vec![vec![cell("")]];
    rows[0].extend(all.iter().map(|(head, _)| cell(head)));
    let mut columns = vec![sorted(categories)];
    columns.extend(all.iter().map(|(_, points)| sorted(points)));
    for number in numbers {
        let find = |column: &Vec<(usize, &str)>| {
            let found = column.binary_search_by_key(&number, |(index, _)| *index);
            cell(found.map_or("", |at| column[at].1))
        };
        rows.push(columns.iter().map(find).collect());
    }
    Block::Table(rows)
}

fn sorted(points: &[(usize, String)]) -> Vec<(usize, &str)> {
    let mut points: Vec<(usize, &str)> = points
        .iter()
        .map(|(index, text)| (*index, text.as_str()))
        .collect();
    points.sort_by_key(|(index, _)| *index);
    points
}
