/** The currency that columns and headers state for the prices, and columns that state another one. */

import { type HeaderMatch, type FieldKey, RANK } from "../fields/fields.ts";
import { findCurrency, findCurrencyInHeader, type NamedCurrency } from "../fields/other-headers.ts";
import { headerKey } from "../text-keys.ts";
import { type ColumnFacts, findHolder, isFilled } from "./column-cells.ts";

/** A column that names currencies, and the currency that prices have without it. */
interface CurrencyColumn {
  readonly index: number;
  readonly currency: string;
}

const MONEY_FIELDS: readonly FieldKey[] = ["price", "list_price", "discount_value"];

/** Least share of cells with a currency; the other cells are typing errors and remarks. */
const MIN_CURRENCY_SHARE = 0.9;

const SAYS_CURRENCY =
  /currency|parabirim|parabr|paracins|kurbirim|kurcins|kurtip|kurtur|doviz(?:cins|kod|birim|tur|tip)/u;

/**
 * Headers of a foreign currency (`döviz`); one that also matches `SAYS_OTHER` holds an amount or a
 * rate.
 */
const SAYS_FOREIGN = /doviz/u;

const SAYS_OTHER = /fiyat|price|tutar|bedel|deger|karsilig|kuru|rate|exchange/u;

/** Finds unused columns that would change the meaning of the prices. */
export function findCurrencyQuestions(facts: ColumnFacts): readonly CurrencyColumn[] {
  if (!MONEY_FIELDS.some((field) => findHolder(facts, field) !== undefined)) return [];
  const holder = findHolder(facts, "currency");
  if (holder !== undefined && isFilled(facts, holder)) return [];
  const currency = defaultCurrency(facts);
  const found = facts.headers.flatMap((header, index) => {
    if (header === "" || facts.chosen.has(index) || !isLeftOut(facts, index)) return [];
    return isCurrencyColumn(facts, index) && !holdsOnly(facts, index, currency)
      ? [{ index, currency }]
      : [];
  });
  const ofSales = found.filter(({ index }) => !isOfPurchase(facts.headers[index] ?? ""));
  return ofSales.length > 0 ? ofSales : found;
}

/** The currency of purchase does not matter for the price of sale. */
const isOfPurchase = (header: string): boolean =>
  /alis|purchase|cost|maliyet/u.test(headerKey(header));

/**
 * Treats a currency under a header that is not the field's own as unknown where the file has no
 * price, because sent alone it would change the meaning of the store's price.
 */
export function resolveLoneCurrency(matches: readonly HeaderMatch[]): readonly HeaderMatch[] {
  const hasMoney = matches.some(
    ({ target }) => target.kind === "field" && MONEY_FIELDS.includes(target.field),
  );
  if (hasMoney) return matches;
  return matches.map((match) => {
    const { target, rank } = match;
    const isForeign = rank !== RANK.chosen && match.isOwn !== true;
    if (target.kind !== "field" || target.field !== "currency" || !isForeign) return match;
    return { target: { kind: "unknown", suggestion: "currency" }, rank };
  });
}

/** Unknown columns, and those that lost the currency to an empty column. */
function isLeftOut({ targets, beaten, matches }: ColumnFacts, index: number): boolean {
  if (targets[index]?.kind === "unknown") return true;
  const target = matches[index]?.target;
  const isCurrency = target?.kind === "field" && target.field === "currency";
  return isCurrency && beaten.some((column) => column.index === index);
}

const defaultCurrency = ({ constants }: ColumnFacts): string => {
  const given = constants.get("currency");
  return given === undefined ? "TL" : (findCurrency(given) ?? given);
};

function isCurrencyColumn({ headers, cells, matches }: ColumnFacts, index: number): boolean {
  const target = matches[index]?.target;
  if (target?.kind === "field" && target.field === "currency") return true;
  if (saysCurrency(headers[index] ?? "")) return true;
  const known = cells?.get(index);
  if (known === undefined || known.currencyCells === 0) return false;
  return known.currencyCells >= (known.filled - known.blankWords) * MIN_CURRENCY_SHARE;
}

/** Whether a header names a currency column. */
function saysCurrency(header: string): boolean {
  const key = headerKey(header);
  if (/rate|exchange|kuru$/u.test(key)) return false;
  return SAYS_CURRENCY.test(key) || (SAYS_FOREIGN.test(key) && !SAYS_OTHER.test(key));
}

/** Whether every cell of the column holds the currency that prices have without it. */
function holdsOnly({ cells }: ColumnFacts, index: number, currency: string): boolean {
  const known = cells?.get(index);
  if (known === undefined) return false;
  const others = known.filled - known.blankWords - known.currencyCells;
  return others === 0 && [...known.currencies].every((each) => each === currency);
}

/** A price column whose header names another currency than its prices would be sent in. */
interface ForeignPrice {
  readonly index: number;
  readonly named: NamedCurrency;
  /** Another header that names it for all prices. @default the column's own header does */
  readonly header?: string | undefined;
  /** The platform whose prices are in it. @default a header names it */
  readonly platform?: string | undefined;
  readonly currency: string;
}

/**
 * Finds price columns in a foreign currency where neither a column nor a constant gives the
 * currency.
 */
export function findForeignPrices(facts: ColumnFacts): readonly ForeignPrice[] {
  const holder = findHolder(facts, "currency");
  if (holder !== undefined && isFilled(facts, holder)) return [];
  if (facts.constants.has("currency")) return [];
  return MONEY_FIELDS.flatMap((field) => {
    const index = findHolder(facts, field);
    if (index === undefined || !isFilled(facts, index)) return [];
    const own = findCurrencyInHeader(facts.headers[index] ?? "");
    const stated = own === undefined ? facts.statedCurrency : { named: own };
    return stated === undefined || stated.named === "TL"
      ? []
      : [{ index, ...stated, currency: "TL" }];
  });
}
