//! Durations for people.
//!
//! In: seconds. Out: `5m3s`, `2d4h`, `3y`: what tables show of times, the longer ago the rougher.

use jiff::Timestamp;

/// The seconds between two moments.
pub(super) fn now_minus(now: Timestamp, then: Timestamp) -> i64 {
    // Towards zero, so that a moment that is almost now is not yet to come.
    (now.as_millisecond() - then.as_millisecond()) / 1000
}

/// A duration as tables show it.
pub(crate) fn human(seconds: i64) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let days = hours / 24;
    let with = |large: i64, unit: &str, small: i64, small_unit: &str| match small {
        0 => format!("{large}{unit}"),
        _ => format!("{large}{unit}{small}{small_unit}"),
    };
    match () {
        () if seconds < -1 => "<invalid>".to_owned(),
        () if seconds < 0 => "0s".to_owned(),
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => with(minutes, "m", seconds % 60, "s"),
        () if minutes < 180 => format!("{minutes}m"),
        () if hours < 8 => with(hours, "h", minutes % 60, "m"),
        () if hours < 48 => format!("{hours}h"),
        () if hours < 24 * 8 => with(days, "d", hours % 24, "h"),
        () if hours < 24 * 365 * 2 => format!("{days}d"),
        () if hours < 24 * 365 * 8 => with(days / 365, "y", days % 365, "d"),
        () => format!("{}y", days / 365),
    }
}
