/** First reading of a feed: number of rows, notation of numbers, and duplicate codes. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import { createLeftOutRows, readRememberedNotations } from "@catalog/importer";
import {
  isFilled,
  type NumberNotations,
  type SourceRow,
  createSheetReader,
} from "@catalog/mapping";
import { type DuplicateCode, type RunWarning, toSameCode } from "@catalog/runs";

import { isNoProduct, readFeedRows } from "./file/feed-rows.ts";
import { EXPECTED_FIELDS, type FeedReading, type OpenedFeed } from "./file/open-feed.ts";
import { createShiftSigns } from "./shift-signs.ts";

export interface FeedScan {
  readonly rows: number;
  /** Rows of these that are no products themselves: parents of variants, and images. */
  readonly others: number;
  readonly notations: NumberNotations;
  /** Columns whose numbers can be read in two ways, and nothing tells which. */
  readonly unclear: ReadonlySet<number>;
  /**
   * All rows with the same code by row, for rows that repeat an earlier one or contradict others.
   */
  readonly sameCode: ReadonlyMap<number, readonly number[]>;
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
  let rows = 0;
  let others = 0;
  let lastCells = 0;
  for await (const row of readFeedRows(feed, (other, kind) => left.noteLeftOut(other, kind))) {
    signal?.throwIfAborted();
    rows += 1;
    if (isNoProduct(row)) others += 1;
    else {
      cells.note(row);
      signs.note(row);
    }
    lastCells = row.cells.length;
    observer.observe(row);
    const code = reader.isSent(row) ? reader.codes.read(row) : undefined;
    if (code !== undefined) noteCode(seen, code.codeKey, row);
  }
  const decided = observer.decide();
  const { notations } = await readRememberedNotations({ notes, baseUrl }, mapping, decided);
  const isOpen = (index: number): boolean => notations.columns.get(index)?.decimal === undefined;
  const unclear = new Set([...(decided.unclear?.keys() ?? [])].filter(isOpen));
  const sameCode = toSameCode(toDuplicates(seen));
  const endsShort = lastCells < sheet.header.cells.length;
  const filled = cells.filled();
  const leftOut = left.warnings();
  const shifted = signs.found();
  return { rows, others, notations, unclear, sameCode, endsShort, filled, shifted, leftOut };
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
const toDuplicates = (seen: ReadonlyMap<string, SeenCode>): readonly DuplicateCode[] =>
  [...seen.values()]
    .filter(({ rows }) => rows.length > 1)
    .map(({ rows, isIdentical }) => ({ rows, identical: isIdentical }));
