/**
 * Sends one request and records what became of it. The URL exists only in this module: the access
 * token is put into it at the last moment. No redirect is followed, nothing is retried or decoded.
 */

import type { Clock } from "@catalog/clock";
// `import type` loads nothing: the library takes 40 ms to load, and many commands make no call.
import type { Agent } from "undici";

import { SettingsError } from "../errors.ts";
import { canonicalPath } from "../market-address.ts";
import type { PreparedRequest } from "./request.ts";
import { createWireRecorder, type Exchange } from "./wire-phase.ts";

/** Maximum wait for a connection; the time limit of the whole attempt applies as well. */
const CONNECT_TIMEOUT_MS = 10_000;

/** One request, without its token. */
export interface WireRequest extends PreparedRequest {
  readonly accessToken: string | undefined;
  /**
   * Uses a new connection: one that was kept alive may be dead, and would fail after bytes have
   * left.
   */
  readonly freshConnection: boolean;
  /** Maximum size of the body, in bytes. */
  readonly maxBytes: number;
  /** Called at the last moment before bytes leave; a throw keeps the request unsent. */
  readonly beforeSend: (() => void) | undefined;
}

/** Makes the HTTP exchanges of one client. */
export interface Transport {
  /** Rejects only after `close`; every other failure is in the exchange. */
  send(request: WireRequest, signal?: AbortSignal): Promise<Exchange>;
  /** Waits for the exchanges under way; later ones reject. */
  close(): Promise<void>;
}

interface TransportOptions {
  readonly baseUrl: URL;
  /** Time limit of one exchange, from waiting for a connection to the last byte. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Creates a transport with its own connections. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl } = options;
  let agents: Promise<Agents> | undefined;
  /** Settled without the answers, so that a set does not keep them. */
  const underWay = new Set<Promise<void>>();
  let closed = false;

  const dispatch = async (request: WireRequest, signal?: AbortSignal): Promise<Exchange> => {
    agents ??= createAgents();
    const { fresh, keeping } = await agents;
    const recorder = createWireRecorder(request);
    const agent = request.freshConnection ? fresh : keeping;
    const release = limit(recorder, options, signal);
    const { method, body } = request;
    agent.dispatch(
      {
        origin: baseUrl.origin,
        path: toPath(baseUrl, request),
        method,
        body: body ?? null,
        headers: headersFor(request),
        reset: request.freshConnection,
      },
      recorder.handler,
    );
    return await recorder.done.finally(release);
  };

  return {
    async send(request, signal) {
      if (closed) throw new SettingsError("The client is closed.");
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      underWay.add(ended);
      try {
        return await dispatch(request, signal);
      } finally {
        underWay.delete(ended);
        end();
      }
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
      const opened = await agents;
      await Promise.all([opened?.keeping.destroy(), opened?.fresh.destroy()]);
    },
  };
}

/** Two agents, so that a fresh connection never comes out of the pool of the other. */
interface Agents {
  readonly keeping: Agent;
  readonly fresh: Agent;
}

async function createAgents(): Promise<Agents> {
  const { Agent } = await import("undici");
  const options = {
    allowH2: false,
    pipelining: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Each attempt has one time limit, kept by the given clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return { keeping: new Agent(options), fresh: new Agent(options) };
}

/** Abort reason of the timeout's sleep; without one, an error would be created for every call. */
const ENDED_IN_TIME = Symbol("the exchange ended in time");

/**
 * Stops the recorder at the timeout or when the signal aborts; the returned function removes both.
 */
function limit(
  recorder: Pick<ReturnType<typeof createWireRecorder>, "stop">,
  { clock, timeoutMs }: TransportOptions,
  signal?: AbortSignal,
): () => void {
  const onAbort = (): void => recorder.stop({ kind: "aborted", reason: signal?.reason });
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  const timer = new AbortController();
  clock.sleep(timeoutMs, timer.signal).then(
    () => recorder.stop({ kind: "timeout" }),
    // The sleep was aborted, because the exchange ended in time.
    () => undefined,
  );
  return () => {
    signal?.removeEventListener("abort", onAbort);
    timer.abort(ENDED_IN_TIME);
  };
}

function toPath(baseUrl: URL, request: WireRequest): string {
  const { accessToken, query } = request;
  const pairs =
    accessToken === undefined
      ? query
      : [...query, ["access_token", encodeURIComponent(accessToken.toWellFormed())]];
  const search = pairs.map((pair) => pair.join("=")).join("&");
  const path = canonicalPath(baseUrl.pathname) + request.path;
  return search === "" ? path : `${path}?${search}`;
}

function headersFor(request: WireRequest): Record<string, string> {
  const headers = {
    accept: "application/json",
    // Compressed answers are read all the same.
    "accept-encoding": "identity",
    "user-agent": "catalog-toolkit",
  };
  return request.body === undefined ? headers : { ...headers, "content-type": "application/json" };
}
