/**
 * One request of a row up to its first byte: the recheck is renewed, the row recorded, the request
 * released.
 */

import type { Journal } from "../ports/journal.ts";
import type { Marketplace, SendOptions } from "../ports/marketplace.ts";
import { toServerMs } from "../reconcile/visibility/visibility.ts";
import type { AttemptedRow, StartOfSend, Claim } from "../row/row-outcome.ts";
import type { RecheckedRow } from "./recheck/update-rechecks.ts";
import { SendDeferred, type SendGate } from "./send-gate.ts";

export interface SendAttemptOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Ends the waits before the request leaves; it does not end a request that has left. */
  readonly stop?: AbortSignal | undefined;
  /** Whether requests may leave. @default they may */
  readonly gate?: SendGate | undefined;
  /**
   * The claim of the row, which is `sending` already. @default the row is recorded before its first
   * byte
   */
  readonly claim?: Claim | undefined;
  /** The last recheck of the product. @default none, as for an add */
  readonly rechecked?: RecheckedRow | undefined;
}

/** Thrown to stop a request before its first byte, when another one holds its code or product. */
export class CodeTaken extends Error {
  override readonly name = "CodeTaken";
}

/** Thrown to stop an update whose product has changed since the plan. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** The hooks that the client calls before the first byte, and the progress of the request. */
export interface SendAttempt extends SendOptions {
  /** The row, with its claim where it has one. */
  readonly key: AttemptedRow;
  /**
   * - `unwritten`: nothing is recorded.
   * - `claimed`: the row is `sending`, and nothing of the request has left.
   * - `sent`: bytes may have left.
   * - `refused`: the token was refused, and the request has not left again.
   */
  readonly progress: "unwritten" | "claimed" | "sent" | "refused";
  /** Removes the listener of the stop signal. */
  end(): void;
}

export function createSendAttempt(options: SendAttemptOptions, row: number): SendAttempt {
  const { journal, runId, marketplace, gate, claim, rechecked } = options;
  let key: AttemptedRow = claim ?? { runId, row };
  let progress: SendAttempt["progress"] = claim === undefined ? "unwritten" : "claimed";
  const hasLeft = (): boolean => progress === "sent" || progress === "refused";
  const evidence = (): StartOfSend["evidence"] => ({ serverMs: toServerMs(marketplace) });
  const begin = (): void => {
    const start = journal.beginSending(key, evidence());
    if (start === "begun") return;
    if (start === "taken") throw new CodeTaken();
    progress = start === "away" ? "unwritten" : "claimed";
    throw new SendDeferred("the database is away");
  };
  const waiting = forwardUntil(options.stop, hasLeft);

  return {
    signal: waiting.signal,
    end: () => waiting.end(),
    get key() {
      return key;
    },
    get progress() {
      return progress;
    },
    async prepare() {
      // An update leaves again after its token was refused; it is recorded already.
      if (hasLeft()) progress = "refused";
      else {
        await journal.ready?.();
        gate?.assertOpen();
      }
      if (rechecked !== undefined) await assertSame(rechecked);
      if (journal.claimsFirst !== true || progress !== "unwritten") return;
      const [claimed] = await journal.claim([{ runId, row, evidence: evidence() }]);
      if (claimed === undefined) return;
      key = claimed;
      progress = "claimed";
    },
    beforeSend() {
      if (rechecked?.isFresh() === false) throw new SendDeferred("the last look is too old");
      // A recheck of other rows may have shown the product meanwhile.
      if (rechecked !== undefined) assertMaySend(rechecked);
      if (!hasLeft()) {
        gate?.assertOpen();
        if (journal.mayLeave?.() === false) throw new SendDeferred("the database is away");
      }
      // From here on the store may show our own values.
      rechecked?.close();
      const isRepeated = hasLeft();
      // From here on only a recovery can tell whether the request left.
      progress = "sent";
      if (!isRepeated) begin();
    },
  };
}

/** The wait for a slot of the rate limit may have been long, so the recheck is checked again. */
async function assertSame(rechecked: RecheckedRow): Promise<void> {
  if (!rechecked.isFresh()) await rechecked.renew();
  assertMaySend(rechecked);
}

function assertMaySend({ verdict }: RecheckedRow): void {
  if (verdict.kind !== "go") throw new Overtaken();
}

interface Forwarding {
  readonly signal: AbortSignal;
  end(): void;
}

/** Returns a signal that aborts with `stop` until the request has started. */
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
