//! Which lister fits a kind.
//!
//! In: the scope of a kind, a type. Out: a type. Never: a lister with namespaces for a kind without them.

use kube::core::{ClusterResourceScope, NamespaceResourceScope};

use super::{ClusterLister, Lister};
use crate::{object::Object, store::Store};

/// A scope whose kinds have listers: [`Lister`] in namespaces, [`ClusterLister`] without.
pub trait Listed {
    /// The lister of a kind of this scope.
    type Lister<K: Object>;

    /// A lister on a store.
    fn lister<K: Object>(store: Store<K>) -> Self::Lister<K>;
}

impl Listed for NamespaceResourceScope {
    type Lister<K: Object> = Lister<K>;

    fn lister<K: Object>(store: Store<K>) -> Lister<K> {
        Lister::new(store)
    }
}

impl Listed for ClusterResourceScope {
    type Lister<K: Object> = ClusterLister<K>;

    fn lister<K: Object>(store: Store<K>) -> ClusterLister<K> {
        ClusterLister::new(store)
    }
}
