//! What an informer watches, and how it keeps it.
//!
//! In: the wishes of whoever makes an informer. Out: plain data. Never: a request.

use std::{sync::Arc, time::Duration};

use super::error::ErrorHandler;
use crate::{object::Object, store::Storage};

/// How an informer gets its first list, and later ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListStrategy {
    /// As a stream of objects, which needs little memory on both sides; in pages where the server cannot do that.
    #[default]
    Streaming,
    /// In pages.
    Paged,
}

/// What becomes of the record of who owns which field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ManagedFields {
    Keep,
    Drop,
}

/// Changes an object before it is stored.
pub(super) type Transform<K> = Arc<dyn Fn(K) -> K + Send + Sync>;

pub(super) struct Config<K> {
    pub(super) label_selector: Option<String>,
    pub(super) field_selector: Option<String>,
    pub(super) page_size: u32,
    pub(super) strategy: ListStrategy,
    pub(super) storage: Storage,
    pub(super) managed_fields: ManagedFields,
    pub(super) resync: Option<Duration>,
    pub(super) transform: Option<Transform<K>>,
    pub(super) error_handler: Option<ErrorHandler>,
    pub(super) seed: Option<u64>,
}

/// Objects in a page, as client-go asks for.
const PAGE_SIZE: u32 = 500;

impl<K: Object> Config<K> {
    pub(super) fn new() -> Self {
        Self {
            label_selector: None,
            field_selector: None,
            page_size: PAGE_SIZE,
            strategy: ListStrategy::default(),
            storage: Storage::default(),
            managed_fields: ManagedFields::Keep,
            resync: None,
            transform: None,
            error_handler: None,
            seed: None,
        }
    }
}

impl<K> Clone for Config<K> {
    fn clone(&self) -> Self {
        Self {
            label_selector: self.label_selector.clone(),
            field_selector: self.field_selector.clone(),
            transform: self.transform.clone(),
            error_handler: self.error_handler.clone(),
            ..*self
        }
    }
}
