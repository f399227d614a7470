//! A set of paths, kept as a tree, and its algebra.

use super::PathElement;
use crate::schema::TypeSchema;

/// A set of paths. A path may be in the set while paths below it are not, and the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    /// Sorted by element; every node says something.
    nodes: Vec<Node>,
}

/// What a set holds of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) element: PathElement,
    /// Whether the path that ends here is in the set.
    pub(crate) is_member: bool,
    pub(crate) below: FieldSet,
}

impl Node {
    fn says_something(&self) -> bool {
        self.is_member || !self.below.is_empty()
    }
}

/// Two sorted lists of nodes, element by element.
struct Pairs<'a> {
    left: &'a [Node],
    right: &'a [Node],
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (Option<&'a Node>, Option<&'a Node>);

    fn next(&mut self) -> Option<Self::Item> {
        let order = match (self.left.first(), self.right.first()) {
            (Some(left), Some(right)) => left.element.cmp(&right.element),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, _) => std::cmp::Ordering::Greater,
        };
        let left = if order.is_le() { split_first(&mut self.left) } else { None };
        let right = if order.is_ge() { split_first(&mut self.right) } else { None };
        (left.is_some() || right.is_some()).then_some((left, right))
    }
}

fn split_first<'a>(nodes: &mut &'a [Node]) -> Option<&'a Node> {
    let (first, rest) = nodes.split_first()?;
    *nodes = rest;
    Some(first)
}

/// A set of nodes in any order. Quickest where they have their order already.
impl FromIterator<Node> for FieldSet {
    fn from_iter<T: IntoIterator<Item = Node>>(nodes: T) -> Self {
        let mut set = Self { nodes: nodes.into_iter().filter(Node::says_something).collect() };
        set.sort();
        set
    }
}

impl FieldSet {
    /// The set of some paths through objects, each written with dots: `metadata.name`.
    #[must_use]
    pub fn of_fields(paths: &[&str]) -> Self {
        let mut set = Self::default();
        for path in paths {
            let path: Vec<_> = path.split('.').map(PathElement::field).collect();
            set.insert(&path);
        }
        set
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn find(&self, element: &PathElement) -> Option<&Node> {
        let place = self.nodes.binary_search_by(|node| node.element.cmp(element)).ok()?;
        self.nodes.get(place)
    }

    /// Adds a path. The empty path adds nothing.
    pub fn insert(&mut self, path: &[PathElement]) {
        match path {
            [] => {}
            [last] => self.add(Node { element: last.clone(), is_member: true, below: Self::default() }),
            [first, rest @ ..] => {
                let mut below = Self::default();
                below.insert(rest);
                self.add(Node { element: first.clone(), is_member: false, below });
            }
        }
    }

    fn add(&mut self, node: Node) {
        match self.nodes.binary_search_by(|there| there.element.cmp(&node.element)) {
            Ok(place) => {
                if let Some(there) = self.nodes.get_mut(place) {
                    there.is_member |= node.is_member;
                    there.below.merge(node.below);
                }
            }
            Err(place) => self.nodes.insert(place, node),
        }
    }

    /// Adds all paths of another set.
    pub fn merge(&mut self, mut other: Self) {
        if self.is_empty() {
            *self = other;
        } else if !other.is_empty() {
            self.nodes.append(&mut other.nodes);
            self.sort();
        }
    }

    /// Brings nodes into their order, several of one element together; quick where they have it.
    fn sort(&mut self) {
        if self.nodes.is_sorted_by(|left, right| left.element < right.element) {
            return;
        }
        self.nodes.sort_by(|left, right| left.element.cmp(&right.element));
        self.nodes.dedup_by(|next, there| {
            let same = next.element == there.element;
            if same {
                there.is_member |= next.is_member;
                there.below.merge(std::mem::take(&mut next.below));
            }
            same
        });
    }

    /// Whether the set has no path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many paths the set has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.iter().map(|node| usize::from(node.is_member) + node.below.len()).sum()
    }

    /// Whether a path itself is in the set.
    #[must_use]
    pub fn has(&self, path: &[PathElement]) -> bool {
        match path {
            [] => false,
            [last] => self.has_member(last),
            [first, rest @ ..] => self.find(first).is_some_and(|node| node.below.has(rest)),
        }
    }

