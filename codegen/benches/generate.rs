//! How long generation takes for 1, 20 and 200 kinds with all generators, beside parsing and printing the same amount of
//! code alone: the types are parsed, and the text that the generators write for them is parsed and printed. That is the
//! floor for anything that reads Rust and writes Rust through syn and prettyplease. The generators use threads, the
//! peer does not: `taskset -c 0 cargo bench -p kube-codegen` compares the work itself.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at what it does not expect")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kube_codegen::emit::{self, Options};
use kube_codegen::lower::lower;
use kube_codegen::naming::PluralExceptions;
use kube_codegen::output::{Header, Mode, Ownership, Root, apply};
use kube_codegen::source::{CargoSources, PackageInput};
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;

const KINDS_OF_A_GROUP: usize = 10;

/// One kind as people write them: a spec with a dozen fields, a nested struct, a status with conditions.
fn kind(index: usize) -> String {
    let fields: String = (0..10).fold(String::new(), |mut text, field| {
        writeln!(text, "    /// Field {field} says how much of it is wanted, and what happens without.")
            .unwrap();
        writeln!(text, "    #[serde(default, skip_serializing_if = \"Option::is_none\")]").unwrap();
        writeln!(text, "    pub field_number_{field}: Option<String>,").unwrap();
        text
    });
    format!(
        r#"
// +genclient
// +kubebuilder:subresource:status
/// Kind{index} is one of many.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kind{index} {{
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Kind{index}>,
    /// Its metadata.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: Kind{index}Spec,
    /// What there is.
    pub status: Option<Kind{index}Status>,
}}

/// What is wanted of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kind{index}Spec {{
{fields}    /// The parts, by name.
    pub parts: BTreeMap<String, Kind{index}Part>,
}}

/// A part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kind{index}Part {{
    /// The image.
    pub image: String,
    /// The ports.
    pub ports: Vec<i32>,
}}

/// What there is of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kind{index}Status {{
    /// The generation that was last seen.
    pub observed_generation: Option<i64>,
    /// The conditions.
    pub conditions: Vec<Condition>,
}}
"#
    )
}

/// A crate of so many kinds; gives its type packages and their texts.
fn input(folder: &Path, kinds: usize) -> (Vec<PackageInput>, Vec<String>) {
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), "[package]\nname = \"many-apis\"\n").unwrap();
    let groups = kinds.div_ceil(KINDS_OF_A_GROUP);
    let lib: String = (0..groups).map(|group| format!("pub mod group{group};\n")).collect();
    fs::write(folder.join("src/lib.rs"), lib).unwrap();
    let mut texts = Vec::new();
    for group in 0..groups {
        let mut text = format!(
            "// +groupName=group{group}.example.com\n\nuse std::collections::BTreeMap;\n\
            use k8s_openapi::apimachinery::pkg::apis::meta::v1::{{Condition, ObjectMeta}};\n\
            use kube_codegen_runtime::object::TypeMeta;\nuse serde::{{Deserialize, Serialize}};\n"
        );
        (group * KINDS_OF_A_GROUP..kinds.min((group + 1) * KINDS_OF_A_GROUP))
            .for_each(|index| text.push_str(&kind(index)));
        let module = folder.join(format!("src/group{group}/v1"));
        fs::create_dir_all(&module).unwrap();
        fs::write(folder.join(format!("src/group{group}/mod.rs")), "pub mod v1;\n").unwrap();
        fs::write(module.join("mod.rs"), &text).unwrap();
        texts.push(text);
    }
    let packages =
        (0..groups).map(|group| PackageInput::new(folder, format!("group{group}"), "v1")).collect();
    (packages, texts)
}

/// Everything that a run does: read, lower, emit, print, compare with the disk.
fn generate(packages: &[PackageInput], output: &Path, mode: Mode) -> usize {
    let (model, diagnostics) = lower(packages, &PluralExceptions::default(), &CargoSources::default());
    assert!(diagnostics.is_empty(), "{diagnostics}");
    let options = Options::for_crate(Header::new("// SPDX-License-Identifier: Apache-2.0"));
    let mut roots: Vec<Root> = emit::object::files(&model, &options.header)
        .into_iter()
        .map(|file| Root {
            folder: file.folder,
            ownership: Ownership::Named(emit::object::FILE_NAME.to_owned()),
            files: file.files,
        })
        .collect();
    let files = emit::groups(&model, &options);
    roots.push(Root { folder: output.to_owned(), ownership: Ownership::Tree, files });
    let report = apply(roots, mode).unwrap();
    report.unchanged.len() + report.written.len()
}

/// The texts of the files that were written.
fn generated(output: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(output).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            generated(&entry.path(), found);
        } else {
            found.push(fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// The peer: the types parsed, the generated code parsed and printed.
fn parse_and_print(types: &[String], written: &[String]) -> usize {
    let parsed: usize = types.iter().map(|text| syn::parse_file(text).unwrap().items.len()).sum();
    let printed = written.iter().map(|text| prettyplease::unparse(&syn::parse_file(text).unwrap()).len());
    parsed + printed.sum::<usize>()
}

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    for kinds in [1, 20, 200] {
        let folder = tempfile::tempdir().unwrap();
        let (packages, texts) = input(&folder.path().join("apis"), kinds);
        let output = folder.path().join("out/src");
        generate(&packages, &output, Mode::Write);
        let mut written = Vec::new();
        generated(&output, &mut written);
        // What the object generator writes stands beside the types.
        for (at, _) in texts.iter().enumerate() {
            let beside = folder.path().join(format!("apis/src/group{at}/v1")).join(emit::object::FILE_NAME);
            written.push(fs::read_to_string(beside).unwrap());
        }

        group.bench_function(BenchmarkId::new("all_generators_up_to_date", kinds), |bencher| {
            bencher.iter(|| generate(black_box(&packages), &output, Mode::Write));
        });
        group.bench_function(BenchmarkId::new("parse_and_print_alone", kinds), |bencher| {
            bencher.iter(|| parse_and_print(black_box(&texts), black_box(&written)));
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
