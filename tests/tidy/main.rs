//! The workspace's own rules: who may depend on whom, who may import whom, and what every file has to keep.
//!
//! The tables here are the walls of the project. A failure names the file and the line; where the wall itself is
//! wrong, move it here.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod crates;
mod files;
mod imports;
mod picture;
mod rooms;
mod walk;

/// Fails with all findings at once.
fn report(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n  {}", findings.join("\n  "));
}
