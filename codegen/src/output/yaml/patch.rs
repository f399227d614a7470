//! Patching: the schemas within a definition that is kept by hand, replaced as text.
//!
//! Everything else stays as it is, comments and order included: the text is edited by lines, never printed again. What
//! is looked for is written in blocks; a definition with `{..}` around its versions is refused.

use super::document;
use serde_json::{Value, json};

/// Why a definition cannot be patched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The lines cannot be found by their indentation.
    #[error("`{key}` is not written as a block, so its schema cannot be found by lines")]
    NoBlock {
        /// The key.
        key: &'static str,
    },
}

/// A key of a map with its value, as lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    /// The line of the key.
    first: usize,
    /// The line behind the last one.
    end: usize,
    /// The column of the key.
    column: usize,
}

/// Replaces the schemas of the versions of one document.
///
/// - `schema_of`: the schema of a version by its name; a version without one loses what it has.
///
/// # Errors
/// The text is not written in blocks.
pub fn patch_schemas(text: &str, schema_of: impl Fn(&str) -> Option<Value>) -> Result<String, PatchError> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let whole = Block { first: 0, end: lines.len(), column: 0 };
    let spec = child(&lines, whole, 0, "spec").ok_or(PatchError::NoBlock { key: "spec" })?;
    let column = inner_column(&lines, spec).ok_or(PatchError::NoBlock { key: "spec" })?;
    if let Some(old) = child(&lines, spec, column, "validation") {
        // The form of long ago, in which all versions shared one schema.
        lines.drain(old.first..old.end);
    }
    let spec = child(&lines, Block { end: lines.len(), ..whole }, 0, "spec")
        .ok_or(PatchError::NoBlock { key: "spec" })?;
    let versions = child(&lines, spec, column, "versions").ok_or(PatchError::NoBlock { key: "versions" })?;
    let items = items(&lines, versions);
    if items.is_empty() {
        return Err(PatchError::NoBlock { key: "versions" });
    }
    // From the last to the first, so that lines keep their numbers.
    for item in items.into_iter().rev() {
        patch_version(&mut lines, item, &schema_of)?;
    }
    Ok(lines.join("\n"))
}

fn patch_version(
    lines: &mut Vec<String>,
    item: Block,
    schema_of: &impl Fn(&str) -> Option<Value>,
) -> Result<(), PatchError> {
    let name = child(lines, item, item.column, "name").ok_or(PatchError::NoBlock { key: "versions" })?;
    let name = value_of(lines, name);
    let wanted =
        schema_of(&name).map(|schema| printed(&json!({ "openAPIV3Schema": schema }), item.column + 2));
    match (child(lines, item, item.column, "schema"), wanted) {
        (Some(old), wanted) => {
            let is_block = key_of(lines.get(old.first).map_or("", String::as_str), old.column)
                .is_some_and(|(_, value)| value.is_empty() || value.starts_with('#'));
            if !is_block && old.end > old.first + 1 {
                return Err(PatchError::NoBlock { key: "schema" });
            }
            let first = old.first == item.first;
            match wanted {
                Some(schema) => {
                    let head = lines.get(old.first).map_or("", String::as_str);
                    let before = head.get(..old.column).unwrap_or_default();
                    let head = if is_block { head.to_owned() } else { format!("{before}schema:") };
                    lines.splice(old.first..old.end, std::iter::once(head).chain(schema));
                }
                None if first => return Err(PatchError::NoBlock { key: "versions" }),
                None => {
                    lines.drain(old.first..old.end);
                }
            }
        }
        (None, Some(schema)) => {
            let head = format!("{}schema:", " ".repeat(item.column));
            lines.splice(item.end..item.end, std::iter::once(head).chain(schema));
        }
        (None, None) => {}
    }
    Ok(())
}

