/**
 * The changes of a plan that a person should check first, and which fields its rows send, in how
 * many rows, and with which capability.
 */

import type { Connection } from "@catalog/connection";
import { roundPercentChange } from "@catalog/i18n";
import {
  capabilityOf,
  isAction,
  isSameValue,
  readAllRows,
  type RowRecord,
  type RunRecord,
  sendsStock,
  type PaidPrices,
} from "@catalog/runs";

import { findColumn, listWordsOf } from "../action-words.ts";
import { createReadIdNames, hasStoredNames, readBuyerPrices } from "../field-values.ts";

type Capabilities = Parameters<typeof capabilityOf>[0];

/** A field of one kind of call. */
export interface SentField {
  readonly action: "add" | "update";
  /** Name in the API. */
  readonly field: string;
  /** Capability that was known when the plan was made. */
  readonly capability: Capabilities[number]["state"];
  readonly rows: number;
}

/** Takes rows one by one. */
export interface FieldCount {
  observe(row: Pick<RowRecord, "action" | "payload">): void;
  /** Lists the fields by call and name. */
  list(learned: Capabilities): readonly SentField[];
}

export function createFieldCount(): FieldCount {
  const counts = new Map<string, Omit<SentField, "capability">>();
  return {
    observe({ action, payload }) {
      if (action === null || isAction(action) || payload === null) return;
      for (const field of Object.keys(payload)) {
        // `product_id` identifies the product and sets nothing.
        if (field === "product_id") continue;
        const key = `${action} ${field}`;
        counts.set(key, { action, field, rows: (counts.get(key)?.rows ?? 0) + 1 });
      }
    },
    list: (learned) =>
      [...counts.values()]
        .map((count) => Object.assign({ capability: capabilityOf(learned, count) }, count))
        .toSorted((a, b) => a.action.localeCompare(b.action) || a.field.localeCompare(b.field)),
  };
}

/** What the buyer pays before and after, in minor units. */
interface PaidChange {
  readonly old: number;
  /** `null` where the marketplace decides. */
  readonly new: number | null;
  /** With one decimal; `null` where it does not change, or is not certain. */
  readonly percent: number | null;
}

/** One price (in minor units) or stock that the plan changes. */
interface BigChange {
  readonly row: number;
  readonly code: string | null;
  readonly field: "price" | "stock_count";
  readonly old: number;
  readonly new: number;
  /** Change in percent of the old value, with at least one decimal; `null` where the old value is 0. */
  readonly percent: number | null;
  readonly isHeld: boolean;
  /** What the buyer pays, where a discount makes it differ from the price. */
  readonly paid?: PaidChange;
}

/** A change of any other field, as its values stand in the plan. */
interface OtherChange {
  readonly row: number;
  readonly code: string | null;
  /** Of a list of actions: what tells people which one it is, such as the question. */
  readonly about?: string;
  readonly old: unknown;
  readonly new: unknown;
  readonly isHeld: boolean;
  /** Whether `new` is what earlier actions have led to. @default false */
  readonly isAssumed?: true;
}

/** The changes of one field that is neither price nor stock. */
export interface ChangedField {
  readonly field: string;
  readonly rows: number;
  /** Those that keep the least of the old value, at most three. */
  readonly samples: readonly OtherChange[];
}

/** The biggest changes, and the number of rows that change. */
export interface RankedChanges {
  /** Changes of all other fields, in the order in which they were met. */
  readonly others: readonly ChangedField[];
  readonly prices: readonly BigChange[];
  readonly stocks: readonly BigChange[];
  readonly rows: { readonly price: number; readonly stock_count: number };
}

/** The biggest changes with the names of their ids, and the fields that are sent. */
export interface BiggestChanges extends RankedChanges {
  /** Names by id, of the samples of the other fields; an id without a known name is missing. */
  readonly names: Readonly<Record<string, string>>;
  /** Every field that is sent, with its capability. */
  readonly fields: readonly SentField[];
}

/** Changes shown of each kind. */
const MAX_SHOWN = 5;

const PLANNED = ["ready", "held"] as const;

/** Reads the biggest changes of a plan, and the fields that it sends. */
export async function readBiggestChanges(
  connection: Connection,
  run: RunRecord,
): Promise<BiggestChanges> {
  const fields = createFieldCount();
  const changes = createRankedChanges(run);
  for await (const records of readAllRows(connection.journal, run.id, { states: PLANNED })) {
    const paid = await readBuyerPrices(connection, run, records);
    for (const record of records) {
      fields.observe(record);
      changes.observe(record, paid.get(record.row));
    }
  }
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  const ranked = changes.list();
  const names = await readNames(connection, run, ranked);
  return { ...ranked, names, fields: fields.list(learned) };
}

async function readNames(
  connection: Connection,
  run: RunRecord,
  { others }: RankedChanges,
): Promise<Readonly<Record<string, string>>> {
  const readIdNames = createReadIdNames(connection, run);
  const names: Record<string, string> = {};
  for (const { samples } of others.filter(({ field }) => isNamed(field))) {
    for (const { row } of samples) {
      const [record] = await connection.journal.readRows(run.id, { after: row - 1, limit: 1 });
      if (record?.row === row) Object.assign(names, Object.fromEntries(await readIdNames(record)));
    }
  }
  return names;
}

const isNamed = (field: string): boolean => hasStoredNames(field) || field === "status";

