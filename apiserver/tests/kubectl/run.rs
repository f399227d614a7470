//! One scenario, from its folder to what its commands printed.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    normalise::{Normaliser, Words},
    process::{Place, Process, Server},
    scenario::{Printed, Scenario, Step},
};

fn seconds(number: f64) -> Duration {
    Duration::from_secs_f64(number)
}

/// What the commands of a scenario print, in their order.
pub(crate) fn run(scenario: &Scenario, server: &Server) -> Vec<Printed> {
    let name = format!("c-{:08x}", fastrand::u32(..));
    let root = tempfile::Builder::new().prefix("transcript-").tempdir().unwrap();
    let folder = |part: &str| {
        let path = root.path().join(part);
        fs::create_dir(&path).unwrap();
        path
    };
    let (work, home, bin) = (folder("work"), folder("home"), folder("bin"));
    symlink(which_kubectl(), bin.join("kubectl")).unwrap();
    let has_namespace = scenario.namespace.unwrap_or(true);
    let context = if has_namespace { name.as_str() } else { "default" };
    let config = root.path().join("kubeconfig");
    fs::write(&config, kubeconfig(&server.config, context).to_string()).unwrap();
    for (file, content) in &scenario.files {
        let path = work.join(fill(file, &name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, fill(content, &name)).unwrap();
    }
    let text = |path: &Path| path.display().to_string();
    let environment = [
        ("PATH", format!("{}:{}", text(&bin), std::env::var("PATH").unwrap())),
        ("HOME", text(&home)),
        ("KUBECONFIG", text(&config)),
        ("LC_ALL", "C".to_owned()),
        ("TZ", "UTC".to_owned()),
        ("TERM", "dumb".to_owned()),
        ("TMPDIR", text(root.path())),
        ("NO_PROXY", "*".to_owned()),
    ];
    let place = Place { folder: &work, environment: &environment };
    let words = Words {
        namespace: has_namespace.then(|| name.clone()),
        server: server.url.clone(),
        folders: [(text(&work), "<dir>"), (text(&home), "<home>"), (text(root.path()), "<tmp>")],
    };
    let mut run = Run { name: &name, place, normaliser: Normaliser::new(words), printed: Vec::new() };
    if has_namespace {
        run.once(&format!("kubectl create namespace {name}"), None, 20.0);
    }
    run.steps(scenario);
    for command in &scenario.cleanup {
        run.once(&fill(command, &name), None, 20.0);
    }
    if has_namespace {
        run.once(&format!("kubectl delete namespace {name} --wait=false"), None, 20.0);
    }
    run.printed
}

struct Run<'a> {
    name: &'a str,
    place: Place<'a>,
    normaliser: Normaliser,
    printed: Vec<Printed>,
}

impl Run<'_> {
    fn once(&self, text: &str, stdin: Option<&str>, limit: f64) -> (Value, String, String) {
        let mut process = Process::start(text, stdin, &self.place);
        let code = process.wait(seconds(limit)).map_or(json!("timeout"), Value::from);
        process.end();
        let (out, err) = process.outputs();
        (code, out, err)
    }

    fn steps(&mut self, scenario: &Scenario) {
        let mut background: HashMap<String, (Process, Step)> = HashMap::new();
        for raw in scenario.steps() {
            let step = filled(&raw, self.name);
            if let Some(time) = step.sleep {
                std::thread::sleep(seconds(time));
            } else if let Some(name) = &step.background {
                let process = self.begin(&step);
                background.insert(name.clone(), (process, raw));
            } else if let Some(name) = &step.collect {
                let (process, started) = background.remove(name).unwrap();
                self.collect(process, started, &step);
            } else {
                self.command(&raw, &step);
            }
        }
        for (mut process, _) in background.into_values() {
            process.end();
        }
    }

    fn begin(&self, step: &Step) -> Process {
        let process = Process::start(&step.run, step.stdin.as_deref(), &self.place);
        let until = step.until.as_ref().map(|until| regex::Regex::new(until).unwrap());
        let limit = if until.is_some() { 5.0 } else { step.settle.unwrap_or(0.6) };
        wait_until(limit, || {
            let (out, err) = process.outputs();
            until.as_ref().is_some_and(|until| until.is_match(&(out + &err)))
        });
        process
    }

    fn collect(&mut self, mut process: Process, started: Step, step: &Step) {
        let lines = step.lines.unwrap_or(usize::MAX);
        wait_until(step.within.unwrap_or(5.0), || process.outputs().0.matches('\n').count() >= lines);
        std::thread::sleep(seconds(0.3));
        process.end();
        let (out, err) = process.outputs();
        let merged = Step {
            sort: started.sort || step.sort,
            ages: started.ages || step.ages,
            hide: if step.hide.is_empty() { started.hide } else { step.hide.clone() },
            ..Step::default()
        };
        let stdout = self.normaliser.lines(&out, &merged);
        let stderr = self.normaliser.lines(&err, &merged);
        self.printed.push(Printed { run: started.run, stdout, stderr, ..Printed::default() });
    }

    fn command(&mut self, raw: &Step, step: &Step) {
        let end = Instant::now() + seconds(step.retry);
        let (exit, out, err) = loop {
            let result = self.once(&step.run, step.stdin.as_deref(), step.timeout.unwrap_or(20.0));
            if result.0 == 0 || Instant::now() >= end {
                break result;
            }
            std::thread::sleep(seconds(0.2));
        };
        if step.quiet {
            return;
        }
        let stdout = self.normaliser.lines(&out, step);
        let stderr = self.normaliser.lines(&err, step);
        self.printed.push(Printed { run: raw.run.clone(), exit, stdout, stderr, ..Printed::default() });
    }
}

fn wait_until(limit: f64, mut is_done: impl FnMut() -> bool) {
    let end = Instant::now() + seconds(limit);
    while Instant::now() < end && !is_done() {
        std::thread::sleep(seconds(0.05));
    }
}

fn which_kubectl() -> std::path::PathBuf {
    let output = Command::new("bash").args(["-c", "readlink -f \"$(command -v kubectl)\""]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().into()
}

/// A kubeconfig with the namespace of a scenario; its parts have one name.
fn kubeconfig(given: &Value, namespace: &str) -> Value {
    let mut config = given.clone();
    for kind in ["clusters", "users", "contexts"] {
        config[kind][0]["name"] = "here".into();
    }
    config["contexts"][0]["context"] = json!({"cluster": "here", "user": "here", "namespace": namespace});
    config["current-context"] = "here".into();
    config
}

fn fill(text: &str, name: &str) -> String {
    text.replace("{{ns}}", name)
}

fn filled(step: &Step, name: &str) -> Step {
    let mut step = step.clone();
    step.run = fill(&step.run, name);
    step.stdin = step.stdin.map(|stdin| fill(&stdin, name));
    step.until = step.until.map(|until| fill(&until, name));
    step.hide = step.hide.iter().map(|hide| fill(hide, name)).collect();
    step
}
