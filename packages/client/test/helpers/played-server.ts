/** A server whose clock stands still except between its answers. */

import type { ConcurrencyControl } from "../../src/concurrency.ts";

/** A call, and how long the server serves it from `nowMs` on, in milliseconds. */
export interface PlayedCall {
  readonly key: string;
  readonly ms: (nowMs: number) => number;
}

export interface PlayOptions {
  /** Calls served at a time; the others wait in the order in which they came. @default all */
  readonly capacity?: number;
  /** Service time of calls that are given by their number. @default 100 */
  readonly latencyMs?: number;
  /** @default "reads" */
  readonly kind?: "reads" | "writes";
  /** Status of the answer with this number, from 0 on; `undefined` where none comes. */
  readonly status?: (at: number) => number | undefined;
  /** Time of the server, for calls that follow others. */
  readonly clock?: { nowMs: number };
}

/** A call that came to the server. */
interface Arrival {
  readonly call: PlayedCall;
  readonly end: () => void;
}

/** Makes the calls under the limits of `control`, and returns the time of the last answer. */
export async function play(
  control: ConcurrencyControl,
  wanted: number | readonly PlayedCall[],
  options: PlayOptions = {},
): Promise<number> {
  const { latencyMs = 100, kind = "reads", status = () => 200, clock = { nowMs: 0 } } = options;
  const calls =
    typeof wanted === "number"
      ? Array.from({ length: wanted }, () => ({ key: "product.list", ms: () => latencyMs }))
      : wanted;
  const server = createServer(clock, options.capacity);
  const gate = control.gateOf(kind);
  let done = 0;
  const all = calls.map((call) =>
    gate(async () => {
      const startedAtMs = clock.nowMs;
      await server.serve(call);
      const times = { startedAtMs, endedAtMs: clock.nowMs };
      control.note({ kind, key: call.key, status: status(done), ...times });
      done += 1;
    }),
  );
  while (done < calls.length) {
    await settle();
    server.answerNext();
  }
  await Promise.all(all);
  return clock.nowMs;
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Server {
  /** Resolves with the answer. */
  serve(call: PlayedCall): Promise<void>;
  /** Puts the clock to the next answers and gives them. */
  answerNext(): void;
}

function createServer(clock: { nowMs: number }, capacity = Infinity): Server {
  const waiting: Arrival[] = [];
  let served: (Arrival & { readonly atMs: number })[] = [];
  const begin = (): void => {
    for (const arrival of waiting.splice(0, capacity - served.length)) {
      served.push({ ...arrival, atMs: clock.nowMs + arrival.call.ms(clock.nowMs) });
    }
  };
  return {
    async serve(call) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ call, end: resolve });
      begin();
      await promise;
    },
    answerNext() {
      if (served.length === 0) return;
      const atMs = Math.min(...served.map((one) => one.atMs));
      clock.nowMs = atMs;
      const answered = served.filter((one) => one.atMs === atMs);
      served = served.filter((one) => one.atMs !== atMs);
      for (const { end } of answered) end();
      begin();
    },
  };
}
