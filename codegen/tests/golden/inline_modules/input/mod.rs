//! The type packages.

pub mod outer {
    //! A group.

    pub mod v1 {
        // +groupName=inline.example.com

        //! `inline.example.com`.

        use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
        use kube_codegen_runtime::object::TypeMeta;
        use serde::{Deserialize, Serialize};

        include!("outer/v1/zz_generated.object.rs");

        // +genclient
        /// Inner is a kind of this case.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Inner {
            /// Its type.
            #[serde(flatten, skip_deserializing)]
            pub type_meta: TypeMeta<Inner>,
            /// Its metadata.
            #[serde(default)]
            pub metadata: ObjectMeta,
            /// Its spec.
            #[serde(default)]
            pub spec: InnerSpec,
        }

        /// InnerSpec is a part of it.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct InnerSpec {
            /// The size.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub size: Option<i32>,
        }
    }
}
