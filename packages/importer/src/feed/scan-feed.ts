/**
 * First reading of a feed: number of rows, notation of numbers, duplicate codes, and whether cells stand
 * in other columns than their own.
 */

import { createHash } from "node:crypto";

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  type ColumnMapping,
  createSheetReader,
  createStoreFold,
  headerKey,
  isFilled,
  type NumberNotations,
  type SourceRow,
} from "@catalog/mapping";
import { createCompactTextMap, type RunWarning, type planFeedRows } from "@catalog/runs";

import { readRememberedNotations } from "../columns/remembered-readings.ts";
import { createFeedCheck } from "../file/describe-file.ts";
import { createLeftOutRows, productRows, type RowKind } from "../file/product-rows.ts";
import { createFormObserver, type FeedForm } from "./feed-form.ts";
import type { FeedRecord } from "./feed-state.ts";
import { EXPECTED_FIELDS, type FeedReading, type OpenedFeed } from "./open-feed.ts";

export interface FeedScan {
  readonly rows: number;
  /** The highest number of a row. */
  readonly lastRow: number;
  /** Rows of these that are no products themselves: parents of variants, and images. */
  readonly others: number;
  readonly notations: NumberNotations;
  readonly form: FeedForm;
  /**
   * SHA-256 of the cells that a sync reads. Two versions share it that differ in nothing else than how
   * they were packed or when they were made.
   */
  readonly content: string;
  /** Columns whose numbers can be read in two ways, and nothing shows which. */
  readonly unclear: ReadonlySet<number>;
  /** Rows that share a code, in the order of the feed. */
  readonly duplicates: Parameters<typeof planFeedRows>[0]["duplicates"];
  /** The last row has fewer cells than the header. */
  readonly endsShort: boolean;
  /** Filled cells of each column of stock and price, by field. */
  readonly filled: Readonly<Record<string, number>>;
  /** What says that cells stand in other columns than their own. */
  readonly shifted: readonly Localized[];
  /** Warnings that name the rows that are no products. */
  readonly leftOut: readonly RunWarning[];
}

interface SeenCode {
  readonly cells: string;
  readonly rows: number[];
  isIdentical: boolean;
}

