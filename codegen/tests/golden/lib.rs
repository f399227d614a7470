//! Every golden case, compiled: its type packages beside what is expected to be generated from them.

pub mod apply_shapes;
pub mod cluster_scope;
pub mod docs;
pub mod extra_methods;
pub mod hyphenated_group;
pub mod inline_modules;
pub mod irregular_plurals;
pub mod keywords;
pub mod kube_derive;
pub mod mixed_case;
pub mod no_status;
pub mod reexported;
pub mod restricted_verbs;
pub mod same_first_label;
pub mod several_versions;
pub mod tag_order;
