/** Decides from all cells of a column which decimal sign its numbers have. */

import type { ColumnMapping } from "../columns/column-mapping.ts";
import type { FieldKey } from "../fields/fields.ts";
import type { CellValue, SourceRow } from "../source-row.ts";
import { trimText } from "../text-keys.ts";
import { splitCurrency } from "./money.ts";
import {
  type ColumnNotation,
  type DecimalSign,
  readNumberText,
  readShape,
  readSimpleNumber,
  trimPercent,
  UNKNOWN_NOTATION,
} from "./numbers.ts";

/** How the numbers of a sheet are written, column by column. */
export interface NumberNotations {
  /** The sign that the user named, for columns whose cells can be read in two ways. */
  readonly decimal: DecimalSign | undefined;
  /** By column index; only columns of numbers are listed. */
  readonly columns: ReadonlyMap<number, ColumnNotation>;
  /**
   * Columns with numbers that can be read in two ways and no cell that tells which. @default none
   */
  readonly unclear?: ReadonlyMap<number, UnclearNumbers> | undefined;
}

/** The numbers of a column that can be read in two ways. */
export interface UnclearNumbers {
  /** Signs that stand in such numbers. */
  readonly signs: ReadonlySet<DecimalSign>;
  readonly cells: number;
  /** The text of the first one, and what it is with each decimal sign. */
  readonly example: string;
  readonly readings: Readonly<Record<DecimalSign, number>>;
}

/** Collects evidence about the decimal signs of a sheet; needs a pass over all rows. */
export interface NotationObserver {
  /** Counts what the cells of a row say about the signs of their columns. */
  observe(row: SourceRow): void;
  /** The sign of each column, from all rows that were observed. */
  decide(): NumberNotations;
}

const NUMBER_FIELDS: ReadonlySet<FieldKey> = new Set([
  "price",
  "list_price",
  "discount_value",
  "stock",
]);

/**
 * Decides the decimal sign of each column from all its cells. Number cells give no evidence and
 * need none. Where a column has evidence for both, the more frequent sign wins; with equal counts
 * the sign stays unknown.
 */
export function createNotationObserver(
  mapping: ColumnMapping,
  options: NotationObserverOptions = {},
): NotationObserver {
  const { decimal, nameCell = (row, letter) => `${letter}${row}` } = options;
  const counts = new Map<number, SignCount>();
  for (const { index, letter, target } of mapping.columns) {
    if (target.kind !== "field" || !NUMBER_FIELDS.has(target.field)) continue;
    counts.set(index, { letter, comma: 0, point: 0, first: {}, open: new Set(), cells: 0 });
  }

  return {
    observe(row) {
      for (const [index, count] of counts) {
        const value = row.cells[index];
        if (typeof value !== "string") continue;
        const shape = readSimpleNumber(value)?.shape ?? readShape(numberPart(value));
        if (shape === "ambiguous") {
          count.open.add(value.includes(",") ? "comma" : "point");
          count.cells += 1;
          count.example ??= trimText(value);
        }
        if (shape !== "comma" && shape !== "point") continue;
        count[shape] += 1;
        count.first[shape] ??= `${nameCell(row.row, count.letter)} “${trimText(value)}”`;
      }
    },
    decide() {
      const columns = new Map<number, ColumnNotation>();
      for (const [index, count] of counts) columns.set(index, weigh(count, decimal));
      const unclear = [...counts].flatMap(([index, count]) => {
        const numbers = toUnclear(count);
        return numbers === undefined ? [] : [[index, numbers] as const];
      });
      const isOpen = decimal === undefined && unclear.length > 0;
      return { decimal, columns, ...(isOpen && { unclear: new Map(unclear) }) };
    },
  };
}

export interface NotationObserverOptions {
  /** The sign that the user named. */
  readonly decimal?: DecimalSign | undefined;
  /** Names a cell for people. @default `H4` */
  readonly nameCell?: ((row: number, letter: string) => string) | undefined;
}

/** How many cells of a column give evidence for each sign, and the first of them. */
interface SignCount {
  readonly letter: string;
  comma: number;
  point: number;
  readonly first: { comma?: string; point?: string };
  /** Signs of numbers that can be read in two ways. */
  readonly open: Set<DecimalSign>;
  /** Number of them, and the first one. */
  cells: number;
  example?: string;
}

function toUnclear({ comma, point, open, cells, example }: SignCount): UnclearNumbers | undefined {
  if (example === undefined || comma + point > 0) return undefined;
  const read = (decimal: DecimalSign): number => {
    const reading = readNumberText(numberPart(example), { decimal, isMixed: false });
    return reading.ok ? reading.value.amount.toNumber() : Number.NaN;
  };
  const readings = { comma: read("comma"), point: read("point") };
  return { signs: open, cells, example, readings };
}

function numberPart(value: string): string {
  const text = trimPercent(trimText(value));
  return (splitCurrency(text)?.number ?? text).replace(/^[-\u2212]\s*/u, "");
}

/**
 * The number that a cell stands for, such as `1.299,90 TL`, as far as one can order cells by it: an
 * amount that can be read in two ways counts as one with a decimal comma. `undefined` for a text that
 * is no number, and for any text of a column of no numbers.
 */
export function readNumberCell(
  value: CellValue,
  notation: ColumnNotation | undefined,
): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || notation === undefined) return undefined;
  const part = numberPart(value);
  const shape = readShape(part);
  const decimal = shape === "comma" || shape === "point" ? shape : (notation.decimal ?? "comma");
  const reading = readNumberText(part, { decimal, isMixed: false });
  if (!reading.ok) return undefined;
  const amount = reading.value.amount.toNumber();
  return /^[-\u2212]/u.test(trimText(value)) ? -amount : amount;
}

function weigh(
  { comma, point, first, open }: SignCount,
  asked: DecimalSign | undefined,
): ColumnNotation {
  // The answer may be about another column: numbers that can be read in one way need none.
  const isClear = comma + point > 0 && (comma === 0 || point === 0) && open.size === 0;
  if (asked !== undefined && !isClear) return { decimal: asked, isMixed: false };
  if (comma + point === 0) return UNKNOWN_NOTATION;
  if (first.comma === undefined || first.point === undefined)
    return { decimal: comma > point ? "comma" : "point", isMixed: false };
  const seen = { comma: first.comma, point: first.point };
  if (comma === point) return { ...UNKNOWN_NOTATION, isMixed: true, seen };
  return { decimal: comma > point ? "comma" : "point", isMixed: true, seen };
}
