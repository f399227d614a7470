//! Numbers as they are stored: whole ones have no fraction, however they were written.
//!
//! In: a value. Out: the value so. Until an object is stored, `1.0` is another thing than `1`.

use serde_json::Value;

/// The first number that is too large for an integer.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

fn as_integer(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else { return None };
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float == float.trunc() && (-LIMIT..LIMIT).contains(&float)).then_some(float as i64)
}

/// Whether something in a value was written with a fraction, or an exponent, and is whole.
pub(crate) fn has_whole_fractions(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_whole_fractions),
        Value::Object(members) => members.values().any(has_whole_fractions),
        value => as_integer(value).is_some(),
    }
}

/// The same value with whole numbers written as such.
pub(crate) fn whole_numbers(mut value: Value) -> Value {
    make_whole(&mut value);
    value
}

/// Writes whole numbers as such, in place.
pub(crate) fn make_whole(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        value => {
            if let Some(integer) = as_integer(value) {
                *value = integer.into();
            }
        }
    }
}
