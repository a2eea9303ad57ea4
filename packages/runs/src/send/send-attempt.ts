/** One request of a row from its turn to its first byte: written down, looked at, let go. */

import { type Journal } from "../ports/journal.ts";
import { type Marketplace, type SendOptions } from "../ports/marketplace.ts";
import { toServerMs } from "../reconcile/visibility.ts";
import { type Attempted, type Beginning, type Begun } from "../row/row-outcome.ts";
import { type RowRecord } from "../row/row-record.ts";
import { type LookedRow } from "./recheck/update-rechecks.ts";
import { type Road } from "./send-slot.ts";

export interface ErrandOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  /** Ends the waits before a request leaves; a request that has left is not ended by it. */
  readonly stop?: AbortSignal | undefined;
  /** How the row shares its write with others. @default it has one of its own, at the last moment */
  readonly road?: Road | undefined;
  /** The last look at what the row overwrites. @default there is none, as for an add */
  readonly looked?: LookedRow | undefined;
}

/** Thrown inside a request to stop it before its first byte, when another one is in its way. */
export class CodeTaken extends Error {
  override readonly name = "CodeTaken";
}

/** Thrown by a request that has its place when nothing more may leave. */
export class TurnedBack extends Error {
  override readonly name = "TurnedBack";
}

/** Thrown by an update whose product is not what the plan saw any more. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** One request of a row: what is called before its first byte, and how far it has got. */
export interface Errand extends SendOptions {
  /** With the attempt, where the row was written down together with others. */
  readonly key: Attempted;
  /** Written down together with others, and not let go. */
  readonly isBegun: boolean;
  /** Why what was written down has not been carried out; `undefined` where that is not certain. */
  readonly unsentCause: "unsent" | "status-401" | undefined;
  /** Whether bytes may have left. */
  readonly hasLeft: boolean;
  /** Ends the listening to a stop. */
  end(): void;
}

export function createErrand(options: ErrandOptions, { row }: RowRecord): Errand {
  const { journal, runId, marketplace, road, looked } = options;
  const evidence = (): Beginning["evidence"] => ({ serverMs: toServerMs(marketplace) });
  let begun: Begun | undefined;
  let isBegun = false;
  let hasLeft = false;
  /** Its token was refused, and it has not gone again. */
  let isRefused = false;
  const key = (): Attempted => begun ?? { runId, row };
  const enter = async (): Promise<void> => {
    if (road === undefined) return;
    begun = await road.begin({ runId, row, evidence: evidence() }, waiting.signal);
    isBegun = begun !== undefined;
    await road.place.enter(waiting.signal);
    if (!road.mayLeave()) throw new TurnedBack();
  };
  const waiting = forwardUntil(options.stop, () => hasLeft);

  return {
    signal: waiting.signal,
    end: () => waiting.end(),
    get key() {
      return key();
    },
    get isBegun() {
      return isBegun;
    },
    get unsentCause() {
      if (isBegun) return "unsent";
      return isRefused ? "status-401" : undefined;
    },
    get hasLeft() {
      return hasLeft;
    },
    async prepare() {
      // An update goes out again after its token was refused; it has been written down already.
      isRefused = hasLeft;
      if (!hasLeft) await enter();
      if (looked !== undefined) await assertSame(looked);
      if (!hasLeft && road?.mayLeave() === false) throw new TurnedBack();
    },
    beforeSend() {
      if (looked?.isFresh() === false) throw new TurnedBack();
      isRefused = false;
      // What is shown from here on may be our own.
      looked?.close();
      if (hasLeft) return;
      // From here on only the next start can tell whether it left.
      isBegun = false;
      const outcome = journal.beginSending(key(), evidence());
      if (outcome === "taken") throw new CodeTaken();
      hasLeft = true;
    },
  };
}

/** The reason with which a wait before the first byte ends; nothing else carries it. */
export const STOPPED: unique symbol = Symbol("stopped before it began");

/** Its turn in the quota or its place may have been long in coming. */
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
    if (!hasBegun()) controller.abort(STOPPED);
  };
  if (stop?.aborted === true) onStop();
  stop?.addEventListener("abort", onStop, { once: true });
  return {
    signal: controller.signal,
    end: () => stop?.removeEventListener("abort", onStop),
  };
}
