//! get and list.
//!
//! In: a path and options. Out: stored bytes, as they are or joined to a list. Nothing is parsed, nothing is changed.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    printers::{Columns, Row, TableForm},
    protocol::{
        FieldSelector, LabelSelector, ListOptions, ObjectView, Status, VersionMatch, number_error, quoted,
    },
    registry::Resource,
    store::{Field, FieldTest, Forgotten, Page, Place, Selection, Stored, Token},
};

use super::{
    Context, Core,
    conversion::Step,
    reply::{Content, ListContent, ListFrame, Part, Reply, TableContent},
};

impl Core {
    pub(super) fn get(&self, context: &Context<'_>) -> Result<Reply, Status> {
        self.fresh_enough(context.query.text("resourceVersion"))?;
        let resource = &context.resource;
        if matches!(context.form.view, ObjectView::MetadataList(_)) {
            if !resource.builtin {
                return Err(Status::new(500, "", "content is not a list"));
            }
            return Err(Status::not_acceptable(format!(
                "you requested PartialObjectMetadataList, but the requested object is not a list (*{})",
                go_type(resource, &resource.kind)
            )));
        }
        let object = self.store.get(resource.table, &context.key()).ok_or_else(|| context.not_found())?;
        let seen = self.seen(context, object, Step::Read)?;
        Ok(object_reply(context, 200, &seen))
    }

    /// Refuses versions that are no numbers, or not there yet.
    fn fresh_enough(&self, text: &str) -> Result<(), Status> {
        if text.is_empty() {
            return Ok(());
        }
        let asked: u64 = text.parse().map_err(|_| {
            Status::new(
                500,
                "",
                format!(
                    "resourceVersion: Invalid value: {}: {}",
                    quoted(text),
                    number_error("ParseUint", text)
                ),
            )
        })?;
        self.reached(asked)
    }

    fn reached(&self, asked: u64) -> Result<(), Status> {
        let current = self.store.version();
        if asked > current {
            return Err(Status::too_large_resource_version(asked, current));
        }
        Ok(())
    }

    pub(super) fn list(&self, context: &Context<'_>, options: &ListOptions) -> Result<Reply, Status> {
        let resource = &context.resource;
        if matches!(context.form.view, ObjectView::Metadata(_)) {
            return Err(Status::not_acceptable(format!(
                "you requested PartialObjectMetadata, but the requested object is a list (*{})",
                go_list_type(resource)
            )));
        }
        let selection = selection(context, options)?;
        let page = self.page(context, options, &selection)?;
        self.converted(context, Step::List)?;
        list_reply(context, page)
    }

    /// The page of a list that options ask for, and the version it shows.
    pub(super) fn page(
        &self,
        context: &Context<'_>,
        options: &ListOptions,
        selection: &Selection,
    ) -> Result<(Page, u64, String), Status> {
        let current = self.store.version();
        let mut after = None;
        let mut limit = options.limit;
        let mut version = current;
        if options.token.is_empty() {
            version = self.list_version(options)?;
            if options.resource_version == "0" {
                limit = 0;
            }
        } else {
            let token = Token::decode(&options.token)
                .map_err(|error| Status::bad_request(format!("invalid continue token: {error}")))?;
            if !["", "0"].contains(&options.resource_version.as_str()) {
                return Err(Status::bad_request(
                    "specifying resource version is not allowed when using continue",
                ));
            }
            version = u64::try_from(token.version).unwrap_or(version);
            after = Some(token.after);
        }
        let table = context.resource.table;
        let place = Place { limit, version, after: after.as_deref() };
        let page = self.store.page(table, selection, &place).map_err(|Forgotten| {
            expired_list(options, after.as_deref(), version, self.store.oldest(table))
        })?;
        let token = page
            .next
            .as_ref()
            .map(|key| Token::new(i64::try_from(version).unwrap_or_default(), key).encode());
        Ok((page, version, token.unwrap_or_default()))
    }

