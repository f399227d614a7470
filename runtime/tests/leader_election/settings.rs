//! Times that do not fit together are refused, with the rule.

use std::time::Duration;

use kube_codegen_apiserver::testing::Fake;

use super::support::builder;

#[tokio::test]
async fn unsafe_settings_are_refused() {
    let client = Fake::new([], []).client();
    let times = |lease: u64, renew: u64, retry: u64| {
        let millis = Duration::from_millis;
        let builder = builder(client.clone(), "one").lease_duration(millis(lease));
        builder
            .renew_deadline(millis(renew))
            .retry_period(millis(retry))
            .build()
            .map(|_| ())
            .map_err(|why| why.to_string())
    };
    assert_eq!(times(15_000, 10_000, 2_000), Ok(()));
    for ((lease, renew, retry), said) in [
        ((10_000, 10_000, 2_000), "the lease duration (10s) has to be longer than the renew deadline (10s)"),
        (
            (15_000, 2_000, 2_000),
            "the renew deadline (2s) has to be longer than 1.2 times the retry period (2s)",
        ),
        ((15_000, 10_000, 0), "and that longer than nothing"),
        ((1_500, 1_000, 100), "in whole seconds; it is 1.5s"),
        ((0, 0, 0), "at least one second"),
    ] {
        let why = times(lease, renew, retry).unwrap_err();
        assert!(why.contains(said), "{why}");
    }
    let why = builder(client.clone(), "").build().map(|_| ()).unwrap_err();
    assert_eq!(why.to_string(), "the identity of a candidate must not be empty");
}
