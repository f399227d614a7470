//! Who may read metrics.
//!
//! In: the token and the path of a request. Out: that it may be answered, or the answer that it gets instead. Never: a decision of this
//! process' own; the cluster decides, and its word is kept for a while.

use std::{collections::HashMap, hash::Hash, time::Duration};

use http::{HeaderMap, header::AUTHORIZATION};
use k8s_openapi::api::{
    authentication::v1::{TokenReview, TokenReviewSpec, UserInfo},
    authorization::v1::{NonResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec},
};
use kube::{Api, api::PostParams};
use parking_lot::Mutex;
use tokio::time::{Instant, timeout};
use tracing::{debug, error};

use crate::client::Client;

/// How long the cluster's word is good: about a token, and about what its owner may do.
const KNOWN: Duration = Duration::from_secs(60);
const ALLOWED: Duration = Duration::from_secs(300);
const DENIED: Duration = Duration::from_secs(30);
/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many words are kept; strangers can ask with as many tokens as they like.
const KEPT: usize = 1024;

/// Why a request is not answered: a code and what to say.
pub(in crate::manager) type Refusal = (u16, String);

/// The cluster, as the judge of requests.
pub(in crate::manager) struct Access {
    client: Client,
    /// Who has which token; nobody, if it is none.
    tokens: Mutex<Kept<String, Option<UserInfo>>>,
    /// What the owner of which token may do: the method and the path.
    rights: Mutex<Kept<(String, String, String), bool>>,
}

/// Words of the cluster, and until when they are good.
#[derive(Debug)]
struct Kept<K, V>(HashMap<K, (Instant, V)>);

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    fn get(&self, key: &K) -> Option<V> {
        let (until, value) = self.0.get(key)?;
        (*until > Instant::now()).then(|| value.clone())
    }

    fn put(&mut self, key: K, value: V, good: Duration) {
        if self.0.len() >= KEPT {
            let now = Instant::now();
            self.0.retain(|_, (until, _)| *until > now);
        }
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        self.0.insert(key, (Instant::now() + good, value));
    }
}

impl Access {
    pub(in crate::manager) fn new(client: Client) -> Self {
        Self { client, tokens: Mutex::new(Kept(HashMap::new())), rights: Mutex::new(Kept(HashMap::new())) }
    }

    /// Whether a request with these headers may be answered.
    pub(in crate::manager) async fn admits(
        &self,
        headers: &HeaderMap,
        method: &str,
        path: &str,
    ) -> Result<(), Refusal> {
        let unauthorized = || (401, "Unauthorized\n".to_owned());
        let token = token(headers).ok_or_else(unauthorized)?;
        let failed = |error: String| {
            error!(error, "could not find out who asks for metrics");
            (500, "Authentication failed\n".to_owned())
        };
        let user = self.user(token).await.map_err(failed)?.ok_or_else(unauthorized)?;
        let name = user.username.clone().unwrap_or_default();
        match self.may(token, user, method, path).await {
            Ok(true) => Ok(()),
            Ok(false) => {
                debug!(user = name, "may not read metrics");
                Err((403, format!("Authorization denied for user {name}\n")))
            }
            Err(error) => {
                error!(error, user = name, "could not find out whether a user may read metrics");
                Err((500, format!("Authorization for user {name} failed\n")))
            }
        }
    }

    async fn user(&self, token: &str) -> Result<Option<UserInfo>, String> {
        if let Some(known) = self.tokens.lock().get(&token.to_owned()) {
            return Ok(known);
        }
        let spec = TokenReviewSpec { token: token.to_owned(), ..TokenReviewSpec::default() };
        let review = TokenReview { spec, ..TokenReview::default() };
        let status = self.ask(&review).await?.status.unwrap_or_default();
        let user = status.user.filter(|_| status.authenticated == Some(true));
        self.tokens.lock().put(token.to_owned(), user.clone(), KNOWN);
        Ok(user)
    }

    async fn may(&self, token: &str, user: UserInfo, method: &str, path: &str) -> Result<bool, String> {
        let key = (token.to_owned(), method.to_lowercase(), path.to_owned());
        if let Some(known) = self.rights.lock().get(&key) {
            return Ok(known);
        }
        let attributes = NonResourceAttributes { path: Some(path.to_owned()), verb: Some(key.1.clone()) };
        let spec = SubjectAccessReviewSpec {
            user: user.username,
            uid: user.uid,
            groups: user.groups,
            extra: user.extra,
            non_resource_attributes: Some(attributes),
            ..SubjectAccessReviewSpec::default()
        };
        let review = SubjectAccessReview { spec, ..SubjectAccessReview::default() };
        let allowed = self.ask(&review).await?.status.is_some_and(|status| status.allowed);
        self.rights.lock().put(key, allowed, if allowed { ALLOWED } else { DENIED });
        Ok(allowed)
    }

    async fn ask<R>(&self, review: &R) -> Result<R, String>
    where
        R: kube::Resource<DynamicType = (), Scope = kube::core::ClusterResourceScope>
            + Clone
            + std::fmt::Debug
            + serde::Serialize
            + serde::de::DeserializeOwned,
    {
        let reviews: Api<R> = Api::all(self.client.clone());
        let params = PostParams::default();
        let answer = timeout(PATIENCE, reviews.create(&params, review)).await;
        answer.map_err(|_| "no answer in time".to_owned())?.map_err(|error| error.to_string())
    }
}

/// The token that a request carries.
fn token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
