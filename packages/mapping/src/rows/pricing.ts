/** Reads price, list price, discount and the period of a sale, which depend on each other. */

import { type Currency, type DiscountType, type PriceMinor, priceMinor } from "@catalog/contract";
import { formatDateTime, type Localized } from "@catalog/i18n";

import type { ColumnMapping } from "../columns/column-mapping.ts";
import type { FieldKey } from "../fields/fields.ts";
import { findCurrencyInHeader } from "../fields/other-headers.ts";
import { type Reading, refuse } from "../issues/issue.ts";
import { cellText, type SourceRow } from "../source-row.ts";
import { headerKey } from "../text-keys.ts";
import { formatMoney, isNoPrice, type Money, parseMoney } from "../values/money.ts";
import type { NumberNotations } from "../values/notation.ts";
import { type ColumnNotation, UNKNOWN_NOTATION } from "../values/numbers.ts";
import { type CellMoney, readMoneyCell, readRateCell } from "../values/shown-cells.ts";
import { readTimes, type ValueReaders } from "../values/value-readers.ts";
import {
  type Cell,
  fieldLocation,
  locationOf,
  NO_COLUMN,
  PLAIN_CELL,
  type RowColumns,
} from "./layout.ts";
import { type MappedRow, cellAt, readWord, type RowWork } from "./row-work.ts";

/** Whether the reduced price is what the buyer pays now; `unclear` has been reported. */
type SaleState = "valid" | "over" | "future" | "unclear";

/** Compares the dates of a row with now, and says so at the cell of the reduced price. */
function readSaleState(work: RowWork, sale: Cell, nowMs: number | undefined): SaleState {
  const given = readDates(work, work.layout.says.salePeriod);
  if (given.length === 0) return "valid";
  const verdicts = new Set(given.map(({ times, edge }) => judge(times, edge, nowMs)));
  if (verdicts.has(undefined)) {
    const unread = given.find(({ times, edge }) => judge(times, edge, nowMs) === undefined);
    if (unread !== undefined) work.report({ text: "E_SALE_DATE" }, unread.cell);
    return "unclear";
  }
  const end = given.find(({ edge }) => edge === "end");
  const start = given.find(({ edge }) => edge === "start");
  if (verdicts.has("over")) return warn(work, sale, { state: "over", date: end });
  if (verdicts.has("future")) return warn(work, sale, { state: "future", date: start });
  return warn(work, sale, { state: "valid", date: end });
}

interface GivenDate {
  readonly edge: "start" | "end";
  readonly cell: Cell;
  /** Every time that the text can mean; none where it is no date. */
  readonly times: readonly number[];
}

const WARNINGS = {
  over: "W_SALE_PERIOD.over",
  future: "W_SALE_PERIOD.future",
  valid: "W_SALE_PERIOD",
} as const;

function warn(
  work: RowWork,
  sale: Cell,
  { state, date }: { readonly state: keyof typeof WARNINGS; readonly date: GivenDate | undefined },
): SaleState {
  const [atMs] = date?.times ?? [];
  if (atMs !== undefined)
    work.warn({ text: WARNINGS[state], params: { date: showDay(atMs) } }, sale);
  return state;
}

const showDay = (atMs: number): Localized => ({
  tr: formatDateTime(atMs, "tr", { dateStyle: "short" }),
  en: formatDateTime(atMs, "en", { dateStyle: "short" }),
});

/** `undefined` where the readings of a date do not agree, or there is none. */
function judge(
  times: readonly number[],
  edge: GivenDate["edge"],
  nowMs: number | undefined,
): "valid" | "over" | "future" | undefined {
  if (nowMs === undefined || times.length === 0) return undefined;
  const isPast = times.map((atMs) => atMs < nowMs);
  if (isPast.some((past) => past !== isPast[0])) return undefined;
  if (edge === "start") return isPast[0] === true ? "valid" : "future";
  return isPast[0] === true ? "over" : "valid";
}

