//! Objects from files: what a server holds when it starts.
//!
//! In: YAML and JSON files, and folders of them. Out: objects in a server, in an order in which each finds what it needs. What cannot be
//! read or stored is an error with its file and document; nothing is left out in silence.

use std::{
    collections::HashSet,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use http::{Method, header};
use serde_json::{Value, json};

use crate::{protocol::Status, server::Content};

use super::ApiServer;

/// How the files are named that are read from a folder.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];
/// The most that a file may hold, in bytes.
const SIZE_LIMIT: u64 = 256 << 20;
/// Kinds that others need, in this order; the rest comes after them as it stands in the files.
const FIRST: [&str; 6] = [
    "Namespace",
    "CustomResourceDefinition",
    "PriorityClass",
    "StorageClass",
    "ServiceAccount",
    "PersistentVolume",
];
/// Who these objects are from, as managed fields have it.
const MANAGER: &str = "load";

/// Where an object stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// Its how manieth document, from 1.
    pub document: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, document {}", self.file.display(), self.document)
    }
}

/// Objects could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A folder has nothing to load.
    #[error("{} holds no .yaml, .yml or .json file", .0.display())]
    Empty(PathBuf),
    /// A file is not YAML.
    #[error("{} is not YAML", path.display())]
    Yaml {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        source: Box<serde_saphyr::Error>,
    },
    /// A file is not JSON.
    #[error("{} is not JSON", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which line.
        source: serde_json::Error,
    },
    /// A document is no object of Kubernetes.
    #[error("{place}: {problem}")]
    NotAnObject {
        /// Where it stands.
        place: Place,
        /// What is missing.
        problem: String,
    },
    /// The server refused an object.
    #[error("{place}: {}", status.message())]
    Refused {
        /// Where it stands.
        place: Place,
        /// Why.
        status: Box<Status>,
    },
}

/// Objects that were read from files.
///
/// What `kubectl get --output yaml` printed is stored as it was, status and uid included; what was written by hand (it has no uid) is
/// created as by a client, defaults and all, and then given the status it names.
#[derive(Clone, Debug, Default)]
pub struct Manifests(Vec<(Place, Value)>);

