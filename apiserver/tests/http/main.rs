//! The server over HTTPS, and its program, as clients outside the process see them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod connection;
mod conversion;
mod data;
mod load;
mod program;
mod requests;
mod webhooks;

use std::time::Duration;

use kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use kube_codegen_apiserver::{ApiServer, Http};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A server that runs.
struct Running {
    url: String,
    kubeconfig: Kubeconfig,
    shutdown: CancellationToken,
    serving: JoinHandle<()>,
}

impl Running {
    async fn start() -> Self {
        let http = Http::bind(&ApiServer::default(), "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let shutdown = CancellationToken::new();
        Self {
            url: http.url(),
            kubeconfig: http.kubeconfig(),
            shutdown: shutdown.clone(),
            serving: tokio::spawn(http.serve(shutdown)),
        }
    }

    async fn client(&self) -> Client {
        client(self.kubeconfig.clone()).await
    }

    async fn stop(self) {
        self.shutdown.cancel();
        soon(self.serving).await.unwrap();
    }
}

async fn client(kubeconfig: Kubeconfig) -> Client {
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    Client::try_from(config).unwrap()
}

/// The token of a kubeconfig changed.
fn with_token(mut kubeconfig: Kubeconfig, token: Option<&str>) -> Kubeconfig {
    kubeconfig.auth_infos[0].auth_info.as_mut().unwrap().token = token.map(|token| token.to_owned().into());
    kubeconfig
}

/// What has to come, and not after half a minute.
async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(30), future).await.unwrap()
}
