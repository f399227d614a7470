//! Markers where nobody looks for them.

/* +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get */
pub fn reconcile() {}

/// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list
pub struct Reconciler {
    /// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=watch
    pub field: u8,
}

// +kubebuilder:rbacs:groups=apps,resources=deployments,verbs=watch
pub fn again() {}

// +kubebuilder:rbac:resources=pods,verbs=get
// +kubebuilder:rbac:groups=apps,verbs=get
// +kubebuilder:rbac:verbs=get
// +kubebuilder:rbac:groups="",resources=pods,urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=get,namespace=work
pub fn refused_by_a_server() {}
