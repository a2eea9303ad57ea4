/** Decides whether requests may leave: one answer for stops, failures, the breaker and pauses. */

import type { CircuitBreaker } from "./circuit-breaker.ts";
import type { RateLimitPause } from "./rate-limit-pause.ts";

export interface SendGate {
  /** Whether a request may leave now. */
  readonly isOpen: boolean;
  /** Throws {@link SendDeferred} where no request may leave now. */
  assertOpen(): void;
  /** Resolves when no pause is running. Says whether more rows may be sent then. */
  ready(): Promise<boolean>;
  /** Stops all further requests, because a row has failed. */
  close(): void;
}

export interface SendGateOptions {
  readonly breaker: Pick<CircuitBreaker, "end">;
  readonly pause: Pick<RateLimitPause, "isOn" | "over">;
  readonly stop?: AbortSignal | undefined;
}

/** Thrown before the first byte of a request that may be sent later: its row stays ready. */
export class SendDeferred extends Error {
  override readonly name = "SendDeferred";
}

/** Creates a gate for one pass over the rows of a run. */
export function createSendGate({ breaker, pause, stop }: SendGateOptions): SendGate {
  let isClosed = false;
  const mayGoOn = (): boolean => !isClosed && stop?.aborted !== true && breaker.end === undefined;
  const isOpen = (): boolean => mayGoOn() && !pause.isOn;

  return {
    get isOpen() {
      return isOpen();
    },
    assertOpen() {
      if (!isOpen()) throw new SendDeferred("no request may leave now");
    },
    async ready() {
      await pause.over();
      return mayGoOn();
    },
    close() {
      isClosed = true;
    },
  };
}
