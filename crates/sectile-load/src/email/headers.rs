//! What the headers of a message say.

use mail_parser::{Address, Group, Header, HeaderName, HeaderValue, Message};

use crate::one_line::one_line;

/// Returns the first header of a name that says something. There is to be one of each (RFC 5322, 3.6), and the first is
/// what readers show.
pub(super) fn first<'m, 'x>(
    message: &'m Message<'x>,
    name: &HeaderName<'x>,
) -> Option<&'m Header<'x>> {
    let mut headers = message.headers().iter();
    headers.find(|header| header.name == *name && !header.value.is_empty())
}

/// Returns the subject of a message on one line, unless it is blank.
pub(super) fn subject(message: &Message<'_>) -> Option<String> {
    let subject = first(message, &HeaderName::Subject)?.value.as_text()?;
    Some(one_line(subject)).filter(|subject| !subject.is_empty())
}

/// Returns the addresses that a message is from.
pub(super) fn from(message: &Message<'_>) -> Option<String> {
    let value = &first(message, &HeaderName::From)?.value;
    value.as_address().map(addresses)
}

/// Returns the addresses of all headers of a name: old programs write one for each receiver (RFC 5322, 4.5.3).
pub(super) fn receivers<'x>(message: &Message<'x>, name: &HeaderName<'x>) -> Option<String> {
    let headers = message.headers().iter();
    let named = headers.filter(|header| header.name == *name);
    let lists = named.filter_map(|header| header.value.as_address().map(addresses));
    let lists: Vec<String> = lists.filter(|list| !list.is_empty()).collect();
    (!lists.is_empty()).then(|| lists.join(", "))
}

/// Returns the addresses that answers go to, where they are not those that it is from.
pub(super) fn reply_to(message: &Message<'_>) -> Option<String> {
    let value = &first(message, &HeaderName::ReplyTo)?.value;
    let answers = addresses(value.as_address()?);
    let is_from = from(message).as_ref() == Some(&answers);
    Some(answers).filter(|_| !is_from)
}

/// Returns the name of the mailing list that a message came over.
pub(super) fn list_id(message: &Message<'_>) -> Option<String> {
    let value = &first(message, &HeaderName::ListId)?.value;
    let text = value.as_text().map(one_line);
    text.or_else(|| value.as_address().map(addresses))
}

/// Returns the name by which other messages refer to this one.
pub(super) fn message_id(message: &Message<'_>) -> Option<String> {
    id(&first(message, &HeaderName::MessageId)?.value)
}

/// Returns the name of the message that this one answers.
pub(super) fn in_reply_to(message: &Message<'_>) -> Option<String> {
    id(&first(message, &HeaderName::InReplyTo)?.value)
}

fn id(value: &HeaderValue<'_>) -> Option<String> {
    value.as_text().map(plain)
}

/// Returns addresses as they are written: `Name <address>`. Those of a group stand behind its name.
fn addresses(all: &Address<'_>) -> String {
    let groups: Vec<String> = match all {
        Address::List(list) => list.iter().filter_map(address).collect(),
        Address::Group(groups) => groups.iter().filter_map(group).collect(),
    };
    groups.join(", ")
}

/// Writes a group as its name and its members, of whom there may be none.
fn group(group: &Group<'_>) -> Option<String> {
    let members: Vec<String> = group.addresses.iter().filter_map(address).collect();
    let members = members.join(", ");
    let name = group.name.as_deref().map(one_line);
    match name.filter(|name| !name.is_empty()) {
        Some(name) if members.is_empty() => Some(format!("{name}:;")),
        Some(name) => Some(format!("{name}: {members};")),
        None => Some(members).filter(|members| !members.is_empty()),
    }
}

fn address(one: &mail_parser::Addr<'_>) -> Option<String> {
    let name = one.name().map(one_line).filter(|name| !name.is_empty());
    let address = one.address().map(|address| plain(without_route(address)));
    match (name, address) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (Some(name), None) => Some(name),
        (None, address) => address,
    }
}

/// Leaves out the machines that an address names on the way: `@a,@b:ann@example.org`.
fn without_route(address: &str) -> &str {
    let route = address.trim_start().strip_prefix('@');
    let end = route.and_then(|route| route.split_once(':'));
    end.map_or(address, |(_, end)| end)
}

/// Leaves out white space and comments, which obsolete addresses and names of messages may have between their words.
/// What stands in quotes stays, and so does an address without an at sign, which may be anything.
fn plain(address: &str) -> String {
    if !address.contains('@') || !address.contains([' ', '\t', '(']) {
        return address.into();
    }
    let mut plain = String::with_capacity(address.len());
    let (mut comments, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for letter in address.chars() {
        let is_plain = !is_escaped;
        is_escaped = is_plain && letter == '\\';
        match letter {
            '"' if is_plain && comments == 0 => is_quoted = !is_quoted,
            '(' if is_plain && !is_quoted => comments += 1,
            ')' if is_plain && !is_quoted && comments > 0 => {
                comments -= 1;
                continue;
            }
            _ => {}
        }
        if comments == 0 && (is_quoted || !letter.is_whitespace()) {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_without_routes_white_space_and_comments() {
        for (written, expected) in [
            ("ann@example.org", "ann@example.org"),
            ("jdoe@test   . example", "jdoe@test.example"),
            ("jdoe@machine(comment).  example", "jdoe@machine.example"),
            ("1234   @   local(bl(a)h)  .example", "1234@local.example"),
            ("\"a b(c)\"@example.org", "\"a b(c)\"@example.org"),
            ("@a.example,@b.example:ann@example.org", "ann@example.org"),
            ("postmaster (the desk)", "postmaster (the desk)"),
            ("a)b @c", "a)b@c"),
        ] {
            assert_eq!(plain(without_route(written)), expected);
        }
    }
}
