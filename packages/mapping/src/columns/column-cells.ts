/** What the cells below the headers say of their columns, from which targets are decided. */

import type { Localized } from "@catalog/i18n";

import {
  type ColumnTarget,
  type FieldKey,
  type HeaderMatch,
  IMAGE_FIELDS,
} from "../fields/fields.ts";
import { findCurrency, type NamedCurrency } from "../fields/other-headers.ts";
import { DEFAULT_ID_PATTERN } from "../names/name-index.ts";
import type { StatedCurrency } from "../platforms/platform-matcher.ts";
import { cellText, type CellValue, columnLetter } from "../source-row.ts";
import { createKeywordReader, VALUE_KEYWORDS } from "../values/keywords.ts";

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
interface ColumnScan {
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

/** The columns of one sheet once every field has its column. */
export interface ColumnFacts {
  readonly headers: readonly string[];
  /** As they stand in the file. */
  readonly shownHeaders: readonly string[];
  readonly matches: readonly HeaderMatch[];
  readonly targets: readonly ColumnTarget[];
  readonly beaten: readonly BeatenColumn[];
  /** Columns that may make up a field together with others. */
  readonly parts: readonly number[];
  /** Columns whose target a person has chosen. */
  readonly chosen: ReadonlySet<number>;
  /** Absent while the cells have not been examined. */
  readonly cells: ReadonlyMap<number, ColumnCells> | undefined;
  readonly constants: ReadonlyMap<FieldKey, string>;
  /** Columns that may hold ids of this marketplace; their cells decide. */
  readonly idColumns: ReadonlySet<number>;
  /** Columns whose cells decide about other columns. */
  readonly deciding: ReadonlyMap<number, Watch>;
  /** The currency that a header states for all prices. */
  readonly statedCurrency: StatedCurrency | undefined;
}

/** The column that gives a field its values; `undefined` where none does. */
export function findHolder({ targets }: ColumnFacts, field: FieldKey): number | undefined {
  const index = targets.findIndex((target) => target.kind === "field" && target.field === field);
  return index < 0 ? undefined : index;
}

/** Whether a column holds anything; true for one that was not examined. */
export function isFilled({ cells }: ColumnFacts, index: number): boolean {
  return cells?.get(index)?.filled !== 0;
}

const MAX_SAMPLE_LENGTH = 30;

const shorten = (text: string): string =>
  text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH - 1)}…`;

/** Where a column is, with the first values in it: `C: 12,50 · 13,00`. */
export function describeCells({ cells }: ColumnFacts, index: number): Localized {
  const letter = columnLetter(index);
  const known = cells?.get(index);
  if (known === undefined) return { tr: letter, en: letter };
  if (known.filled === 0) return { tr: `${letter}: boş`, en: `${letter}: empty` };
  const samples = known.samples.map((text) => shorten(text)).join(" · ");
  return { tr: `${letter}: ${samples}`, en: `${letter}: ${samples}` };
}

/** A column by its header, where it is and what it holds: `“Fiyat” (C: 12,50)`. */
export function describeColumn(facts: ColumnFacts, index: number): Localized {
  const header = facts.shownHeaders[index] ?? "";
  const { tr, en } = describeCells(facts, index);
  return { tr: `“${header}” (${tr})`, en: `“${header}” (${en})` };
}

/** Whether a column holds images, one or several. */
export const isImageMatch = (match: HeaderMatch | undefined): boolean =>
  match?.target.kind === "field" && match.target.field.startsWith("image");

/**
 * Gives columns with one header the numbers that no other column has, in their order. A column
 * beyond the last number stays unknown.
 */
export function numberImageColumns(
  matches: readonly HeaderMatch[],
  headers: readonly string[],
): readonly HeaderMatch[] {
  const images = matches.flatMap((match, index) => (isImageMatch(match) ? [index] : []));
  const repeated = images.filter((index) =>
    images.some((other) => other !== index && headers[other] === headers[index]),
  );
  if (repeated.length === 0) return matches;
  const taken = new Set(
    images.filter((index) => !repeated.includes(index)).map((index) => fieldOf(matches[index])),
  );
  const free = IMAGE_FIELDS.filter((field) => !taken.has(field));
  const numbers = new Map(repeated.map((index, place) => [index, free[place]]));
  return matches.map((match, index): HeaderMatch => {
    if (!numbers.has(index)) return match;
    const field = numbers.get(index);
    return {
      ...match,
      target: field === undefined ? { kind: "unknown" } : { kind: "field", field },
    };
  });
}

const fieldOf = (match: HeaderMatch | undefined): FieldKey | undefined =>
  match?.target.kind === "field" ? match.target.field : undefined;

/** A column whose field is given by another column of lower rank. */
export interface BeatenColumn {
  readonly index: number;
  readonly winner: number;
}
