//! What runs of the command line write, compare and remove.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use std::fs;
use std::path::{Path, PathBuf};

const TYPES: &str = "// +groupName=fine.example.com\n\n//! Things.\n
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};\n
include!(\"zz_generated.object.rs\");\n
// +genclient
/// A thing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
}
";

/// Somebody's crate.
struct Crate(tempfile::TempDir);

impl Crate {
    fn new() -> Self {
        let made = Self(tempfile::tempdir().unwrap());
        made.write("Cargo.toml", "[package]\nname = \"types\"\nversion = \"0.0.0\"\n");
        made.write("src/lib.rs", "pub mod apis;\npub mod client;\n");
        made.write("src/apis/fine/v1/mod.rs", TYPES);
        made
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// `generate-groups <generators> <output> src/apis fine:v1 <flags>`, with absolute paths.
    fn groups(&self, generators: &str, output: &str, flags: &[&str]) -> Ran {
        let (output, apis) =
            (self.path(output).display().to_string(), self.path("src/apis").display().to_string());
        let arguments = [generators, output.as_str(), apis.as_str(), "fine:v1"];
        call(Tool::GenerateGroups, arguments.iter().chain(flags))
    }
}

/// What a command said, and how it ended.
struct Ran {
    exit: Exit,
    out: String,
    err: String,
}

fn call<'a>(tool: Tool, arguments: impl IntoIterator<Item = &'a &'a str>) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(tool, arguments.into_iter().map(Into::into), &mut Terminal::new(&mut out, &mut err));
    Ran { exit, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

impl Ran {
    fn done(self) -> String {
        assert_eq!(self.exit, Exit::Done, "{}{}", self.out, self.err);
        self.out
    }
}

#[test]
fn a_second_run_writes_nothing() {
    let types = Crate::new();
    assert!(
        types
            .groups("all", "src/client", &[])
            .done()
            .starts_with("1 group, 1 kind: 26 files written, 0 unchanged, 0 removed, ")
    );
    assert!(
        types.groups("all", "src/client", &[]).done().contains(" 0 files written, 26 unchanged, 0 removed, ")
    );
}

#[test]
fn quiet_says_nothing_and_verbose_names_files() {
    let types = Crate::new();
    assert_eq!(types.groups("lister", "src/client", &["--quiet"]).done(), "");
    fs::remove_file(types.path("src/client/listers/mod.rs")).unwrap();
    let out = types.groups("lister", "src/client", &["-v"]).done();
    assert!(
        out.contains("wrote ") && out.contains("listers/mod.rs\n") && !out.contains("unchanged /"),
        "{out}"
    );
    assert!(types.groups("lister", "src/client", &["-vv"]).done().contains("unchanged /"));
}

#[test]
fn check_shows_the_drift_and_the_command_that_repairs() {
    let types = Crate::new();
    types.groups("all", "src/client", &[]).done();
    types.groups("all", "src/client", &["--check"]).done();
    types.write("src/apis/fine/v1/mod.rs", &TYPES.replace("Thing", "Gadget"));

    let drifted = types.groups("all", "src/client", &["--check"]);

    assert_eq!(drifted.exit, Exit::Failed);
    assert!(drifted.out.contains("+pub struct Gadgets("), "{}", drifted.out);
    assert!(drifted.out.contains("-pub struct Things("), "{}", drifted.out);
    let repair = format!(
        "to repair, run:\n\n    generate-groups all {} {} fine:v1\n",
        types.path("src/client").display(),
        types.path("src/apis").display()
    );
    assert!(drifted.err.contains(&repair), "{}", drifted.err);
    assert!(types.has("src/client/listers/fine/v1/thing.rs"), "a check writes nothing");
}

#[test]
fn files_of_kinds_that_are_gone_go() {
    let types = Crate::new();
    types.groups("all", "src/client", &[]).done();
    types.write("src/client/listers/fine/v1/mine.rs", "//! Written by hand.\n");
    types.write("src/apis/fine/v1/mod.rs", &TYPES.replace("Thing", "Gadget"));
    let out = types.groups("all", "src/client", &[]).done();
    assert!(out.contains(" 4 removed"), "{out}");
    assert!(!types.has("src/client/listers/fine/v1/thing.rs"));
    assert!(types.has("src/client/listers/fine/v1/gadget.rs"));
    assert!(types.has("src/client/listers/fine/v1/mine.rs"));
}

#[test]
fn generators_that_run_one_after_another_leave_each_other_in_place() {
    let types = Crate::new();
    for generator in ["client", "lister", "informer", "applyconfiguration"] {
        types.groups(generator, "src/client", &[]).done();
    }
    let root = fs::read_to_string(types.path("src/client/mod.rs")).unwrap();
    for module in ["clientset", "listers", "informers", "applyconfiguration"] {
        assert!(root.contains(&format!("pub mod {module};")), "{root}");
    }
    assert!(types.has("src/apis/fine/v1/zz_generated.object.rs"), "clients stand on it");
    // The client was written when there were no apply configurations yet.
    let out = types.groups("all", "src/client", &[]).done();
    assert!(out.contains("1 file written"), "{out}");
}

#[test]
fn nothing_is_written_when_anything_is_wrong() {
    let types = Crate::new();
    types.write("src/client/listers/mod.rs", "//! Written by hand.\n");
    let refused = types.groups("all", "src/client", &[]);
    assert_eq!(refused.exit, Exit::Failed);
    assert!(refused.err.contains("is not overwritten"), "{}", refused.err);
    assert!(!types.has("src/client/mod.rs") && !types.has("src/apis/fine/v1/zz_generated.object.rs"));
}

#[test]
fn an_output_outside_of_crates_becomes_a_crate_with_a_manifest_that_is_then_left_alone() {
    let types = Crate::new();
    types.write("Cargo.toml", "[package]\nname = \"types\"\n[dependencies]\nkube-codegen-runtime = { path = \"../runtime\" }\nserde = \"1.0.200\"\n");
    let out = types.groups("all", "my-client", &[]);
    assert!(out.err.contains("add the crate to the members"), "{}", out.err);
    let manifest = fs::read_to_string(types.path("my-client/Cargo.toml")).unwrap();
    let expected = expect_test::expect![[r#"
        [package]
        name = "my-client"
        version = "0.1.0"
        edition = "2024"
        publish = false

        [features]
        fake = ["dep:kube-codegen-apiserver"]

        [dependencies]
        k8s-openapi = { features = ["latest"], version = "0.29" }
        kube-codegen-apiserver = { optional = true, path = "../../apiserver" }
        kube-codegen-runtime = { features = ["client"], path = "../../runtime" }
        serde = { features = ["derive"], version = "1.0.200" }
        types = { path = ".." }
    "#]];
    expected.assert_eq(&manifest);
    assert!(types.has("my-client/src/lib.rs"));
    let client = fs::read_to_string(types.path("my-client/src/listers/fine/v1/thing.rs")).unwrap();
    assert!(client.contains("types::apis::fine::v1::Thing"), "{client}");

    types.write("my-client/Cargo.toml", "[package]\nname = \"my-client\"\n# Mine.\n");
    types.groups("all", "my-client", &[]).done();
    assert!(fs::read_to_string(types.path("my-client/Cargo.toml")).unwrap().contains("# Mine."));
}

#[test]
fn the_commands_with_one_generator_make_what_the_whole_makes() {
    let types = Crate::new();
    types.groups("client,lister,informer,applyconfiguration", "src/client", &[]).done();
    let text = |path: &str| fs::read_to_string(types.path(path)).unwrap();
    let (package, base, out) =
        (types.path("src/apis/fine/v1"), types.path("src/apis"), types.path("src/client"));
    let (package, base) = (package.display().to_string(), base.display().to_string());
    let dir = |name: &str| out.join(name).display().to_string();
    let before = text("src/client/clientset/versioned/typed/fine/v1/thing.rs");

    let calls: [(Tool, &[&str]); 4] = [
        (Tool::ListerGen, &["--output-dir", &dir("listers"), &package]),
        (Tool::ApplyconfigurationGen, &["--output-dir", &dir("applyconfiguration"), &package]),
        (
            Tool::ClientGen,
            &[
                "--output-dir",
                &dir("clientset"),
                "--input-base",
                &base,
                "--input=fine/v1",
                "--apply-configuration-package=crate::client::applyconfiguration",
            ],
        ),
        (
            Tool::InformerGen,
            &[
                "--output-dir",
                &dir("informers"),
                "--versioned-clientset-package=crate::client::clientset::versioned",
                "--listers-package=crate::client::listers",
                &package,
            ],
        ),
    ];
    for (tool, arguments) in calls {
        let out = call(tool, arguments).done();
        assert!(out.contains(": 0 files written, "), "{}: {out}", tool.name());
        assert!(out.contains(", 0 removed, "), "{}: {out}", tool.name());
    }
    assert_eq!(text("src/client/clientset/versioned/typed/fine/v1/thing.rs"), before);
}

#[test]
fn a_config_file_names_everything_and_paths_start_at_its_folder() {
    let types = Crate::new();
    types.write(
        "kube-codegen.toml",
        "apis = \"src/apis\"\noutput = \"src/client\"\nheader-file = \"licence.txt\"\nfake = \"never\"\n[plural-exceptions]\nThing = \"Thingses\"\n",
    );
    types.write("licence.txt", "// A licence.\n");
    let config = types.path("kube-codegen.toml").display().to_string();
    call(Tool::KubeCodegen, &["all", "--config", &config]).done();
    let root = fs::read_to_string(types.path("src/client/mod.rs")).unwrap();
    assert!(
        root.starts_with("// A licence.\n\n// Code generated by generate-groups. DO NOT EDIT.\n"),
        "{root}"
    );
    assert!(!types.has("src/client/clientset/versioned/fake"));
    let client =
        fs::read_to_string(types.path("src/client/clientset/versioned/typed/fine/v1/thing.rs")).unwrap();
    assert!(client.contains("pub struct Thingses("), "{client}");
    // One generator of those that the file names: the others' files stay, and its own refer to them.
    let out = call(Tool::KubeCodegen, &["client", "--config", &config]).done();
    assert!(out.contains(": 0 files written, ") && out.contains(", 0 removed, "), "{out}");
}

#[test]
fn controller_gen_writes_beside_the_types() {
    let types = Crate::new();
    let paths = format!("paths={}/...", types.0.path().display());
    call(Tool::ControllerGen, &["object", &paths, "output:none"]).done();
    assert!(!types.has("src/apis/fine/v1/zz_generated.object.rs"));
    call(Tool::ControllerGen, &["object", &paths]).done();
    assert!(types.has("src/apis/fine/v1/zz_generated.object.rs"));
}

#[test]
fn a_build_script_gets_a_tree_to_include_and_lines_for_cargo() {
    let types = Crate::new();
    let apis = types.path("src/apis").display().to_string();
    let mut cargo = Vec::new();
    let outcome = kube_codegen::Builder::new(apis.as_str(), "crate::client")
        .groups("fine:v1")
        .unwrap()
        .out_dir(types.path("out"))
        .build(&mut cargo)
        .unwrap();
    assert_eq!((outcome.groups, outcome.kinds), (1, 1));
    let lines = String::from_utf8(cargo).unwrap();
    let package = Path::new(&apis).join("fine/v1");
    assert_eq!(
        lines,
        format!("cargo::rerun-if-changed={apis}\ncargo::rerun-if-changed={}\n", package.display())
    );
    let root = fs::read_to_string(types.path("out/mod.rs")).unwrap();
    assert!(!root.contains("//!"), "{root}");
    assert!(types.has("out/apis/fine/v1/zz_generated.object.rs"));
    assert!(!types.has("src/apis/fine/v1/zz_generated.object.rs"));
}

#[test]
fn a_package_that_is_named_and_has_no_client_is_reported() {
    let types = Crate::new();
    types.write("src/apis/bare/v1/mod.rs", "// +groupName=bare.example.com\n\npub struct Shared;\n");
    let (output, apis) =
        (types.path("src/client").display().to_string(), types.path("src/apis").display().to_string());

    let named = call(Tool::GenerateGroups, ["all", &output, &apis, "fine:v1 bare:v1"].iter());

    assert_eq!(named.exit, Exit::Failed);
    assert!(named.err.contains("no type has `+genclient`"), "{}", named.err);
    assert!(named.err.contains("bare/v1/mod.rs:1:1"), "{}", named.err);
    let found = call(Tool::KubeCodegen, ["client", "--apis", &apis, "--output", &output].iter());
    assert_eq!(found.exit, Exit::Done, "{}", found.err);
}

#[test]
fn a_header_file_that_is_not_there_is_named_with_what_to_do() {
    let types = Crate::new();
    let ran = types.groups("all", "src/client", &["--header-file", "no/such/header.txt"]);
    assert_eq!(ran.exit, Exit::Failed);
    assert!(
        ran.err.contains("cannot read the header file `no/such/header.txt`: there is no such file"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("relative paths count from"), "{}", ran.err);
}

/// A role in `config/rbac`, for the marker in `src/lib.rs`.
fn role(types: &Crate, flags: &[&str]) -> Ran {
    types.write(
        "src/lib.rs",
        "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\nfn run() {}\n",
    );
    let (paths, output) = (
        format!("paths={}", types.path("src").display()),
        format!("output:dir={}", types.path("rbac").display()),
    );
    let words = ["rbac:roleName=manager", paths.as_str(), output.as_str()];
    call(Tool::ControllerGen, words.iter().chain(flags))
}

#[test]
fn a_role_of_another_tool_is_taken_over_and_other_objects_are_not() {
    let types = Crate::new();
    types.write("rbac/role.yaml", "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n");
    role(&types, &[]).done();
    let made = fs::read_to_string(types.path("rbac/role.yaml")).unwrap();
    assert!(made.starts_with("# Code generated by rbac-gen. DO NOT EDIT.\n---\n"), "{made}");
    role(&types, &["--check"]).done();

    types.write("rbac/role.yaml", "apiVersion: v1\nkind: ServiceAccount\n");
    let refused = role(&types, &[]);
    assert_eq!(refused.exit, Exit::Failed);
    assert!(refused.err.contains("is not overwritten"), "{}", refused.err);
}

#[test]
fn a_role_that_nothing_asks_for_any_more_is_removed() {
    let types = Crate::new();
    role(&types, &[]).done();
    types.write("src/lib.rs", "fn run() {}\n");
    let (paths, output) = (
        format!("paths={}", types.path("src").display()),
        format!("output:dir={}", types.path("rbac").display()),
    );
    let ran = call(Tool::ControllerGen, ["rbac:roleName=manager", &paths, &output].iter());
    assert!(ran.done().contains("1 removed"));
    assert!(!types.has("rbac/role.yaml"));
}
