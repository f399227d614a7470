//! Tokens of service accounts: made on request, and believed as long as what they are bound to exists.
//!
//! In: a TokenRequest in a body, or a token that somebody shows. Out: a signed token, or the user it stands for.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use crate::{
    access::{BadToken, TokenKey, User},
    protocol::{FieldError, Fields, ResourceName, Status, quoted},
    registry::{Found, Resource},
    store::Stored,
    strategy::{at, set, text},
};

use super::{
    Context, Core, create,
    decode::{self, Decoded},
    options::{OptionsOf, WriteOptions},
    owners::Writer,
    reply::Reply,
    timestamp,
    write::{take_metadata, unversioned},
};

/// Who signs tokens, and whom they are for unless they say something else.
pub(super) const ISSUER: &str = "https://kubernetes.default.svc";
/// How long a token lasts unless it is told, in seconds.
const HOUR: i64 = 3600;
/// The shortest life of a token, in seconds.
const SHORTEST: i64 = 600;
/// How far clocks may differ, in seconds.
const LEEWAY: i64 = 60;
const KIND: ResourceName<'static> = ResourceName { group: "authentication.k8s.io", resource: "TokenRequest" };

impl Core {
    /// `POST .../serviceaccounts/<name>/token`.
    pub(super) fn make_token(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = WriteOptions::read(context, OptionsOf::Create)?;
        let shown = context.of_subresource("token");
        let Decoded { mut fields, mut warnings, .. } = decode::object(&shown, &options)?;
        let mut meta = take_metadata(&mut fields);
        create::place(&shown, &mut meta)?;
        meta.remove("managedFields");
        fields.insert("metadata".to_owned(), meta.into());
        let name = text(&fields, "metadata.name");
        if !name.is_empty() && name != context.name {
            let why = "must match the service account name if specified";
            let error = FieldError::invalid_text("metadata.name", name, why);
            return Err(Status::invalid(KIND, &context.name, &[error]));
        }
        let writer = Writer { context: &shown, options: &options, subresource: "token" };
        let mut fields = writer.track(None, fields);
        warnings.extend(self.admit_below(context, &options, ("token", &mut fields))?);
        let account = self.store.get(context.resource.table, &context.key()).cloned();
        let account = account.ok_or_else(|| context.not_found())?;
        complete(context, &account, &mut fields)?;
        let errors = validate(&fields);
        if !errors.is_empty() {
            return Err(Status::invalid(KIND, "", &errors));
        }
        let bound = self.bound(context, &fields)?;
        let claims = self.claims(context, (&account, bound), &fields);
        let key = self.access.key().ok_or_else(|| Status::internal("this server has no key to sign with"))?;
        let token = key.sign(&claims);
        let end = later(context.now, seconds(&fields));
        fields.insert("status".to_owned(), json!({"token": token, "expirationTimestamp": timestamp(end)}));
        Ok(unversioned(&shown, 201, &fields).warned(warnings))
    }

    /// What others read in order to verify tokens.
    pub(super) fn token_document(&self, path: &str) -> Option<Value> {
        match path {
            "/openid/v1/jwks" => self.access.key().map(TokenKey::public),
            "/.well-known/openid-configuration" => Some(json!({
                "issuer": ISSUER,
                "jwks_uri": format!("{ISSUER}/openid/v1/jwks"),
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
            })),
            _ => None,
        }
    }

