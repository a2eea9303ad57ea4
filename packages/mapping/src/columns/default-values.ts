/**
 * A person's decisions about columns, which beat the headers, values for rows without one, and the
 * currency that columns and headers state for the prices.
 */

import type { Localized } from "@catalog/i18n";
import { distance } from "fastest-levenshtein";

import { type HeaderMatch, type FieldKey, LEAVE_OUT, RANK } from "../fields/field.ts";
import { FIELDS, findNamedField, getField } from "../fields/fields.ts";
import { findCurrency, findCurrencyInHeader, type NamedCurrency } from "../fields/other-headers.ts";
import { createIssue, type Reading } from "../issues/issue.ts";
import { isPlaceholder } from "../source-row.ts";
import { headerKey } from "../text-keys.ts";
import { createValueReaders } from "../values/value-readers.ts";
import { type ColumnFacts, findHolder, isFilled } from "./column-cells.ts";
import { matchKey, type ReportHeader } from "./header-matcher.ts";

/**
 * What is wrong with a default value, as far as it can be known without the marketplace's lists;
 * `undefined` for a value that may be right.
 */
export function findDefaultProblem(field: FieldKey, text: string): Localized | undefined {
  const reading = readKeyword(field, text);
  if (reading === undefined || reading.ok) return undefined;
  const { header } = getField(field);
  const location = { sheet: "", row: 0, column: header.tr, cell: "", value: text };
  const { message, suggestion } = createIssue(reading.problem, location);
  return {
    tr: [message.tr, suggestion?.tr].filter((part) => part !== undefined).join(" "),
    en: [message.en, suggestion?.en].filter((part) => part !== undefined).join(" "),
  };
}

function readKeyword(field: FieldKey, text: string): Reading<unknown> | undefined {
  const { warrantyType, warrantyPeriod, condition } = createValueReaders();
  if (field === "warranty_type") return warrantyType.read(text);
  if (field === "warranty_period") return warrantyPeriod.read(text);
  return field === "condition" ? condition.read(text) : undefined;
}

/** The defaults that apply to a file: a value for all its rows comes first. */
export function readDefaults(
  defaults: ReadonlyMap<string, string>,
  constants: ReadonlyMap<FieldKey, string>,
): ReadonlyMap<FieldKey, string> {
  const known = new Map<FieldKey, string>();
  for (const [name, value] of defaults) {
    const field = findNamedField(name);
    if (field?.takesDefault === true && !constants.has(field.key)) known.set(field.key, value);
  }
  return known;
}

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
    const { named = own, header } = own === undefined ? (facts.statedCurrency ?? {}) : {};
    return named === undefined || named === "TL" ? [] : [{ index, named, header, currency: "TL" }];
  });
}

/** Columns whose target was chosen by hand, by index. */
export function readOverrides(
  overrides: ReadonlyMap<string, string>,
  headers: readonly string[],
  report: ReportHeader,
): ReadonlyMap<number, HeaderMatch> {
  const chosen = new Map<number, HeaderMatch>();
  for (const [header, override] of overrides) {
    const indexes = findHeader(headers, header);
    const [first] = indexes;
    const match = readOverride(override);
    if (first === undefined) report("W_MAP_HEADER", -1, { value: header });
    else if (match === undefined)
      reportField(report, "E_MAP_FIELD", { index: first, field: override });
    else for (const index of indexes) chosen.set(index, match);
  }
  return chosen;
}

/** Every column with exactly this header, or else the first one with an equal key. */
function findHeader(headers: readonly string[], header: string): readonly number[] {
  const exact = headers.flatMap((other, index) => (other === header ? [index] : []));
  if (exact.length > 0) return exact;
  const key = headerKey(header);
  const index = headers.findIndex((other) => headerKey(other) === key);
  return index < 0 ? [] : [index];
}

/** Values that hold for all rows, by field. */
export function readConstants(
  constants: ReadonlyMap<string, string>,
  report: ReportHeader,
): ReadonlyMap<FieldKey, string> {
  const known = new Map<FieldKey, string>();
  for (const [key, value] of constants) {
    const field = findNamedField(key);
    if (field === undefined) {
      reportField(report, "E_SET_FIELD", { index: -1, field: key });
      continue;
    }
    const first = known.get(field.key);
    if (isPlaceholder(value)) report("E_SET_PLACEHOLDER", -1, { field: field.header, value });
    else if (first === undefined) known.set(field.key, value);
    else if (first !== value) report("E_SET_TWICE", -1, { field: field.header, first, value });
  }
  return known;
}

/**
 * Keeps what a header states when a person chooses the field of its column: the kind of a discount,
 * and that other columns of its kind may belong to the field.
 */
export function keepStated(matched: HeaderMatch, read: HeaderMatch): HeaderMatch {
  const { target } = matched;
  const stated = read.doubt?.target ?? read.target;
  if (target.kind !== "field" || stated.kind !== "field") return matched;
  return target.field === stated.field
    ? { ...matched, target: stated, isPart: read.isPart }
    : matched;
}

/** Restores the doubt about a header where the remembered decision was not a person's. */
export function restoreDoubts(matched: HeaderMatch, read: HeaderMatch): HeaderMatch {
  const { target } = matched;
  if (target.kind !== "field") return matched;
  if (read.doubt !== undefined) return read;
  if (read.isVariant !== true) return { ...matched, isOwn: read.isOwn, isPart: read.isPart };
  const unknown = { kind: "unknown", suggestion: target.field } as const;
  return { target: unknown, rank: RANK.alias, doubt: { kind: "uncertain", target } };
}

function readOverride(override: string): HeaderMatch | undefined {
  if (override === LEAVE_OUT) return { target: { kind: "unused" }, rank: RANK.chosen };
  const match = matchKey(findNamedField(override)?.key ?? override);
  return match === undefined ? undefined : { ...match, rank: RANK.chosen, isOwn: true };
}

/** Every name that a field can be called by, in the order of the templates. */
const NAMES: Localized = {
  tr: FIELDS.map(({ header }) => header.tr).join(", "),
  en: FIELDS.map(({ header }) => header.en).join(", "),
};

function reportField(
  report: ReportHeader,
  code: "E_MAP_FIELD" | "E_SET_FIELD",
  { index, field }: { readonly index: number; readonly field: string },
): void {
  const closest = findClosest(field);
  if (closest === undefined) report(`${code}.unlike`, index, { field, names: NAMES });
  else report(code, index, { field, closest, names: NAMES });
}

/** Of a name that is meant, at most one letter in so many is wrong. */
const LETTERS_PER_SLIP = 3;

/** The field whose name needs the fewest corrections; `undefined` where all need too many. */
function findClosest(name: string): Localized | undefined {
  const wanted = headerKey(name);
  const compared = FIELDS.flatMap(({ key, header }) =>
    [key, header.tr, header.en].map((each) => ({ header, own: headerKey(each) })),
  );
  const near = compared
    .map(({ header, own }) => ({ header, own, slips: distance(wanted, own) }))
    .filter(
      ({ own, slips }) =>
        own.startsWith(wanted) ||
        wanted.startsWith(own) ||
        slips * LETTERS_PER_SLIP <= Math.max(own.length, wanted.length),
    );
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.header;
}