    /// The version that a first page shows.
    fn list_version(&self, options: &ListOptions) -> Result<u64, Status> {
        let text = options.resource_version.as_str();
        let current = self.store.version();
        if text.is_empty() {
            return Ok(current);
        }
        let asked: u64 = text.parse().map_err(|_| {
            Status::bad_request(format!(
                "invalid resource version: resourceVersion: Invalid value: {}: {}",
                quoted(text),
                number_error("ParseUint", text)
            ))
        })?;
        self.reached(asked)?;
        let exact = match options.version_match {
            Some(VersionMatch::Exact) => true,
            Some(VersionMatch::NotOlderThan) => false,
            None => options.limit > 0 && asked > 0,
        };
        Ok(if exact { asked } else { current })
    }
}

/// A kind as Go names its type.
fn go_type(resource: &Resource, kind: &str) -> String {
    let package = match resource.group.split('.').next() {
        _ if !resource.builtin => return "unstructured.Unstructured".to_owned(),
        None | Some("") => "core",
        Some(label) => label,
    };
    format!("{package}.{kind}")
}

/// A list of a kind as Go names its type.
fn go_list_type(resource: &Resource) -> String {
    match resource.builtin {
        true => go_type(resource, &resource.list_kind),
        false => "unstructured.UnstructuredList".to_owned(),
    }
}

/// 410: for a first page as it is, for a later one with a token that goes on in the present.
fn expired_list(options: &ListOptions, after: Option<&str>, version: u64, oldest: u64) -> Status {
    match after {
        None => Status::expired(format!(
            "The resourceVersion for the provided list is too old: {version} ({oldest})"
        )),
        Some(_) if options.limit == 0 => Status::expired(
            "The provided continue parameter is too old to display a consistent list result. You must start a new list without \
             the continue parameter.",
        ),
        Some(after) => Status::expired(
            "The provided continue parameter is too old to display a consistent list result. You can start a new list without \
             the continue parameter, or use the continue token in this response to retrieve the remainder of the results. \
             Continuing with the provided token results in an inconsistent list - objects that were created, modified, or \
             deleted between the time the first chunk was returned and now may show up in the list.",
        )
        .with_continue(Token::new(-1, after).encode()),
    }
}

/// The objects that selectors, path and options mean.
pub(super) fn selection(context: &Context<'_>, options: &ListOptions) -> Result<Selection, Status> {
    let labels = LabelSelector::parse(&options.label_selector).map_err(Status::bad_request)?;
    let fields = FieldSelector::parse(&options.field_selector).map_err(Status::bad_request)?;
    let mut tests = Vec::with_capacity(fields.0.len() + 1);
    for condition in fields.0 {
        tests.push(FieldTest {
            field: field(&context.resource, &condition.path)?,
            test: condition.test,
            value: condition.value,
        });
    }
    if !context.name.is_empty() {
        tests.push(FieldTest {
            field: Field::Name,
            test: crate::protocol::Test::Equal,
            value: context.name.clone(),
        });
    }
    let prefix = match context.namespace.as_str() {
        "" => String::new(),
        namespace => format!("{namespace}/"),
    };
    Ok(Selection { prefix, labels, fields: tests, lens: context.resource.lens() })
}

fn field(resource: &Resource, path: &str) -> Result<Field, Status> {
    let own = resource.rules.selectable;
    match path {
        "metadata.name" => return Ok(Field::Name),
        // Cluster-scoped kinds know it as well, but for those that say by themselves what they know.
        "metadata.namespace" if resource.namespaced || (resource.builtin && own.is_empty()) => {
            return Ok(Field::Namespace);
        }
        _ => {}
    }
    let index = match &resource.custom {
        Some(custom) => custom.form.selectable.iter().position(|known| known == path),
        None => own.iter().position(|known| *known == path),
    };
    if let Some(index) = index {
        return Ok(Field::Own(index));
    }
    Err(Status::bad_request(if own.is_empty() && resource.builtin {
        format!(
            "{} is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
            quoted(path)
        )
    } else if resource.group == "resource.k8s.io" {
        let (version, kind) = (&resource.version, &resource.kind);
        format!("field label not supported for resource.k8s.io/{version}, Kind={kind}: {path}")
    } else {
        format!("field label not supported: {path}")
    }))
}

