//! Listers: what is in a store, in the words of Kubernetes.
//!
//! In: namespaces, names, selectors. Out: `Option<Arc<K>>` and `Vec<Arc<K>>`. Never: IO, waiting, or a failure.
//!
//! Generated listers wrap these: [`Lister`] for namespaced kinds, [`ClusterLister`] for cluster-scoped ones.

mod cluster;
mod namespaced;
mod scope;

pub use cluster::ClusterLister;
pub use namespaced::{Lister, NamespaceLister};
pub use scope::Listed;
