/**
 * Sends spans to a collector of OpenTelemetry, by its official libraries. The standard variables
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME` and others) are read by them. Nothing is
 * registered globally, so that no other module records anything.
 */

import type { Tracing } from "@catalog/connection";
import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

import type { Environment } from "./settings/settings.ts";

/** Tracing that is on; disposing of it sends what is left. */
export interface OpenedTracing extends Tracing, AsyncDisposable {}

const NAME = "catalog";

/** A collector that does not answer keeps the end of a command for this long, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** Opens tracing for a version of the program; the collector is first called some seconds later. */
export function openTracing(env: Environment, version: string): OpenedTracing {
  const own = resourceFromAttributes({ "service.name": NAME, "service.version": version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: createExporter(env) })],
  });
  const tracer = provider.getTracer(NAME, version);
  const contexts = new AsyncLocalStorageContextManager();
  contexts.enable();
  return {
    async span({ name, attributes = {}, toAttributes }, work) {
      const parent = contexts.active();
      const span = tracer.startSpan(name, { attributes }, parent);
      try {
        const result = await contexts.with(trace.setSpan(parent, span), work);
        if (toAttributes !== undefined) span.setAttributes(toAttributes(result));
        return result;
      } catch (error) {
        fail(span, toType(error));
        throw error;
      } finally {
        span.end();
      }
    },
    call({ method, path, status, outcome, attempt, startedAtMs, endedAtMs }) {
      const attributes = {
        "http.request.method": method,
        "url.template": path,
        "catalog.call.outcome": outcome,
        ...(status !== undefined && { "http.response.status_code": status }),
        ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
      };
      const options = { kind: SpanKind.CLIENT, startTime: startedAtMs, attributes };
      const span = tracer.startSpan(`${method} ${path}`, options, contexts.active());
      // An answer that was not needed any more is no failure.
      if (outcome !== "ok" && outcome !== "aborted")
        fail(span, status === undefined ? outcome : String(status));
      span.end(endedAtMs);
    },
    async [Symbol.asyncDispose]() {
      try {
        await provider.shutdown();
      } catch {
        // A collector that is down must not change the result of the command.
      }
      contexts.disable();
    },
  };
}

function createExporter(env: Environment): OTLPTraceExporter {
  const isGiven = [env["OTEL_EXPORTER_OTLP_TIMEOUT"], env["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"]];
  return new OTLPTraceExporter(isGiven.some(Boolean) ? {} : { timeoutMillis: TIMEOUT_MS });
}

/** The message of an error is left out, as it may name a file or a product. */
function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function toType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