/** Takes rows one by one, of which it keeps the biggest changes. */
export interface ChangeRanking {
  observe(record: ChangingRow, paid?: PaidPrices): void;
  list(): RankedChanges;
}

type ChangingRow = Pick<RowRecord, "row" | "code" | "state" | "action" | "changes" | "issues"> &
  Partial<Pick<RowRecord, "cells">>;

/**
 * Ranks prices by the factor of their change, or of what buyers pay where that changes more, stocks
 * by pieces, and values of other fields by how little they keep; values that the listing does not
 * show are left out.
 */
export function createRankedChanges(run?: RunRecord): ChangeRanking {
  const rows = { price: 0, stock_count: 0 };
  const top: Record<BigChange["field"], readonly BigChange[]> = { price: [], stock_count: [] };
  const others = createOtherChanges(run === undefined ? undefined : findAboutColumn(run));
  return {
    observe(record, paid) {
      others.observe(record);
      for (const change of toBigChanges(record, paid)) {
        const { field } = change;
        rows[field] += 1;
        top[field] = [...top[field], change].toSorted(BY_SIZE[field]).slice(0, MAX_SHOWN);
      }
    },
    list: () => ({
      prices: top.price,
      stocks: top.stock_count,
      rows: { ...rows },
      others: others.list(),
    }),
  };
}

/** Samples of a field. */
const MAX_SAMPLES = 3;

interface RankedSample {
  readonly change: OtherChange;
  readonly kept: number;
}

function createOtherChanges(aboutAt: number | undefined): {
  observe(record: ChangingRow): void;
  list(): readonly ChangedField[];
} {
  const fields = new Map<string, { rows: number; ranked: readonly RankedSample[] }>();
  return {
    observe({ row, code, state, action, changes, cells = [] }) {
      const about = readAbout(cells, aboutAt);
      for (const { field, old, new: next, isAssumed } of changes) {
        // All fields of a new template are new; its name says enough.
        if (action === "create-template" && field !== "template_name") continue;
        if (field === "price" || field === "stock_count") continue;
        // A field that goes along with a changed one, and one whose old value is not shown.
        if (old === undefined || isSameValue(old, next)) continue;
        const found = fields.get(field) ?? { rows: 0, ranked: [] };
        const isHeld = state === "held";
        const shown = { ...about, ...(isAssumed && { isAssumed }) };
        const change = { row, code, old, new: next, isHeld, ...shown };
        const ranked = [...found.ranked, { change, kept: keptOf(change) }]
          .toSorted((a, b) => a.kept - b.kept || a.change.row - b.change.row)
          .slice(0, MAX_SAMPLES);
        fields.set(field, { rows: found.rows + 1, ranked });
      }
    },
    list: () =>
      [...fields].map(([field, { rows, ranked }]) => {
        return { field, rows, samples: ranked.map(({ change }) => change) };
      }),
  };
}

function findAboutColumn(run: RunRecord): number | undefined {
  const words = listWordsOf(run);
  return words === undefined ? undefined : findColumn(run, words.about);
}

function readAbout(
  cells: RowRecord["cells"],
  at: number | undefined,
): Pick<OtherChange, "about"> | undefined {
  const about = at === undefined ? "" : String(cells[at] ?? "").trim();
  return about === "" ? undefined : { about };
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
function stretch({ old, new: next, paid }: BigChange): number {
  const ofPaid = paid === undefined || paid.new === null ? 0 : factorOf(paid.old, paid.new);
  return Math.max(factorOf(old, next), ofPaid);
}

const factorOf = (old: number, next: number): number =>
  old > 0 && next > 0 ? Math.abs(Math.log(next / old)) : Infinity;

function toBigChanges(record: ChangingRow, paid?: PaidPrices): readonly BigChange[] {
  const { row, code, state, changes } = record;
  return changes.flatMap(({ field, old, new: next }): readonly BigChange[] => {
    if (field !== "price" && field !== "stock_count") return [];
    if (typeof old !== "number" || typeof next !== "number") return [];
    const isPaid = field === "price" && paid !== undefined;
    return [
      {
        row,
        code,
        field,
        old,
        new: next,
        percent: percentOf(old, next),
        isHeld: state === "held" && !(field === "stock_count" && sendsStock(record)),
        ...(isPaid && { paid: toPaidChange(paid) }),
      },
    ];
  });
}

function toPaidChange({ old, new: next }: PaidPrices): PaidChange {
  const percent = next === undefined || next === old ? null : percentOf(old, next);
  return { old, new: next ?? null, percent };
}

const percentOf = (old: number, next: number): number | null =>
  old === 0 ? null : roundPercentChange(((next - old) / old) * 100, 1);

/** A sample of the biggest changes, with its field and the number of rows that change it. */
export interface ListedChange extends OtherChange {
  readonly field: string;
  readonly rows: number;
  readonly percent: number | null;
  readonly paid?: PaidChange;
}

/** All of them in one list: prices, stocks, and then the other fields. */
export function listChanges({
  prices,
  stocks,
  others,
  rows,
}: RankedChanges): readonly ListedChange[] {
  const numbers = [...prices, ...stocks].map((change): ListedChange =>
    Object.assign({ rows: rows[change.field] }, change),
  );
  const texts = others.flatMap(({ field, rows: count, samples }) =>
    samples.map((sample): ListedChange =>
      Object.assign({ field, rows: count, percent: null }, sample),
    ),
  );
  return [...numbers, ...texts];
}
