/** Takes a body in, as long as it is neither too large nor too slow. */

import { type Clock } from "@catalog/clock";

import { FetchError } from "./fetch-error.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** From the first byte of the request to the last of the answer, redirects included. */
  readonly totalMs: number;
  /** How often it is looked whether anything comes. */
  readonly windowMs: number;
  /** Fewer in one window, and the download is too slow. */
  readonly minWindowBytes: number;
}

/** Ends a download that has taken too long, by aborting the signal. */
export interface SpeedWatch extends Disposable {
  readonly signal: AbortSignal;
  note(bytes: number): void;
}

/** Watches one download; `signal` aborts with {@link FetchError} `E_FETCH_SLOW`, or as `outer` does. */
export function watchSpeed(
  {
    clock,
    limits,
    host,
  }: { readonly clock: Clock; readonly limits: BodyLimits; readonly host: string },
  outer: AbortSignal | undefined,
): SpeedWatch {
  const slow = new AbortController();
  const over = new AbortController();
  let received = 0;
  const fail = (): void => slow.abort(new FetchError("E_FETCH_SLOW", host));
  const onTotal = clock.sleep(limits.totalMs, over.signal).then(fail);
  const onWindow = watchWindows(() => received);
  // Both end by being told that the download is over.
  void Promise.allSettled([onTotal, onWindow]);

  async function watchWindows(bytes: () => number): Promise<void> {
    for (;;) {
      const before = bytes();
      await clock.sleep(limits.windowMs, over.signal);
      if (bytes() - before < limits.minWindowBytes) return fail();
    }
  }
  return {
    signal: outer === undefined ? slow.signal : AbortSignal.any([outer, slow.signal]),
    note: (bytes) => {
      received += bytes;
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

export interface BodySink {
  readonly limits: BodyLimits;
  readonly watch: SpeedWatch;
  readonly onChunk: (chunk: Uint8Array) => void | Promise<void>;
}

/** Reads a body to its end and says how long it was. Counts what comes, not what was announced. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  { limits, watch, onChunk }: BodySink,
): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limits.maxBytes) throw tooLarge(limits);
    watch.note(chunk.byteLength);
    await onChunk(chunk);
  }
  return sizeBytes;
}

const MEGABYTE = 1024 * 1024;

/** What is said of a body over the limit. */
export function tooLarge({ maxBytes }: Pick<BodyLimits, "maxBytes">): FetchError {
  const limit = maxBytes >= MEGABYTE ? `${Math.floor(maxBytes / MEGABYTE)} MB` : `${maxBytes} B`;
  return new FetchError("E_FETCH_SIZE", limit);
}
