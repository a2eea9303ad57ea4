/**
 * Gathers the rows that begin in the same moment, so that one write to the disk serves them all.
 * Each of them waits for that write; what becomes of one is nothing to the others.
 */

import { nextLoop, type Turn } from "../plan/yield-to-event-loop.ts";
import { type Journal } from "../ports/journal.ts";
import { type Beginning, type Begun } from "../row/row-outcome.ts";

export interface BeginGroup {
  /**
   * Resolves once the row is written down as being sent; `undefined` where it could not begin.
   * Rejects with the reason of `signal` when that has aborted before the write.
   */
  readonly begin: (row: Beginning, signal: AbortSignal) => Promise<Begun | undefined>;
  /** Writes who is gathered if the time has come. To be called whenever that may have changed. */
  readonly check: () => void;
}

export interface BeginGroupOptions {
  readonly journal: Pick<Journal, "beginTogether">;
  readonly turn?: Turn | undefined;
  /** Whether those who are gathered may wait for more; whoever says so calls `check` later. */
  readonly mayGrow: () => boolean;
}

interface Waiting {
  readonly row: Beginning;
  readonly signal: AbortSignal;
  readonly resolve: (begun: Begun | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export function createBeginGroup(options: BeginGroupOptions): BeginGroup {
  const { journal, turn = nextLoop, mayGrow } = options;
  let gathered: readonly Waiting[] = [];
  let isTurning = false;

  const write = async (group: readonly Waiting[]): Promise<void> => {
    const going = group.filter((one) => !isStopped(one));
    if (going.length === 0) return;
    try {
      const begun = await journal.beginTogether(going.map(({ row }) => row));
      for (const [index, { resolve }] of going.entries()) resolve(begun[index]);
    } catch (error) {
      for (const { reject } of going) reject(error);
    }
  };
  const afterTurn = async (): Promise<void> => {
    await turn();
    isTurning = false;
    if (mayGrow()) return;
    const group = gathered;
    gathered = [];
    await write(group);
  };
  const check = (): void => {
    if (isTurning || gathered.length === 0 || mayGrow()) return;
    isTurning = true;
    afterTurn().catch((error: unknown) => {
      for (const { reject } of gathered) reject(error);
      gathered = [];
    });
  };

  return {
    begin(row, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Begun | undefined>();
      gathered = [...gathered, { row, signal, resolve, reject }];
      check();
      return promise;
    },
    check,
  };
}

function isStopped({ signal, reject }: Waiting): boolean {
  if (signal.aborted) reject(signal.reason);
  return signal.aborted;
}
