/** The rows of one run for tests of single steps: it keeps their states and the moves between them. */

import type { Ledger, RowRepository } from "../../src/ports/journal.ts";
import type { RowDecision, RowOutcome, RowRecord } from "../../src/row/row-record.ts";
import { RUN } from "../../src/testing.ts";

type StubMethods = Pick<
  Ledger,
  | "beginSending"
  | "claim"
  | "readActions"
  | "readEvents"
  | "readKnownCodes"
  | "readLastSent"
  | "recordOutcome"
>;

export interface RowStub extends StubMethods, Pick<RowRepository, "readRows"> {
  /** Outcomes in their order, the starts of requests included. */
  readonly outcomes: readonly RowOutcome[];
  /** Texts such as `2: ready > sending (begin)`. */
  readonly moves: readonly string[];
  row(number: number): RowRecord;
}

/** Starts with rows as they were decided. Codes and products may be taken by these rows only. */
export function createRowStub(decisions: readonly RowDecision[]): RowStub {
  const rows = new Map<number, RowRecord>();
  for (const { unsent: _, choices: __, ...decision } of decisions) {
    const code = decision.payload?.product_code ?? null;
    const parsed = { cells: [code], code, codeKey: code?.trim().toLowerCase() ?? null };
    rows.set(decision.row, { ...decision, ...parsed, attempts: 0, note: null, updatedAtMs: 0 });
  }
  const outcomes: RowOutcome[] = [];
  const moves: string[] = [];
  const row = (number: number): RowRecord => {
    const found = rows.get(number);
    if (found === undefined) throw new Error(`there is no row ${number}`);
    return found;
  };
  const move = (number: number, outcome: RowOutcome): void => {
    const { to: state, productId, note, issues, changes, cause } = outcome;
    const before = row(number);
    moves.push(`${number}: ${before.state} > ${state} (${cause})`);
    outcomes.push(outcome);
    rows.set(number, {
      ...before,
      state,
      productId: productId ?? before.productId,
      note: note ?? before.note,
      issues: issues ?? before.issues,
      changes: changes ?? before.changes,
      attempts: before.attempts + (state === "sending" ? 1 : 0),
    });
  };
  const begin = (number: number, evidence: RowOutcome["evidence"]): "begun" | "taken" => {
    const { productId } = row(number);
    const isUnderWay = [...rows.values()].some(
      (one) => one.state === "sending" && one.productId !== null && one.productId === productId,
    );
    if (isUnderWay) return "taken";
    move(number, { to: "sending", cause: "begin", evidence });
    return "begun";
  };
  return {
    outcomes,
    moves,
    row,
    async readRows(_, { after = 0, limit }) {
      return [...rows.values()].filter((one) => one.row > after).slice(0, limit);
    },
    async claim(asked) {
      return asked.map(({ row: number, evidence }) =>
        begin(number, evidence) === "taken"
          ? undefined
          : { runId: RUN, row: number, attempt: row(number).attempts },
      );
    },
    beginSending: ({ row: number, attempt }, evidence) =>
      attempt === undefined ? begin(number, evidence) : "begun",
    recordOutcome: async ({ row: number }, outcome) => move(number, outcome),
    readEvents: async () => [],
    readActions: async () => [],
    readKnownCodes: async () => [],
    readLastSent: async () => new Map(),
  };
}
