//! Where the decoder is in an object, and how a real server's decoder tells it.
//!
//! In: the types on the way. Out: paths for findings, Go types for complaints. It never looks at values.

use super::super::{Field, TypeSchema, left_out::Part};

/// Where in the object the decoder is: a chain up to the object, so that texts are made for complaints alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    above: Option<&'a Place<'a>>,
    step: Step<'a>,
    /// The struct that the innermost field is in; at the top the object itself.
    schema: &'a TypeSchema,
    /// The Go type of the value.
    pub(super) kind: &'a str,
}

/// The last step to a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    Top,
    Field(&'a str),
    Item(usize),
    Entry(&'a str),
}

impl<'a> Place<'a> {
    pub(super) fn root(schema: &'a TypeSchema) -> Self {
        Self { above: None, step: Step::Top, schema, kind: short_name(schema) }
    }

    pub(super) fn field<'b>(&'b self, schema: &'b TypeSchema, name: &'b str, field: &'b Field) -> Place<'b> {
        let kind = field.go.as_ref().map_or("", |go| go.kind.as_str());
        Place { above: Some(self), step: Step::Field(name), schema, kind }
    }

    pub(super) fn below<'b>(&'b self, step: Step<'b>) -> Place<'b> {
        let kind = self.kind.strip_prefix("[]").or_else(|| self.kind.split_once(']').map(|(_, rest)| rest));
        let kind = kind.unwrap_or_else(|| element(self.kind)).trim_start_matches('*');
        Place { above: Some(self), step, schema: self.schema, kind }
    }

    /// With indexes, as unknown fields are told.
    pub(super) fn path(&self) -> String {
        let mut path = self.above.map_or_else(String::new, Place::path);
        match self.step {
            Step::Top => {}
            Step::Field(name) if path.is_empty() => path.push_str(name),
            Step::Field(name) | Step::Entry(name) => {
                path.push('.');
                path.push_str(name);
            }
            Step::Item(index) => path.push_str(&format!("[{index}]")),
        }
        path
    }

    /// The way from the object, with a last step to a member.
    pub(super) fn way(&self, last: &str) -> Vec<Part> {
        let mut way = Vec::new();
        let mut place = Some(self);
        while let Some(here) = place {
            way.extend(match here.step {
                Step::Top => None,
                Step::Field(name) | Step::Entry(name) => Some(Part::Member(name.to_owned())),
                Step::Item(index) => Some(Part::Item(index)),
            });
            place = here.above;
        }
        way.reverse();
        way.push(Part::Member(last.to_owned()));
        way
    }

    /// Fields of structs alone, as complaints about types have it.
    pub(super) fn fields(&self) -> String {
        let mut fields = self.above.map_or_else(String::new, Place::fields);
        if let Step::Field(name) = self.step {
            for step in embedded(short_name(self.schema), name).iter().chain([&name]) {
                if !fields.is_empty() {
                    fields.push('.');
                }
                fields.push_str(step);
            }
        }
        fields
    }

    /// The struct that the innermost field is in; none at the top.
    pub(super) fn holder(&self) -> &str {
        match self.step {
            Step::Top => "",
            _ => short_name(self.schema),
        }
    }

    /// The Go type, with its package.
    pub(super) fn go_type(&self, fallback: &str) -> String {
        let kind = if self.kind.is_empty() { fallback } else { self.kind };
        let split = kind.rfind([']', '*']).map_or(0, |at| at + 1);
        let (wrapping, name) = kind.split_at(split);
        // Keys of maps that have a name of their own.
        let wrapping = match wrapping.strip_prefix("map[") {
            Some(key) if key.starts_with(|first: char| first.is_ascii_uppercase()) && !key.contains('.') => {
                format!("map[{}.{key}", package(self.schema))
            }
            _ => wrapping.to_owned(),
        };
        match name.split_once('.') {
            Some((package, name)) if package.ends_with("v1") => format!("{wrapping}v1.{name}"),
            Some(_) => kind.to_owned(),
            None if name.starts_with(|first: char| first.is_ascii_uppercase()) => {
                format!("{wrapping}{}.{name}", package(self.schema))
            }
            None => kind.to_owned(),
        }
    }
}

/// What lists and maps hold that have a name of their own.
fn element(kind: &str) -> &'static str {
    match kind {
        "JSONSchemaDefinitions" | "JSONSchemaPropsOrArray" => "JSONSchemaProps",
        "JSONSchemaDependencies" => "JSONSchemaPropsOrStringArray",
        "JSONSchemaPropsOrStringArray" => "string",
        "ValidationRules" => "ValidationRule",
        _ => "",
    }
}

fn short_name(schema: &TypeSchema) -> &str {
    schema.name().rsplit('.').next().unwrap_or_default()
}

fn package(schema: &TypeSchema) -> &str {
    schema.name().rsplit('.').nth(1).unwrap_or("v1")
}

/// The structs without a name in JSON that hold a field of another struct, from the outermost on.
fn embedded(holder: &str, field: &str) -> &'static [&'static str] {
    match (holder, field) {
        ("Volume", "name")
        | ("EphemeralContainer", "targetContainerName")
        | (
            "PersistentVolumeSpec",
            "accessModes"
            | "capacity"
            | "claimRef"
            | "mountOptions"
            | "nodeAffinity"
            | "persistentVolumeReclaimPolicy"
            | "storageClassName"
            | "volumeAttributesClassName"
            | "volumeMode",
        ) => &[],
        ("Volume", _) => &["VolumeSource"],
        ("PersistentVolumeSpec", _) => &["PersistentVolumeSource"],
        ("EphemeralContainer", _) => &["EphemeralContainerCommon"],
        ("Probe", "exec" | "grpc" | "httpGet" | "tcpSocket") => &["ProbeHandler"],
        ("IngressRule", "http") => &["IngressRuleValue"],
        (
            "DeviceClaimConfiguration" | "DeviceAllocationConfiguration" | "DeviceClassConfiguration",
            "opaque",
        ) => &["DeviceConfiguration"],
        (
            "SecretProjection"
            | "ConfigMapVolumeSource"
            | "ConfigMapProjection"
            | "ConfigMapKeySelector"
            | "SecretKeySelector"
            | "ConfigMapEnvSource"
            | "SecretEnvSource",
            "name",
        ) => &["LocalObjectReference"],
        ("NamedRuleWithOperations", "operations") => &["RuleWithOperations"],
        ("NamedRuleWithOperations", "apiGroups" | "apiVersions" | "resources" | "scope") => {
            &["RuleWithOperations", "Rule"]
        }
        ("RuleWithOperations", "apiGroups" | "apiVersions" | "resources" | "scope") => &["Rule"],
        _ => &[],
    }
}
