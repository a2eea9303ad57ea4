/** One request of a row up to its first byte: the look is renewed, the row written down, let go. */

import { type Journal } from "../ports/journal.ts";
import { type Marketplace, type SendOptions } from "../ports/marketplace.ts";
import { toServerMs } from "../reconcile/visibility.ts";
import { type Attempted, type Beginning, type Claim } from "../row/row-outcome.ts";
import { type LookedRow } from "./recheck/update-rechecks.ts";
import { SendDeferred, type SendGate } from "./send-gate.ts";

export interface SendAttemptOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Ends the waits before a request leaves; a request that has left is not ended by it. */
  readonly stop?: AbortSignal | undefined;
  /** Whether requests may leave. @default they may */
  readonly gate?: SendGate | undefined;
  /** The row is written down as being sent. @default it is written down before its first byte */
  readonly claim?: Claim | undefined;
  /** The last look at what the row overwrites. @default there is none, as for an add */
  readonly looked?: LookedRow | undefined;
}

/** Thrown to stop a request before its first byte, when another one is in its way. */
export class CodeTaken extends Error {
  override readonly name = "CodeTaken";
}

/** Thrown to stop an update whose product is no longer what the plan saw. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** The hooks that the client calls before the first byte, and how far the request has got. */
export interface SendAttempt extends SendOptions {
  /** The row, with its claim where it has one. */
  readonly key: Attempted;
  /**
   * - `unwritten`: nothing is written down.
   * - `claimed`: the row is `sending`, and nothing of the request has left.
   * - `sent`: bytes may have left.
   * - `refused`: the token was refused, and the request has not left again.
   */
  readonly progress: "unwritten" | "claimed" | "sent" | "refused";
  /** Ends the listening to a stop. */
  end(): void;
}

export function createSendAttempt(options: SendAttemptOptions, row: number): SendAttempt {
  const { journal, runId, marketplace, gate, claim, looked } = options;
  const key: Attempted = claim ?? { runId, row };
  let progress: SendAttempt["progress"] = claim === undefined ? "unwritten" : "claimed";
  const hasLeft = (): boolean => progress === "sent" || progress === "refused";
  const evidence = (): Beginning["evidence"] => ({ serverMs: toServerMs(marketplace) });
  const waiting = forwardUntil(options.stop, hasLeft);

  return {
    signal: waiting.signal,
    end: () => waiting.end(),
    key,
    get progress() {
      return progress;
    },
    async prepare() {
      // An update goes out again after its token was refused; it has been written down already.
      if (hasLeft()) progress = "refused";
      else gate?.assertOpen();
      if (looked !== undefined) await assertSame(looked);
    },
    beforeSend() {
      if (looked?.isFresh() === false) throw new SendDeferred("the last look is too old");
      if (!hasLeft()) gate?.assertOpen();
      // What is shown from here on may be our own.
      looked?.close();
      const isRepeated = hasLeft();
      // From here on only the next start can tell whether it left.
      progress = "sent";
      if (isRepeated) return;
      if (journal.beginSending(key, evidence()) === "taken") throw new CodeTaken();
    },
  };
}

/** The turn in the quota may have been long in coming. */
async function assertSame(looked: LookedRow): Promise<void> {
  if (!looked.isFresh()) await looked.renew();
  if (looked.verdict.kind !== "go") throw new Overtaken();
}

interface Forwarding {
  readonly signal: AbortSignal;
  end(): void;
}

/** A signal that aborts with `stop`, but no more once the request has begun. */
function forwardUntil(stop: AbortSignal | undefined, hasBegun: () => boolean): Forwarding {
  const controller = new AbortController();
  const onStop = (): void => {
    if (!hasBegun()) controller.abort(new SendDeferred("stopped before it began"));
  };
  if (stop?.aborted === true) onStop();
  stop?.addEventListener("abort", onStop, { once: true });
  return {
    signal: controller.signal,
    end: () => stop?.removeEventListener("abort", onStop),
  };
}
