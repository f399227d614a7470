//! Types of the library.
// +groupName=library.example.com
// +versionName=v1

use first_unknown::*;
use second_unknown::*;
use serde::{Deserialize, Serialize};

// +genclient
/// A book.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Book {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Book>,
    pub metadata: ObjectMeta,
}

// +genclient
/// A shelf.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shelf {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: kube_codegen_runtime::object::TypeMeta<Shelf>,
    pub metadata: ObjectMeta,
}
