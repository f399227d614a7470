//! Flags and variables.

use std::time::Duration;

use kube_codegen_runtime::manager::{ConfigError, ManagerConfig};
use tokio::time::sleep;

use super::support::{Process, cluster};

fn flags(flags: &[&str]) -> Result<(ManagerConfig, Vec<String>), ConfigError> {
    ManagerConfig::default().with_flags(flags.iter().map(|flag| (*flag).to_owned()))
}

fn refused(given: &[&str]) -> String {
    flags(given).unwrap_err().to_string()
}

#[test]
fn the_flags_of_kubebuilders_main_are_understood() {
    let (config, rest) = flags(&[
        "--metrics-bind-address=:8443",
        "-health-probe-bind-address",
        "127.0.0.1:9000",
        "--leader-elect",
        "--leader-election-id=operator.example.com",
        "--leader-election-lease-duration=1m",
        "--leader-election-renew-deadline=40s",
        "--leader-election-retry-period=1500ms",
        "--metrics-secure=false",
        "--graceful-shutdown-timeout=1.5m",
        "--max-concurrent-reconciles=4",
        "--own-flag",
        "value",
        "--",
        "--leader-elect=false",
    ])
    .unwrap();
    assert_eq!(config.metrics_bind_address, Some("0.0.0.0:8443".parse().unwrap()));
    assert_eq!(config.health_probe_bind_address, Some("127.0.0.1:9000".parse().unwrap()));
    assert!(config.leader_elect);
    assert_eq!(config.leader_election_id, "operator.example.com");
    assert_eq!(config.lease_duration, Duration::from_secs(60));
    assert_eq!(config.renew_deadline, Duration::from_secs(40));
    assert_eq!(config.retry_period, Duration::from_millis(1500));
    assert_eq!(config.graceful_shutdown_timeout, Duration::from_secs(90));
    assert_eq!(config.max_concurrent_reconciles.get(), 4);
    assert_eq!(rest, ["--own-flag", "value", "--", "--leader-elect=false"]);
    let (config, _) = flags(&["--metrics-bind-address=0", "--health-probe-bind-address="]).unwrap();
    assert_eq!((config.metrics_bind_address, config.health_probe_bind_address), (None, None));
}

#[test]
fn what_does_not_fit_is_told_with_its_place() {
    for (given, said) in [
        (
            &["--metrics-bind-address=nowhere"][..],
            "--metrics-bind-address: \"nowhere\" is no address to listen on",
        ),
        (&["--leader-elect=maybe"], "--leader-elect: \"maybe\" is neither true nor false"),
        (&["--graceful-shutdown-timeout=soon"], "\"soon\" is no duration, such as 30s or 1m30s"),
        (&["--graceful-shutdown-timeout=30"], "\"30\" is no duration"),
        (&["--graceful-shutdown-timeout=-1s"], "\"-1s\" is no duration"),
        (&["--max-concurrent-reconciles=0"], "is not a positive number"),
        (&["--max-concurrent-reconciles=99999999999"], "is more than 10000"),
        (&["--leader-election-id"], "--leader-election-id needs a value"),
        (&["--metrics-secure=perhaps"], "--metrics-secure: \"perhaps\" is neither true nor false"),
        (&["--enable-http2"], "--enable-http2: \"true\" is not served here"),
    ] {
        assert!(refused(given).contains(said), "{}", refused(given));
    }
}

#[test]
fn variables_are_beneath_flags() {
    let variable = |name: &str| {
        let value = match name {
            "OP_LEADER_ELECT" => "true",
            "OP_METRICS_BIND_ADDRESS" => ":1",
            "OP_GRACEFUL_SHUTDOWN_TIMEOUT" => "",
            _ => return None,
        };
        Some(value.to_owned())
    };
    let config = ManagerConfig::default().with_variables("OP_", variable).unwrap();
    assert!(config.leader_elect && config.graceful_shutdown_timeout == Duration::from_secs(30));
    let (config, _) = config.with_flags(["--metrics-bind-address=:2".to_owned()]).unwrap();
    assert_eq!(config.metrics_bind_address.unwrap().port(), 2);
    let broken = |name: &str| (name == "OP_LEADER_ELECT").then(|| "perhaps".to_owned());
    let error = ManagerConfig::default().with_variables("OP_", broken).unwrap_err();
    assert_eq!(error.to_string(), "OP_LEADER_ELECT: \"perhaps\" is neither true nor false");
}

#[tokio::test(start_paused = true)]
async fn a_config_makes_a_manager_that_competes_for_its_lease() {
    let fake = cluster();
    let (mut config, _) = flags(&["--leader-elect", "--health-probe-bind-address=0"]).unwrap();
    let error = config.builder(&fake.client()).unwrap_err();
    assert!(error.to_string().contains("--leader-election-id"), "{error}");
    config.leader_election_id = "operator".to_owned();
    config.leader_election_namespace = Some("kube-system".to_owned());
    let manager = config.builder(&fake.client()).unwrap().build();
    let process = Process::start(&manager);
    sleep(Duration::from_secs(1)).await;
    let lines: Vec<String> = fake.actions().iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["get leases kube-system/operator", "create leases kube-system/operator"]);
    process.stop().await.unwrap();
    config.renew_deadline = config.lease_duration;
    assert!(matches!(config.builder(&fake.client()), Err(ConfigError::Election(_))));
}

#[cfg(feature = "clap")]
#[test]
fn clap_knows_the_same_flags() {
    use clap::{Args, Command, FromArgMatches};
    let command =
        || ManagerConfig::augment_args(Command::new("operator")).arg(clap::Arg::new("own").long("own"));
    command().debug_assert();
    let parse = |flags: &[&str]| {
        let matches = command().try_get_matches_from(std::iter::once(&"operator").chain(flags))?;
        ManagerConfig::from_arg_matches(&matches)
    };
    let given = [
        "--leader-elect",
        "--metrics-bind-address=:1",
        "--graceful-shutdown-timeout",
        "1m",
        "--metrics-secure=false",
    ];
    let (plain, _) = flags(&given).unwrap();
    assert_eq!(parse(&[&given[..], &["--own", "x"]].concat()).unwrap(), plain);
    assert!(!parse(&["--leader-elect=false", "--own", "x"]).unwrap().leader_elect);
    let error = parse(&["--leader-election-retry-period=soon"]).unwrap_err();
    assert!(error.to_string().contains("--leader-election-retry-period: \"soon\" is no duration"), "{error}");
    let help = command().render_help().to_string();
    assert!(
        help.contains("--health-probe-bind-address <ADDRESS>") && help.contains("Where /metrics is answered"),
        "{help}"
    );
    assert!(help.contains("[default: :8081]") && help.contains("[default: 15s]"), "{help}");
}