    /// Whether the set has every path of another.
    #[must_use]
    pub fn holds(&self, other: &Self) -> bool {
        let held = |(left, right): (Option<&Node>, Option<&Node>)| match (left, right) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(left), Some(right)) => {
                (left.is_member || !right.is_member) && left.below.holds(&right.below)
            }
        };
        let mut pairs = Pairs { left: &self.nodes, right: &other.nodes };
        pairs.all(held)
    }

    /// Whether the set has the path of one element.
    #[must_use]
    pub fn has_member(&self, element: &PathElement) -> bool {
        self.find(element).is_some_and(|node| node.is_member)
    }

    /// What the set holds below an element.
    #[must_use]
    pub fn below(&self, element: &PathElement) -> Option<&Self> {
        self.find(element).map(|node| &node.below).filter(|below| !below.is_empty())
    }

    /// The paths in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut out = self.clone();
        out.merge(other.clone());
        out
    }

    /// A set made node by node of what two sets hold of each element.
    fn joined(&self, other: &Self, join: impl Fn(Option<&Node>, Option<&Node>) -> Option<Node>) -> Self {
        let pairs = Pairs { left: &self.nodes, right: &other.nodes };
        let joined = pairs.filter_map(|(left, right)| join(left, right));
        Self { nodes: joined.filter(Node::says_something).collect() }
    }

    /// The paths in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.joined(other, |left, right| {
            let (left, right) = (left?, right?);
            Some(Node {
                element: left.element.clone(),
                is_member: left.is_member && right.is_member,
                below: left.below.intersection(&right.below),
            })
        })
    }

    /// The paths in this set but not in the other.
    #[must_use]
    pub fn difference(self, other: &Self) -> Self {
        self.less(other, |mut left, right| {
            left.is_member &= !right.is_member;
            left.below = left.below.difference(&right.below);
            Some(left)
        })
    }

    /// The paths in this set that are neither in the other nor below one of its paths.
    #[must_use]
    pub fn without_subtrees(self, other: &Self) -> Self {
        self.less(other, |mut left, right| {
            if right.is_member {
                return None;
            }
            left.below = left.below.without_subtrees(&right.below);
            Some(left)
        })
    }

    /// The set with something done to the nodes that another set has too.
    fn less(mut self, other: &Self, less: impl Fn(Node, &Node) -> Option<Node>) -> Self {
        if other.is_empty() {
            return self;
        }
        let less = |node: Node| match other.find(&node.element) {
            None => Some(node),
            Some(right) => less(node, right).filter(Node::says_something),
        };
        self.nodes = std::mem::take(&mut self.nodes).into_iter().filter_map(less).collect();
        self
    }

    /// The set with every declared field on the way to its paths.
    #[must_use]
    pub fn with_named_parents(&self, schema: &TypeSchema) -> Self {
        let named = |node: &Node| {
            if node.below.is_empty() {
                return node.clone();
            }
            let (below, declared) = match &node.element {
                PathElement::Field(name) => (schema.child(name), schema.field(name).is_some()),
                _ => (schema.items(), false),
            };
            Node {
                element: node.element.clone(),
                is_member: node.is_member || declared,
                below: node.below.with_named_parents(TypeSchema::or_deduced(below)),
            }
        };
        Self { nodes: self.nodes.iter().map(named).collect() }
    }

    /// All paths: those of one element first, then deeper ones.
    #[must_use]
    pub fn paths(&self) -> Vec<Vec<PathElement>> {
        let mut out = Vec::new();
        self.collect(&mut Vec::new(), &mut out);
        out
    }

    fn collect(&self, prefix: &mut Vec<PathElement>, out: &mut Vec<Vec<PathElement>>) {
        for node in self.nodes.iter().filter(|node| node.is_member) {
            let mut path = prefix.clone();
            path.push(node.element.clone());
            out.push(path);
        }
        for node in &self.nodes {
            prefix.push(node.element.clone());
            node.below.collect(prefix, out);
            prefix.pop();
        }
    }
}
