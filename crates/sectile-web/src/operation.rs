//! The endpoints for operators: `/healthz`, `/readyz` and `/metrics`.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use sectile::Library;
use sectile::store::Totals;
use tokio::time::timeout;
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// How long a store may take to answer before the server counts as not ready.
const PATIENCE: Duration = Duration::from_secs(5);

/// The bounds of durations, in seconds: from a search in memory to an ingest of many files.
const BOUNDS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 600.0,
];

/// The media type of what Prometheus reads.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;
type Durations = Family<Labels, Histogram, fn() -> Histogram>;

/// Answers `/healthz` as long as the process answers at all, and `/readyz` when its store answers, too.
/// They say nothing that is not for everyone, so they need no guard.
pub fn health_router(library: Library) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(library)
}

async fn ready(State(library): State<Library>) -> Response {
    match timeout(PATIENCE, library.ping()).await {
        Ok(Ok(())) => "ok\n".into_response(),
        Ok(Err(error)) => {
            warn_of_store(&error);
            let message = "the store does not answer; the log says why\n";
            (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
        }
        Err(_) => {
            let message = "the store does not answer in time\n";
            (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
        }
    }
}

fn warn_of_store(error: &sectile::Error) {
    tracing::warn!("the store does not answer: {}", sectile::error_chain(error));
}

/// Counts and times what a server does, for Prometheus.
///
/// Requests are counted by [`watch`](Self::watch). All other work is timed by its spans: a
/// [layer](Self::layer) for `tracing` hears of them.
///
/// ```
/// use sectile_web::Metrics;
/// use tracing_subscriber::prelude::*;
///
/// let metrics = Metrics::new();
/// let subscriber = tracing_subscriber::registry().with(metrics.layer());
/// tracing::subscriber::with_default(subscriber, || tracing::info_span!("search").in_scope(|| ()));
/// assert!(metrics.written().contains("sectile_work_seconds_count{span=\"search\"} 1"));
/// ```
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Kept>);

#[derive(Debug)]
struct Kept {
    registry: Registry,
    requests: Family<Labels, Counter>,
    request_seconds: Durations,
    work_seconds: Durations,
    problems: Family<Labels, Counter>,
    held: Family<Labels, Gauge>,
    store_up: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Returns metrics that have counted nothing yet.
    pub fn new() -> Self {
        let durations = || Durations::new_with_constructor(|| Histogram::new(BOUNDS));
        let mut kept = Kept {
            registry: Registry::default(),
            requests: Family::default(),
            request_seconds: durations(),
            work_seconds: durations(),
            problems: Family::default(),
            held: Family::default(),
            store_up: Gauge::default(),
        };
        let started = Gauge::<i64>::default();
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        started.set(since.map_or(0, |since| since.as_secs().cast_signed()));
        kept.register(started);
        Self(Arc::new(kept))
    }

    /// Returns a layer that times the spans of this crate's family and counts its warnings and errors.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        Timer(self.clone())
    }

    /// Counts and times each request that a router answers. A [guard](crate::Guard) belongs inside, so that what it refuses
    /// is counted.
    pub fn watch(&self, router: Router) -> Router {
        router.layer(from_fn_with_state(self.clone(), counted))
    }

    /// Answers `/metrics`. The metrics show how much is in a store, so they belong behind a guard.
    pub fn router(&self, library: Library) -> Router {
        let state = (self.clone(), library);
        Router::new()
            .route("/metrics", get(shown))
            .with_state(state)
    }

    /// Returns all metrics, in the text format of `OpenMetrics`.
    pub fn written(&self) -> String {
        let mut text = String::new();
        // A string takes whatever is written.
        let _ = encode(&mut text, &self.0.registry);
        text
    }

    /// Notes what the store holds; `None` if it does not answer. What it held before says nothing of it then.
    fn hold(&self, totals: Option<&Totals>) {
        self.0.store_up.set(totals.is_some().into());
        let Some(totals) = totals else {
            self.0.held.clear();
            return;
        };
        let all = [
            ("documents", totals.documents as u64),
            ("failed_documents", totals.failed as u64),
            ("sections", totals.sections as u64),
            ("chunks", totals.chunks as u64),
            ("vectors", totals.vectors as u64),
            ("bytes", totals.bytes),
        ];
        for (what, number) in all {
            let labels = vec![("what", what.to_owned())];
            self.0.held.get_or_create(&labels).set(number.cast_signed());
        }
    }
}

impl Kept {
    fn register(&mut self, started: Gauge) {
        let registry = &mut self.registry;
        registry.register_with_unit(
            "process_start_time",
            "When the process started, since the Unix epoch",
            Unit::Seconds,
            started,
        );
        let sectile = registry.sub_registry_with_prefix("sectile");
        sectile.register(
            "http_requests",
            "Requests that were answered",
            self.requests.clone(),
        );
        sectile.register_with_unit(
            "http_request",
            "Time until the head of an answer was there",
            Unit::Seconds,
            self.request_seconds.clone(),
        );
        sectile.register_with_unit(
            "work",
            "Time that work took, by the name of its span",
            Unit::Seconds,
            self.work_seconds.clone(),
        );
        sectile.register(
            "problems",
            "Warnings and errors that were logged",
            self.problems.clone(),
        );
        sectile.register("held", "What the store holds", self.held.clone());
        sectile.register(
            "store_up",
            "Whether the store answered when it was asked for these metrics",
            self.store_up.clone(),
        );
    }
}

async fn shown(State((metrics, library)): State<(Metrics, Library)>) -> Response {
    match timeout(PATIENCE, library.totals()).await {
        Ok(Ok(totals)) => metrics.hold(Some(&totals)),
        Ok(Err(error)) => {
            warn_of_store(&error);
            metrics.hold(None);
        }
        Err(_) => {
            tracing::warn!("the store does not answer in time");
            metrics.hold(None);
        }
    }
    ([(header::CONTENT_TYPE, OPEN_METRICS)], metrics.written()).into_response()
}

async fn counted(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("other", MatchedPath::as_str).to_owned();
    let method = method(request.method()).to_owned();
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    let labels = vec![
        ("route", route.clone()),
        ("method", method),
        ("status", status),
    ];
    metrics.0.requests.get_or_create(&labels).inc();
    let seconds = metrics
        .0
        .request_seconds
        .get_or_create(&vec![("route", route)]);
    seconds.observe(start.elapsed().as_secs_f64());
    response
}

/// Returns the name of a method. Unknown methods share one name, because clients can invent any
/// number of them.
fn method(method: &Method) -> &str {
    let known = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::PATCH,
    ];
    if known.contains(method) {
        method.as_str()
    } else {
        "other"
    }
}

/// Times spans.
struct Timer(Metrics);

/// When a span began.
struct Began(Instant);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Timer {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(Began(Instant::now()));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        if let Some(Began(began)) = span.extensions().get() {
            let labels = vec![("span", span.name().to_owned())];
            let seconds = self.0.0.work_seconds.get_or_create(&labels);
            seconds.observe(began.elapsed().as_secs_f64());
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let level = *event.metadata().level();
        if level <= Level::WARN {
            let labels = vec![("level", level.to_string().to_lowercase())];
            self.0.0.problems.get_or_create(&labels).inc();
        }
    }
}