function readDates(
  work: RowWork,
  { starts, ends, spans }: RowColumns["salePeriod"],
): readonly GivenDate[] {
  const span = dateCell(work, spans);
  const [from = "", to = ""] = span?.text.split("/") ?? [];
  const given = [
    { edge: "start", cell: dateCell(work, starts) },
    { edge: "end", cell: dateCell(work, ends) },
    { edge: "start", cell: span, text: from.trim() },
    { edge: "end", cell: span, text: to.trim() },
  ] as const;
  return given.flatMap(({ edge, cell, ...own }) => {
    const text = "text" in own ? own.text : cell?.text;
    if (cell === undefined || text === undefined || NO_DATE.test(text)) return [];
    return [{ edge, cell, times: toTimes(text, edge) }];
  });
}

/** Some shops write a date of zeros for none. */
const NO_DATE = /^(?:0000-00-00(?:[T ][0:.]+)?)?$/u;

function dateCell({ layout, source, row }: RowWork, index: number | undefined): Cell | undefined {
  const column = index === undefined ? undefined : layout.mapping.columns[index];
  if (index === undefined || column === undefined) return undefined;
  const text = cellText(cellAt(source, index).value);
  if (text === "") return undefined;
  const location = { ...locationOf(layout, column, row), value: text };
  return { ...PLAIN_CELL, field: "discount_value", index, location, value: text, text };
}

const DAY_MS = 86_400_000;

/** The last day counts whole. */
const toTimes = (text: string, edge: GivenDate["edge"]): readonly number[] =>
  readTimes(text).map(({ atMs, isDay }) => (edge === "end" && isDay ? atMs + DAY_MS - 1 : atMs));

/** Inputs of the number rules besides the row. */
interface PricingContext {
  readonly notations: NumberNotations;
  readonly readers: ValueReaders;
  /** Now, in milliseconds since 1970. @default a reduced price that has dates is refused */
  readonly nowMs?: number | undefined;
}

/** The notation of a cell; a constant has the notation that the user named. */
export function notationOf(cell: Cell, notations: NumberNotations): ColumnNotation {
  if (cell.index === NO_COLUMN) return { ...UNKNOWN_NOTATION, decimal: notations.decimal };
  return notations.columns.get(cell.index) ?? UNKNOWN_NOTATION;
}

/** Reads the amounts of one row, all in one currency. */
type MoneyReader = (field: FieldKey, cell?: Cell) => PriceMinor | undefined;

/** Writes currency, price and discount into the changes. */
export function applyPricing(work: RowWork, context: PricingContext): void {
  if (refuseWithoutTax(work, context.readers)) return;
  const currency = readCurrency(work, context.readers);
  const money = createMoneyReader(work, context, currency);
  const price = withSurcharge(work, money);
  if (price !== undefined) work.changes.price = price;
  const listCell = work.cells.get("list_price");
  const hasNoList = listCell !== undefined && isNoPrice(listCell.value, listCell.text);
  if (!hasNoList) applyListPrice(work, { price, list: money("list_price") });
  applyDiscount(work, { money, context, price, hasNoList });
}

/** The price and what a variant costs more than its product; `undefined` where either is unclear. */
function withSurcharge(work: RowWork, money: MoneyReader): PriceMinor | undefined {
  const price = money("price");
  const { surcharge } = work.layout.says;
  const column = surcharge === undefined ? undefined : work.layout.mapping.columns[surcharge];
  const base = work.cells.get("price");
  if (column === undefined || base === undefined || price === undefined) return price;
  const value = cellAt(work.source, column.index).value ?? "";
  const text = cellText(value);
  if (text === "" || isNoPrice(value, text)) return price;
  const location = { ...locationOf(work.layout, column, work.row), value: text };
  // It is written like the price, by whose column its notation is known.
  const more = money("price", {
    ...PLAIN_CELL,
    field: "price",
    index: base.index,
    location,
    value,
    text,
  });
  return more === undefined ? undefined : priceMinor.parse(price + more);
}

const MONEY: readonly FieldKey[] = ["price", "list_price", "discount_value"];

