//! How long custom resource definitions take for 20 kinds with 2,000 fields in all, markers included: read, checked and
//! printed, as `controller-gen crd` does it. Go's controller-gen takes about 700 ms for as much, most of it for the type checker.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at what it does not expect")]

use criterion::{Criterion, criterion_group, criterion_main};
use kube_codegen::crd::CrdOptions;
use kube_codegen::emit::{Attribution, crd};
use kube_codegen::output::Header;
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;

const KINDS: usize = 20;
const FIELDS: usize = 100;

/// A kind with a hundred fields of all sorts, a third of them with markers.
fn kind(index: usize) -> String {
    let mut fields = String::new();
    for field in 0..FIELDS {
        let (markers, ty) = match field % 6 {
            0 => (
                "    // +kubebuilder:validation:MinLength=1\n    // +kubebuilder:validation:Pattern=`^[a-z]+$`\n",
                "String",
            ),
            1 => ("    // +kubebuilder:validation:Minimum=0\n    // +kubebuilder:default=3\n", "Option<i32>"),
            2 => ("", "Vec<String>"),
            3 => ("    // +optional\n", "Option<Part>"),
            4 => ("", "BTreeMap<String, Quantity>"),
            _ => ("", "bool"),
        };
        writeln!(
            fields,
            "    /// Field {field} says how much of it is wanted.\n{markers}    pub field_{field}: {ty},"
        )
        .unwrap();
    }
    format!(
        "\n/// Kind{index} is one of many.\n// +kubebuilder:object:root=true\n// +kubebuilder:subresource:status\n\
         #[derive(Serialize, Deserialize)]\npub struct Kind{index} {{\n    #[serde(flatten, skip_deserializing)]\n    \
         pub type_meta: TypeMeta<Kind{index}>,\n    pub metadata: ObjectMeta,\n    pub spec: Kind{index}Spec,\n}}\n\n\
         /// What is wanted.\n#[derive(Serialize, Deserialize)]\n#[serde(rename_all = \"camelCase\")]\n\
         pub struct Kind{index}Spec {{\n{fields}}}\n"
    )
}

fn input(folder: &Path) -> PackageInput {
    let mut text = String::from(
        "// +groupName=many.example.com\n// +versionName=v1\n\nuse std::collections::BTreeMap;\n\
         use k8s_openapi::apimachinery::pkg::api::resource::Quantity;\n\
         use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;\n\
         use kube_codegen_runtime::object::TypeMeta;\nuse serde::{Deserialize, Serialize};\n\n\
         /// A part.\n#[derive(Serialize, Deserialize)]\npub struct Part {\n    /// The image.\n    pub image: String,\n}\n",
    );
    (0..KINDS).for_each(|index| text.push_str(&kind(index)));
    let file = folder.join("types.rs");
    fs::write(&file, text).unwrap();
    PackageInput::new(file, "", "")
}

fn benchmark(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([input(folder.path())]) };
    let header = Header::default();
    criterion.bench_function("definitions/20_kinds_2000_fields", |bencher| {
        bencher.iter(|| {
            let loaded = load_definitions(black_box(&inputs), &CrdOptions::default()).unwrap();
            let manifests = crd::files(&loaded.definitions, Attribution::default());
            manifests.iter().map(|manifest| manifest.text(&header).len()).sum::<usize>()
        });
    });
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
