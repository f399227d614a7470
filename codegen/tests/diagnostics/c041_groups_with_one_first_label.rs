//@ packages: policy/v1 rules/v1

pub mod policy {
    pub mod v1 {
        //! A package.
        // +groupName=policy.example.com

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

pub mod rules {
    pub mod v1 {
        //! A package.
        // +groupName=policy.example.org

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