    /// The objects that a token is bound to, as claims name them.
    fn bound(&self, context: &Context<'_>, fields: &Fields) -> Result<Map<String, Value>, Status> {
        let mut claims = Map::new();
        let Some(reference) = at(fields, "spec.boundObjectRef").and_then(Value::as_object) else {
            return Ok(claims);
        };
        let part = |name: &str| reference.get(name).and_then(Value::as_str).unwrap_or_default();
        let (group, version) = part("apiVersion").rsplit_once('/').unwrap_or(("", part("apiVersion")));
        let plural = match (group, part("kind")) {
            ("", "Pod") => "pods",
            ("", "Node") => "nodes",
            ("", "Secret") => "secrets",
            (group, kind) => {
                let why = format!("cannot bind token to object of type {group}/{version}, Kind={kind}");
                return Err(Status::bad_request(why));
            }
        };
        let (resource, object) = self.core_object(plural, &context.namespace, part("name"));
        let object = object
            .ok_or_else(|| Status::not_found(ResourceName { group: "", resource: plural }, part("name")))?;
        let object_fields = object.fields();
        if plural == "pods" {
            if text(&object_fields, "spec.serviceAccountName") != context.name {
                return Err(Status::bad_request(format!(
                    "cannot bind token for serviceaccount {} to pod running with different serviceaccount name.",
                    quoted(&context.name)
                )));
            }
            let node = text(&object_fields, "spec.nodeName");
            if !node.is_empty() {
                let (_, found) = self.core_object("nodes", "", node);
                claims.insert("node".to_owned(), reference_to(node, found.map_or("", |node| &node.uid)));
            }
        }
        if !["", &*object.uid].contains(&part("uid")) {
            let name = ResourceName { group, resource: part("kind") };
            let why = format!(
                "the UID in the bound object reference ({}) does not match the UID in record. The object might have been deleted and \
                 then recreated",
                part("uid")
            );
            return Err(Status::conflict(name, part("name"), &why));
        }
        let singular = resource.map(|resource| resource.singular.clone()).unwrap_or_default();
        claims.insert(singular, reference_to(part("name"), &object.uid));
        Ok(claims)
    }

    fn claims(
        &mut self,
        context: &Context<'_>,
        (account, bound): (&Stored, Map<String, Value>),
        fields: &Fields,
    ) -> Value {
        let now = context.now.as_second();
        let mut own = bound;
        own.insert("namespace".to_owned(), context.namespace.clone().into());
        own.insert("serviceaccount".to_owned(), reference_to(&context.name, &account.uid));
        json!({
            "aud": at(fields, "spec.audiences"),
            "exp": now + seconds(fields),
            "iat": now,
            "iss": ISSUER,
            "jti": self.uid(),
            "kubernetes.io": own,
            "nbf": now,
            "sub": format!("system:serviceaccount:{}:{}", context.namespace, context.name),
        })
    }

    /// The service account that a token stands for, and which of the audiences it is for.
    pub(super) fn account_of(
        &self,
        token: &str,
        audiences: &[&str],
        now: Timestamp,
    ) -> Result<(Arc<User>, Vec<String>), String> {
        let unknown = || "invalid bearer token".to_owned();
        let broken = |why: String| format!("[invalid bearer token, {why}]");
        let key = self.access.key().ok_or_else(unknown)?;
        let claims = key.verify(token, ISSUER).map_err(|bad| match bad {
            BadToken::Foreign => unknown(),
            BadToken::Forged => broken("go-jose/go-jose: error in cryptographic primitive".to_owned()),
        })?;
        let own: Vec<String> = list(claims.get("aud"));
        let shared: Vec<String> = audiences
            .iter()
            .filter(|one| own.iter().any(|own| own == *one))
            .map(|one| (*one).to_owned())
            .collect();
        if shared.is_empty() {
            let wanted: Vec<String> = audiences.iter().map(|one| (*one).to_owned()).collect();
            let quoted = crate::access::quoted_list;
            let why = format!(
                "token audiences {} is invalid for the target audiences {}",
                quoted(&own),
                quoted(&wanted)
            );
            return Err(broken(why));
        }
        let user = self.living(&claims, now).map_err(broken)?;
        Ok((Arc::new(user), shared))
    }

