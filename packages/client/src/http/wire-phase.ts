/**
 * Records one exchange as it happens: how far the request got, and what came back. The record
 * decides between "surely not done" and "outcome unknown", so a request that has begun is never
 * begun a second time here.
 */

import type { Dispatcher } from "undici";

/**
 * How far a request got: `none`, no byte left this machine; `started`, bytes may have left;
 * `headers`, the answer's headers came; `body`, the whole answer was read.
 */
export type WirePhase = "none" | "started" | "headers" | "body";

/** Why an exchange has no complete answer. */
export type WireFailure =
  | { readonly kind: "network"; readonly error: unknown }
  | { readonly kind: "timeout" }
  | { readonly kind: "too-large" }
  | { readonly kind: "aborted"; readonly reason: unknown };

export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request and what became of it. */
export interface Exchange {
  readonly phase: WirePhase;
  readonly status: number | undefined;
  readonly headers: WireHeaders;
  readonly body: Uint8Array;
  readonly failure: WireFailure | undefined;
}

/** A handler of the HTTP library that records one exchange. */
interface WireRecorder {
  readonly handler: Dispatcher.DispatchHandler;
  /** Never rejects. */
  readonly done: Promise<Exchange>;
  /** Ends the exchange now; a request that still waits for its connection is not sent. */
  stop(failure: WireFailure): void;
}

interface WireRecorderOptions {
  /** Maximum size of the body, in bytes. */
  readonly maxBytes: number;
  /** Called at the last moment before bytes leave; a throw keeps the request unsent. */
  readonly beforeSend?: (() => void) | undefined;
}

/** Creates the recorder of one exchange. */
export function createWireRecorder({ maxBytes, beforeSend }: WireRecorderOptions): WireRecorder {
  const { promise: done, resolve } = Promise.withResolvers<Exchange>();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let phase: WirePhase = "none";
  let status: number | undefined;
  let headers: WireHeaders = {};
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;

  const settle = (failure?: WireFailure): void => {
    if (settled) return;
    settled = true;
    resolve({ phase, status, headers, body: Buffer.concat(chunks), failure });
  };
  const stop = (failure: WireFailure): void => {
    settle(failure);
    controller?.abort(new Error("The exchange was ended."));
  };

  const handler: Dispatcher.DispatchHandler = {
    // The last moment before bytes are written; an abort in this callback still keeps the request
    // unsent.
    onRequestStart(next) {
      controller = next;
      if (phase !== "none") stop({ kind: "network", error: new Error("It was begun twice.") });
      const objection = settled ? undefined : objectionOf(beforeSend);
      if (objection !== undefined) settle(objection);
      if (settled) next.abort(new Error("The exchange was ended."));
      else phase = "started";
    },
    onResponseStart(_controller, statusCode, incoming) {
      if (statusCode < 200) return;
      phase = "headers";
      status = statusCode;
      headers = incoming;
    },
    onResponseData(_controller, chunk) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) stop({ kind: "too-large" });
      else chunks.push(chunk);
    },
    onResponseEnd() {
      if (!settled) phase = "body";
      settle();
    },
    onResponseError: (_controller, error) => settle({ kind: "network", error }),
  };
  return { handler, done, stop };
}

function objectionOf(beforeSend: WireRecorderOptions["beforeSend"]): WireFailure | undefined {
  try {
    beforeSend?.();
    return undefined;
  } catch (reason) {
    return { kind: "aborted", reason };
  }
}
