//! Words within names, and the cases they are written in.

/// The words of a name in any case: `HTTPRouteV2` is `HTTP`, `Route`, `V2`; `pod-disruption_budget` has three.
///
/// A word begins at a capital that follows a small letter or a digit, and at the last capital of a run that is followed
/// by a small letter. A lone `s` after capitals belongs to them (`URLs`), since it is a plural.
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        split_part(&part.chars().collect::<Vec<_>>(), &mut words);
    }
    words
}

fn split_part(letters: &[char], words: &mut Vec<String>) {
    let mut word = String::new();
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|at| letters.get(at)).copied();
        let next = letters.get(index + 1).copied();
        if letter.is_uppercase()
            && before.is_some_and(|before| begins_word(before, next, letters.get(index + 2)))
        {
            words.push(std::mem::take(&mut word));
        }
        word.push(letter);
    }
    if !word.is_empty() {
        words.push(word);
    }
}

/// Whether a capital begins a word, given the letters around it.
fn begins_word(before: char, next: Option<char>, after_next: Option<&char>) -> bool {
    if !before.is_uppercase() {
        return true;
    }
    let plural_acronym = next == Some('s') && after_next.is_none_or(|letter| letter.is_uppercase());
    next.is_some_and(char::is_lowercase) && !plural_acronym
}

/// `snake_case`: `HTTPRoute` is `http_route`.
pub fn snake(name: &str) -> String {
    words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>().join("_")
}

/// `PascalCase`; runs of capitals stay: `http-route` is `HttpRoute`, `HTTPRoute` stays.
pub fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capitalised(word)).collect()
}

/// `camelCase`: `HTTPRoute` is `httpRoute`.
pub fn camel(name: &str) -> String {
    let mut words = words(name).into_iter();
    let first = words.next().unwrap_or_default().to_lowercase();
    words.fold(first, |name, word| name + &capitalised(&word))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
