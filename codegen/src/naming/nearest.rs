//! The known name that a misspelt one was meant to be.

/// The nearest of the known names, where one is near enough to be worth a hint.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wrong.chars().count();
    let limit = (length / 3).clamp(1, 4);
    known
        .into_iter()
        // Every letter more or less is an edit.
        .filter(|name| name.chars().count().abs_diff(length) <= limit)
        .map(|name| (distance(wrong, name), name))
        .filter(|(distance, _)| *distance <= limit * 2)
        .min_by_key(|(distance, name)| (*distance, name.len()))
        .map(|(_, name)| name)
}

/// Edit distance in half steps: a letter in the wrong case costs one, everything else (insert, delete, replace, swap of
/// neighbours) two.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(120).collect();
    let right: Vec<char> = right.chars().take(120).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).map(|count| count * 2).collect();
    for (row, &a) in left.iter().enumerate() {
        let mut current = vec![(row + 1) * 2];
        for (column, &b) in right.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&above, column) + cost(a, b))
                .min(at(&above, column + 1) + 2)
                .min(at(&current, column) + 2);
            let swapped =
                column > 0 && row > 0 && left.get(row - 1) == Some(&b) && right.get(column - 1) == Some(&a);
            if swapped {
                best = best.min(at(&before, column - 1) + 2);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or_default()
}

fn cost(a: char, b: char) -> usize {
    match (a == b, a.eq_ignore_ascii_case(&b)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}