/** Refuses prices to which a tax is added where the row comes from. */
function refuseWithoutTax(work: RowWork, { yesNo }: ValueReaders): boolean {
  const { taxIncluded, taxRate } = work.layout.says;
  const priced = MONEY.map((field) => work.cells.get(field)).find((cell) => cell !== undefined);
  if (taxIncluded === undefined || priced === undefined) return false;
  const said = cellText(cellAt(work.source, taxIncluded).value);
  if (yesNo.find(said) !== false && !/haric|exclu/u.test(headerKey(said))) return false;
  const rate = taxRate === undefined ? undefined : cellAt(work.source, taxRate).value;
  if (rate !== undefined && rate !== null && isNoPrice(rate, cellText(rate))) return false;
  const other = work.layout.mapping.columns[taxIncluded]?.header ?? "";
  work.report({ text: "E_PRICE_TAX", params: { other, said } }, priced);
  return true;
}

/** `unclear` keeps a wrong currency cell from being reported again at every amount. */
type RowCurrency = Currency | "unclear" | undefined;

function readCurrency(work: RowWork, readers: ValueReaders): RowCurrency {
  const given = work.given.has("currency");
  const cell = work.cells.get("currency") ?? (given ? undefined : parentCurrency(work));
  if (cell === undefined) return given ? "unclear" : undefined;
  const currency = work.take(readWord(cell, readers.currency), cell);
  if (currency !== undefined) work.changes.currency = currency;
  return currency ?? "unclear";
}

/** The cell with the currency of the whole product, for a row whose own is empty. */
function parentCurrency({ layout, source, row }: RowWork): Cell | undefined {
  const { parentCurrency: index, columns } = layout.mapping;
  const column = index === undefined ? undefined : columns[index];
  const text = column === undefined ? "" : cellText(cellAt(source, column.index).value);
  if (column === undefined || text === "") return undefined;
  const location = { ...locationOf(layout, column, row), value: text };
  return {
    ...PLAIN_CELL,
    field: "currency",
    index: column.index,
    location,
    value: text,
    text,
  };
}

/** Currency of a row that names none (section Products, add). */
const DEFAULT_CURRENCY: Currency = "TL";

function createMoneyReader(
  work: RowWork,
  context: PricingContext,
  stated: RowCurrency,
): MoneyReader {
  let currency = stated;
  const agree = (money: CellMoney): Reading<CellMoney> => {
    if (money.currency === undefined || currency === "unclear") return { ok: true, value: money };
    // A number format may be a default of the spreadsheet program; only a currency in the cell's
    // text is deliberate.
    currency ??= money.shown === undefined ? money.currency : DEFAULT_CURRENCY;
    if (money.shown === undefined) work.changes.currency = currency;
    return currency === money.currency
      ? { ok: true, value: money }
      : refuseCurrency(money, currency);
  };
  return (field, cell = work.cells.get(field)) => {
    if (cell === undefined) return undefined;
    const notation = notationOf(cell, context.notations);
    const reading = readMoneyCell(cell, { displays: work.layout.displays, notation });
    return work.take(reading.ok ? agree(reading.value) : reading, cell)?.minor;
  };
}

const refuseCurrency = ({ shown }: CellMoney, currency: Currency): Reading<never> =>
  shown === undefined
    ? refuse("E_PRICE_CURRENCY", { currency })
    : refuse("E_PRICE_CURRENCY.shown", { shown, currency });

interface Prices {
  readonly price: PriceMinor | undefined;
  readonly list: PriceMinor | undefined;
}

/** Sends the list price as the price, and the price as the discounted price. */
function applyListPrice(work: RowWork, { price, list }: Prices): void {
  const cell = work.cells.get("list_price");
  if (cell === undefined || list === undefined) return;
  if (price === undefined) {
    if (!work.given.has("price")) work.report({ text: "E_DISCOUNT.list-needs-price" }, cell);
  } else if (list === price) {
    // Panels fill in both columns; equal prices mean that there is no discount.
    work.changes.has_discount = false;
  } else if (list < price) {
    const params = { list: showMoney(list), price: showMoney(price) };
    work.report({ text: "E_DISCOUNT.list-not-above", params }, cell);
  } else {
    setDiscount(work, 3, price);
    work.changes.price = list;
  }
}

interface DiscountInputs {
  readonly money: MoneyReader;
  readonly context: PricingContext;
  readonly price: PriceMinor | undefined;
  /** Whether the row says that there is no list price. */
  readonly hasNoList: boolean;
}

