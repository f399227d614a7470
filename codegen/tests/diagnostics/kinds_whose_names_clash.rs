//@ packages: a/v1

pub mod a {
    pub mod v1 {
        //! A package.
        // +groupName=a.example.com

        use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
        use kube_codegen_runtime::object::TypeMeta;

        // +genclient
        pub struct HTTPRoute {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<HTTPRoute>,
            pub metadata: ObjectMeta,
        }

        // +genclient
        pub struct HttpRoute {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<HttpRoute>,
            pub metadata: ObjectMeta,
        }

        // +genclient
        pub struct Book {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<Book>,
            pub metadata: ObjectMeta,
        }

        // +genclient
        pub struct BookList {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<BookList>,
            pub metadata: ObjectMeta,
        }

        // +genclient
        pub struct Index {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<Index>,
            pub metadata: ObjectMeta,
        }

        // +genclient
        pub struct Indices {
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<Indices>,
            pub metadata: ObjectMeta,
        }
    }

}

