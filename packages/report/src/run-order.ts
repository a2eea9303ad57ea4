/**
 * Which rows of a run a page lists, and in which order. All rows are read once; what filters and
 * columns need of each is kept, so that another filter or column reads nothing.
 */

import { setImmediate } from "node:timers/promises";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import type { Connection } from "@catalog/connection";
import { formatMinor } from "@catalog/i18n";
import { fold } from "@catalog/mapping";
import {
  comparePaidPrices,
  PRICE_UNIT_CODE,
  type RowRecord,
  type RowState,
  type RunRecord,
  sendsStock,
  toCountedAction,
} from "@catalog/runs";

import { keptOf } from "./plan/biggest-changes.ts";
import { readReported, type ReportedRow } from "./reported-rows.ts";
import { type ResultClass, toResultClass } from "./result-texts.ts";
import { createReadTitles, readHeldGroups } from "./run-view.ts";

/** Which rows to list; all parts hold together. */
export interface RowsFilter {
  /** @default all */
  readonly states?: readonly RowState[] | undefined;
  /** `update` stands for everything but an add. */
  readonly action?: "add" | "update" | undefined;
  /** A reason why rows are held. */
  readonly group?: string | undefined;
  /** A field that changes. */
  readonly field?: string | undefined;
  /** Code of an issue. */
  readonly code?: string | undefined;
  /** A text in what is shown of the row. */
  readonly text?: string | undefined;
  /** Only rows that a person may let go or keep back: all but those that wait for the price unit. */
  readonly isFree?: boolean | undefined;
  /** Only held updates whose stock is sent all the same. */
  readonly sendsStock?: boolean | undefined;
}

/**
 * Columns that rows are sorted by. Prices are those that the buyer pays; `changes` is how much a row
 * changes, the biggest change last.
 */
type RowColumn =
  | "row"
  | "code"
  | "title"
  | "state"
  | "old"
  | "new"
  | "percent"
  | "stock"
  | "changes";

interface RowListing {
  readonly filter: RowsFilter;
  /** Equal rows stay in the order of the sheet, and rows without a value come last. @default rows */
  readonly sort?: { readonly column: RowColumn; readonly isDescending: boolean } | undefined;
}

/** The rows of a run as they were when it was made. */
export interface RowIndex {
  /** Numbers of the rows that are listed. */
  list(listing: RowListing): Promise<Uint32Array>;
}

/** What is kept of a row. */
interface Entry {
  readonly row: number;
  readonly state: RowState;
  readonly action: RowRecord["action"];
  readonly code: string | null;
  readonly title: string | null;
  readonly result: ResultClass;
  /** Reasons to wait, changed fields and codes of issues; rows that have the same share a set. */
  readonly groups: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
  /** What the buyer pays, in minor units. */
  readonly old: number | null;
  readonly new: number | null;
  readonly percent: number | null;
  readonly stock: number | null;
  readonly sendsStock: boolean;
  readonly changes: number;
}

/** Reads every row of the run once. */
export async function indexRows(connection: Connection, run: RunRecord): Promise<RowIndex> {
  const entries: Entry[] = [];
  const readTitles = createReadTitles(connection, run);
  const share = createShare();
  for await (const rows of scan(connection, run)) {
    const titles = await readTitles(rows);
    for (const [at, row] of rows.entries()) entries.push(toEntry(row, titles[at] ?? null, share));
  }
  const sortBy = createSort(entries);
  const findText = createFindText(connection, run);
  return {
    async list({ filter, sort }) {
      const folded = fold(filter.text ?? "");
      const found = folded === "" ? undefined : await findText(folded);
      const matches = createMatch(filter);
      const listed = entries.flatMap((entry, place) =>
        matches(entry) && found?.has(entry.row) !== false ? [place] : [],
      );
      const sorted = sort === undefined ? listed : sortBy(listed, sort);
      return Uint32Array.from(sorted, (place) => entries[place]?.row ?? 0);
    },
  };
}

/** Hands out one set for equal lists, of which a run has few. */
function createShare(): (names: Iterable<string>) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (names) => {
    const set = new Set(names);
    const key = [...set].join("\n");
    const shared = known.get(key) ?? set;
    known.set(key, shared);
    return shared;
  };
}

