/** The changes of a plan that a person should check first. */

import type { Connection } from "@catalog/connection";
import { isSameValue, readAllRows, type RowRecord, type RunRecord } from "@catalog/runs";

import { createFieldCount, type SentField } from "./sent-fields.ts";

/** One price (in minor units) or stock that the plan changes. */
export interface BigChange {
  readonly row: number;
  readonly code: string | null;
  readonly field: "price" | "stock_count";
  readonly old: number;
  readonly new: number;
  /** Change in percent of the old value, with one decimal; `null` where the old value is 0. */
  readonly percent: number | null;
  readonly isHeld: boolean;
}

/** A change of any other field, as its values stand in the plan. */
export interface OtherChange {
  readonly row: number;
  readonly code: string | null;
  readonly old: unknown;
  readonly new: unknown;
  readonly isHeld: boolean;
}

/** The changes of one field that is neither price nor stock. */
export interface ChangedField {
  readonly field: string;
  readonly rows: number;
  /** Those that keep the least of the old value, at most three. */
  readonly samples: readonly OtherChange[];
}

/** The biggest changes, the number of rows that change, and the fields that are sent. */
export interface BiggestChanges {
  /** Changes of all other fields, in the order in which they were met. */
  readonly others: readonly ChangedField[];
  readonly prices: readonly BigChange[];
  readonly stocks: readonly BigChange[];
  readonly rows: { readonly price: number; readonly stock_count: number };
  /** Every field that is sent, with its capability. */
  readonly fields: readonly SentField[];
}

/** Changes shown of each kind. */
const MAX_SHOWN = 5;

const PLANNED = ["ready", "held"] as const;

/**
 * Ranks prices by the factor of their change and stocks by pieces; values that the listing does not
 * show are left out.
 */
export async function readBiggestChanges(
  connection: Connection,
  run: RunRecord,
): Promise<BiggestChanges> {
  const rows = { price: 0, stock_count: 0 };
  const top: Record<BigChange["field"], readonly BigChange[]> = { price: [], stock_count: [] };
  const fields = createFieldCount();
  const others = createOtherChanges();
  for await (const records of readAllRows(connection.journal, run.id, { states: PLANNED })) {
    for (const record of records) {
      fields.observe(record);
      others.observe(record);
    }
    for (const change of records.flatMap(toBigChanges)) {
      const { field } = change;
      rows[field] += 1;
      top[field] = [...top[field], change].toSorted(BY_SIZE[field]).slice(0, MAX_SHOWN);
    }
  }
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  const { price: prices, stock_count: stocks } = top;
  return { prices, stocks, rows, others: others.list(), fields: fields.list(learned) };
}

/** Samples of a field. */
const MAX_SAMPLES = 3;

function createOtherChanges(): {
  observe(record: RowRecord): void;
  list(): readonly ChangedField[];
} {
  const fields = new Map<string, { rows: number; samples: readonly OtherChange[] }>();
  return {
    observe({ row, code, state, changes }) {
      for (const { field, old, new: next } of changes) {
        if (field === "price" || field === "stock_count") continue;
        // A field that goes along with a changed one, and one whose old value is not shown.
        if (old === undefined || isSameValue(old, next)) continue;
        const found = fields.get(field) ?? { rows: 0, samples: [] };
        const change = { row, code, old, new: next, isHeld: state === "held" };
        const samples = [...found.samples, change]
          .toSorted((a, b) => keptOf(a) - keptOf(b) || a.row - b.row)
          .slice(0, MAX_SAMPLES);
        fields.set(field, { rows: found.rows + 1, samples });
      }
    },
    list: () => [...fields].map(([field, { rows, samples }]) => ({ field, rows, samples })),
  };
}

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Share of the old words that the new text of a field keeps, from 0 to 1; 0 for values that are no
 * texts.
 */
export function keptOf({ old, new: next }: Pick<OtherChange, "old" | "new">): number {
  if (typeof old !== "string" || typeof next !== "string") return 0;
  const words = old.toLocaleLowerCase("tr").match(WORD) ?? [];
  const kept = new Set(next.toLocaleLowerCase("tr").match(WORD));
  return words.length === 0 ? 1 : words.filter((word) => kept.has(word)).length / words.length;
}

const BY_SIZE: Readonly<Record<BigChange["field"], (a: BigChange, b: BigChange) => number>> = {
  price: (a, b) => stretch(b) - stretch(a) || a.row - b.row,
  stock_count: (a, b) => Math.abs(b.new - b.old) - Math.abs(a.new - a.old) || a.row - b.row,
};

/** Factor of a change: a fall to a tenth counts like a rise to ten times the value. */
const stretch = (change: BigChange): number =>
  change.old > 0 && change.new > 0 ? Math.abs(Math.log(change.new / change.old)) : Infinity;

function toBigChanges({ row, code, state, changes }: RowRecord): readonly BigChange[] {
  return changes.flatMap(({ field, old, new: next }) => {
    if (field !== "price" && field !== "stock_count") return [];
    if (typeof old !== "number" || typeof next !== "number") return [];
    const percent = old === 0 ? null : Math.round(((next - old) / old) * 1000) / 10;
    return [{ row, code, field, old, new: next, percent, isHeld: state === "held" }];
  });
}