impl Manifests {
    /// Reads files, and the `.yaml`, `.yml` and `.json` files that lie directly in folders, in the order of their names. A file may
    /// hold many documents, and a document may be a list of objects.
    ///
    /// # Errors
    ///
    /// When something cannot be read, is not YAML or JSON, or is not an object with an `apiVersion` and a `kind`.
    pub fn read(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self, LoadError> {
        let mut objects = Vec::new();
        for path in paths {
            for file in files(path.as_ref())? {
                for (index, document) in documents(&file)?.into_iter().enumerate() {
                    let place = Place { file: file.clone(), document: index + 1 };
                    unfold(&place, document, &mut objects)?;
                }
            }
        }
        objects.sort_by_key(|(_, object)| {
            let kind = text(object, "/kind");
            FIRST.iter().position(|first| *first == kind).unwrap_or(FIRST.len())
        });
        Ok(Self(objects))
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ApiServer {
    /// Stores objects from files. An object that the server has of itself, such as the namespace `default`, is changed to what the
    /// file says.
    ///
    /// # Errors
    ///
    /// At the first object that the server refuses: its kind is not served, it is not valid, it has a field that its kind has not, or
    /// two of the files name it. What was stored before it stays.
    pub fn load(&self, manifests: &Manifests) -> Result<(), LoadError> {
        let mut loaded = HashSet::new();
        for (place, object) in &manifests.0 {
            self.load_one(object, &mut loaded)
                .map_err(|status| LoadError::Refused { place: place.clone(), status: Box::new(status) })?;
        }
        Ok(())
    }

    fn load_one(&self, object: &Value, loaded: &mut HashSet<String>) -> Result<(), Status> {
        let collection = self.collection(object)?;
        let name = text(object, "/metadata/name");
        let path = format!("{collection}/{name}");
        let is_ours = !name.is_empty() && !loaded.insert(path.clone());
        let mut object = object.clone();
        if !text(&object, "/metadata/uid").is_empty() {
            match self.import(object.clone()) {
                Err(status) if status.code() == 409 && !is_ours => forget_origin(&mut object),
                imported => return imported,
            }
        }
        let created = self.write(Method::POST, &collection, "application/json", &object);
        let stored = match created {
            Err(status) if status.code() == 409 && !is_ours => {
                self.write(Method::PATCH, &path, "application/merge-patch+json", &object)?
            }
            created => created?,
        };
        let Some(status) = object.get("status").filter(|status| status.is_object()) else { return Ok(()) };
        if stored.get("status") == Some(status) {
            return Ok(());
        }
        let path = format!("{collection}/{}/status", text(&stored, "/metadata/name"));
        self.write(Method::PATCH, &path, "application/merge-patch+json", &json!({"status": status}))?;
        Ok(())
    }

    /// Where objects of this kind are created.
    fn collection(&self, object: &Value) -> Result<String, Status> {
        let (api_version, kind) = (text(object, "/apiVersion"), text(object, "/kind"));
        let core = self.0.core.lock();
        let resource = core.registry().of_kind(api_version, kind).ok_or_else(|| {
            Status::bad_request(format!("no kind {kind:?} of {api_version:?} is served here"))
        })?;
        let root = if api_version.contains('/') { "apis" } else { "api" };
        let plural = &resource.plural;
        Ok(match (resource.namespaced, text(object, "/metadata/namespace")) {
            (false, _) => format!("/{root}/{api_version}/{plural}"),
            (true, "") => format!("/{root}/{api_version}/namespaces/default/{plural}"),
            (true, namespace) => format!("/{root}/{api_version}/namespaces/{namespace}/{plural}"),
        })
    }

    fn write(&self, method: Method, path: &str, content_type: &str, body: &Value) -> Result<Value, Status> {
        let request = http::Request::builder()
            .method(method)
            .uri(format!("{path}?fieldValidation=Strict&fieldManager={MANAGER}"))
            .header(header::CONTENT_TYPE, content_type)
            .body(Bytes::from(body.to_string()));
        let request =
            request.map_err(|_| Status::bad_request(format!("{path:?} cannot be the path of an object")))?;
        let reply = self.answer_by_itself(&request);
        let answer: Value = match &reply.content {
            Content::Json(json) => serde_json::from_slice(json).unwrap_or_default(),
            _ => Value::Null,
        };
        if reply.code < 300 {
            return Ok(answer);
        }
        Err(Status::new(reply.code, "", text(&answer, "/message")))
    }
}

fn files(path: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let failed = |source| LoadError::Read { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ENDINGS.contains(&ending) && file.is_file() {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(LoadError::Empty(path.to_owned()));
    }
    files.sort();
    Ok(files)
}

fn documents(file: &Path) -> Result<Vec<Value>, LoadError> {
    let path = || file.to_owned();
    let failed = |source| LoadError::Read { path: path(), source };
    let bytes = super::files::read(file, SIZE_LIMIT).map_err(failed)?;
    let text = String::from_utf8(bytes)
        .map_err(|error| failed(io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())))?;
    if file.extension().is_some_and(|ending| ending == "json") {
        let documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        return documents
            .collect::<Result<_, _>>()
            .map_err(|source| LoadError::Json { path: path(), source });
    }
    serde_saphyr::from_multiple(&text)
        .map_err(|source| LoadError::Yaml { path: path(), source: Box::new(source) })
}

/// Takes lists apart. Empty documents are nothing.
fn unfold(place: &Place, document: Value, objects: &mut Vec<(Place, Value)>) -> Result<(), LoadError> {
    let wrong = |problem: &str| LoadError::NotAnObject { place: place.clone(), problem: problem.to_owned() };
    let mut document = match document {
        Value::Null => return Ok(()),
        Value::Object(document) => document,
        _ => return Err(wrong("this is no object")),
    };
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    let version = document.get("apiVersion").cloned().unwrap_or_default();
    if kind.is_empty() || !version.is_string() {
        return Err(wrong("an object has to say its apiVersion and its kind"));
    }
    let items = match (kind.strip_suffix("List"), document.get_mut("items")) {
        (Some(item), Some(Value::Array(items))) => Some((item, std::mem::take(items))),
        _ => None,
    };
    let Some((item_kind, items)) = items else {
        objects.push((place.clone(), Value::Object(document)));
        return Ok(());
    };
    for mut item in items {
        // The items of a typed list need not say what they are.
        if let Value::Object(item) = &mut item
            && !item_kind.is_empty()
        {
            item.entry("apiVersion").or_insert_with(|| version.clone());
            item.entry("kind").or_insert_with(|| item_kind.into());
        }
        unfold(place, item, objects)?;
    }
    Ok(())
}

/// Takes away what another server gave to an object, so that it can be written over one that this server has.
fn forget_origin(object: &mut Value) {
    if let Some(meta) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        for name in ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"]
        {
            meta.remove(name);
        }
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
