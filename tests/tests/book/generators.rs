//! The code of the page about the generators that is not part of a crate: `tests/fixtures/stranger` has the rest.

use sample_client::{Clientset, fake};

// ANCHOR: permissions
// +kubebuilder:rbac:groups=cnat.example.com,resources=ats;ats/status,verbs=get;list;watch;update
// +kubebuilder:rbac:groups="",resources=pods,verbs=create,namespace=work
async fn reconcile(clientset: &Clientset) {
    // ANCHOR_END: permissions
    let _ = clientset.cnat_v1alpha1().ats("work").list().await;
}

#[tokio::test]
async fn permissions_stand_beside_code() {
    let fake = fake::Clientset::new([]);
    reconcile(&fake.clientset()).await;
    assert_eq!(fake.actions(), ["list ats work"]);
}
