//! The numbers of a chart, as a table: a row for each category, a column for each series.

use crate::blocks::{Block, Cell, one_line};
use crate::failure::Failure;
use crate::number::plain;
use crate::xml::{Node, Walk};

/// How many points of a series are read; sheets have no more rows.
const MAX_POINTS: usize = 1 << 20;

/// How many places the table of a chart may have for each point before it is a list.
const PLACES_PER_POINT: usize = 8;

/// A series of a chart: its name, its categories and its values, by their numbers.
#[derive(Debug, Default)]
struct Series {
    name: String,
    categories: Vec<(usize, String)>,
    values: Vec<(usize, String)>,
}

/// Where the walk is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Other,
    Name,
    Categories,
    Values,
}

/// Reads the title and the numbers of a chart.
pub(crate) fn read(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let mut chart = Chart::default();
    loop {
        match walk.next()? {
            Node::Open(element) if element.name() == "Fallback" => walk.skip()?,
            Node::Open(element) => {
                let name = element.name().to_owned();
                chart.open(&name, element.attribute("idx"));
                chart.names.push(name);
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
}

impl Chart {
    fn open(&mut self, name: &str, index: Option<String>) {
        match name {
            "title" => self.title = Some(String::new()),
            "ser" => self.series.push(Series::default()),
            "tx" if self.names.last().is_some_and(|parent| parent == "ser") => {
                self.place = Place::Name;
            }
            "cat" | "xVal" => self.place = Place::Categories,
            "val" | "yVal" => self.place = Place::Values,
            "pt" => self.index = index.and_then(|index| index.parse().ok()).unwrap_or(0),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let element = self.names.last().map(String::as_str);
        if let (Some(title), Some("t" | "v")) = (&mut self.title, element) {
            title.push_str(text);
            return;
        }
        let (Some("v"), Some(series)) = (element, self.series.last_mut()) else {
            return;
        };
        let points = match self.place {
            Place::Name => return series.name.push_str(text),
            Place::Categories => &mut series.categories,
            Place::Values => &mut series.values,
            Place::Other => return,
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
            "tx" | "cat" | "xVal" | "val" | "yVal" => self.place = Place::Other,
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
        let points: usize = self.series.iter().map(|series| series.values.len()).sum();
        let rows = self.series.iter().map(|series| series.values.len()).max();
        let rows = rows.unwrap_or(0);
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

    /// Says whether the series have the same categories, or none of their own.
    fn shares_categories(&self) -> bool {
        let first = self.series.first().map(|series| &series.categories);
        let mut all = self.series.iter();
        all.all(|series| series.categories.is_empty() || Some(&series.categories) == first)
    }
}

/// Makes a table of series with the same categories.
fn table(series: &[Series]) -> Block {
    let cell = |text: &str| Cell {
        text: one_line(&text.parse().map_or_else(|_| text.to_owned(), plain)),
        span: 1,
    };
    let categories = series.first().map_or(&[][..], |first| &first.categories);
    let mut numbers: Vec<usize> = series
        .iter()
        .flat_map(|series| series.values.iter().map(|(index, _)| *index))
        .chain(categories.iter().map(|(index, _)| *index))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut rows = vec![vec![cell("")]];
    rows[0].extend(series.iter().map(|series| cell(&series.name)));
    let mut columns = vec![sorted(categories)];
    columns.extend(series.iter().map(|series| sorted(&series.values)));
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
