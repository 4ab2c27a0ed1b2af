//! One slide, with what belongs to it: charts, diagrams, notes, comments.

use std::collections::HashSet;

use crate::blocks::Block;
use crate::failure::Failure;
use crate::opc::{Package, Relationship, related};
use crate::slides::{Kind, Slide};

use super::comments::{self, Authors};
use super::diagram;
use super::shapes::{self, Content, Shape};

/// Reads the slide in `part` and what it refers to.
pub(super) fn read(package: &mut Package, part: &str, authors: &Authors) -> Result<Slide, Failure> {
    let relationships = package.relationships(part)?;
    package.note_objects(&relationships);
    let mut slide = Slide::default();
    let mut sheet = shapes::Sheet::default();
    let read = package
        .read(part)
        .and_then(|xml| shapes::read(&xml, &relationships, &mut sheet));
    match read {
        Err(failure) if failure.is_damage() => slide.is_damaged = true,
        other => other?,
    }
    slide.is_hidden = sheet.is_hidden;
    for shape in shapes::in_reading_order(sheet.shapes) {
        add(package, &relationships, shape, &mut slide)?;
    }
    if let Some(name) = related(&relationships, "notesSlide") {
        let notes = read_notes(package, &name)?;
        if !notes.is_empty() {
            slide.blocks.push(Block::Text("Notes:".into()));
            slide.blocks.extend(notes);
        }
    }
    if let Some(name) = related(&relationships, "comments") {
        let read = package.secondary(&name, |xml| comments::read(xml, authors))?;
        slide.blocks.extend(read);
    }
    Ok(slide)
}

fn add(
    package: &mut Package,
    relationships: &[Relationship],
    shape: Shape,
    slide: &mut Slide,
) -> Result<(), Failure> {
    let part = |id: &str| {
        let found = relationships.iter().find(|one| one.id == id);
        found.map(|found| found.part.clone()).unwrap_or_default()
    };
    match shape.content {
        Content::Text(body) => match shape.kind {
            Kind::Title if slide.title.is_none() => {
                let line = body.line();
                slide.title = Some(line).filter(|line| !line.is_empty());
            }
            Kind::Number => {}
            Kind::Footer => slide
                .running
                .extend(Some(body.line()).filter(|line| !line.is_empty())),
            kind => slide.blocks.extend(body.blocks(kind == Kind::Outline)),
        },
        Content::Table(rows) => slide.blocks.push(Block::Table(rows)),
        Content::Chart(id) => {
            slide.blocks.extend(package.chart(&part(&id))?);
        }
        Content::Diagram(id) => {
            slide
                .blocks
                .extend(package.secondary(&part(&id), diagram::read)?);
        }
        Content::Picture(shown) => slide.blocks.push(shown),
        Content::Group(shapes) => {
            for shape in shapes {
                add(package, relationships, shape, slide)?;
            }
        }
    }
    Ok(())
}

/// Reads the speaker's notes: what stands on the notes page.
fn read_notes(package: &mut Package, name: &str) -> Result<Vec<Block>, Failure> {
    let relationships = package.relationships(name)?;
    let sheet = package.secondary(name, |xml| {
        let mut sheet = shapes::Sheet::default();
        shapes::read(xml, &relationships, &mut sheet).map(|()| sheet)
    })?;
    let mut notes = Slide::default();
    for mut shape in sheet.shapes {
        if matches!(shape.kind, Kind::Number | Kind::Footer) {
            continue;
        }
        shape.kind = Kind::Other;
        add(package, &relationships, shape, &mut notes)?;
    }
    Ok(notes.blocks)
}

/// Reads what the layout of a slide, and the master of that, show on each slide: the text outside of placeholders. Each
/// layout is read once.
pub(super) fn lines_of_layout(
    package: &mut Package,
    slide: &str,
    known: &mut HashSet<String>,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let mut part = slide.to_owned();
    for kind in ["slideLayout", "slideMaster"] {
        let next = related(&package.relationships(&part)?, kind);
        let Some(next) = next.filter(|next| package.has(next) && known.insert(next.clone())) else {
            break;
        };
        let mut sheet = shapes::Sheet::default();
        // What is damaged in a layout is no loss of the text.
        let read = package.read(&next);
        if read
            .and_then(|xml| shapes::read(&xml, &[], &mut sheet))
            .is_ok()
        {
            add_lines(sheet.shapes, &mut lines);
        }
        part = next;
    }
    Ok(lines)
}

fn add_lines(shapes: Vec<Shape>, lines: &mut Vec<String>) {
    for shape in shapes {
        match shape.content {
            Content::Text(body) if shape.kind == Kind::Other => lines.push(body.line()),
            // Groups in groups are few.
            Content::Group(shapes) => add_lines(shapes, lines),
            _ => {}
        }
    }
}
