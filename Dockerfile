# The manager of the sample controllers: docker build -t sample-controller .
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
# Without the API server, which is for tests and demonstrations.
RUN cargo build --locked --release --package sample-controller --no-default-features --features mimalloc

# No shell, no package manager, not root (65532).
FROM gcr.io/distroless/cc-debian12:nonroot
# Large caches lie on large pages, where the system gives those to who asks.
ENV MIMALLOC_ALLOW_LARGE_OS_PAGES=1
COPY --from=build /src/target/release/sample-controller /sample-controller
USER 65532:65532
ENTRYPOINT ["/sample-controller"]
