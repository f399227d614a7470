//! A whole state, in pages.
//!
//! In: the version that is known. Out: the store at a version no older than that. Never: half a state in the store.
//!
//! A page is decoded beside the runtime while the next ones are on their way.

use std::{sync::Arc, time::Duration};

use super::{
    super::{
        error::InformerError,
        incoming::{Page, PageMeta},
        intake::Arrived,
    },
    Reflector,
    desk::Line,
};
use crate::{
    client::{self, ListParams, VersionMatch},
    object::Object,
    store::{Replacement, ResourceVersion},
};

/// How long one page may take; a list that a caching server gives in one piece may be large.
const PAGE_TIMEOUT: Duration = Duration::from_secs(300);

/// What a list may be based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Basis {
    /// Whatever a cache has: enough for a first list, and cheap.
    Any,
    /// At least what was seen.
    NotOlder,
    /// The newest state, read from storage.
    Newest,
}

impl<K: Object> Reflector<K> {
    pub(super) async fn list_paged(&mut self) -> Result<(), InformerError> {
        let basis = match &self.seen {
            _ if self.seen_is_gone => Basis::Newest,
            None => Basis::Any,
            Some(_) => Basis::NotOlder,
        };
        let (replacement, version) = match self.pages(basis).await {
            Err(InformerError::List(error)) if is_out_of_reach(&error) => {
                // The next attempt asks for the newest state. Without a wait, unless this was it.
                let routine = !self.seen_is_gone;
                self.seen_is_gone = true;
                return Err(InformerError::List(if routine { as_routine(error) } else { error }));
            }
            result => result?,
        };
        self.check_not_stale(basis, &version)?;
        self.seen_is_gone = false;
        self.commit(replacement, version);
        Ok(())
    }

    async fn pages(&mut self, basis: Basis) -> Result<(Replacement<K>, ResourceVersion), InformerError> {
        let mut params = self.list_params(basis);
        let (mut replacement, mut pages) = (self.writer.replacement(), Line::new(self.desk));
        loop {
            let answer = self.core.client.list_bytes(&params);
            let body = super::within(PAGE_TIMEOUT, "listing", answer).await?;
            let body = match body {
                Err(client::Error::Expired(_)) if params.continue_token.is_some() => {
                    // The state that the first pages showed is gone. Pages could go on expiring, one answer cannot.
                    params = ListParams { limit: None, ..self.list_params(Basis::Newest) };
                    (replacement, pages) = (self.writer.replacement(), Line::new(self.desk));
                    continue;
                }
                body => body.map_err(InformerError::List)?,
            };
            let page = Page::new(&body).and_then(|page| page.meta());
            let PageMeta { token, resource_version } = page.map_err(InformerError::List)?;
            let core = Arc::clone(&self.core);
            if let Some(arrived) = pages.give(move || core.take_in_page(&body)).await {
                self.list_page(&mut replacement, arrived)?;
            }
            match token.filter(|token| !token.is_empty()) {
                Some(token) => {
                    params.continue_token = Some(token);
                    params.resource_version = None;
                    params.version_match = None;
                }
                None => {
                    while let Some(arrived) = pages.take().await {
                        self.list_page(&mut replacement, arrived)?;
                    }
                    return Ok((replacement, ResourceVersion::from(&*resource_version.unwrap_or_default())));
                }
            }
        }
    }

    fn list_page(
        &self,
        list: &mut Replacement<K>,
        arrived: client::Result<Vec<Arrived<K>>>,
    ) -> Result<(), InformerError> {
        for arrived in arrived.map_err(InformerError::List)? {
            self.listed(list, arrived);
        }
        Ok(())
    }

    fn list_params(&self, basis: Basis) -> ListParams {
        let config = &self.core.config;
        let (version, version_match) = match (basis, &self.seen) {
            (Basis::Any, _) => (Some("0".to_owned()), None),
            (Basis::NotOlder, Some(seen)) => (Some(seen.to_string()), Some(VersionMatch::NotOlderThan)),
            (Basis::NotOlder, None) | (Basis::Newest, _) => (None, None),
        };
        ListParams {
            label_selector: config.label_selector.clone(),
            field_selector: config.field_selector.clone(),
            limit: (config.page_size > 0).then_some(config.page_size),
            resource_version: version,
            version_match,
            ..ListParams::default()
        }
    }

    /// Versions do not go back, unless the newest state itself is behind, as after a restored backup.
    fn check_not_stale(&self, basis: Basis, listed: &ResourceVersion) -> Result<(), InformerError> {
        match &self.seen {
            Some(seen) if basis != Basis::Newest && listed.is_before(seen) => {
                Err(InformerError::StaleList { listed: listed.to_string(), known: seen.to_string() })
            }
            _ => Ok(()),
        }
    }
}

/// Whether a server cannot give the version that was asked for: it has forgotten it, or has not come that far.
pub(super) fn is_out_of_reach(error: &client::Error) -> bool {
    match error {
        client::Error::Expired(_) => true,
        client::Error::Timeout { .. } => {
            error.causes().iter().any(|cause| cause.reason == "ResourceVersionTooLarge")
        }
        _ => false,
    }
}

/// The same, told as the routine that it is.
pub(super) fn as_routine(error: client::Error) -> client::Error {
    match error {
        client::Error::Timeout { status, .. } => client::Error::Expired(status),
        error => error,
    }
}