/// A list as an answer.
pub(super) fn list_reply(
    context: &Context<'_>,
    (page, version, token): (Page, u64, String),
) -> Result<Reply, Status> {
    let resource = &context.resource;
    let mut metadata = format!("\"resourceVersion\":\"{version}\"");
    if !token.is_empty() {
        metadata.push_str(&format!(",\"continue\":\"{token}\""));
    }
    let whole = context.metadata_only().is_none() && context.table()?.is_none();
    if token.is_empty() && !resource.builtin && whole {
        metadata.push_str(",\"continue\":\"\"");
    }
    if let Some(remaining) = page.remaining {
        metadata.push_str(&format!(",\"remainingItemCount\":{remaining}"));
    }
    if let Some(form) = context.table()? {
        let content = TableContent { form, metadata, objects: page.objects, now: context.now };
        return Ok(Reply::with(200, Content::Table(Box::new(content))));
    }
    let head = match context.metadata_only() {
        Some(version) => version.list_head().into(),
        None => crate::registry::head(&resource.list_kind, &resource.api_version()),
    };
    let item_head = match context.metadata_only() {
        Some(version) => Arc::from(version.head()),
        None if resource.builtin => Arc::from("{"),
        None => Arc::clone(&resource.head),
    };
    let frame = match context.metadata_only().is_none() && !resource.builtin {
        true => custom_frame(resource, (version, &token, page.remaining)),
        false => ListFrame {
            opening: format!("{head}\"metadata\":{{{metadata}}},\"items\":["),
            closing: "]}\n".to_owned(),
        },
    };
    let content = ListContent {
        frame: Box::new(frame),
        item_head,
        objects: page.objects,
        part: Part::from(context.form.view),
    };
    Ok(Reply::with(200, Content::List(content)))
}

/// What stands before and after the items of a list of custom kinds: members by name.
fn custom_frame(resource: &Resource, (version, token, remaining): (u64, &str, Option<usize>)) -> ListFrame {
    let text = |text: &str| Value::from(text).to_string();
    let remaining = remaining.map(|count| format!("\"remainingItemCount\":{count},")).unwrap_or_default();
    let (kind, api_version) = (text(&resource.list_kind), text(&resource.api_version()));
    ListFrame {
        opening: format!("{{\"apiVersion\":{api_version},\"items\":["),
        closing: format!(
            "],\"kind\":{kind},\"metadata\":{{\"continue\":\"{token}\",{remaining}\"resourceVersion\":\"{version}\"}}}}\n"
        ),
    }
}

/// A table of one object that is stored nowhere.
pub(super) fn value_table(context: &Context<'_>, form: &TableForm, object: &Value) -> Reply {
    let Value::Object(members) = object else { return Reply::value(200, object) };
    let metadata = format!("\"metadata\":{}", members.get("metadata").unwrap_or(&Value::Null));
    let rest =
        members.iter().filter(|(name, _)| !["kind", "apiVersion", "metadata"].contains(&name.as_str()));
    let rest: String = rest.map(|(name, value)| format!(",\"{name}\":{value}")).collect();
    let tail = format!("{metadata}{rest}}}");
    let version = object.pointer("/metadata/resourceVersion").and_then(Value::as_str).unwrap_or_default();
    let row = Row { metadata: metadata.as_bytes(), tail: tail.as_bytes() };
    let table = form.write(&format!("\"resourceVersion\":\"{version}\""), &[row], Columns::Told, context.now);
    Reply::json(200, table.into())
}

/// A stored object as an answer.
pub(super) fn object_reply(context: &Context<'_>, code: u16, object: &Stored) -> Reply {
    match context.table() {
        Err(status) => return Reply::from(status),
        Ok(Some(form)) => {
            let metadata = format!("\"resourceVersion\":\"{}\"", object.version);
            let row = Row { metadata: object.metadata(), tail: object.tail() };
            return Reply::json(code, form.write(&metadata, &[row], Columns::Told, context.now).into());
        }
        Ok(None) => {}
    }
    let head = context.resource.head.as_bytes();
    let json = match context.metadata_only() {
        Some(version) => [version.head().as_bytes(), object.metadata(), b"}"].concat().into(),
        None if object.head() == head => object.json(),
        None => [head, object.tail()].concat().into(),
    };
    Reply::json(code, json)
}
