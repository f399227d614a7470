//! The two ways to a fake, in process and over HTTPS: what holds on one has to hold on the other.

use kube_codegen_apiserver::testing::Fake;

/// How a test's requests reach the server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    InProcess,
    #[cfg(feature = "http")]
    OverHttps,
}

impl Way {
    /// The fake, with a client that takes this way.
    pub(crate) async fn to(self, fake: Fake) -> Fake {
        match self {
            Self::InProcess => fake,
            #[cfg(feature = "http")]
            Self::OverHttps => https::reach(&fake).await,
        }
    }
}

#[cfg(feature = "http")]
mod https {
    use kube::{Client, Config, config::KubeConfigOptions};
    use kube_codegen_apiserver::{Http, testing::Fake};
    use tokio_util::sync::CancellationToken;

    /// Serves the fake's server for as long as the test's runtime lives.
    pub(super) async fn reach(fake: &Fake) -> Fake {
        let http = Http::bind(fake.server(), "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let options = KubeConfigOptions::default();
        let config = Config::from_custom_kubeconfig(http.kubeconfig(), &options).await.unwrap();
        let client = Client::try_from(config).unwrap();
        tokio::spawn(http.serve(CancellationToken::new()));
        fake.through(client)
    }
}

/// Runs tests that take a [`Way`] on each.
macro_rules! on_both_ways {
    ($($name:ident),+ $(,)?) => {
        mod in_process {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name($crate::ways::Way::InProcess).await;
                }
            )+
        }

        #[cfg(feature = "http")]
        mod over_https {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name($crate::ways::Way::OverHttps).await;
                }
            )+
        }
    };
}
