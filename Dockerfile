# The manager of the sample controllers: docker build -t sample-controller .
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
# Without the API server, which is for tests and demonstrations.
RUN cargo build --locked --release --package sample-controller --no-default-features

# No shell, no package manager, not root (65532).
FROM gcr.io/distroless/cc-debian12:nonroot
# One arena of memory for all threads: caches are filled by several, which glibc serves badly otherwise.
ENV MALLOC_ARENA_MAX=1
COPY --from=build /src/target/release/sample-controller /sample-controller
USER 65532:65532
ENTRYPOINT ["/sample-controller"]
