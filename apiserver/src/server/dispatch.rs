//! From a path and a method to the step that answers.
//!
//! In: a request. Out: its answer, or the `Status` for what is not served.

use std::sync::Arc;

use http::{Method, header};
use jiff::Timestamp;

use crate::{
    access::User,
    admission::calls::Mode,
    protocol::{
        Form, ListOptions, Messages, Offer, Query, ResourcePath, Status, Target, Terms, timeout_error,
    },
    registry::{Found, Registry, Resource, Verb},
};

use super::{
    Context, Core,
    connect::{asked, components},
    document, openapi,
    reply::{Reply, Request},
};

type Answer = Result<Reply, Status>;

impl Core {
    pub(super) fn dispatch(&mut self, request: &Request, now: Timestamp) -> Answer {
        let target = Target::parse(request.uri().path());
        if let Some(status) = refused_timeout(request, &target) {
            return Err(status);
        }
        let user = self.admit(request, &target)?;
        match target {
            Target::Resource(path) => self.resource(request, &path, now, user),
            Target::OpenApiV2 => Ok(openapi::v2(&self.registry, request)),
            Target::OpenApiIndex => Ok(openapi::index(&self.registry)),
            Target::OpenApiV3 { path } => Ok(openapi::v3(&self.registry, &path, request, now)),
            Target::Unknown => {
                let keys = self.token_document(request.uri().path());
                Ok(keys.map_or_else(Reply::page_not_found, |document| Reply::value(200, &document)))
            }
            other => document::answer(&self.registry, &other, request),
        }
    }

    fn resource(&mut self, asked: &Request, path: &ResourcePath, now: Timestamp, user: Arc<User>) -> Answer {
        let registry = Arc::clone(&self.registry);
        let resource = match registry.find(&path.group, &path.version, &path.resource) {
            Found::Resource(resource) => resource,
            _ if registry.is_elsewhere(&path.group, &path.version) => return Ok(Reply::unavailable()),
            Found::NoResource if registry.is_custom(&path.group) => return Ok(Reply::page_not_found()),
            Found::NoResource => return Err(Status::no_such_resource()),
            Found::NoGroup => return Ok(Reply::page_not_found()),
        };
        let inner = self.by_itself(&registry, resource, path);
        let resource = inner.as_ref().unwrap_or(resource);
        let got = heads_for_custom(asked, resource);
        let request = got.as_ref().unwrap_or(asked);
        let misplaced = path.namespace.is_some() && !resource.namespaced;
        let homeless = resource.namespaced && path.namespace.is_none() && path.name.is_some();
        let proxied = resource.builtin && path.subresource.as_deref() == Some("proxy");
        if misplaced || homeless || (path.excess && !proxied) {
            return if resource.builtin {
                Err(Status::no_such_resource())
            } else {
                Ok(Reply::page_not_found())
            };
        }
        let query = Query::parse(request.uri().query());
        let watches = path.watch || query.flag("watch").unwrap_or_default();
        let form = Form::negotiate(accept(request), terms(request, path, resource, watches))?;
        let context = Context {
            request,
            resource: Arc::clone(resource),
            query,
            namespace: path.namespace.clone().unwrap_or_default(),
            name: path.name.clone().unwrap_or_default(),
            now,
            user,
            form,
        };
        if let Some(why) = path.name.as_deref().and_then(path_segment_error) {
            let name = &context.name;
            return Err(Status::bad_request(format!("Name parameter invalid: {name:?}: {why}")));
        }
        let answer = match (&path.name, &path.subresource) {
            _ if path.watch && request.method() != Method::GET => Err(Status::method_not_allowed()),
            (Some(_), Some(subresource)) => self.subresource(&context, subresource),
            (Some(_), None) => self.object(&context, path.watch),
            (None, _) => self.collection(&context, path.watch),
        };
        let answer = answer.map(|reply| reply.in_encoding(form.encoding));
        // Of what is not served nothing is told.
        let served = !matches!(&answer, Err(status) if status.is_no_such_resource());
        match deprecation(&context.resource).filter(|_| served) {
            Some(warning) => Ok(answer.unwrap_or_else(Reply::from).forewarned([warning])),
            None => answer,
        }
    }

    /// As what the server does by itself is about objects that a webhook converts: in the version in which they are stored.
    fn by_itself(
        &self,
        registry: &Registry,
        resource: &Arc<Resource>,
        path: &ResourcePath,
    ) -> Option<Arc<Resource>> {
        if self.calls.mode != Mode::Skipped {
            return None;
        }
        let key =
            path.name.as_ref().map(|name| resource.key(path.namespace.as_deref().unwrap_or_default(), name));
        let object = key.and_then(|key| self.store.get(resource.table, &key));
        registry.as_stored(resource, object)
    }

