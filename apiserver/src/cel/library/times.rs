//! The parts of moments and of lengths of time.

use jiff::{
    civil::{DateTime, Weekday},
    tz::TimeZone,
};

use super::{EvalError, Result, Val};
use crate::cel::time::Moment;

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

/// What calendar and clock say of a moment in a zone.
fn told(moment: Moment, name: &str) -> std::result::Result<DateTime, EvalError> {
    let broken = || EvalError::new(format!("unknown time zone {name}"));
    if let Some((hours, minutes)) = name.split_once(':') {
        let negative = hours.starts_with('-');
        let hours: i64 = hours.trim_start_matches(['+', '-']).parse().map_err(|_| broken())?;
        let minutes: i64 = minutes.parse().map_err(|_| broken())?;
        let seconds = hours.checked_mul(60).and_then(|hours| hours.checked_add(minutes)?.checked_mul(60));
        let seconds = seconds.ok_or_else(broken)?;
        return moment.at(if negative { -seconds } else { seconds }).ok_or_else(broken);
    }
    match name {
        "" | "UTC" | "Local" => Ok(moment.utc()),
        name => {
            let zone = TimeZone::get(name).ok().filter(|zone| zone.iana_name() == Some(name));
            zone.and_then(|zone| moment.within(&zone)).ok_or_else(broken)
        }
    }
}

fn part<'v>(function: &str, moment: Moment, name: &str) -> Option<Result<'v>> {
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
    let told = match told(moment, name) {
        Ok(told) => told,
        Err(error) => return Some(Err(error)),
    };
    let part = match function {
        "getFullYear" => i64::from(told.year()),
        "getMonth" => i64::from(told.month()) - 1,
        "getDayOfYear" => i64::from(told.day_of_year()) - 1,
        "getDayOfMonth" => i64::from(told.day()) - 1,
        "getDate" => i64::from(told.day()),
        "getDayOfWeek" => match told.weekday() {
            Weekday::Sunday => 0,
            day => i64::from(day.to_monday_one_offset()),
        },
        "getHours" => i64::from(told.hour()),
        "getMinutes" => i64::from(told.minute()),
        "getSeconds" => i64::from(told.second()),
        _ => i64::from(told.millisecond()),
    };
    Some(Ok(Val::Int(part)))
}
