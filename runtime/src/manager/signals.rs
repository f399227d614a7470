//! Ctrl-C and SIGTERM.
//!
//! In: signals. Out: a cancelled token at the first, the end of the process at the second. Never: a signal that is not heard because
//! something else has not ended.

use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

/// How a shell tells of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A token that is cancelled by the first Ctrl-C or SIGTERM; the second ends the process at once with the exit code 130. Must be called in
/// a tokio runtime.
#[must_use]
pub fn stop_on_signals() -> CancellationToken {
    let stop = CancellationToken::new();
    tokio::spawn({
        let stop = stop.clone();
        async move {
            signal().await;
            info!("stopping; once more to stop at once");
            stop.cancel();
            signal().await;
            warn!("stopped at once");
            std::process::exit(INTERRUPTED);
        }
    });
    stop
}

/// Waits for Ctrl-C or SIGTERM. Where signals cannot be listened to, it waits for ever.
async fn signal() {
    let ctrl_c = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            warn!(%error, "Ctrl-C will not be noticed");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = ctrl_c => {}
        () = terminate() => {}
    }
}

#[cfg(unix)]
async fn terminate() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => {
            terminated.recv().await;
        }
        Err(error) => {
            warn!(%error, "SIGTERM will not be noticed");
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn terminate() {
    std::future::pending::<()>().await;
}