    fn collection(&mut self, context: &Context<'_>, watch: bool) -> Answer {
        let verbs = context.resource.verbs;
        let everywhere = context.resource.namespaced && context.namespace.is_empty();
        let allowed = |verb: Verb| {
            if verbs.contains(verb) { Ok(()) } else { Err(Status::method_not_allowed()) }
        };
        match *context.request.method() {
            Method::GET => {
                allowed(Verb::List)?;
                if context.resource.plural == "componentstatuses" {
                    return components(context);
                }
                let options = ListOptions::read(&context.query, watch)?;
                if options.watch {
                    allowed(Verb::Watch)?;
                    self.watch(context, &options)
                } else {
                    self.list(context, &options)
                }
            }
            Method::POST if !everywhere => {
                allowed(Verb::Create)?;
                if let Some(answer) = self.review(context) {
                    return answer;
                }
                match (context.resource.group.as_str(), context.resource.plural.as_str()) {
                    ("", "bindings") => self.bind(context),
                    _ => self.create(context),
                }
            }
            Method::DELETE if !everywhere => {
                allowed(Verb::DeleteCollection)?;
                self.delete_collection(context)
            }
            Method::POST if !context.resource.builtin => Ok(Reply::page_not_found()),
            Method::OPTIONS | Method::TRACE | Method::CONNECT if !context.resource.builtin => {
                Err(unsupported(context, ""))
            }
            Method::PUT | Method::PATCH if !context.resource.builtin && !everywhere => {
                Err(Status::bad_request("name must be provided"))
            }
            _ => Err(Status::method_not_allowed()),
        }
    }

    fn object(&mut self, context: &Context<'_>, watch: bool) -> Answer {
        // A real server does not look at the name there.
        if *context.request.method() == Method::POST && !context.resource.builtin {
            return self.create(context);
        }
        let verb = verb(context.request.method()).ok_or_else(|| unsupported(context, ""))?;
        if !context.resource.verbs.contains(verb) {
            return Err(Status::method_not_allowed());
        }
        match verb {
            Verb::Get if watch => {
                let options = ListOptions::read(&context.query, true)?;
                self.watch(context, &options)
            }
            Verb::Get if context.resource.plural == "componentstatuses" => components(context),
            Verb::Get => self.get(context),
            Verb::Update => self.update(context, Side::Main),
            Verb::Patch => self.patch(context, Side::Main),
            Verb::Delete => self.delete(context),
            _ => Err(Status::method_not_allowed()),
        }
    }

    fn subresource(&mut self, context: &Context<'_>, name: &str) -> Answer {
        let resource = &context.resource;
        let Some(subresource) = resource.subresource(name) else {
            return Err(missing_subresource(context, resource));
        };
        let method = context.request.method();
        let verb = match *method {
            Method::POST => Verb::Create,
            _ => verb(method).ok_or_else(|| unsupported(context, ""))?,
        };
        if !subresource.verbs.contains(verb) {
            return Err(unsupported(context, verb.name()));
        }
        match (name, verb) {
            ("status" | "resize" | "ephemeralcontainers" | "approval", Verb::Get) => self.get(context),
            ("resize", Verb::Update) => self.update(context, Side::Sizes),
            ("resize", Verb::Patch) => self.patch(context, Side::Sizes),
            ("ephemeralcontainers", Verb::Update) => self.update(context, Side::EphemeralContainers),
            ("ephemeralcontainers", Verb::Patch) => self.patch(context, Side::EphemeralContainers),
            ("approval", Verb::Update) => self.update(context, Side::Approval),
            ("approval", Verb::Patch) => self.patch(context, Side::Approval),
            ("exec" | "attach" | "portforward" | "proxy", _) => {
                let warnings = self.admit_connection(context, (name, asked(context, name)))?;
                let answer = if name == "proxy" { self.proxy(context) } else { self.stream(context, name) };
                answer.map(|reply| reply.warned(warnings))
            }
            ("status", Verb::Update) => self.update(context, Side::Status),
            ("status", Verb::Patch) => self.patch(context, Side::Status),
            ("finalize", Verb::Update) => self.update(context, Side::Finalizers),
            ("scale", Verb::Get) => self.get_scale(context),
            ("scale", Verb::Update) => self.update_scale(context),
            ("scale", Verb::Patch) => self.patch_scale(context),
            ("binding", Verb::Create) => self.bind(context),
            ("eviction", Verb::Create) => self.evict(context),
            ("token", Verb::Create) => self.make_token(context),
            ("log", Verb::Get) => self.log(context),
            _ => Err(Status::new(
                501,
                "NotImplemented",
                format!("{}/{name} is not implemented by this server", resource.plural),
            )),
        }
    }
}

