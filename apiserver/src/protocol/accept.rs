//! `Accept`: in which form a client wants its answer.
//!
//! In: the header. Out: an encoding and a view of objects, or the 406 that a real server gives. It knows no objects.

use super::{Details, Status, protobuf};

/// The form of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    pub encoding: Encoding,
    pub view: ObjectView,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    #[default]
    Json,
    Yaml,
    Protobuf,
}

/// What is shown of each object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ObjectView {
    #[default]
    Whole,
    /// `PartialObjectMetadata`, asked for as one object.
    Metadata(MetaVersion),
    /// `PartialObjectMetadataList`, asked for as a list.
    MetadataList(MetaVersion),
    /// A row of a `Table`.
    Table(MetaVersion),
}

/// The versions in which metadata can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetaVersion {
    V1,
    V1Beta1,
}

impl MetaVersion {
    /// How the metadata of an object begins.
    pub(crate) fn head(self) -> &'static str {
        match self {
            Self::V1 => "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",",
            Self::V1Beta1 => "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1beta1\",",
        }
    }

    /// How a table begins.
    pub(crate) fn table_head(self) -> &'static str {
        match self {
            Self::V1 => "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",",
            Self::V1Beta1 => "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1beta1\",",
        }
    }

    /// How a list of metadata begins.
    pub(crate) fn list_head(self) -> &'static str {
        match self {
            Self::V1 => "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",",
            Self::V1Beta1 => {
                "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1beta1\","
            }
        }
    }
}

impl ObjectView {
    /// The version, where only metadata is shown.
    pub(crate) fn metadata(self) -> Option<MetaVersion> {
        match self {
            Self::Whole | Self::Table(_) => None,
            Self::Metadata(version) | Self::MetadataList(version) => Some(version),
        }
    }
}

/// What an answer can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub offer: Offer,
    pub kind: Messages,
}

/// Which route answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    /// One that gives single answers.
    Answer,
    /// One that can watch, but is asked for a single answer.
    AnswerOfMany,
    /// One that watches.
    Stream,
}

/// Whether the objects of an answer have messages of protobuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Messages {
    /// They are of a built-in kind.
    Known,
    /// They are of a built-in kind that is only asked and never kept: there are no tables of it.
    WithoutTables,
    /// They are of a custom kind: only their metadata has one.
    MetadataOnly,
    /// The answer is no object of a resource, but a document or a `Status`: it has one, and no views.
    Plain,
}

impl Terms {
    /// Those of a `Status`, and of documents.
    pub(crate) const PLAIN: Self = Self { offer: Offer::Answer, kind: Messages::Plain };

    fn allow(self, encoding: Encoding, view: ObjectView) -> bool {
        match self.kind {
            Messages::Known => true,
            Messages::WithoutTables => !matches!(view, ObjectView::Table(_)),
            Messages::MetadataOnly => encoding != Encoding::Protobuf || view != ObjectView::Whole,
            Messages::Plain => view == ObjectView::Whole,
        }
    }
}

impl Form {
    /// Picks the form that the client likes best.
    pub(crate) fn negotiate(header: &str, terms: Terms) -> Result<Self, Status> {
        if header.trim().is_empty() {
            return Ok(Self::default());
        }
        let mut clauses: Vec<(&str, f32)> =
            header.split(',').map(|clause| (clause, quality(clause))).collect();
        clauses.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let mut known = false;
        for (clause, _) in clauses {
            let mut parts = clause.split(';').map(str::trim);
            let Some(encoding) = Encoding::of(parts.next().unwrap_or_default()) else { continue };
            known = true;
            let Some(view) = view(parts).filter(|view| terms.allow(encoding, *view)) else { continue };
            if terms.offer == Offer::Stream && encoding == Encoding::Yaml {
                return Err(only(STREAMS));
            }
            return Ok(Self { encoding, view });
        }
        if known || terms.kind == Messages::MetadataOnly {
            return Err(only(ANSWERS));
        }
        let types = match terms.offer {
            Offer::Answer => ANSWERS.to_owned(),
            Offer::AnswerOfMany | Offer::Stream => format!("{ANSWERS}, {STREAMS}"),
        };
        let message = format!("406: Not Acceptable\n\nAvailable representations: {types}");
        Err(Status::not_acceptable(message).with_details(Details::default()))
    }
}

impl Encoding {
    fn of(media_type: &str) -> Option<Self> {
        match media_type {
            "*/*" | "application/json" => Some(Self::Json),
            "application/yaml" => Some(Self::Yaml),
            protobuf::MEDIA_TYPE => Some(Self::Protobuf),
            _ => None,
        }
    }
}

fn only(types: &str) -> Status {
    Status::not_acceptable(format!("only the following media types are accepted: {types}"))
}

const ANSWERS: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const STREAMS: &str = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/// Picks one of these media types for something that has no other forms; the first wins where a client does not care.
pub(crate) fn pick(header: &str, offers: &[&'static str]) -> Option<&'static str> {
    if header.trim().is_empty() {
        return offers.first().copied();
    }
    let mut clauses: Vec<&str> = header.split(',').collect();
    clauses.sort_by(|a, b| quality(b).total_cmp(&quality(a)));
    clauses.into_iter().find_map(|clause| {
        let wanted = clause.split(';').next().unwrap_or_default().trim();
        let fits = |offer: &&&'static str| match wanted.strip_suffix("/*") {
            Some(kind) => kind == "*" || offer.split('/').next() == Some(kind),
            None => **offer == wanted,
        };
        offers.iter().find(fits).copied()
    })
}

fn quality(clause: &str) -> f32 {
    clause
        .split(';')
        .find_map(|part| part.trim().strip_prefix("q="))
        .and_then(|text| text.parse().ok())
        .unwrap_or(1.0)
}

/// The view that the parameters of a clause ask for; none if there is no such view.
fn view<'a>(parameters: impl Iterator<Item = &'a str>) -> Option<ObjectView> {
    let (mut name, mut group, mut version) = ("", "", "");
    for parameter in parameters {
        match parameter.split_once('=') {
            Some(("as", value)) => name = value,
            Some(("g", value)) => group = value,
            Some(("v", value)) => version = value,
            _ => {}
        }
    }
    if name.is_empty() {
        return Some(ObjectView::Whole);
    }
    let version = match version {
        "v1" => MetaVersion::V1,
        "v1beta1" => MetaVersion::V1Beta1,
        _ => return None,
    };
    match (name, group) {
        ("PartialObjectMetadata", "meta.k8s.io") => Some(ObjectView::Metadata(version)),
        ("PartialObjectMetadataList", "meta.k8s.io") => Some(ObjectView::MetadataList(version)),
        ("Table", "meta.k8s.io") => Some(ObjectView::Table(version)),
        _ => None,
    }
}
