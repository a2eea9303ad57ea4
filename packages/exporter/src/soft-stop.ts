/** A stop that lets a call under way finish, and ends a wait for a slot at once. */

import type { Connection } from "@catalog/connection";

export interface SoftStop extends Disposable {
  /** Signal for calls: aborts only once a call would wait long. */
  readonly signal: AbortSignal;
}

export function createSoftStop(
  waits: Connection["meters"]["waits"],
  stop: AbortSignal | undefined,
): SoftStop {
  const calls = new AbortController();
  const end = (): void => {
    if (stop?.aborted === true && waits.isWaiting()) calls.abort(stop.reason);
  };
  const listening = waits.listen(() => queueMicrotask(end));
  stop?.addEventListener("abort", end);
  return {
    signal: calls.signal,
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      stop?.removeEventListener("abort", end);
    },
  };
}
