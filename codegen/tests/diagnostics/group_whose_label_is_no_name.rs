//@ packages: scale3/v1

pub mod scale3 {
    pub mod v1 {
        //! A package.
        // +groupName=3scale.example.com

        use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
        use kube_codegen_runtime::object::TypeMeta;

        // +genclient
        pub struct Book {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<Book>,
            pub metadata: ObjectMeta,
        }
    }

}

