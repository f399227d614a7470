//! Runs cases, each in a process of its own, and prints tables.
//!
//! In: cases and the command line. Out: Markdown on standard output, progress on standard error. Never: a case in the
//! process that drives the others.

use std::{
    env,
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use crate::{
    feed,
    measure::{Figures, run, touch},
    report::{print_goals, print_table},
};

/// What a case works on.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    pub(crate) objects: usize,
    pub(crate) updates: usize,
    /// Where the feed is. The process that drives the others does not have it.
    pub(crate) feed: Option<SocketAddr>,
}

impl Given {
    pub(crate) fn feed(&self) -> SocketAddr {
        self.feed.unwrap()
    }
}

/// Whom the others of a table are compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// kube-runtime.
    Peer,
    /// What cannot be beaten, named by what it leaves out.
    Bound,
    /// Ours, with the name of its bound.
    Ours(&'static str),
}

#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) table: &'static str,
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) run: fn(Given) -> Figures,
    pub(crate) goals: &'static [Goal],
}

/// What a figure is not to exceed.
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    pub(crate) figure: &'static str,
    pub(crate) at_most: f64,
}

impl Case {
    pub(crate) fn new(
        table: &'static str,
        name: &'static str,
        role: Role,
        run: fn(Given) -> Figures,
    ) -> Self {
        Self { table, name, role, run, goals: &[] }
    }

    pub(crate) fn goals(mut self, goals: &'static [Goal]) -> Self {
        self.goals = goals;
        self
    }

    fn full_name(&self) -> String {
        format!("{}/{}", self.table, self.name)
    }
}

/// What the measured processes allocate with.
#[derive(Clone, Copy)]
#[expect(dead_code, reason = "each of the two programs has one of them")]
pub(crate) enum Allocator {
    System,
    Mimalloc,
}

impl Allocator {
    /// Its name, and how it is told what a program with large caches wants of it: as the Dockerfile does.
    fn settings(self) -> (&'static str, &'static [(&'static str, &'static str)]) {
        match self {
            Self::System => (
                "the system's allocator",
                &[("MALLOC_ARENA_MAX", "1"), ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")],
            ),
            Self::Mimalloc => ("mimalloc", &[("MIMALLOC_ALLOW_LARGE_OS_PAGES", "1")]),
        }
    }

    /// The settings in force: those of the environment come first.
    fn environment(self) -> Vec<(&'static str, String)> {
        let (_, settings) = self.settings();
        let value =
            |(name, value): &(&'static str, &str)| (*name, env::var(name).unwrap_or((*value).to_owned()));
        settings.iter().map(value).collect()
    }

    fn describe(self) -> String {
        let (name, _) = self.settings();
        let settings = self.environment().into_iter().map(|(name, value)| format!("{name}={value}"));
        format!("{name}, {}", settings.collect::<Vec<_>>().join(" "))
    }
}

struct Options {
    allocator: Allocator,
    runs: usize,
    given: Given,
    words: Vec<String>,
    only: Only,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    All,
    /// Cases with goals, and what they are compared with.
    Goals,
}

const OBJECTS: usize = 100_000;
/// So many bytes for each object are what a case at most takes at first.
const TOUCHED: usize = 40_000;

pub(crate) fn main(allocator: Allocator, cases: &[Case]) {
    let mut arguments = env::args().skip(1);
    let mut options = Options {
        allocator,
        runs: 2,
        given: Given { objects: OBJECTS, updates: 2 * OBJECTS, feed: None },
        words: Vec::new(),
        only: Only::All,
    };
    let mut case = None;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap();
        match &*argument {
            "--runs" => options.runs = value().parse().unwrap(),
            "--objects" => {
                options.given.objects = value().parse().unwrap();
                options.given.updates = 2 * options.given.objects;
            }
            "--goals" => {
                options.only = Only::Goals;
                options.runs = 1;
            }
            "--touch" => return touch(options.given.objects * TOUCHED),
            "--serve" => return serve(options.given),
            "--feed" => options.given.feed = Some(value().parse().unwrap()),
            "--case" => case = Some(value()),
            // What cargo says to every benchmark.
            "--bench" => {}
            word => options.words.push(word.to_owned()),
        }
    }
    match case {
        Some(name) => {
            let case = cases.iter().find(|case| case.full_name() == name).unwrap();
            println!("{}", serde_json::to_string(&(case.run)(options.given)).unwrap());
        }
        None => drive(cases, &options),
    }
}

/// Serves a feed until standard input ends, as it does when the process that drives the others is gone.
fn serve(given: Given) {
    std::thread::spawn(move || {
        run(feed::serve(given.objects, given.updates, |address| println!("{address}")));
    });
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

struct Feed {
    process: Child,
    address: String,
}

impl Feed {
    fn start(options: &Options) -> Self {
        let mut process = itself(options);
        let process = process.arg("--serve").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = process.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { process, address: address.trim().to_owned() }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// This program, as another process.
fn itself(options: &Options) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--objects", &options.given.objects.to_string()]);
    command.envs(options.allocator.environment());
    command
}

fn drive(cases: &[Case], options: &Options) {
    let named = |case: &Case| {
        options.words.is_empty() || options.words.iter().any(|word| case.full_name().contains(word.as_str()))
    };
    let has_goals = |case: &Case| {
        let others = cases.iter().filter(|other| other.table == case.table && !other.goals.is_empty());
        let is_compared = |other: &Case| match other.role {
            Role::Ours(bound) => case.role == Role::Peer || case.name == bound,
            Role::Peer | Role::Bound => false,
        };
        !case.goals.is_empty() || others.into_iter().any(is_compared)
    };
    let wanted = |case: &&Case| named(case) && (options.only == Only::All || has_goals(case));
    let cases: Vec<&Case> = cases.iter().filter(wanted).collect();
    let feed = Feed::start(options);
    let mut best: Vec<Figures> = cases.iter().map(|_| Figures::new()).collect();
    for run in 1..=options.runs {
        for (case, best) in cases.iter().zip(&mut best) {
            eprintln!("run {run} of {}: {}", options.runs, case.full_name());
            // Where this machine is a guest, whoever is the first to use some memory waits until its host has found it.
            assert!(itself(options).arg("--touch").status().unwrap().success());
            let mut process = itself(options);
            let process = process.args(["--feed", &feed.address, "--case", &case.full_name()]);
            let output = process.stderr(Stdio::inherit()).output().unwrap();
            assert!(output.status.success(), "{} failed", case.full_name());
            let figures: Figures = serde_json::from_slice(&output.stdout).unwrap();
            eprintln!("    {figures:?}");
            keep_best(best, figures);
        }
    }
    drop(feed);
    println!("\n## {}: {} objects", options.allocator.describe(), options.given.objects);
    let rows: Vec<(&Case, &Figures)> = cases.iter().copied().zip(&best).collect();
    for table in rows.chunk_by(|one, other| one.0.table == other.0.table) {
        print_table(table);
    }
    print_goals(&rows);
}

fn keep_best(best: &mut Figures, figures: Figures) {
    for (name, value) in figures {
        match best.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = known.min(value),
            None => best.push((name, value)),
        }
    }
}
