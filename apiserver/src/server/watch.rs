//! watch.
//!
//! In: a path and options. Out: a cursor that begins where the options say. What it sends, and when, is not decided here.

use std::{collections::VecDeque, sync::Arc};

use serde_json::Value;

use crate::{
    protocol::{Encoding, ListOptions, ObjectView, Status, number_error, quoted},
    store::{Bookmark, View, Watcher},
};

use super::{
    Context, Core,
    conversion::Step,
    read::selection,
    reply::{Content, Reply, WatchContent},
};

impl Core {
    pub(super) fn watch(&self, context: &Context<'_>, options: &ListOptions) -> Result<Reply, Status> {
        let selection = selection(context, options)?;
        let resource = &context.resource;
        let text = options.resource_version.as_str();
        let asked: u64 = if text.is_empty() { 0 } else { version(text)? };
        let current = self.store.version();
        let initial = match options.send_initial_events {
            Some(true) if asked > current => {
                return Ok(failed(&Status::too_large_resource_version(asked, current)));
            }
            Some(true) => true,
            Some(false) => false,
            None => asked == 0,
        };
        let start = if initial || asked == 0 { current } else { asked };
        if self.store.is_forgotten(resource.table, start) {
            let oldest = self.store.oldest(resource.table);
            return Ok(failed(&Status::expired(format!("too old resource version: {asked} ({oldest})"))));
        }
        if matches!(context.form.view, ObjectView::MetadataList(_)) {
            // No event holds a list: a real server ends the stream where the first would be sent.
            return Ok(stream(Watcher::ended(), None));
        }
        let view = match (context.table()?, context.metadata_only()) {
            (Some(form), _) => View::Table(Box::new(form)),
            (None, None) => View::Whole(Arc::clone(&resource.head)),
            (None, Some(version)) => View::Metadata(version.head().into()),
        };
        let head = match &view {
            View::Whole(head) | View::Metadata(head) => Arc::clone(head),
            View::Table(form) => Arc::clone(&form.head),
        };
        let timeout = match options.timeout_seconds.map(u64::try_from).transpose() {
            Ok(timeout) => timeout,
            Err(_) => return Ok(failed(&Status::new(500, "InternalError", "context deadline exceeded"))),
        };
        let tail = tail(context);
        let bookmark = options.bookmarks.then_some(Bookmark { head, tail, marks_end: initial });
        let objects = if initial { self.store.select(resource.table, &selection) } else { VecDeque::new() };
        if let Err(status) = self.converted(context, Step::Watch) {
            return Ok(failed(&status));
        }
        let watcher = Watcher::after(start, resource.table, selection, view)
            .in_epoch(self.store.epoch(resource.table))
            .with_initial(objects)
            .with_bookmarks(bookmark);
        Ok(stream(watcher, timeout))
    }
}

/// What an empty object of the kind holds besides its metadata.
fn tail(context: &Context<'_>) -> Arc<str> {
    let Value::Object(zero) = context.resource.schema().zero().clone() else {
        return Arc::from("");
    };
    if context.metadata_only().is_some() || !context.resource.builtin {
        return Arc::from("");
    }
    let shown = zero.iter().filter(|(name, _)| !["kind", "apiVersion", "metadata"].contains(&name.as_str()));
    shown.map(|(name, value)| format!(",\"{name}\":{value}")).collect::<String>().into()
}

fn stream(watcher: Watcher, timeout: Option<u64>) -> Reply {
    Reply::with(200, Content::Watch(Box::new(WatchContent { watcher, timeout, encoding: Encoding::Json })))
}

/// A stream that holds one error and ends.
fn failed(status: &Status) -> Reply {
    stream(Watcher::failed(status), None)
}

fn version(text: &str) -> Result<u64, Status> {
    text.parse().map_err(|_| {
        Status::new(
            500,
            "",
            format!("resourceVersion: Invalid value: {}: {}", quoted(text), number_error("ParseUint", text)),
        )
    })
}