function toEntry(
  row: ReportedRow,
  title: string | null,
  share: ReturnType<typeof createShare>,
): Entry {
  return {
    row: row.row,
    state: row.state,
    action: row.action,
    code: row.code,
    title,
    result: toResultClass(row),
    groups: share(readHeldGroups(row).keys()),
    fields: share(row.changes.map(({ field }) => field)),
    codes: share(row.issues.map(({ code }) => code)),
    ...toPrices(row),
    stock: toStock(row),
    sendsStock: sendsStock(row),
    changes: sizeOf(row),
  };
}

const toNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

function toPrices(row: ReportedRow): Pick<Entry, "old" | "new" | "percent"> {
  const { old, new: next } = readPaid(row);
  const hasPercent = old !== null && next !== null && old !== 0 && old !== next;
  return { old, new: next, percent: hasPercent ? (next - old) / old : null };
}

function readPaid({ action, payload, changes, paid }: ReportedRow): Pick<Entry, "old" | "new"> {
  if (action === "add" && payload !== null) {
    const next = comparePaidPrices(payload, payload)?.new ?? payload.price;
    return { old: null, new: toNumber(next) };
  }
  if (paid !== undefined) return { old: paid.old, new: paid.new ?? null };
  const price = changes.find(({ field }) => field === "price");
  return { old: toNumber(price?.old), new: toNumber(price?.new) };
}

function toStock({ action, payload, changes }: ReportedRow): number | null {
  if (action === "add" && payload !== null) return toNumber(payload.stock_count);
  return toNumber(changes.find(({ field }) => field === "stock_count")?.new);
}

/** Where a row belongs that is sorted by its state: what a person has to look at comes first. */
const STATE_ORDER: readonly ResultClass[] = [
  "rejected",
  "invalid",
  "duplicate",
  "unknown",
  "unsendable",
  "held",
  "pending",
  "added",
  "updated",
  "unchanged",
  "skipped",
  "cancelled",
];

type Sort = NonNullable<RowListing["sort"]>;

/** A place in the entries; the ranks of a column are kept once they were asked for. */
function createSort(entries: readonly Entry[]) {
  const { compare } = new Intl.Collator("tr", { numeric: true });
  const kept = new Map<RowColumn, Float64Array>();
  const rank = (texts: readonly (string | null)[]): Float64Array => {
    const distinct = [...new Set(texts)].filter((text) => text !== null).toSorted(compare);
    const ranks = new Map<string | null, number>(distinct.map((text, at) => [text, at]));
    return Float64Array.from(texts, (text) => ranks.get(text) ?? Number.NaN);
  };
  const read = (column: RowColumn): Float64Array => {
    if (column === "code" || column === "title") return rank(entries.map((entry) => entry[column]));
    if (column === "state") {
      return Float64Array.from(entries, ({ result }) => STATE_ORDER.indexOf(result));
    }
    return Float64Array.from(entries, (entry) => entry[column] ?? Number.NaN);
  };
  return (places: readonly number[], { column, isDescending }: Sort): readonly number[] => {
    const ranks = kept.get(column) ?? read(column);
    kept.set(column, ranks);
    const sign = isDescending ? -1 : 1;
    const known = places.filter((place) => !Number.isNaN(ranks[place] ?? Number.NaN));
    const unknown = places.filter((place) => Number.isNaN(ranks[place] ?? Number.NaN));
    const difference = (a: number, b: number): number => {
      const [one = 0, other = 0] = [ranks[a], ranks[b]];
      if (one === other) return 0;
      return one < other ? -sign : sign;
    };
    return [...known.toSorted(difference), ...unknown];
  };
}

function createMatch(filter: RowsFilter): (entry: Entry) => boolean {
  const {
    states,
    action,
    group,
    field,
    code,
    isFree = false,
    sendsStock: hasStock = false,
  } = filter;
  const tests: ((entry: Entry) => boolean)[] = [];
  if (states !== undefined) tests.push(({ state }) => states.includes(state));
  if (action !== undefined) tests.push((entry) => toCountedAction(entry.action) === action);
  if (group !== undefined) tests.push(({ groups }) => groups.has(group));
  if (field !== undefined) tests.push(({ fields }) => fields.has(field));
  if (code !== undefined) tests.push(({ codes }) => codes.has(code));
  if (isFree) tests.push(({ codes }) => !codes.has(PRICE_UNIT_CODE));
  if (hasStock) tests.push((entry) => entry.sendsStock);
  return (entry) => tests.every((test) => test(entry));
}

