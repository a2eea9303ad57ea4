/** A collector of OpenTelemetry on this computer: it takes spans by OTLP over HTTP, as JSON. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { onTestFinished } from "vitest";

/** A span as it arrived. */
export interface CollectedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceId: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface SpanCollector {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** All bodies that arrived, as they were. */
  readonly bodies: readonly string[];
}

interface SentSpan extends Omit<CollectedSpan, "attributes"> {
  readonly attributes: readonly SentAttribute[];
}

interface SentAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface SentDocument {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** Listens until the test ends. */
export async function openSpanCollector(): Promise<SpanCollector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    bodies.push(`${request.method} ${request.url} ${body}`);
    spans.push(...readSpans(JSON.parse(body)));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { endpoint: `http://127.0.0.1:${port}`, spans, bodies };
}

const readSpans = ({ resourceSpans }: SentDocument): readonly CollectedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => Object.assign({}, span, { attributes: toRecord(span.attributes) }));

const toRecord = (attributes: SentSpan["attributes"]): CollectedSpan["attributes"] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]),
  );
