//! A client as a service, so that layers can stand in front of it.
//!
//! In: a client. Out: the service behind it. It changes no request.

use http::{Request, Response};
use kube::{Client, client::Body};
use tower::{Service, service_fn};

/// What the client does with its requests.
pub(super) fn service_of(
    client: Client,
) -> impl Service<Request<Body>, Response = Response<Body>, Error = kube::Error, Future: Send>
+ Clone
+ Send
+ 'static {
    service_fn(move |request| {
        let client = client.clone();
        async move { client.send(request).await }
    })
}