function applyDiscount(work: RowWork, inputs: DiscountInputs): void {
  const cell = findDiscount(work);
  const type = readType(work, cell, inputs.context.readers);
  if (hasListPrice(work) && !inputs.hasNoList) {
    const typeCell = type === 3 ? undefined : work.cells.get("discount_type");
    reportSecondDiscount(work, cell ?? typeCell);
  } else if (cell !== undefined) {
    // Clearing the type removes the meaning of the value, whatever the header says.
    const meant = work.clears.has("discount_type") ? undefined : type;
    applyInPeriod(work, cell, { ...inputs, type: meant });
  } else if (isCleared(work)) {
    work.changes.has_discount = false;
  } else {
    applyNone(work, inputs);
    if (type !== "unclear") reportWithoutValue(work);
  }
}

const hasListPrice = ({ given, clears }: RowWork): boolean =>
  given.has("list_price") && !clears.has("list_price");

/** Ends the discount of a row whose list price or discounted price says that there is none. */
function applyNone(work: RowWork, { hasNoList, price }: DiscountInputs): void {
  const hasNone = hasNoList || work.cells.has("discount_value");
  // Without its price a row does not say what the buyer pays.
  if (hasNone && price !== undefined) work.changes.has_discount = false;
}

/**
 * The cell of the discount; `undefined` where each of them says that there is none. A row with two
 * is reported.
 */
function findDiscount(work: RowWork): Cell | undefined {
  const { cells, further, given, layout } = work;
  // A person who fills in the type means a discount, so that a 0 beside it is a mistake.
  const takesNone = layout.mapping.platform !== undefined || !given.has("discount_type");
  const [first, second] = [cells.get("discount_value"), ...further].filter(
    (cell) => cell?.field === "discount_value" && !(takesNone && isNoPrice(cell.value, cell.text)),
  );
  if (second !== undefined) work.report({ text: "E_DISCOUNT.two-ways" }, second);
  return first;
}

/**
 * Reports a second discount: a list price above the price is one already, and clearing the discount
 * beside it contradicts it.
 */
function reportSecondDiscount(work: RowWork, second: Cell | undefined): void {
  const contradicts = isCleared(work) && work.changes.has_discount === true;
  const at = contradicts ? (second ?? work.cells.get("list_price")) : second;
  if (at !== undefined) work.report({ text: "E_DISCOUNT.two-ways" }, at);
}

function reportWithoutValue(work: RowWork): void {
  const typeCell = work.cells.get("discount_type");
  if (typeCell === undefined || work.given.has("discount_value")) return;
  work.report({ text: "E_DISCOUNT.value-missing" }, emptyValueCell(work, typeCell));
}

const isCleared = ({ clears }: RowWork): boolean =>
  clears.has("discount_type") || clears.has("discount_value") || clears.has("list_price");

/**
 * The empty value cell, where the user has to fill in the value; without such a column the type's
 * cell.
 */
function emptyValueCell(work: RowWork, typeCell: Cell): Cell {
  const location = fieldLocation(work.layout, "discount_value", work.row);
  const column = work.layout.column("discount_value");
  return location === undefined || column === undefined
    ? typeCell
    : {
        ...PLAIN_CELL,
        field: typeCell.field,
        isRuled: typeCell.isRuled,
        index: column.index,
        value: typeCell.value,
        text: typeCell.text,
        location,
      };
}

/** `unclear` when an issue was reported at the type cell. */
function readType(
  work: RowWork,
  value: Cell | undefined,
  readers: ValueReaders,
): DiscountType | "unclear" | undefined {
  const { headerDiscounts } = work.layout;
  const [only] = headerDiscounts.values();
  const stated = value === undefined ? only : headerDiscounts.get(value.index);
  const cell = work.cells.get("discount_type");
  if (cell === undefined) {
    return work.given.has("discount_type") && !work.clears.has("discount_type")
      ? "unclear"
      : stated;
  }
  const type = work.take(readWord(cell, readers.discountType), cell);
  if (type !== undefined && stated !== undefined && type !== stated) {
    const other = work.layout.column("discount_value")?.header ?? "";
    work.report({ text: "E_DISCOUNT.type-conflict", params: { other } }, cell);
    return "unclear";
  }
  return type ?? "unclear";
}

