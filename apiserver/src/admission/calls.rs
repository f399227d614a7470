//! `Calls`: what a request wants to know of servers elsewhere before it can be answered.
//!
//! In: questions, each with the place that answers it. Out: answers that have come already; what has none yet is noted, the request is given
//! up without a trace, and sent again when the answers are there. Nobody is called here.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde_json::Value;

use crate::protocol::Status;

/// Where a webhook is, and how it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target {
    /// `https://host[:port]/path`
    pub url: String,
    /// Namespace and name of a service that stands behind the address.
    pub service: Option<(String, String)>,
    /// PEM of the authorities whose certificates it may show.
    pub authorities: Vec<u8>,
    /// In seconds.
    pub timeout: u64,
}

impl Target {
    /// Where the client configuration of a webhook leads.
    pub(crate) fn read(config: &Value, timeout: u64) -> Self {
        let text = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let authorities = STANDARD.decode(text(config, "caBundle")).unwrap_or_default();
        if let Some(service) = config.get("service").filter(|service| !service.is_null()) {
            let (namespace, name) = (text(service, "namespace"), text(service, "name"));
            let port = service.get("port").and_then(Value::as_i64).unwrap_or(443);
            let path = text(service, "path");
            let path = path.trim_start_matches('/');
            let url = format!("https://{name}.{namespace}.svc:{port}/{path}");
            return Self { url, service: Some((namespace, name)), authorities, timeout };
        }
        Self { url: text(config, "url"), service: None, authorities, timeout }
    }
}

/// A call that is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub target: Target,
    pub body: Bytes,
    uid: String,
    question: String,
}

/// What came of a call.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    question: String,
    /// The name of the question, as the webhook was told.
    pub uid: String,
    /// The body, or why there is none.
    pub outcome: Result<Bytes, String>,
}

impl Call {
    /// The name of the question, as the webhook is told.
    pub(crate) fn uid(&self) -> &str {
        &self.uid
    }

    /// The call with what came of it.
    pub(crate) fn answered(self, outcome: Result<Bytes, String>) -> Answer {
        Answer { question: self.question, uid: self.uid, outcome }
    }
}

/// Whether webhooks are asked at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By requests of the server's own, which nobody could wait for.
    #[default]
    Skipped,
    Asked,
}

/// The calls of one request.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub mode: Mode,
    pub answers: Vec<Answer>,
    pub wanted: Vec<Call>,
    /// Where the names of questions come from.
    pub random: fastrand::Rng,
}

impl Calls {
    /// Calls of a request with these answers.
    pub(crate) fn with(answers: Vec<Answer>, random: fastrand::Rng) -> Self {
        Self { mode: Mode::Asked, answers, wanted: Vec::new(), random }
    }

    /// The answer to a question; none where it has to be asked first. The question is told apart by its text, and gets a name.
    pub(crate) fn ask(
        &mut self,
        target: &Target,
        question: &Value,
        name: impl FnOnce(Value, &str) -> Value,
    ) -> Option<Answer> {
        let text = format!("{} {question}", target.url);
        if let Some(known) = self.answers.iter().find(|answer| answer.question == text) {
            return Some(known.clone());
        }
        let uid = self.uid();
        let body = name(question.clone(), &uid).to_string().into();
        self.wanted.push(Call { target: target.clone(), body, uid, question: text });
        None
    }

    /// A call whose answer is told apart by its name alone.
    pub(crate) fn call(&mut self, target: Target, body: impl FnOnce(&str) -> Bytes) -> Call {
        let uid = self.uid();
        Call { body: body(&uid), target, question: uid.clone(), uid }
    }

    /// What a request ends with that waits for an answer: nobody gets to see it.
    pub(crate) fn pending() -> Status {
        Status::service_unavailable("waiting for a webhook")
    }

    fn uid(&mut self) -> String {
        let bits = self.random.u128(..) & !(0xf << 76) | 0x4 << 76;
        let hex = format!("{:032x}", bits & !(0x3 << 62) | 0x2 << 62);
        let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
        format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
    }
}
