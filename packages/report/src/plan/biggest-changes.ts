/** The changes of a plan that a person should look at first. */

import { type Toolkit } from "@catalog/connection";
import { readAllRows, type RowRecord, type RunRecord } from "@catalog/runs";

import { createFieldCount, type SentField } from "./sent-fields.ts";

/** One price (in minor units) or stock that the plan changes. */
export interface BigChange {
  readonly row: number;
  readonly code: string | null;
  readonly field: "price" | "stock_count";
  readonly old: number;
  readonly new: number;
  /** Of the old value, rounded; `null` where that is 0. */
  readonly percent: number | null;
  readonly isHeld: boolean;
}

/** The biggest ones, how many rows change at all, and what is sent. */
export interface BiggestChanges {
  readonly prices: readonly BigChange[];
  readonly stocks: readonly BigChange[];
  readonly rows: { readonly price: number; readonly stock_count: number };
  /** Every field that is sent, with what is known of it. */
  readonly fields: readonly SentField[];
}

/** Shown of each kind. */
const MOST = 5;

const PLANNED = ["ready", "held"] as const;

/** Prices by how far they move for their size, stocks by pieces. Only what the store shows counts. */
export async function readBiggestChanges(
  toolkit: Toolkit,
  run: RunRecord,
): Promise<BiggestChanges> {
  const rows = { price: 0, stock_count: 0 };
  const top: Record<BigChange["field"], readonly BigChange[]> = { price: [], stock_count: [] };
  const fields = createFieldCount();
  for await (const records of readAllRows(toolkit.journal, run.id, { states: PLANNED })) {
    for (const record of records) fields.observe(record);
    for (const change of records.flatMap(toBigChanges)) {
      const { field } = change;
      rows[field] += 1;
      top[field] = [...top[field], change].toSorted(BY_SIZE[field]).slice(0, MOST);
    }
  }
  const learnt = run.facts?.capabilities ?? (await toolkit.readBack.readCapabilities());
  return { prices: top.price, stocks: top.stock_count, rows, fields: fields.list(learnt) };
}

const BY_SIZE: Readonly<Record<BigChange["field"], (a: BigChange, b: BigChange) => number>> = {
  price: (a, b) => stretch(b) - stretch(a) || a.row - b.row,
  stock_count: (a, b) => Math.abs(b.new - b.old) - Math.abs(a.new - a.old) || a.row - b.row,
};

/** A fall to a tenth is as far as a rise to ten times. */
const stretch = (change: BigChange): number =>
  change.old > 0 && change.new > 0 ? Math.abs(Math.log(change.new / change.old)) : Infinity;

function toBigChanges({ row, code, state, changes }: RowRecord): readonly BigChange[] {
  return changes.flatMap(({ field, old, new: next }) => {
    if (field !== "price" && field !== "stock_count") return [];
    if (typeof old !== "number" || typeof next !== "number") return [];
    const percent = old === 0 ? null : Math.round(((next - old) / old) * 100);
    return [{ row, code, field, old, new: next, percent, isHeld: state === "held" }];
  });
}
