/** Reads a body within limits of size and time. */

import type { Clock } from "@catalog/clock";

import { MB } from "../image-limits.ts";
import { FetchError } from "./fetch-error.ts";

/** Limits of one download. */
export interface BodyLimits {
  readonly maxBytes: number;
  /**
   * Maximum time from the first byte of the request to the last of the answer, redirects included,
   * in milliseconds.
   */
  readonly totalMs: number;
  /** Length of the window over which the speed is measured, in milliseconds. */
  readonly windowMs: number;
  /** Minimum number of bytes per window; with fewer, the download is too slow. */
  readonly minWindowBytes: number;
  /** Names of the settings of `maxBytes` and `totalMs`, for messages. */
  readonly settings: { readonly maxBytes: string; readonly totalMs: string };
}

/** Aborts the signal of a download that is too slow. */
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
  const failLate = (): void =>
    slow.abort(new FetchError("E_FETCH_SLOW", host, { setting: limits.settings.totalMs }));
  const onTotal = clock.sleep(limits.totalMs, over.signal).then(failLate);
  const onWindow = watchWindows(() => received);
  // The signal of the finished download ends both.
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

/**
 * Reads a body to its end and returns its length. Counts the received bytes, not the announced
 * ones.
 */
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

/** The error for a body over the limit. */
export function tooLarge({ maxBytes, settings }: BodyLimits): FetchError {
  const limit = maxBytes >= MB ? `${Math.floor(maxBytes / MB)} MB` : `${maxBytes} B`;
  return new FetchError("E_FETCH_SIZE", limit, { setting: settings.maxBytes });
}
