//@ packages: shop/v1 shop/v2

pub mod v1 {
    //! +groupName=shop.example.com
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use kube_codegen_runtime::object::TypeMeta;

    // +kubebuilder:object:root=true
    // +kubebuilder:storageversion
    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Order {
        #[serde(flatten, skip_deserializing)]
        pub type_meta: TypeMeta<Order>,
        pub metadata: ObjectMeta,
    }
}

pub mod v2 {
    //! +groupName=shop.example.com
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use kube_codegen_runtime::object::TypeMeta;

    // +kubebuilder:object:root=true
    // +kubebuilder:storageversion
    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Order {
        #[serde(flatten, skip_deserializing)]
        pub type_meta: TypeMeta<Order>,
        pub metadata: ObjectMeta,
    }
}
