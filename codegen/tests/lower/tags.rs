//! What the tags of clients say.

use crate::support::{Scratch, book, resource};
use kube_codegen::model::{Generators, Resource, Scope, Verb, Verbs};

fn of(tags: &[&str]) -> Resource {
    let markers: String = tags.iter().map(|tag| format!("// +{tag}\n")).collect();
    resource(&Scratch::package(&book(&format!("// +genclient\n{markers}"))).load(), "Book").clone()
}

fn verbs(names: &str) -> Verbs {
    names.split(' ').map(|name| Verb::from_name(name).expect(name)).collect()
}

#[test]
fn all_verbs_without_tags() {
    let book = of(&[]);
    assert_eq!(book.verbs, Verbs::all());
    assert!(book.has_status);
    assert_eq!(book.scope, Scope::Namespaced);
    assert_eq!(book.generators, Generators::ALL);
}

#[test]
fn tags_choose_the_verbs() {
    assert_eq!(of(&["genclient:onlyVerbs=get, list"]).verbs, verbs("get list"));
    assert_eq!(of(&["genclient:readonly"]).verbs, verbs("get list watch"));
    assert_eq!(
        of(&["genclient:readonly", "genclient:onlyVerbs=create"]).verbs,
        verbs("create get list watch")
    );
    let skipped = of(&["genclient:skipVerbs=delete,deleteCollection,watch"]).verbs;
    assert_eq!(skipped, verbs("create update updateStatus get list patch apply applyStatus"));
    let no_status = of(&["genclient:noStatus"]);
    assert!(!no_status.has_status && !no_status.verbs.contains(Verb::UpdateStatus));
    let none = of(&["genclient:noVerbs"]);
    assert!(none.verbs.is_empty());
    assert!(none.generators.client && !none.generators.lister && !none.generators.informer);
}

#[test]
fn listers_and_informers_need_their_verbs() {
    let generators = |tag: &str| of(&[tag]).generators;
    assert!(!generators("genclient:skipVerbs=get").lister);
    assert!(generators("genclient:skipVerbs=get").informer);
    assert!(!generators("genclient:skipVerbs=watch").informer);
    assert!(generators("genclient:skipVerbs=watch").lister);
}

#[test]
fn a_type_without_a_status_has_no_verbs_for_one() {
    let text = book("// +genclient").replace("    pub status: Option<BookStatus>,\n", "");
    let model = Scratch::package(&text).load();
    let book = resource(&model, "Book");
    assert!(!book.has_status && !book.verbs.contains(Verb::ApplyStatus) && book.verbs.contains(Verb::Apply));
}

#[test]
fn methods_in_the_order_written() {
    let book = of(&[
        "genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale",
        "genclient:method=Lend,verb=create,subresource=loan,input=BookSpec,result=crate::library::v1::BookStatus",
        "genclient:method=UpdateGo,verb=update,input=k8s.io/api/policy/v1.Eviction",
    ]);
    let methods: Vec<_> = book
        .methods
        .iter()
        .map(|method| {
            let path = |path: &Option<_>| path.as_ref().map(ToString::to_string).unwrap_or_default();
            format!(
                "{} {} {} {} {}",
                method.names.function,
                method.verb.name(),
                method.subresource.as_deref().unwrap_or("-"),
                path(&method.input),
                path(&method.result)
            )
        })
        .collect();
    assert_eq!(
        methods,
        [
            "get_scale get scale  k8s_openapi::api::autoscaling::v1::Scale",
            "lend create loan my_apis::library::v1::BookSpec my_apis::library::v1::BookStatus",
            "update_go update - k8s_openapi::api::policy::v1::Eviction ",
        ]
    );
}

#[test]
fn packages_switch_generators_off() {
    let text = format!("// +k8s:lister-gen=false\n// +k8s:informer-gen=false\n\n{}", book("// +genclient"));
    let model = Scratch::package(&text).load();
    let generators = resource(&model, "Book").generators;
    assert!(generators.client && generators.applyconfiguration && !generators.lister && !generators.informer);
}

#[test]
fn kinds_without_genclient_are_known_and_have_no_client() {
    let scratch = Scratch::package(&book("// +kubebuilder:object:root=true"));
    assert_eq!(scratch.problems(), ["no type has `+genclient`"]);
    let model = scratch.any().load();
    let book = resource(&model, "Book");
    assert_eq!(book.generators, Generators { object: true, ..Generators::NONE });
}
