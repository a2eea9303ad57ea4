/** Facts about the cells below the headers, from which the target of a column is decided. */

import { DEFAULT_ID_PATTERN } from "../names/name-indexes.ts";
import { type CellValue, cellText } from "../rows/source-row.ts";
import { createKeywordReader } from "../values/keyword-reader.ts";
import { VALUE_KEYWORDS } from "../values/keywords.ts";
import { findCurrency, type NamedCurrency } from "./fields/currency-keywords.ts";

/** The cells of one column. */
export interface ColumnCells {
  /** Number of cells that are not empty. */
  readonly filled: number;
  /** The first distinct texts. */
  readonly samples: readonly string[];
  /** Number of cells that hold a currency and nothing else. */
  readonly currencyCells: number;
  readonly currencies: ReadonlySet<NamedCurrency>;
  /** Number of cells with a placeholder such as `-`. */
  readonly blankWords: number;
  /** Number of cells with a digit; counted only where the texts of a column are watched. */
  readonly numbers: number;
  /** Number of cells that hold a bare number from 1 to 4. */
  readonly smallNumbers: number;
  /** Number of texts with the form of an id; counted only where a column is watched for ids. */
  readonly ids: number;
  /** Number of cells that say what the column is watched for: `no`, or anything else. */
  readonly telling: number;
}

/** Examines the cells of a sheet, row by row. */
export interface ColumnScan {
  /** Examines the cells of one row. */
  observe(cells: readonly CellValue[]): void;
  /** Whether further rows cannot change the result. */
  isComplete(): boolean;
  /** By index of the column. */
  readonly cells: ReadonlyMap<number, ColumnCells>;
}

const MAX_SAMPLES = 3;

/**
 * A column with this many other texts, and no more currencies than that, does not hold currencies.
 */
const ENOUGH_OTHERS = 100;

const BLANK_WORDS: ReadonlySet<string> = new Set(["-", "--", "—", "–", "yok", "n/a", "none"]);

/** No name of a currency is longer or has a digit. */
const MAX_CURRENCY_LENGTH = 24;

const HAS_DIGIT = /\p{N}/u;

const SMALL_NUMBER = /^[1-4]$/u;

type CellCounts = { -readonly [Key in keyof ColumnCells]: ColumnCells[Key] } & {
  readonly samples: string[];
  readonly currencies: Set<NamedCurrency>;
};

/**
 * What is examined of a column: a few samples, whether its texts are currencies, whether any cell
 * is a small number, whether any is an id, or whether any says `no` or anything else; for all but
 * the first two every row is read.
 */
export type Watch = "sample" | "text" | "code" | "id" | "no" | "not-no";

/** Watches the columns with these indexes. */
export function createColumnScan(watched: ReadonlyMap<number, Watch>): ColumnScan {
  const tallies = new Map<number, CellCounts>();
  let open = [...watched].map(([index, watch]) => ({ index, watch, tally: createCellCounts() }));
  for (const { index, tally: counts } of open) tallies.set(index, counts);
  return {
    observe(cells) {
      let hasSettled = false;
      for (const { index, watch, tally: counts } of open) {
        const text = cellText(cells[index]);
        if (text === "") continue;
        note(counts, text, watch);
        if (watch === "id" && isId(cells[index])) counts.ids += 1;
        if (isTelling(text, watch)) counts.telling += 1;
        hasSettled ||= isSettled(counts, watch);
      }
      if (hasSettled) open = open.filter(({ tally: counts, watch }) => !isSettled(counts, watch));
    },
    isComplete: () => open.length === 0,
    cells: tallies,
  };
}

const YES_NO = createKeywordReader(VALUE_KEYWORDS.yes_no);

const isTelling = (text: string, watch: Watch): boolean =>
  (watch === "no" || watch === "not-no") && (YES_NO.find(text) === false) === (watch === "no");

/** A number cell holds no id, and a product would not be found by it. */
const isId = (value: CellValue | undefined): boolean =>
  typeof value === "string" && DEFAULT_ID_PATTERN.test(cellText(value));

const createCellCounts = (): CellCounts => ({
  filled: 0,
  samples: [],
  currencyCells: 0,
  currencies: new Set(),
  blankWords: 0,
  numbers: 0,
  smallNumbers: 0,
  ids: 0,
  telling: 0,
});

function note(counts: CellCounts, text: string, watch: Watch): void {
  counts.filled += 1;
  if (counts.samples.length < MAX_SAMPLES && !counts.samples.includes(text))
    counts.samples.push(text);
  if (SMALL_NUMBER.test(text)) counts.smallNumbers += 1;
  if (watch !== "text") return;
  if (HAS_DIGIT.test(text)) counts.numbers += 1;
  else if (text.length <= MAX_CURRENCY_LENGTH) noteWord(counts, text);
}

function noteWord(counts: CellCounts, text: string): void {
  const currency = findCurrency(text);
  if (currency !== undefined) {
    counts.currencyCells += 1;
    counts.currencies.add(currency);
  } else if (BLANK_WORDS.has(text.toLowerCase())) counts.blankWords += 1;
}

/** Further rows cannot make it a column of currencies, and its small numbers have been seen. */
function isSettled(counts: ColumnCells, watch: Watch): boolean {
  if (watch === "code") return counts.smallNumbers > 0;
  if (watch === "id") return counts.ids > 0;
  if (watch === "no" || watch === "not-no") return counts.telling > 0;
  if (watch === "sample" && counts.samples.length === MAX_SAMPLES) return true;
  const others = counts.filled - counts.currencyCells - counts.blankWords;
  return others >= ENOUGH_OTHERS && counts.currencyCells <= others;
}