/// Custom kinds answer to HEAD as they do to GET; those who read the answer look at its head only.
fn heads_for_custom(request: &Request, resource: &Resource) -> Option<Request> {
    (*request.method() == Method::HEAD && !resource.builtin).then(|| {
        let mut got = request.clone();
        *got.method_mut() = Method::GET;
        got
    })
}

/// Why a name cannot stand in a path.
fn path_segment_error(name: &str) -> Option<String> {
    if [".", ".."].contains(&name) {
        return Some(format!("may not be '{name}'"));
    }
    name.contains('%').then(|| "may not contain '%'".to_owned())
}

/// The subresources of which there are no tables.
const UNLISTED: [&str; 6] = ["approval", "binding", "ephemeralcontainers", "eviction", "resize", "token"];

/// What the answer to a request can be written in.
fn terms(request: &Request, path: &ResourcePath, resource: &Resource, watches: bool) -> Terms {
    let reads_many = path.watch || (path.name.is_none() && request.method() == Method::GET);
    let offer = match (reads_many, watches) {
        (true, true) => Offer::Stream,
        (true, false) => Offer::AnswerOfMany,
        (false, _) => Offer::Answer,
    };
    let below = path.subresource.as_deref();
    let asked = !resource.verbs.contains(Verb::Get) || below.is_some_and(|part| UNLISTED.contains(&part));
    let kind = match resource.builtin {
        true if asked => Messages::WithoutTables,
        false if below != Some("scale") => Messages::MetadataOnly,
        _ => Messages::Known,
    };
    Terms { offer, kind }
}

/// The `Accept` header; several are one.
pub(super) fn accept(request: &Request) -> &str {
    request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Which part of an object a write is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Everything but the status.
    Main,
    /// The status alone.
    Status,
    /// The finalizers in the spec of a namespace.
    Finalizers,
    /// The ephemeral containers of a pod.
    EphemeralContainers,
    /// What the containers of a pod ask for.
    Sizes,
    /// The decision about a signing request.
    Approval,
}

impl Side {
    /// The subresource, as managed fields name it.
    pub(super) fn subresource(self) -> &'static str {
        match self {
            Self::Main => "",
            Self::Status => "status",
            Self::Finalizers => "finalize",
            Self::EphemeralContainers => "ephemeralcontainers",
            Self::Sizes => "resize",
            Self::Approval => "approval",
        }
    }
}

fn verb(method: &Method) -> Option<Verb> {
    match *method {
        Method::GET => Some(Verb::Get),
        Method::PUT => Some(Verb::Update),
        Method::PATCH => Some(Verb::Patch),
        Method::DELETE => Some(Verb::Delete),
        _ => None,
    }
}

/// What is wrong with the time that a request gives itself; those that go on as long as they are wanted have none.
fn refused_timeout(request: &Request, target: &Target) -> Option<Status> {
    const LONG: [&str; 5] = ["attach", "exec", "log", "portforward", "proxy"];
    let text = request.uri().query().filter(|text| text.contains("timeout="))?;
    let query = Query::parse(Some(text));
    let goes_on = match target {
        Target::Resource(path) => {
            path.watch
                || query.flag("watch").unwrap_or_default()
                || path.subresource.as_deref().is_some_and(|sub| LONG.contains(&sub))
        }
        _ => false,
    };
    if goes_on { None } else { timeout_error(&query) }
}

/// What every answer about a resource warns of.
fn deprecation(resource: &Resource) -> Option<String> {
    match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "endpoints") => {
            Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice".to_owned())
        }
        ("", "componentstatuses") => Some("v1 ComponentStatus is deprecated in v1.19+".to_owned()),
        _ => resource.custom.as_ref().and_then(|custom| custom.warning.clone()),
    }
}

fn missing_subresource(context: &Context<'_>, resource: &Resource) -> Status {
    if resource.builtin { Status::no_such_resource() } else { context.not_found() }
}

/// A verb that a subresource does not have; custom kinds name it.
fn unsupported(context: &Context<'_>, verb: &str) -> Status {
    let resource = &context.resource;
    if resource.builtin {
        return Status::method_not_allowed();
    }
    let name = resource.name();
    let text = format!("{verb} is not supported on resources of kind \"{name}\"");
    Status::new(405, "MethodNotAllowed", text).with_details(name.details(""))
}
