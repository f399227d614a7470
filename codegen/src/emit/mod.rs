//! Emit: one folder a generator, from the model to Rust code.
//!
//! In: the model and [`Options`]. Out: [`Files`](crate::output::Files), whose text is a function of these alone. Generated code is thin: a body is
//! one delegation into the runtime. The generators have one shape, `emit(&Context) -> Files`, and do not know each
//! other; what they share stands beside them: the places of apply configurations, names in scope, documentation, folders. They
//! never see a syntax tree of the user's, and never the disk.

mod applyconfiguration;
mod client;
mod configurations;
pub mod crd;
mod docs;
mod folders;
pub mod graph;
mod informer;
mod lister;
pub mod object;
mod options;
mod paths;
pub mod rbac;
mod scope;
mod tree;
pub mod webhook;

pub use crd::Attribution;
pub use options::{FakeCfg, Modules, Options, RootFile};
pub use rbac::{FILE_NAME as ROLE_FILE, RbacOptions};
pub use tree::{client_files, configuration_files, groups, informer_files, lister_files};

use crate::model::{Model, Resource};
use crate::output::Generator;
use configurations::{ConfigurationPlace, Configurations};
use scope::Scope;

/// What every generator works from.
#[derive(Debug)]
struct Context<'a> {
    model: &'a Model,
    options: &'a Options,
    configurations: Configurations<'a>,
}

impl<'a> Context<'a> {
    fn new(model: &'a Model, options: &'a Options) -> Self {
        Self { model, options, configurations: Configurations::of(model) }
    }

    /// The scope of a file that declares these names.
    fn scope<'n>(&self, declared: impl IntoIterator<Item = &'n str>) -> Scope {
        Scope::new(self.options.own_crate.as_deref(), declared)
    }

    /// The apply configuration of a resource, if it is generated and may be used.
    fn configuration_of(&self, resource: &Resource) -> Option<&ConfigurationPlace<'a>> {
        let wanted =
            self.options.runs(Generator::ApplyConfiguration) && resource.generators.applyconfiguration;
        self.configurations.get(&resource.path).filter(|_| wanted)
    }
}
