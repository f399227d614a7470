//! What the two small servers of a manager show: health and metrics.
//!
//! In: GET requests. Out: texts. Never: a body that is read.

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;

#[cfg(feature = "secure-metrics")]
use super::secure::Access;
use super::{Checks, Metrics};
use crate::serving::{self, Answers, PLAIN};

/// An answer: its code, its type, its text.
type Answer = (u16, &'static str, String);

const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What stands behind one address.
pub(super) enum Pages {
    Health { live: Checks, ready: Checks },
    Metrics(Box<Metrics>, Guard),
}

/// Who is answered.
pub(super) enum Guard {
    /// Everybody who can reach the address.
    Nobody,
    /// Whom the cluster lets.
    #[cfg(feature = "secure-metrics")]
    Access(Box<Access>),
}

impl Answers for Pages {
    fn purpose(&self) -> &'static str {
        match self {
            Self::Health { .. } => "health probes",
            Self::Metrics(..) => "metrics",
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (code, kind, text) = match *request.method() {
            Method::GET | Method::HEAD => match self.refusal(&request).await {
                Some(refusal) => refusal,
                None => self.show(request.uri().path(), request.uri().query().unwrap_or_default()),
            },
            _ => (405, PLAIN, "only GET is answered here\n".to_owned()),
        };
        serving::response(code, kind, text)
    }
}

impl Pages {
    fn show(&self, path: &str, query: &str) -> Answer {
        match self {
            Self::Health { live, ready } => {
                let path = path.trim_start_matches('/');
                let (endpoint, check) = match path.split_once('/') {
                    Some((endpoint, check)) => (endpoint, Some(check).filter(|check| !check.is_empty())),
                    None => (path, None),
                };
                let checks = match endpoint {
                    "healthz" | "livez" => live,
                    "readyz" => ready,
                    _ => return missing("/healthz and /readyz"),
                };
                let (code, text) = checks.answer(endpoint, check, query);
                (code, PLAIN, text)
            }
            Self::Metrics(metrics, _) if path == "/metrics" => (200, METRICS, metrics.text()),
            Self::Metrics(..) => missing("/metrics"),
        }
    }

    /// What a request gets that is not to be answered.
    #[cfg(feature = "secure-metrics")]
    async fn refusal(&self, request: &Request<Incoming>) -> Option<Answer> {
        let Self::Metrics(_, Guard::Access(access)) = self else { return None };
        let admitted =
            access.admits(request.headers(), request.method().as_str(), request.uri().path()).await;
        admitted.err().map(|(code, text)| (code, PLAIN, text))
    }

    #[cfg(not(feature = "secure-metrics"))]
    async fn refusal(&self, _: &Request<Incoming>) -> Option<Answer> {
        None
    }
}

fn missing(there: &str) -> Answer {
    (404, PLAIN, format!("not found; there is {there}\n"))
}
