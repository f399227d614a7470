//! Lists: at once, or page by page.
//!
//! In: selectors. Out: lists. Never: holding more than one page.

use std::{
    fmt, mem,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::{FutureExt, Stream, StreamExt, future::BoxFuture};
use kube::api::ListParams;

use super::{Error, ObjectList, ResourceClient, Result, transport};
use crate::object::Object;

/// How many objects [`Pages`] asks for at a time unless told otherwise, as client-go does.
const PAGE_SIZE: u32 = 500;

impl<K: Object> ResourceClient<K> {
    /// Lists all objects, in one answer.
    ///
    /// # Errors
    /// As any request; there is nothing about a list that fails of its own.
    pub async fn list(&self) -> Result<ObjectList<K>> {
        self.list_with(&ListParams::default()).await
    }

    /// Lists objects, with options. With a limit this is one page; [`pages`](Self::pages) goes on to the others.
    ///
    /// # Errors
    /// [`Error::BadRequest`] for a selector that the server does not support, [`Error::Expired`] for a version or
    /// continue token that it no longer has.
    pub async fn list_with(&self, params: &ListParams) -> Result<ObjectList<K>> {
        transport::object(self.client(), self.list_request(params)?).await
    }

    /// Lists objects, as the undecoded body of the answer.
    ///
    /// # Errors
    /// As [`list_with`](Self::list_with).
    pub async fn list_bytes(&self, params: &ListParams) -> Result<Bytes> {
        let mut request = self.list_request(params)?;
        // kube leaves this version out beside a limit, and so asks for the newest state, read from storage.
        let any_version = params.resource_version.as_deref() == Some("0");
        if any_version && params.limit.is_some() && params.continue_token.is_none() {
            let uri = format!("{}&resourceVersion=0", request.uri());
            if let Ok(uri) = uri.parse() {
                *request.uri_mut() = uri;
            }
        }
        transport::bytes(self.client(), request).await
    }

    /// Types that are an object's metadata alone are asked for as such.
    fn list_request(&self, params: &ListParams) -> Result<http::Request<Vec<u8>>> {
        let collection = self.collection()?;
        Ok(if K::metadata_api() { collection.list_metadata(params)? } else { collection.list(params)? })
    }

    /// Lists objects page by page, 500 at a time or as many as `params` limits a page to.
    ///
    /// All pages show the same moment. A server keeps that moment for some minutes only: if it is over before the
    /// last page, the stream ends with one list of everything as it then is, see [`Pages::restarted`].
    #[must_use]
    pub fn pages(&self, params: &ListParams) -> Pages<K> {
        let mut params = params.clone();
        params.limit.get_or_insert(PAGE_SIZE);
        Pages { client: self.clone(), state: State::Ready(Box::new(params)), restarted: false }
    }

    /// Lists all objects page by page into one list, so that no answer is large; the list itself is.
    ///
    /// # Errors
    /// As [`list_with`](Self::list_with).
    pub async fn list_all(&self, params: &ListParams) -> Result<ObjectList<K>> {
        let mut pages = self.pages(params);
        let mut all: Option<ObjectList<K>> = None;
        while let Some(page) = pages.next().await {
            let mut page = page?;
            if let Some(before) = all.take().filter(|_| !pages.restarted()) {
                let later = mem::replace(&mut page.items, before.items);
                page.items.extend(later);
            }
            all = Some(page);
        }
        // There is always a first page.
        all.ok_or(Error::EmptyAnswer)
    }
}

/// The pages of a list, as a stream.
///
/// After an error it ends.
pub struct Pages<K: Object> {
    client: ResourceClient<K>,
    state: State<K>,
    restarted: bool,
}

enum State<K: Object> {
    Ready(Box<ListParams>),
    Fetching(Box<ListParams>, BoxFuture<'static, Result<ObjectList<K>>>),
    Done,
}

impl<K: Object> Pages<K> {
    /// Whether the continue token expired and the page just given is a fresh list of everything; what earlier
    /// pages said is then void.
    #[must_use]
    pub fn restarted(&self) -> bool {
        self.restarted
    }
}

impl<K: Object> Pages<K> {
    fn fetch(&self, params: Box<ListParams>) -> State<K> {
        let client = self.client.clone();
        let sent = params.clone();
        State::Fetching(params, async move { client.list_with(&sent).await }.boxed())
    }

    /// What comes after a page, or after a failure.
    fn advance(&mut self, mut params: Box<ListParams>, page: &Result<ObjectList<K>>) -> Next {
        match page {
            Ok(list) => {
                params.continue_token = list.metadata.continue_.clone().filter(|token| !token.is_empty());
                let more = params.continue_token.is_some();
                self.state = if more { State::Ready(params) } else { State::Done };
                Next::Give
            }
            Err(Error::Expired(_)) if params.continue_token.is_some() => {
                let everything = ListParams {
                    label_selector: params.label_selector,
                    field_selector: params.field_selector,
                    ..ListParams::default()
                };
                self.restarted = true;
                self.state = State::Ready(Box::new(everything));
                Next::GoOn
            }
            Err(_) => {
                self.state = State::Done;
                Next::Give
            }
        }
    }
}

/// What to do with a page.
enum Next {
    Give,
    GoOn,
}

impl<K: Object> Stream for Pages<K> {
    type Item = Result<ObjectList<K>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match mem::replace(&mut self.state, State::Done) {
                State::Done => return Poll::Ready(None),
                State::Ready(params) => self.state = self.fetch(params),
                State::Fetching(params, mut page) => {
                    let Poll::Ready(page) = page.poll_unpin(cx) else {
                        self.state = State::Fetching(params, page);
                        return Poll::Pending;
                    };
                    if let Next::Give = self.advance(params, &page) {
                        return Poll::Ready(Some(page));
                    }
                }
            }
        }
    }
}

impl<K: Object> fmt::Debug for Pages<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("client", &self.client).finish_non_exhaustive()
    }
}
