//! What stands in a spec.

use sample_apis::cnat::v1alpha1::AtSpec;
use sample_controller::at::schedule::{Order, Problem};

fn order(schedule: &str, command: &str) -> Result<Order, Problem> {
    Order::of(&AtSpec { schedule: schedule.into(), command: command.into(), ..AtSpec::default() })
}

fn due(schedule: &str) -> Option<String> {
    order(schedule, "true").ok().map(|order| order.due.to_string())
}

#[test]
fn an_instant_has_a_zone_an_offset_or_is_in_utc() {
    let noon = Some("2030-01-31T12:00:00Z".to_owned());
    for text in [
        "2030-01-31T12:00:00Z",
        "2030-01-31t12:00:00z",
        "2030-01-31T13:00:00+01:00",
        "2030-01-31T06:30:00-05:30",
        "2030-01-31T12:00:00",
        "2030-01-31 12:00:00",
        " 2030-01-31T12:00:00Z ",
        "2030-01-31T12:00:00.000Z",
    ] {
        assert_eq!(due(text), noon, "{text}");
    }
    assert_eq!(due("9999-12-30T22:00:00Z").as_deref(), Some("9999-12-30T22:00:00Z"));
}

#[test]
fn what_is_no_instant_is_refused() {
    for text in [
        "",
        "soon",
        "2030-01-31",
        "12:00:00",
        "2030-02-31T12:00:00Z",
        "2030-01-31T25:00:00Z",
        "2030-01-31T12:00:00[Europe/Berlin]",
        "2030-01-31T12:00:00+01:00[Europe/Berlin]",
        "10000-01-01T00:00:00Z",
        "@1700000000",
        "*/5 * * * *",
    ] {
        let problem = order(text, "true").unwrap_err();
        assert_eq!(problem.reason(), "InvalidSchedule", "{text}");
        assert!(problem.to_string().contains(&format!("{text:?}")), "{problem}");
    }
}

#[test]
fn a_command_is_split_as_a_shell_splits() {
    let words = |command| order("2030-01-31T12:00:00Z", command).map(|order| order.words);
    assert_eq!(words("echo hello world!").unwrap(), ["echo", "hello", "world!"]);
    assert_eq!(
        words("echo \"hello world!\" 'it''s' a\\ b ''").unwrap(),
        ["echo", "hello world!", "its", "a b", ""]
    );
    assert_eq!(words("sh -c 'echo $HOME | wc -l'").unwrap(), ["sh", "-c", "echo $HOME | wc -l"]);
    for (command, problem) in [("", "there is no command"), ("  \n", "there is no command")] {
        assert_eq!(words(command).unwrap_err().to_string(), problem);
    }
    for command in ["echo 'open", "echo \"open", "echo \\"] {
        assert_eq!(words(command).unwrap_err().reason(), "InvalidCommand", "{command}");
    }
}
