/**
 * Gathers the rows that begin in the same moment, so that one write to the disk serves them all.
 * Each of them waits for that write; what becomes of one is nothing to the others.
 */

import { type Beginning, type Begun, type Journal } from "./journal.ts";

/** Resolves once the row is written down as being sent; `undefined` where it could not begin. */
export type Begin = (row: Beginning) => Promise<Begun | undefined>;

/** Waits for whoever else begins in the same moment. */
export type Turn = () => Promise<void>;

export interface BeginGroupOptions {
  readonly journal: Pick<Journal, "beginTogether">;
  readonly turn?: Turn | undefined;
}

interface Waiting {
  readonly row: Beginning;
  readonly resolve: (begun: Begun | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** All answers that have come in by now are handled before the loop comes round. */
const nextLoop: Turn = () => new Promise((resolve) => setImmediate(resolve));

export function createBeginGroup({ journal, turn = nextLoop }: BeginGroupOptions): Begin {
  let waiting: Waiting[] = [];

  const flush = async (): Promise<void> => {
    await turn();
    const group = waiting;
    waiting = [];
    try {
      const begun = await journal.beginTogether(group.map(({ row }) => row));
      for (const [index, { resolve }] of group.entries()) resolve(begun[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return (row) => {
    const { promise, resolve, reject } = Promise.withResolvers<Begun | undefined>();
    waiting.push({ row, resolve, reject });
    if (waiting.length === 1) flush().catch(reject);
    return promise;
  };
}