/** Finds the numbers of the rows in which the screen shows a text. */
type FindText = (folded: string) => Promise<ReadonlySet<number>>;

/** Folded texts of some rows, a line for each; descriptions make them long. */
interface TextPiece {
  readonly rows: readonly number[];
  readonly packed: Uint8Array;
}

/** The texts are read when one is looked for first, and kept compressed. */
function createFindText(connection: Connection, run: RunRecord): FindText {
  const readTitles = createReadTitles(connection, run);
  const read = async (): Promise<readonly TextPiece[]> => {
    const pieces: TextPiece[] = [];
    for await (const rows of scan(connection, run)) {
      const titles = await readTitles(rows);
      // A folded text has no line break.
      const lines = rows.map((row, at) => fold(`${titles[at] ?? ""}\n${textOf(row)}`));
      const packed = zstdCompressSync(Buffer.from(lines.join("\n")), FASTEST);
      pieces.push({ rows: rows.map(({ row }) => row), packed });
    }
    return pieces;
  };
  let kept: Promise<readonly TextPiece[]> | undefined;
  return async (folded) => {
    kept ??= read();
    const found = new Set<number>();
    for (const { rows, packed } of await kept) {
      const text = zstdDecompressSync(packed).toString();
      if (!text.includes(folded)) continue;
      for (const [at, line] of text.split("\n").entries()) {
        if (line.includes(folded)) found.add(rows[at] ?? 0);
      }
    }
    return found;
  };
}

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Every row, in the order of the sheet; other requests are answered meanwhile. */
async function* scan(
  connection: Connection,
  run: RunRecord,
): AsyncGenerator<readonly ReportedRow[]> {
  for await (const rows of readReported(connection, run)) {
    yield rows;
    await setImmediate();
  }
}

/** A value as the page shows it; nothing for one that it shows by a name. */
function showValue(field: string, value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "number") return [];
  return field === "price" ? [formatMinor(value, "tr"), formatMinor(value, "en")] : [String(value)];
}

/** Both languages count, as a person may remember either. */
const textOf = ({ code, cells, productId, changes, issues, paid }: ReportedRow): string =>
  [
    code,
    productId,
    ...cells,
    ...changes.flatMap(({ field, old, new: next }) => [
      ...showValue(field, old),
      ...showValue(field, next),
    ]),
    ...showValue("price", paid?.old),
    ...showValue("price", paid?.new),
    ...issues.flatMap(({ message }) => [message.tr, message.en]),
  ]
    .filter((part) => part !== null && part !== undefined)
    .join("\n");

/**
 * A price counts by the factor of its change, or of what buyers pay where that changes more, among
 * them products that are no longer sold, and far above the pieces of a stock; any other value by the
 * share of it that is lost, at most like a price that is halved.
 */
function sizeOf({ changes, paid }: ReportedRow): number {
  const sizes = changes.map(({ field, old, new: next }) => {
    const isNumber = typeof old === "number" && typeof next === "number";
    if (field !== "price" && field !== "stock_count") {
      return old === undefined ? 0 : (1 - keptOf({ old, new: next })) * HALVED;
    }
    if (!isNumber) return 0;
    if (field === "stock_count") return sizeOfStock(old, next);
    return sizeOfPrice(old, next);
  });
  return Math.max(0, ...sizes, paid?.new === undefined ? 0 : sizeOfPrice(paid.old, paid.new));
}

const sizeOfPrice = (old: number, next: number): number =>
  old > 0 && next > 0 ? 1 + Math.abs(Math.log(next / old)) : Infinity;

/** A stock that falls to 0 ends the sale of its product, and counts like a price that is halved. */
const sizeOfStock = (old: number, next: number): number =>
  next === 0 && old > 0 ? HALVED : Math.abs(next - old) / STOCK_SCALE;

const STOCK_SCALE = 1e12;

/** Size of a price that is halved. */
const HALVED = 1 + Math.LN2;
