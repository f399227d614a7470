//! `TableForm`: tables as JSON.
//!
//! In: objects as bytes, with a printer, a version of `meta.k8s.io`, and the client's wish for what comes with each row. Out: a whole
//! table for a list or an object, or the table of one row that an event of a watch carries.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Printed, Printer};
use crate::protocol::{MetaVersion, escape_html};

/// What comes with each row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Include {
    /// The object's metadata.
    #[default]
    Metadata,
    /// The whole object.
    Object,
    /// Nothing.
    Nothing,
}

impl Include {
    /// Reads the parameter `includeObject`; none for what it cannot be.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "" | "Metadata" => Some(Self::Metadata),
            "Object" => Some(Self::Object),
            "None" => Some(Self::Nothing),
            _ => None,
        }
    }
}

/// How the tables of a kind are written for one client.
#[derive(Clone, Debug)]
pub(crate) struct TableForm {
    pub(crate) printer: Printer,
    pub(crate) version: MetaVersion,
    pub(crate) include: Include,
    /// How a whole object begins: `{"kind":"Pod","apiVersion":"v1",`
    pub(crate) head: Arc<str>,
}

/// An object that becomes a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    /// Its `metadata` member alone: `"metadata":{...}`.
    pub(crate) metadata: &'a [u8],
    /// The object from its `metadata` on, closing brace included.
    pub(crate) tail: &'a [u8],
}

/// Whether the columns are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Columns {
    Told,
    Known,
}

impl TableForm {
    /// A table of these objects. `metadata` is the inside of the table's own.
    pub(crate) fn write(
        &self,
        metadata: &str,
        rows: &[Row<'_>],
        columns: Columns,
        now: Timestamp,
    ) -> Vec<u8> {
        let objects: Vec<Value> = rows.iter().map(Row::value).collect();
        let printed = self.printer.rows(&objects, now);
        let size: usize = rows.iter().map(|row| self.object_size(row) + 128).sum();
        let mut out = Vec::with_capacity(self.printer.definitions().len() + size + 256);
        self.open(&mut out, metadata, columns);
        for (index, row) in printed.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            self.row(&mut out, row, rows.get(row.index));
        }
        out.extend_from_slice(b"]}");
        out
    }

    /// The table of a bookmark: the cells of an object that has nothing but this metadata.
    pub(crate) fn bookmark(&self, metadata: &str, columns: Columns, now: Timestamp) -> Vec<u8> {
        let text = format!("\"metadata\":{{{metadata}}}");
        let tail = format!("{text}}}");
        let row = Row { metadata: text.as_bytes(), tail: tail.as_bytes() };
        let printed = Printed { index: 0, cells: self.printer.cells(&json!({}), now), conditions: None };
        let version = metadata.split(',').next().unwrap_or_default();
        let mut out = Vec::new();
        self.open(&mut out, version, columns);
        match metadata.contains("annotations") {
            true => Self { include: Include::Metadata, ..self.clone() }.row(&mut out, &printed, Some(&row)),
            false => self.row(&mut out, &printed, Some(&row)),
        }
        out.extend_from_slice(b"]}");
        out
    }

    fn open(&self, out: &mut Vec<u8>, metadata: &str, columns: Columns) {
        out.extend_from_slice(self.version.table_head().as_bytes());
        let definitions = match columns {
            Columns::Told => self.printer.definitions(),
            Columns::Known => "null",
        };
        out.extend_from_slice(b"\"metadata\":{");
        out.extend_from_slice(metadata.as_bytes());
        out.extend_from_slice(b"},\"columnDefinitions\":");
        let from = out.len();
        out.extend_from_slice(definitions.as_bytes());
        escape_html(out, from);
        out.extend_from_slice(b",\"rows\":[");
    }

    fn row(&self, out: &mut Vec<u8>, printed: &Printed, row: Option<&Row<'_>>) {
        out.extend_from_slice(b"{\"cells\":");
        // Writing JSON into memory fails for no value that JSON can hold.
        let cells = out.len();
        let _ = serde_json::to_writer(&mut *out, &printed.cells);
        escape_html(out, cells);
        if let Some(conditions) = printed.conditions {
            out.extend_from_slice(b",\"conditions\":");
            out.extend_from_slice(conditions.as_bytes());
        }
        out.extend_from_slice(b",\"object\":");
        match (self.include, row) {
            (Include::Nothing, _) | (_, None) => out.extend_from_slice(b"null"),
            (Include::Object, Some(row)) => {
                out.extend_from_slice(self.head.as_bytes());
                out.extend_from_slice(row.tail);
            }
            (Include::Metadata, Some(row)) => {
                out.extend_from_slice(self.version.head().as_bytes());
                out.extend_from_slice(row.metadata);
                out.push(b'}');
            }
        }
        out.push(b'}');
    }

    fn object_size(&self, row: &Row<'_>) -> usize {
        match self.include {
            Include::Nothing => 4,
            Include::Object => self.head.len() + row.tail.len(),
            Include::Metadata => row.metadata.len() + 80,
        }
    }
}

impl Row<'_> {
    fn value(&self) -> Value {
        serde_json::from_slice(&[b"{", self.tail].concat()).unwrap_or_default()
    }
}
