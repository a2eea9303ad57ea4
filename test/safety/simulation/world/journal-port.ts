/** The journal of one process in a simulated world; every call of it is a yield. */

import type {
  BeforeValueLog,
  Journal,
  RowDecision,
  RowKey,
  RowState,
  RowOutcome,
} from "@catalog/runs";

import type { SimProcess } from "./sim-process.ts";

export type OutcomeMove = RowKey & { readonly from: RowState };

/** The journal of a run, with the values that its updates overwrite. */
export type FullJournal = Journal & BeforeValueLog;

export interface JournalPortOptions {
  readonly journal: FullJournal;
  readonly process: SimProcess;
  readonly isTraced: boolean;
  /** Called with each call at the moment at which it is made. */
  readonly onCall: (call: {
    readonly name: PropertyKey;
    readonly args: readonly unknown[];
  }) => void;
  /** Called with each outcome when it is stored. */
  readonly onOutcome: (move: OutcomeMove, outcome: RowOutcome) => void;
  /** Called with each held row after it is stored. */
  readonly onHeld: JournalPortOptions["onOutcome"];
  /** Called with the decisions of a plan. */
  readonly onDecide: (runId: string, decisions: readonly RowDecision[]) => void;
}

/** Methods that the engine calls synchronously. */
const AT_ONCE: ReadonlySet<PropertyKey> = new Set(["beginSending"]);

/** Wraps every method of the journal. */
export function createJournalPort(options: JournalPortOptions): FullJournal {
  const { journal, process } = options;
  const watched: FullJournal = {
    ...journal,
    async saveDecisions(runId, decisions) {
      options.onDecide(runId, decisions);
      await journal.saveDecisions(runId, decisions);
    },
    async recordOutcome(move, outcome) {
      options.onOutcome(move, outcome);
      await journal.recordOutcome(move, outcome);
      if (outcome.to === "held") options.onHeld(move, outcome);
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