    /// The user of claims whose time has not run out, and whose objects are there.
    fn living(&self, claims: &Value, now: Timestamp) -> Result<User, String> {
        let number = |name: &str| claims.get(name).and_then(Value::as_i64).unwrap_or_default();
        if now.as_second() - LEEWAY > number("exp") {
            return Err("service account token has expired".to_owned());
        }
        if now.as_second() + LEEWAY < number("nbf") {
            return Err("service account token is not valid yet".to_owned());
        }
        let own = claims.get("kubernetes.io").cloned().unwrap_or_default();
        let text = |path: &str| own.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let namespace = text("/namespace");
        let mut user = User::service_account(&namespace, &text("/serviceaccount/name"));
        let account = self.core_object("serviceaccounts", &namespace, &text("/serviceaccount/name")).1;
        let account = account
            .ok_or_else(|| format!("serviceaccounts {} not found", quoted(&text("/serviceaccount/name"))))?;
        if *account.uid != text("/serviceaccount/uid") {
            let claimed = text("/serviceaccount/uid");
            return Err(format!("service account UID ({}) does not match claim ({claimed})", account.uid));
        }
        user.uid = account.uid.to_string();
        let mut extra = |name: &str, value: String| {
            user.extra.insert(format!("authentication.kubernetes.io/{name}"), vec![value]);
        };
        let id = claims.get("jti").and_then(Value::as_str).unwrap_or_default();
        extra("credential-id", format!("JTI={id}"));
        for (plural, kind, place) in
            [("pods", "pod", &*namespace), ("secrets", "secret", &*namespace), ("nodes", "node", "")]
        {
            if own.get(kind).is_none() {
                continue;
            }
            let (name, uid) = (text(&format!("/{kind}/name")), text(&format!("/{kind}/uid")));
            let found = self.core_object(plural, place, &name).1;
            // A node that is only known by way of a pod may be gone.
            let only_told = kind == "node" && own.get("pod").is_some();
            if !only_told && found.is_none_or(|object| *object.uid != uid) {
                return Err("service account token has been invalidated".to_owned());
            }
            if kind != "secret" {
                extra(&format!("{kind}-name"), name);
                if !uid.is_empty() {
                    extra(&format!("{kind}-uid"), uid);
                }
            }
        }
        Ok(user)
    }

    fn core_object(
        &self,
        plural: &str,
        namespace: &str,
        name: &str,
    ) -> (Option<Arc<Resource>>, Option<&Arc<Stored>>) {
        let Found::Resource(resource) = self.registry.find("", "v1", plural) else { return (None, None) };
        let object = self.store.get(resource.table, &resource.key(namespace, name));
        (Some(Arc::clone(resource)), object)
    }
}

/// Fills in what a request leaves open.
fn complete(context: &Context<'_>, account: &Stored, fields: &mut Fields) -> Result<(), Status> {
    let uid = text(fields, "metadata.uid");
    if !["", &*account.uid].contains(&uid) {
        let why = format!(
            "the UID in the token request ({uid}) does not match the UID of the service account ({})",
            account.uid
        );
        return Err(Status::conflict(KIND, &context.name, &why));
    }
    set(fields, "metadata.name", context.name.as_str());
    set(fields, "metadata.namespace", context.namespace.as_str());
    set(fields, "metadata.uid", &*account.uid);
    set(fields, "metadata.creationTimestamp", timestamp(context.now));
    if list(at(fields, "spec.audiences")).is_empty() {
        set(fields, "spec.audiences", json!([ISSUER]));
    }
    if at(fields, "spec.expirationSeconds").is_none_or(Value::is_null) {
        set(fields, "spec.expirationSeconds", HOUR);
    }
    if at(fields, "spec.boundObjectRef").is_none() {
        set(fields, "spec.boundObjectRef", Value::Null);
    }
    Ok(())
}

fn validate(fields: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let wanted = seconds(fields);
    let mut refuse =
        |why: &str| errors.push(FieldError::invalid("spec.expirationSeconds", &wanted.into(), why));
    if wanted < SHORTEST {
        refuse("may not specify a duration less than 10 minutes");
    }
    if wanted > 1 << 32 {
        refuse("may not specify a duration larger than 2^32 seconds");
    }
    let attestations = at(fields, "spec.attestations").filter(|value| value.is_object());
    if let Some(attestations) =
        attestations.filter(|value| value.as_object().is_some_and(|map| !map.is_empty()))
    {
        let why = "attestations may only be specified with a webhook bound object reference";
        return vec![FieldError::invalid("spec.attestations", attestations, why)];
    }
    errors
}

fn seconds(fields: &Fields) -> i64 {
    at(fields, "spec.expirationSeconds").and_then(Value::as_i64).unwrap_or(HOUR)
}

fn later(moment: Timestamp, seconds: i64) -> Timestamp {
    moment.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(moment)
}

fn reference_to(name: &str, uid: &str) -> Value {
    if uid.is_empty() { json!({"name": name}) } else { json!({"name": name, "uid": uid}) }
}

fn list(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}
