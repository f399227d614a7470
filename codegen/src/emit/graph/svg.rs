//! The picture as SVG: a column of kinds for each group, arrows between them.

use super::{Cluster, Edge, Graph, Node, Tie};

/// Sizes in pixels. Texts are in a font of one width, so that their length is known.
const LETTER: f64 = 7.3;
const LINE: f64 = 17.0;
const PAD: f64 = 10.0;
const GAP: f64 = 90.0;

/// A kind with its place.
struct Placed<'g> {
    node: &'g Node,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The text of an SVG document.
pub fn svg(graph: &Graph) -> String {
    let mut columns = Vec::new();
    let (mut x, mut height) = (PAD, 0.0_f64);
    let mut body = String::new();
    for group in &graph.groups {
        let width = width(group);
        let (placed, end) = column(group, x, width);
        body.push_str(&frame(group, (x, width, end)));
        placed.iter().for_each(|placed| body.push_str(&boxed(placed)));
        columns.push(placed);
        x += width + GAP;
        height = height.max(end + PAD);
    }
    let arrows: String = graph.edges.iter().filter_map(|edge| arrow(edge, &columns)).collect();
    let width = (x - GAP + PAD).max(2.0 * PAD);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"ui-monospace, monospace\" font-size=\"12\" role=\"img\">\n\
         <title>Kinds by group, what clients may do with them, and who owns and watches whom</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" fill=\"#556\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}{arrows}</svg>\n"
    )
}

fn width(group: &Cluster) -> f64 {
    let texts =
        group.nodes.iter().flat_map(|node| node.lines.iter().chain([&node.kind])).chain([&group.name]);
    let longest = texts.map(|text| text.chars().count()).max().unwrap_or_default();
    // No picture has so many letters in a line that the number would not fit.
    f64::from(u32::try_from(longest).unwrap_or(u32::MAX)) * LETTER + 4.0 * PAD
}

/// The kinds of a group one below the other, and where the column ends.
fn column(group: &Cluster, x: f64, width: f64) -> (Vec<Placed<'_>>, f64) {
    let mut y = PAD + LINE + PAD;
    let mut placed = Vec::new();
    for node in &group.nodes {
        let lines = u32::try_from(node.lines.len() + 1).unwrap_or(u32::MAX);
        let height = f64::from(lines) * LINE + PAD;
        placed.push(Placed { node, x: x + PAD, y, width: width - 2.0 * PAD, height });
        y += height + PAD;
    }
    (placed, y)
}

fn frame(group: &Cluster, (x, width, end): (f64, f64, f64)) -> String {
    format!(
        "<rect x=\"{x:.0}\" y=\"{PAD:.0}\" width=\"{width:.0}\" height=\"{:.0}\" rx=\"6\" fill=\"#f4f6fa\" stroke=\"#ccd\"/>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" fill=\"#556\">{}</text>\n",
        end - PAD,
        x + PAD,
        PAD + LINE,
        escaped(&group.name)
    )
}

fn boxed(placed: &Placed<'_>) -> String {
    let Placed { node, x, y, width, height } = placed;
    let mut text = format!(
        "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"4\" fill=\"#fff\" stroke=\"#556\"/>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" font-weight=\"bold\" fill=\"#113\">{}</text>\n",
        x + PAD,
        y + LINE,
        escaped(&node.kind)
    );
    let mut line_y = y + LINE;
    for line in &node.lines {
        line_y += LINE;
        text.push_str(&format!(
            "<text x=\"{:.0}\" y=\"{line_y:.0}\" fill=\"#334\">{}</text>\n",
            x + PAD,
            escaped(line)
        ));
    }
    text
}

fn arrow(edge: &Edge, columns: &[Vec<Placed<'_>>]) -> Option<String> {
    let at = |(column, row): (usize, usize)| columns.get(column)?.get(row);
    let (from, to) = (at(edge.from)?, at(edge.to)?);
    let middle = |placed: &Placed<'_>| placed.y + placed.height / 2.0;
    let (start_y, end_y) = (middle(from), middle(to));
    let right = |placed: &Placed<'_>| placed.x + placed.width;
    // Within a column the arrow goes round on the right.
    let (start, end, bend_start, bend_end) = match edge.from.0.cmp(&edge.to.0) {
        std::cmp::Ordering::Less => (right(from), to.x, GAP / 2.0, -GAP / 2.0),
        std::cmp::Ordering::Equal => (right(from), right(to), GAP / 2.0, GAP / 2.0),
        std::cmp::Ordering::Greater => (from.x, right(to), -GAP / 2.0, GAP / 2.0),
    };
    let dashes = if edge.tie == Tie::Watches { " stroke-dasharray=\"4 3\"" } else { "" };
    Some(format!(
        "<path d=\"M{start:.0} {start_y:.0}C{:.0} {start_y:.0} {:.0} {end_y:.0} {end:.0} {end_y:.0}\" fill=\"none\" \
         stroke=\"#556\"{dashes} marker-end=\"url(#tip)\"/>\n\
         <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#556\">{}</text>\n",
        start + bend_start,
        end + bend_end,
        start + bend_start,
        start_y - 5.0,
        edge.tie.word()
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
