//! A watch of a scenario: its events, as they come.

use std::time::Duration;

use http::Response;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio::time::Instant;

use crate::{ordered::Ordered, transport::Body};

pub(crate) struct Watch {
    pub(crate) status: u16,
    pub(crate) content_type: Value,
    pub(crate) closed: bool,
    /// Whether the scenario has given the watch an end of its own.
    pub(crate) ends: bool,
    events: Vec<Ordered>,
    body: Body,
    pending: Vec<u8>,
}

impl Watch {
    pub(crate) fn new(response: Response<Body>, ends: bool) -> Self {
        let content_type = response.headers().get("content-type");
        Self {
            status: response.status().as_u16(),
            content_type: content_type.map_or(Value::Null, |value| value.to_str().unwrap().into()),
            closed: false,
            ends,
            events: Vec::new(),
            body: response.into_body(),
            pending: Vec::new(),
        }
    }

    /// What has been read since the last time.
    pub(crate) fn take(&mut self) -> Vec<Ordered> {
        std::mem::take(&mut self.events)
    }

    pub(crate) fn count(&self) -> usize {
        self.events.len()
    }

    /// Reads events until there are `count`, or for so long.
    pub(crate) async fn read(&mut self, count: Option<usize>, within: Duration) {
        let end = Instant::now() + within;
        while !self.closed && count.is_none_or(|count| self.events.len() < count) {
            match tokio::time::timeout_at(end, self.body.frame()).await {
                Err(_) => return,
                Ok(None) => self.closed = true,
                Ok(Some(frame)) => self.add(frame.unwrap().data_ref().unwrap()),
            }
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        while let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.pending.drain(..=end).collect();
            self.events.push(Ordered::read(&line));
        }
    }
}
