/** Reads an answer as it came over the wire, or its absence. */

import { get, type IncomingHttpHeaders, request } from "node:http";

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the body ended too early. */
  readonly isCut: boolean;
}

export interface WireRequest {
  readonly body?: unknown;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /** Called once the request has left. */
  readonly onSent?: () => void;
}

/** Sends a request; rejects with the socket's error where the connection ends without an answer. */
export function ask(url: string, { body, signal, onSent }: WireRequest = {}): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const options = {
    agent: false,
    method: body === undefined ? "GET" : "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(signal === undefined ? {} : { signal }),
  };
  const sent = (body === undefined ? get : request)(url, options, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    response.on("error", () => undefined);
    response.on("close", () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        isCut: !response.complete,
      }),
    );
  });
  sent.on("error", reject);
  sent.on("finish", () => onSent?.());
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
