/** Decides whether requests may leave: one answer for a stop, a failure, the breaker and pauses. */

import { type Breaker } from "./circuit-breaker.ts";
import { type Pause } from "./rate-limit-pause.ts";

export interface SendGate {
  /** Whether a request may leave at this moment. */
  readonly isOpen: boolean;
  /** Throws {@link SendDeferred} where no request may leave at this moment. */
  assertOpen(): void;
  /** Waits until a pause is over. Says whether more rows may be sent then. */
  ready(): Promise<boolean>;
  /** Lets nothing leave any more, because a row has failed. */
  close(): void;
}

export interface SendGateOptions {
  readonly breaker: Pick<Breaker, "end">;
  readonly pause: Pick<Pause, "isOn" | "over">;
  readonly stop?: AbortSignal | undefined;
}

/** Thrown before the first byte of a request that may leave later: its row stays ready. */
export class SendDeferred extends Error {
  override readonly name = "SendDeferred";
}

/** A gate for one pass over the rows of a run. */
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