/// A value as lines at a column, folded as it is where a whole definition is written.
fn printed(value: &Value, column: usize) -> Vec<String> {
    let levels = column / 2;
    let indent = " ".repeat(column % 2);
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{indent}{line}") };
    let below = (0..levels).fold(value.clone(), |value, _| json!({ "level": value }));
    document(&below).trim_end_matches('\n').split('\n').skip(levels).map(line).collect()
}

/// The column of a line's first letter; `None` for blank lines and comments.
fn column_of(line: &str) -> Option<usize> {
    let text = line.trim_start_matches(' ');
    (!text.trim().is_empty() && !text.starts_with('#')).then(|| line.len() - text.len())
}

/// The key at a column of a line, and what follows the colon. A dash before the key counts as blanks.
fn key_of(line: &str, column: usize) -> Option<(&str, &str)> {
    let (before, rest) = line.split_at_checked(column)?;
    if !before.chars().all(|letter| matches!(letter, ' ' | '-')) || rest.starts_with(' ') {
        return None;
    }
    let (key, value) = rest.split_once(':')?;
    let plain = value.is_empty() || value.starts_with(' ');
    plain.then(|| (key.trim_matches(['"', '\'']), value.trim()))
}

/// The key of this name among those at a column within a block.
fn child(lines: &[String], block: Block, column: usize, name: &str) -> Option<Block> {
    let line = |at: usize| lines.get(at).map_or("", String::as_str);
    let is_key = |at: usize| {
        let dashed =
            column_of(line(at)).is_some_and(|found| found == column || (at == block.first && found < column));
        dashed && key_of(line(at), column).is_some_and(|(key, _)| key == name)
    };
    let first = (block.first..block.end).find(|at| is_key(*at))?;
    let mut end = first + 1;
    let mut last = first + 1;
    while end < block.end {
        match column_of(line(end)) {
            // A list stands at the column of its key.
            Some(found)
                if found < column || (found == column && !line(end).trim_start().starts_with("- ")) =>
            {
                break;
            }
            Some(found) if found == column && !is_list(lines, first, block.end, column) => break,
            Some(_) => last = end + 1,
            None => {}
        }
        end += 1;
    }
    Some(Block { first, end: last, column })
}

/// Whether the value of a key is a list whose dashes stand at the key's own column.
fn is_list(lines: &[String], key: usize, end: usize, column: usize) -> bool {
    let next = lines.get(key + 1..end).unwrap_or_default().iter().find(|line| column_of(line).is_some());
    next.is_some_and(|line| column_of(line) == Some(column) && line.trim_start().starts_with("- "))
}

/// The column of the keys within a block.
fn inner_column(lines: &[String], block: Block) -> Option<usize> {
    let inner = lines.get(block.first + 1..block.end)?.iter().find_map(|line| column_of(line))?;
    (inner > block.column).then_some(inner)
}

/// The maps of a list, each with the column of its keys.
fn items(lines: &[String], list: Block) -> Vec<Block> {
    let line = |at: usize| lines.get(at).map_or("", String::as_str);
    let Some(dash) = (list.first + 1..list.end).find_map(|at| column_of(line(at))) else { return Vec::new() };
    let starts = (list.first + 1..list.end)
        .filter(|at| column_of(line(*at)) == Some(dash) && line(*at).trim_start().starts_with("- "));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(list.end));
    let block = |(first, end): (usize, usize)| {
        let text = line(first).get(dash + 1..).unwrap_or_default();
        let column = dash + 1 + text.len() - text.trim_start_matches(' ').len();
        // Comments above the next item belong to that one.
        let last = (first..end).rev().find(|at| column_of(line(*at)).is_some()).unwrap_or(first);
        Block { first, end: last + 1, column }
    };
    starts.iter().copied().zip(ends).map(block).collect()
}

/// The plain value of a key on one line.
fn value_of(lines: &[String], block: Block) -> String {
    let line = lines.get(block.first).map_or("", String::as_str);
    let value = key_of(line, block.column).map_or("", |(_, value)| value);
    let value = value.split(" #").next().unwrap_or(value).trim();
    value.trim_matches(['"', '\'']).to_owned()
}
