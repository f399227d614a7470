//! Probes, and what runs at the ends of a container's life.

use crate::validation::{Findings, Spot, formats};

const HANDLERS: &[&str] = &["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

pub(super) fn probes(out: &mut Findings, container: &Spot<'_>, grace: Option<i64>) {
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = container.get(name);
        if !probe.is_set() {
            continue;
        }
        self::probe(out, &probe, grace);
        if name == "readinessProbe" {
            let grace = probe.get("terminationGracePeriodSeconds");
            if grace.is_set() {
                out.invalid(&grace, "must not be set for readinessProbes");
            }
        } else if probe.number("successThreshold") != Some(1) {
            let value = probe.number("successThreshold").unwrap_or_default();
            out.invalid_as(&probe.get("successThreshold"), value, "must be 1");
        }
    }
}

fn probe(out: &mut Findings, probe: &Spot<'_>, grace: Option<i64>) {
    handler(out, probe, grace);
    for name in
        ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
    {
        out.not_negative(&probe.get(name));
    }
    let grace = probe.get("terminationGracePeriodSeconds");
    if grace.int().is_some_and(|seconds| seconds <= 0) {
        out.invalid(&grace, "must be greater than 0");
    }
}

fn handler(out: &mut Findings, place: &Spot<'_>, grace: Option<i64>) {
    let mut found = false;
    for name in HANDLERS {
        let handler = place.get(name);
        if !handler.is_set() {
            continue;
        }
        if std::mem::replace(&mut found, true) {
            out.forbidden(&handler, "may not specify more than 1 handler type");
            continue;
        }
        match *name {
            "exec" if handler.count("command") == 0 => out.required(&handler.get("command"), ""),
            "httpGet" => http_get(out, &handler),
            "tcpSocket" => formats::port_or_name(out, &handler.get("port")),
            "grpc" => {
                formats::port_or_name(out, &handler.get("port"));
                out.maybe_one_of(&handler.get("mode"), &["Plaintext", "TLS"]);
            }
            "sleep" => sleep(out, &handler, grace),
            _ => {}
        }
    }
    if !found {
        out.required(place, "must specify a handler type");
    }
}

fn http_get(out: &mut Findings, get: &Spot<'_>) {
    out.present(&get.get("path"));
    formats::port_or_name(out, &get.get("port"));
    let scheme = get.get("scheme");
    if !["HTTP", "HTTPS"].contains(&scheme.str()) {
        out.not_supported(&scheme, &["HTTP", "HTTPS"]);
    }
    for header in get.items("httpHeaders") {
        if let Some(error) = formats::header_name_errors(header.text("name")) {
            out.invalid_as(&get.get("httpHeaders"), header.text("name"), error);
        }
    }
    let protocol = get.get("protocol");
    out.maybe_one_of(&protocol, &["HTTP1", "HTTP2"]);
    if protocol.str() == "HTTP2" && scheme.str() != "HTTP" {
        out.invalid(&protocol, "is only supported with HTTP (H2C)");
    } else if protocol.str() == "HTTP2" && !get.text("host").is_empty() {
        out.invalid(&get.get("host"), "must be empty when `protocol` is \"HTTP2\"");
    }
}

fn sleep(out: &mut Findings, handler: &Spot<'_>, grace: Option<i64>) {
    let seconds = handler.number("seconds").unwrap_or_default();
    if let Some(grace) = grace
        && !(0..=grace).contains(&seconds)
    {
        let why = format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
        out.invalid_as(handler, seconds, why);
    }
}

pub(super) fn lifecycle(out: &mut Findings, container: &Spot<'_>, grace: Option<i64>, os: &Spot<'_>) {
    let lifecycle = container.get("lifecycle");
    for name in ["postStart", "preStop"] {
        if lifecycle.has(name) {
            handler(out, &lifecycle.get(name), grace);
        }
    }
    let signal = lifecycle.get("stopSignal");
    if !signal.is_set() {
        return;
    }
    match os.text("name") {
        "windows" => out.maybe_one_of(&signal, &["SIGKILL", "SIGTERM"]),
        "linux" => {
            let known = signals();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            out.maybe_one_of(&signal, &known);
        }
        _ => out.forbidden(&signal, "may not be set for containers with empty `spec.os.name`"),
    }
}

/// The signals that Linux knows, sorted.
fn signals() -> Vec<String> {
    let plain = "ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP \
                 TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX";
    let mut all: Vec<String> = plain.split(' ').map(|name| format!("SIG{name}")).collect();
    all.extend((1..=15).map(|number| format!("SIGRTMIN+{number}")));
    all.extend((1..=14).map(|number| format!("SIGRTMAX-{number}")));
    all.sort_unstable();
    all
}
