//! The parts of moments and of lengths of time.

use jiff::{Timestamp, civil::Weekday, tz::TimeZone};

use super::{EvalError, Result, Val};

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    match args {
        [Val::Duration(nanoseconds)] => {
            let unit = match function {
                "getHours" => 3_600_000_000_000,
                "getMinutes" => 60_000_000_000,
                "getSeconds" => 1_000_000_000,
                "getMilliseconds" => 1_000_000,
                _ => return None,
            };
            Some(Ok(Val::Int(nanoseconds / unit)))
        }
        [Val::Timestamp(moment)] => part(function, *moment, "UTC"),
        [Val::Timestamp(moment), Val::Text(zone)] => part(function, *moment, zone),
        _ => None,
    }
}

fn zone(name: &str) -> std::result::Result<TimeZone, EvalError> {
    let broken = || EvalError::new(format!("unknown time zone {name}"));
    if let Some((hours, minutes)) = name.split_once(':') {
        let negative = hours.starts_with('-');
        let hours: i32 = hours.trim_start_matches(['+', '-']).parse().map_err(|_| broken())?;
        let minutes: i32 = minutes.parse().map_err(|_| broken())?;
        let seconds = (hours * 60 + minutes) * 60;
        let offset = jiff::tz::Offset::from_seconds(if negative { -seconds } else { seconds });
        return Ok(TimeZone::fixed(offset.map_err(|_| broken())?));
    }
    match name {
        "" | "UTC" => Ok(TimeZone::UTC),
        name => TimeZone::get(name).map_err(|_| broken()),
    }
}

fn part<'v>(function: &str, moment: Timestamp, name: &str) -> Option<Result<'v>> {
    let known = [
        "getFullYear",
        "getMonth",
        "getDayOfYear",
        "getDayOfMonth",
        "getDate",
        "getDayOfWeek",
        "getHours",
        "getMinutes",
        "getSeconds",
        "getMilliseconds",
    ];
    if !known.contains(&function) {
        return None;
    }
    let zoned = match zone(name) {
        Ok(zone) => moment.to_zoned(zone),
        Err(error) => return Some(Err(error)),
    };
    let part = match function {
        "getFullYear" => i64::from(zoned.year()),
        "getMonth" => i64::from(zoned.month()) - 1,
        "getDayOfYear" => i64::from(zoned.day_of_year()) - 1,
        "getDayOfMonth" => i64::from(zoned.day()) - 1,
        "getDate" => i64::from(zoned.day()),
        "getDayOfWeek" => match zoned.weekday() {
            Weekday::Sunday => 0,
            day => i64::from(day.to_monday_one_offset()),
        },
        "getHours" => i64::from(zoned.hour()),
        "getMinutes" => i64::from(zoned.minute()),
        "getSeconds" => i64::from(zoned.second()),
        _ => i64::from(zoned.millisecond()),
    };
    Some(Ok(Val::Int(part)))
}
