/**
 * Reads price, list price and discount of one row, and checks them against each other and the
 * currency.
 */

import { type Currency, type DiscountType, type PriceMinor, priceMinor } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { FieldKey } from "../columns/fields/field.ts";
import { headerKey } from "../columns/header-key.ts";
import { type Reading, refuse } from "../issues/issue.ts";
import { formatMoney } from "../values/money.ts";
import { isNoPrice } from "../values/no-price.ts";
import type { NumberNotations } from "../values/notation.ts";
import { type ColumnNotation, UNKNOWN_NOTATION } from "../values/number-text.ts";
import { type CellMoney, readMoneyCell, readRateCell } from "../values/shown-number.ts";
import type { ValueReaders } from "../values/value-readers.ts";
import { type Cell, fieldLocation, locationOf, NO_COLUMN, PLAIN_CELL } from "./layout.ts";
import { cellAt, readWord } from "./read-cell.ts";
import type { RowWork } from "./row-work.ts";
import { readSaleState } from "./sale-period.ts";
import { cellText } from "./source-row.ts";

/** Inputs of the number rules besides the row. */
export interface PricingContext {
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
  const cell = work.cells.get("currency");
  if (cell === undefined) return work.given.has("currency") ? "unclear" : undefined;
  const currency = work.take(readWord(cell, readers.currency), cell);
  if (currency !== undefined) work.changes.currency = currency;
  return currency ?? "unclear";
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
