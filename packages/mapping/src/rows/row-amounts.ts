/**
 * Reads what single rows say of price, discount and stock, and writes such values into cells in the
 * way in which they were written before. A value that would not be read back as it is, is not written.
 */

import type { Currency, ProductChanges } from "@catalog/contract";

import type { ColumnMapping } from "../columns/column-mapping.ts";
import type { FieldKey } from "../fields/fields.ts";
import { createIssue, type Issue, type Reading } from "../issues/issue.ts";
import type { ValueRules } from "../names/value-rules.ts";
import { findPlatform } from "../platforms/platform-matcher.ts";
import { type CellValue, columnLetter, type SourceRow } from "../source-row.ts";
import { formatMoney, isNoPrice, splitCurrency } from "../values/money.ts";
import type { NumberNotations } from "../values/notation.ts";
import {
  type ColumnNotation,
  type DecimalSign,
  readShape,
  UNKNOWN_NOTATION,
} from "../values/numbers.ts";
import { readMoneyCell, readRateCell, readStockCell } from "../values/shown-cells.ts";
import { createValueReaders } from "../values/value-readers.ts";
import { type Cell, createLayout, type Layout } from "./layout.ts";
import { applyPricing, notationOf } from "./pricing.ts";
import { createRowWork, type RowWork } from "./row-work.ts";
import { applyStock } from "./simple-values.ts";
import { createStoreFold } from "./store-fold.ts";

/** What a number in a cell is: minor units of a currency, pieces, or whole percent. */
export type AmountKind = "money" | "count" | "rate";

/** Fields whose cells hold amounts. */
type AmountField = "price" | "list_price" | "discount_value" | "stock";

/** A cell of such a field. */
export interface AmountCell {
  readonly column: number;
  readonly field: AmountField;
  readonly kind: AmountKind;
  /** `undefined` where the cell is empty, or cannot be read, as `issue` says. */
  readonly amount: number | undefined;
  readonly issue: Issue | undefined;
  /** Whether it says that there is no such price: `0` or `-`. */
  readonly isNone: boolean;
}

/** What a row says of its price, its discount and its stock. */
export interface RowAmounts {
  /** Only values that the row gives and that are valid. */
  readonly changes: Pick<
    ProductChanges,
    "price" | "currency" | "has_discount" | "discount_type" | "discount_value" | "stock_count"
  >;
  /** The cells of all amounts, in the order of the columns. */
  readonly cells: readonly AmountCell[];
  readonly issues: readonly Issue[];
}

/** An amount for a cell. */
export interface WrittenAmount {
  readonly kind: AmountKind;
  /** Minor units, pieces or percent. */
  readonly value: number;
}

/** Reads and writes the amounts of one sheet. */
export interface AmountReader {
  /** Indexes of the columns with amounts, or with what says of which kind they are. */
  readonly columns: ReadonlySet<number>;
  read(row: SourceRow): RowAmounts;
  /** Reads an amount of any column, whose notation is known where it is one of numbers. */
  readAt(row: SourceRow, column: number, kind: AmountKind): Reading<number>;
  /**
   * The cell with another amount: a number cell stays one, a text keeps its currency and its signs;
   * `sign` is for a file that shows none. `undefined` where no way of writing is read
   * back as this amount.
   */
  write(
    row: SourceRow,
    column: number,
    amount: WrittenAmount,
    sign: DecimalSign,
  ): string | number | undefined;
}

const READ: ReadonlySet<FieldKey> = new Set([
  "currency",
  "price",
  "list_price",
  "discount_type",
  "discount_value",
  "stock",
]);

const AMOUNTS: ReadonlySet<string> = new Set(["price", "list_price", "discount_value", "stock"]);

const isAmountField = (field: string): field is AmountField => AMOUNTS.has(field);

interface AmountReaderOptions {
  readonly mapping: ColumnMapping;
  readonly notations: NumberNotations;
  /** A person's rules for texts. @default none */
  readonly rules?: ValueRules | undefined;
  readonly nowMs?: number | undefined;
}

/** Creates the reader; lists of names are not needed. */
export function createAmountReader(options: AmountReaderOptions): AmountReader {
  const { mapping, notations, rules, nowMs } = options;
  const whole = createLayout("", mapping, rules);
  const fields = whole.fields.filter(({ field }) => READ.has(field));
  const layout = { ...whole, fields, properties: [] };
  const indexes = new Set(fields.map(({ column }) => column.index));
  const { fold } = createStoreFold(mapping.columns);
  const readers = createValueReaders(
    mapping.platform && findPlatform(mapping.platform.name)?.words,
  );
  const notation = (column: number): ColumnNotation =>
    notations.columns.get(mapping.columns[column]?.only?.over ?? column) ?? UNKNOWN_NOTATION;
  // A column without a sign is written as another one of the file is.
  const signs = [...notations.columns.values()].map(({ decimal }) => decimal);
  const usual = notations.decimal ?? signs.find((decimal) => decimal !== undefined);
  return {
    columns: new Set(
      mapping.columns
        .filter(({ index, only }) => indexes.has(only?.over ?? index))
        .map(({ index }) => index),
    ),
    read(row) {
      const work = createRowWork(layout, fold(row));
      const type = work.cells.get("discount_type");
      const stated = type === undefined ? undefined : readers.discountType.find(type.text);
      applyPricing(work, { notations, readers, nowMs });
      applyStock(work, notations);
      return {
        changes: work.changes,
        cells: listCells(work, notations, stated),
        issues: work.issues(),
      };
    },
    readAt: ({ cells, formats }, column, kind) =>
      readNumber({ value: cells[column] ?? null, format: formats?.[column] }, kind, {
        layout,
        notation: notation(column),
      }),
    write({ cells, formats }, column, amount, sign) {
      const cell = { value: cells[column] ?? null, format: formats?.[column] };
      const how = { layout, notation: notation(column) };
      const own = how.notation.decimal ?? usual;
      return writeNumber(cell, amount, {
        ...how,
        sign: own ?? sign,
        isSignKnown: own !== undefined,
      });
    },
  };
}

