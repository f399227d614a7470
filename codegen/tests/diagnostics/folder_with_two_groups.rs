//@ packages: a/v1 a/v2

pub mod a {
    pub mod v1 {
        //! A package.
        // +groupName=a.example.com

        use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
        use kube_codegen_runtime::object::TypeMeta;

        // +genclient
        pub struct Book {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<Book>,
            pub metadata: ObjectMeta,
        }
    }

    pub mod v2 {
        //! A package.
        // +groupName=b.example.com

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