/** Reads every row once and keeps only its code and a text of its cells. */
export async function scanFeed(
  { memory: { notes }, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  feed: OpenedFeed,
  { decimal, signal }: FeedReading,
): Promise<FeedScan> {
  const { sheet, mapping } = feed;
  const reader = createSheetReader(mapping, sheet.sheet);
  const observer = reader.observeNumbers({ decimal });
  const seen = new Map<string, SeenCode>();
  const left = createLeftOutRows(mapping);
  const cells = createCellCount(mapping);
  const signs = createShiftSigns(feed);
  const observed = createFormObserver(feed);
  const content = createContentDigest(mapping);
  let rows = 0;
  let others = 0;
  let lastCells = 0;
  let lastRow = sheet.header.row;
  for await (const row of readFeedRows(feed, (other, kind) => left.noteLeftOut(other, kind))) {
    signal?.throwIfAborted();
    rows += 1;
    content.note(row);
    if (isNoProduct(row)) others += 1;
    else {
      cells.note(row);
      signs.note(row);
      observed.note(row);
    }
    lastCells = (row.folded ?? row).cells.length;
    lastRow = Math.max(lastRow, row.row);
    observer.observe(row);
    const code = reader.isSent(row) ? reader.codes.read(row) : undefined;
    if (code !== undefined) noteCode(seen, code.codeKey, row);
  }
  const decided = observer.decide();
  const { notations } = await readRememberedNotations({ notes, baseUrl }, mapping, decided);
  const isOpen = (index: number): boolean => notations.columns.get(index)?.decimal === undefined;
  const unclear = new Set([...(decided.unclear?.keys() ?? [])].filter(isOpen));
  const duplicates = toDuplicates(seen);
  const endsShort = lastCells < sheet.header.cells.length;
  const filled = cells.filled();
  const leftOut = left.warnings();
  const shifted = signs.found();
  const counts = { rows, lastRow, others, filled };
  const form = observed.form(decided);
  const read = { form, content: content.digest(), notations };
  return { ...counts, ...read, unclear, duplicates, endsShort, shifted, leftOut };
}

function createContentDigest({ columns }: OpenedFeed["mapping"]): {
  note(row: SourceRow): void;
  digest(): string;
} {
  const used = columns.filter(({ target }) => target.kind === "field").map(({ index }) => index);
  const hash = createHash("sha256");
  return {
    note({ cells, joined }) {
      const values = used.map((index) => joined?.cells?.[index]?.value ?? cells[index] ?? null);
      hash.update(`${JSON.stringify(values)}\n`);
    },
    digest: () => hash.digest("hex"),
  };
}

/** Counts the rows that give a stock and a price; a feed without such a column has no count of it. */
function createCellCount({ columns }: OpenedFeed["mapping"]): {
  note(row: SourceRow): void;
  filled(): FeedScan["filled"];
} {
  const counted = EXPECTED_FIELDS.map((field) => ({
    field,
    rows: 0,
    indexes: columns
      .filter(({ target }) => target.kind === "field" && target.field === field)
      .map(({ index }) => index),
  })).filter(({ indexes }) => indexes.length > 0);
  return {
    note(row) {
      for (const one of counted) {
        if (one.indexes.some((index) => isFilled(row, index))) one.rows += 1;
      }
    },
    filled: () => Object.fromEntries(counted.map(({ field, rows }) => [field, rows])),
  };
}

function noteCode(
  seen: Map<string, SeenCode>,
  key: string,
  { row, cells, formats, joined }: SourceRow,
): void {
  const text = JSON.stringify([cells, formats, joined]);
  const first = seen.get(key);
  if (first === undefined) {
    seen.set(key, { cells: text, rows: [row], isIdentical: true });
    return;
  }
  first.rows.push(row);
  if (first.cells !== text) first.isIdentical = false;
}

/** The codes that stand on several rows. */
const toDuplicates = (
  seen: ReadonlyMap<string, SeenCode>,
): Parameters<typeof planFeedRows>[0]["duplicates"] =>
  [...seen.values()]
    .filter(({ rows }) => rows.length > 1)
    .map(({ rows, isIdentical }) => ({ rows, identical: isIdentical }));

/**
 * Reads all rows in their order, as the store has them. A row takes only what a sync sends, and no images. A variant
 * without a certain parent stands for itself where it needs nothing of it.
 */
export async function* readFeedRows(
  { sheet, mapping, wholeMapping }: Pick<OpenedFeed, "sheet" | "mapping" | "wholeMapping">,
  onLeftOut?: (row: SourceRow, kind: RowKind) => void,
): AsyncGenerator<SourceRow> {
  const { fold } = createStoreFold(mapping.columns);
  const rows = productRows(sheet, mapping, onLeftOut);
  const taken = createTakenCells(mapping);
  const { readRow } = taken;
  const joiner = createSheetReader(wholeMapping).joinVariants({
    createRowList: createCompactTextMap,
    readRow,
  });
  if (joiner === undefined) {
    for await (const row of rows) yield fold(row);
    return;
  }
  const check = createFeedCheck(sheet, mapping);
  for await (const row of rows) {
    taken.note(fold(row));
    const isWhole = check(row).length === 0;
    for (const joined of await joiner.push({ row, isWhole })) yield taken.keepTaken(fold(joined));
  }
  for (const joined of joiner.finish()) yield taken.keepTaken(fold(joined));
}

/** Whether a row is a parent or has an image only; a lost variant is a product with an error. */
export const isNoProduct = ({ joined }: SourceRow): boolean =>
  joined?.role === "parent" || joined?.role === "image";

/** The cells that a sync takes from other rows of a product. */
interface TakenCells {
  note(row: SourceRow): void;
  /** Returns the cells of a noted row that other rows may take. */
  readonly readRow: (row: number) => Promise<SourceRow>;
  /** The row without what a sync does not take. */
  keepTaken(row: SourceRow): SourceRow;
}

function createTakenCells(mapping: ColumnMapping): TakenCells {
  const { carried = [], code } = createSheetReader(mapping).variants ?? {};
  const noted = new Map<number, SourceRow>();
  return {
    note(row) {
      if (carried.some((index) => isFilled(row, index))) noted.set(row.row, pick(row, carried));
    },
    readRow: async (row) => noted.get(row) ?? { row, cells: [] },
    keepTaken(row) {
      const { joined, ...own } = row;
      if (joined === undefined) return row;
      const needsNothing = [...carried, ...(code === undefined ? [] : [code])].every((index) =>
        isFilled(row, index),
      );
      if (joined.role === "lost" && needsNothing) return own;
      const { images: _, cells = {}, ...place } = joined;
      const kept = carried.flatMap((index) => {
        const cell = cells[index];
        return cell === undefined ? [] : [[index, cell] as const];
      });
      return { ...own, joined: { ...place, cells: Object.fromEntries(kept) } };
    },
  };
}

/** The row with these cells only. */
const pick = (
  { row, cells, traits, formats, folded }: SourceRow,
  kept: readonly number[],
): SourceRow => ({
  row,
  cells: Array.from(cells, (cell, index) => (kept.includes(index) ? cell : null)),
  ...(traits === undefined ? undefined : { traits }),
  ...(formats === undefined ? undefined : { formats }),
  ...(folded === undefined ? undefined : { folded }),
});

/** Signs that several rows of a feed give together. */
interface ShiftSigns {
  note(row: SourceRow): void;
  /** The signs, in words for people. */
  found(): readonly Localized[];
}

/** Products whose names are numbers, below which it may be chance. */
const MIN_NAMES = 3;
/** Products that cost more than they are sold for, below which it may be a clearance … */
const MIN_COSTS = 10;
/** … and the share of them, in percent, beyond which it is none. */
const COSTS_PERCENT = 70;

/** Different rates of a tax, beyond which they are numbers of something else. */
const MAX_RATES = 6;

const NUMBER = /^[\d.,\s]+$/u;
const TAX = /^(?:kdv|vat|tax)(?:orani?|yuzde(?:si)?|rate|percent)?$/u;
const COST = /^(?:alis|maliyet|birimmaliyet|cost|unitcost|itemcost|purchase|buying)/u;

/** A column that a person has left out says nothing. */
const isOpen = ({ kind }: OpenedFeed["mapping"]["columns"][number]["target"]): boolean =>
  kind !== "field" && kind !== "unused";

/** Creates the signs of one feed, none of which is found before rows are noted. */
function createShiftSigns({ wholeMapping: { columns } }: OpenedFeed): ShiftSigns {
  const holderOf = (field: string): (typeof columns)[number] | undefined =>
    columns.find(({ target }) => target.kind === "field" && target.field === field);
  const [name, price] = [holderOf("title"), holderOf("price")];
  const cost = columns.find(({ header, target }) => isOpen(target) && COST.test(headerKey(header)));
  const tax = columns.find(({ header, target }) => isOpen(target) && TAX.test(headerKey(header)));
  const rates = new Set<number>();
  const names = { all: 0, numbers: 0 };
  const costs = { all: 0, above: 0 };
  return {
    note(row) {
      if (name !== undefined && isFilled(row, name.index)) {
        names.all += 1;
        if (NUMBER.test(String(row.cells[name.index] ?? ""))) names.numbers += 1;
      }
      const rate = amountOf(row, tax?.index);
      if (rate !== undefined) rates.add(rate);
      const [paid, sold] = [cost, price].map((column) => amountOf(row, column?.index));
      if (paid === undefined || sold === undefined) return;
      costs.all += 1;
      if (paid > sold) costs.above += 1;
    },
    found() {
      const areNumbers = names.all >= MIN_NAMES && names.numbers === names.all;
      const areDear = costs.all >= MIN_COSTS && costs.above > (costs.all * COSTS_PERCENT) / 100;
      return [
        areNumbers ? describeNames(headerOf(name)) : undefined,
        areDear ? describeCosts(headerOf(cost), headerOf(price)) : undefined,
        rates.size > MAX_RATES ? describeRates(headerOf(tax)) : undefined,
      ].filter((sign) => sign !== undefined);
    },
  };
}

const headerOf = (column: { readonly header: string } | undefined): string => column?.header ?? "";

const describeNames = (header: string): Localized => ({
  tr: `“${header}” sütununda ürün adı yerine yalnız sayılar var`,
  en: `the column “${header}” holds numbers only, and no names`,
});

const describeCosts = (cost: string, price: string): Localized => ({
  tr: `“${cost}” sütunu ürünlerin çoğunda “${price}” sütunundan yüksek`,
  en: `the column “${cost}” is above the column “${price}” for most products`,
});

const describeRates = (header: string): Localized => ({
  tr: `“${header}” sütununda vergi oranı olamayacak kadar değişik sayılar var`,
  en: `the column “${header}” holds too many different numbers to be rates of a tax`,
});

const DIGITS = /^\d[\d.,]*$/u;

/** Roughly, as only many of them together are a sign. */
function amountOf({ cells }: SourceRow, index: number | undefined): number | undefined {
  const cell = index === undefined ? undefined : cells[index];
  if (typeof cell === "number") return cell;
  const text = String(cell ?? "")
    .replace(/TL|₺/u, "")
    .trim();
  if (!DIGITS.test(text)) return undefined;
  const at = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
  const isPart = at !== -1 && text.length - at <= 3;
  const [whole, part] = isPart ? [text.slice(0, at), text.slice(at + 1)] : [text, ""];
  return Number(`${whole.replaceAll(/[.,]/gu, "")}.${part}`);
}

/** Products below which an empty column may be chance. */
const MIN_PRODUCTS = 3;

/** All signs of a feed: those of its rows, and columns that its first version leaves empty. */
export function listShiftSigns(
  mapped: Readonly<Record<string, string>>,
  { rows, others, filled, shifted }: FeedScan,
  last: FeedRecord | undefined,
): readonly Localized[] {
  // A column that was empty when the feed was first accepted is reported, and is no longer a reason.
  const isNew = last === undefined && rows - others >= MIN_PRODUCTS;
  const empty = isNew ? Object.entries(mapped) : [];
  return [
    ...shifted,
    ...empty
      .filter(([field]) => filled[field] === 0)
      .map(([, header]) => ({
        tr: `“${header}” sütunu bütün satırlarda boş`,
        en: `the column “${header}” is empty in every row`,
      })),
  ];
}
