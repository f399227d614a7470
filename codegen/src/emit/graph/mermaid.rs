//! The picture as Mermaid, which forges show in Markdown.

use super::{Graph, Tie};

/// The text of a Mermaid diagram.
pub fn mermaid(graph: &Graph) -> String {
    let mut text = String::from("graph LR\n");
    for (at, group) in graph.groups.iter().enumerate() {
        text.push_str(&format!("  subgraph g{at}[\"{}\"]\n", group.name));
        for (place, node) in group.nodes.iter().enumerate() {
            let lines: String = node.lines.iter().map(|line| format!("<br/>{line}")).collect();
            text.push_str(&format!("    {}[\"<b>{}</b>{lines}\"]\n", name((at, place)), node.kind));
        }
        text.push_str("  end\n");
    }
    for edge in &graph.edges {
        let arrow = match edge.tie {
            Tie::Owns => "-- owns -->",
            Tie::Watches => "-. watches .->",
        };
        text.push_str(&format!("  {} {arrow} {}\n", name(edge.from), name(edge.to)));
    }
    text
}

fn name((group, node): (usize, usize)) -> String {
    format!("g{group}n{node}")
}
