/** The journal as one process of a simulated world meets it: every call of it is a yield. */

import {
  type BeforeBook,
  type Journal,
  type RowDecision,
  type RowKey,
  type RowState,
  type Settlement,
} from "@catalog/runs";

import { type SimProcess } from "./sim-process.ts";

export type SettleMove = RowKey & { readonly from: RowState };

/** The journal of a run, with what its updates overwrite. */
export type FullJournal = Journal & BeforeBook;

export interface JournalPortOptions {
  readonly journal: FullJournal;
  readonly process: SimProcess;
  readonly isTraced: boolean;
  /** Told of each call at the moment at which it is done. */
  readonly onCall: (call: {
    readonly name: PropertyKey;
    readonly args: readonly unknown[];
  }) => void;
  /** Told of each settlement at the moment at which it is written down. */
  readonly onSettle: (move: SettleMove, settlement: Settlement) => void;
  /** Told of each row that is held, once it is. */
  readonly onHeld: JournalPortOptions["onSettle"];
  /** Told of the decisions of a plan. */
  readonly onDecide: (runId: string, decisions: readonly RowDecision[]) => void;
}

/** Methods that the engine calls at moments at which it cannot wait. */
const AT_ONCE: ReadonlySet<PropertyKey> = new Set(["beginSending"]);

/** Whatever methods the journal has, they pass through here. */
export function createJournalPort(options: JournalPortOptions): FullJournal {
  const { journal, process } = options;
  const watched: FullJournal = {
    ...journal,
    async decideRows(runId, decisions) {
      options.onDecide(runId, decisions);
      await journal.decideRows(runId, decisions);
    },
    async settle(move, settlement) {
      options.onSettle(move, settlement);
      await journal.settle(move, settlement);
      if (settlement.to === "held") options.onHeld(move, settlement);
    },
  };
  const say = (name: PropertyKey, args: readonly unknown[]): string =>
    options.isTraced ? `${String(name)} ${JSON.stringify(args)}` : "";
  return new Proxy(watched, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      const call = (args: readonly unknown[]): unknown => {
        options.onCall({ name, args });
        return Reflect.apply(member, undefined, args);
      };
      return AT_ONCE.has(name)
        ? (...args: readonly unknown[]): unknown => process.block(() => call(args), say(name, args))
        : (...args: readonly unknown[]): unknown =>
            process.yield(() => call(args), { what: say(name, args) });
    },
  });
}