function listCells(
  work: RowWork,
  notations: NumberNotations,
  discountType: number | undefined,
): readonly AmountCell[] {
  const { layout, cells, further } = work;
  const readable = new Map([...cells.values(), ...further].map((cell) => [cell.index, cell]));
  return layout.fields.flatMap(({ column: { index }, field }): readonly AmountCell[] => {
    const cell = readable.get(index);
    if (!isAmountField(field)) return [];
    const kind = kindOf(field, layout.headerDiscounts.get(index) ?? discountType);
    const place = work.source.folded?.places[index] ?? index;
    const at = { column: place, field, kind };
    if (cell === undefined) {
      const issue = work.issues().find((each) => isAt(each, place));
      return [{ ...at, amount: undefined, issue, isNone: false }];
    }
    return [{ ...at, ...readCell(cell, kind, { layout, notation: notationOf(cell, notations) }) }];
  });
}

const isAt = ({ cell }: Issue, index: number): boolean =>
  /^[A-Z]*/u.exec(cell)?.[0] === columnLetter(index);

/** A discount is in percent where its header says so, or the row. */
function kindOf(field: AmountField, discountType: number | undefined): AmountKind {
  if (field === "stock") return "count";
  return field === "discount_value" && discountType === 2 ? "rate" : "money";
}

interface NumberHow {
  readonly layout: Layout;
  readonly notation: ColumnNotation;
}

function readCell(
  cell: Cell,
  kind: AmountKind,
  how: NumberHow,
): Pick<AmountCell, "amount" | "issue" | "isNone"> {
  const isNone = kind !== "count" && isNoPrice(cell.value, cell.text);
  const reading = readNumber(cell, kind, how);
  return reading.ok
    ? { amount: reading.value, issue: undefined, isNone }
    : { amount: undefined, issue: createIssue(reading.problem, cell.location), isNone };
}

interface OwnCell {
  readonly value: CellValue;
  readonly format: string | undefined;
}

function readNumber(
  cell: OwnCell & Partial<Pick<Cell, "trait">>,
  kind: AmountKind,
  { layout: { displays }, notation }: NumberHow,
): Reading<number> {
  const how = { displays, notation };
  if (kind === "count") return readStockCell(cell, how);
  if (kind === "rate") return readRateCell(cell, how);
  const reading = readMoneyCell(cell, how);
  return reading.ok ? { ok: true, value: reading.value.minor } : reading;
}

const PERCENT = 100;

function writeNumber(
  cell: OwnCell,
  amount: WrittenAmount,
  how: NumberHow & { readonly sign: DecimalSign; readonly isSignKnown: boolean },
): string | number | undefined {
  const { kind, value } = amount;
  const { value: before, format } = cell;
  const isRead = (written: string | number): boolean => {
    const isNumber = typeof written === "number";
    const reading = readNumber(
      { value: written, format: isNumber ? format : undefined },
      kind,
      how,
    );
    return reading.ok && reading.value === value;
  };
  const number = kind === "money" ? value / PERCENT : value;
  const texts = writeTexts(before, amount, how.sign);
  if (typeof before === "number") {
    const isPlain = format === undefined || isWithoutCurrency(cell, how);
    return [number, number / PERCENT, ...(isPlain ? texts : [])].find(isRead);
  }
  // A number is read the same in every notation, but it cannot name a currency.
  if (before === null && !how.isSignKnown) return [number, ...texts].find(isRead);
  return [...texts, ...(currencyOf(before) === undefined ? [number] : [])].find(isRead);
}

/** A text in place of a number cell has no format, which may have named the currency. */
function isWithoutCurrency(cell: OwnCell, { layout: { displays }, notation }: NumberHow): boolean {
  const reading = readMoneyCell(cell, { displays, notation });
  return reading.ok && reading.value.currency === undefined;
}

function currencyOf(value: CellValue): Currency | undefined {
  if (typeof value !== "string") return undefined;
  return splitCurrency(value.trim())?.currency;
}

/** The digits of a number with everything between them. */
const DIGITS = /\d(?:[\d.,\s]*\d)?/u;
const GROUPED = /\d[.,\s]\d{3}(?!\d)/u;

/** The text with the new number in place of its own, then the number alone. */
function writeTexts(
  before: CellValue,
  { kind, value }: WrittenAmount,
  sign: DecimalSign,
): readonly string[] {
  const text = typeof before === "string" ? before : "";
  if (kind === "count") return [String(value)];
  const own = DIGITS.exec(text)?.[0] ?? "";
  const [number, plain] =
    kind === "rate" ? [String(value), String(value)] : writeMoney(value, own, sign);
  return own === "" ? [plain] : [text.replace(DIGITS, () => number), plain];
}

/** The amount in the way of another one, and without marks of thousands. */
function writeMoney(minor: number, own: string, sign: DecimalSign): readonly [string, string] {
  const shape = readShape(own);
  const used = shape === "comma" || shape === "point" ? shape : sign;
  const grouped = formatMoney(minor, used);
  const plain = grouped.replaceAll(used === "comma" ? "." : ",", "");
  const isWhole = minor % PERCENT === 0 && /^\d+$/u.test(own);
  if (isWhole) return [String(minor / PERCENT), plain];
  return [GROUPED.test(own) ? grouped : plain, plain];
}