type TypedInputs = DiscountInputs & { readonly type: DiscountType | "unclear" | undefined };

/** Outside of its dates a reduced price is none. */
function applyInPeriod(work: RowWork, cell: Cell, inputs: TypedInputs): void {
  const state = readSaleState(work, cell, inputs.context.nowMs);
  if (state === "valid") applyDiscountValue(work, cell, inputs);
  else if (state !== "unclear") applyNone(work, inputs);
}

function applyDiscountValue(work: RowWork, cell: Cell, inputs: TypedInputs): void {
  const { type, money, price } = inputs;
  if (type === "unclear") return;
  if (type === undefined) {
    work.report({ text: "E_DISCOUNT.type-missing" }, cell);
    return;
  }
  if (type === 2) {
    const rate = work.take(readRate(work, cell, inputs.context.notations), cell);
    if (rate !== undefined) setDiscount(work, type, rate);
    return;
  }
  const amount = money("discount_value", cell);
  if (amount === undefined) return;
  if (type === 3 && amount === price) {
    // Programs write the price itself where it is not reduced.
    work.changes.has_discount = false;
  } else if (price !== undefined && amount >= price) {
    const params = { discount: showMoney(amount), price: showMoney(price) };
    work.report({ text: "E_DISCOUNT.not-below-price", params }, cell);
  } else setDiscount(work, type, amount);
}

const readRate = (work: RowWork, cell: Cell, notations: NumberNotations): Reading<number> =>
  readRateCell(cell, { displays: work.layout.displays, notation: notationOf(cell, notations) });

function setDiscount(work: RowWork, type: DiscountType, value: number): void {
  work.changes.has_discount = true;
  work.changes.discount_type = type;
  work.changes.discount_value = value;
}

const showMoney = (minor: PriceMinor): Localized => ({
  tr: formatMoney(minor, "comma"),
  en: formatMoney(minor, "point"),
});

/** One price, as it stands in its cell and in minor units. */
interface PriceSample {
  readonly text: string;
  /** Whether it stands in a number cell, which each person sees in their own notation. */
  readonly isNumberCell: boolean;
  readonly minor: number;
  readonly currency: Currency;
  /** Whether neither the cell, the row nor the header names the currency. @default false */
  readonly isAssumed?: boolean | undefined;
}

/** Collects samples while rows are mapped. */
export interface PriceSamples {
  /** Adds the price of a row, while there are fewer samples than fit. */
  note(row: SourceRow, mapped: Pick<MappedRow, "changes">): void;
  readonly samples: readonly PriceSample[];
}

const MAX_SAMPLES = 3;

/** Collects distinct prices of the price column, in the order of the sheet. */
export function createPriceSamples(
  mapping: ColumnMapping,
  notations: NumberNotations,
): PriceSamples {
  const samples: PriceSample[] = [];
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "price",
  );
  // A header in another currency is asked about, so that it has one of the row's own then.
  const headerCurrency = findCurrencyInHeader(column?.header ?? "") === "TL" ? "TL" : undefined;
  return {
    samples,
    note({ cells }, { changes }) {
      if (column === undefined || samples.length === MAX_SAMPLES) return;
      const text = cellText(cells[column.index]);
      if (samples.some((sample) => sample.text === text)) return;
      const notation = notations.columns.get(column.index) ?? UNKNOWN_NOTATION;
      const isNumberCell = typeof cells[column.index] === "number";
      const reading = parseMoney(cells[column.index] ?? null, notation);
      // A price that its row refuses for another reason is not sent, so it is not a sample.
      if (reading.ok && changes.price !== undefined) {
        samples.push({
          text,
          isNumberCell,
          ...withCurrency(reading.value, changes.currency ?? headerCurrency),
        });
      }
    },
  };
}

const withCurrency = (
  { minor, currency }: Money,
  rowCurrency: Currency | undefined,
): Pick<PriceSample, "minor" | "currency" | "isAssumed"> => ({
  minor,
  currency: currency ?? rowCurrency ?? "TL",
  ...(currency === undefined && rowCurrency === undefined && { isAssumed: true }),
});
