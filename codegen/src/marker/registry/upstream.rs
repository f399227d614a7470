//! Markers which other Kubernetes generators know. They are accepted, so that types can be moved over as they are, and
//! have no effect here: Rust has `Clone`, `Default` and traits where Go needs generated code.

use super::{Category, Definition, Form, Targets};

const fn known(name: &'static str, targets: Targets, help: &'static str) -> Definition {
    Definition::new(name, targets, Form::Raw, Category::Upstream, help)
}

const fn validation(name: &'static str) -> Definition {
    known(name, Targets::TYPE_OR_FIELD, "A tag of declarative validation.")
}

const fn generator(name: &'static str) -> Definition {
    known(name, Targets::ANY, "A switch of a generator for Go.")
}

pub(super) static MARKERS: &[Definition] = &[
    generator("k8s:deepcopy-gen"),
    generator("k8s:deepcopy-gen:interfaces"),
    generator("k8s:deepcopy-gen:nonpointer-interfaces"),
    generator("k8s:defaulter-gen"),
    generator("k8s:defaulter-gen-input"),
    generator("k8s:conversion-gen"),
    generator("k8s:conversion-gen:explicit-from"),
    generator("k8s:conversion-gen-external-types"),
    generator("k8s:conversion-fn"),
    generator("k8s:validation-gen"),
    generator("k8s:validation-gen-input"),
    generator("k8s:validation-gen-nolint"),
    generator("k8s:validation-gen-scheme-registry"),
    generator("k8s:validation-gen-test-fixture"),
    generator("k8s:register-gen"),
    generator("k8s:openapi-gen"),
    generator("k8s:openapi-model-package"),
    generator("k8s:protobuf-gen"),
    generator("k8s:prerelease-lifecycle-gen"),
    generator("k8s:prerelease-lifecycle-gen:introduced"),
    generator("k8s:prerelease-lifecycle-gen:deprecated"),
    generator("k8s:prerelease-lifecycle-gen:removed"),
    generator("k8s:prerelease-lifecycle-gen:replacement"),
    generator("kubebuilder:scaffold"),
    generator("kubebuilder:docs-gen:collapse"),
    validation("k8s:isSubresource"),
    validation("k8s:supportsSubresource"),
    validation("k8s:forbidden"),
    validation("k8s:enumExclude"),
    validation("k8s:minLength"),
    validation("k8s:maxLength"),
    validation("k8s:maxBytes"),
    validation("k8s:minItems"),
    validation("k8s:minProperties"),
    validation("k8s:maxProperties"),
    validation("k8s:format"),
    validation("k8s:unique"),
    validation("k8s:customUnique"),
    validation("k8s:eachKey"),
    validation("k8s:eachVal"),
    validation("k8s:subfield"),
    validation("k8s:item"),
    validation("k8s:unionDiscriminator"),
    validation("k8s:unionMember"),
    validation("k8s:zeroOrOneOfMember"),
    validation("k8s:modeDiscriminator"),
    validation("k8s:ifMode"),
    validation("k8s:dependentRequired"),
    validation("k8s:dependentForbidden"),
    validation("k8s:neq"),
    validation("k8s:monotonic"),
    validation("k8s:update"),
    validation("k8s:opaqueType"),
    validation("k8s:customValidation"),
    validation("k8s:ifEnabled"),
    validation("k8s:ifDisabled"),
    validation("k8s:alpha"),
    validation("k8s:beta"),
    validation("k8s:validateTrue"),
    validation("k8s:validateFalse"),
    validation("k8s:validateError"),
    validation("k8s:validateTrueAlpha"),
    validation("k8s:validateTrueBeta"),
];
