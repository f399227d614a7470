//! Ctrl-C and SIGTERM.
//!
//! In: signals. Out: a cancelled token at the first, the end of the process at the second.

use tokio_util::sync::CancellationToken;

use crate::say;

/// Begins the shutdown at the first signal, and ends the process at the second.
pub(crate) async fn stop_on_signals(shutdown: CancellationToken) {
    signal().await;
    say("stopping; once more to stop at once");
    shutdown.cancel();
    signal().await;

    std::process::exit(130);
}

/// Waits for Ctrl-C or SIGTERM. Where signals cannot be listened to, it waits for ever.
async fn signal() {
    let ctrl_c = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            say(&format!("Ctrl-C will not be noticed: {error}"));
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
            say(&format!("SIGTERM will not be noticed: {error}"));
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn terminate() {
    std::future::pending::<()>().await;
}
