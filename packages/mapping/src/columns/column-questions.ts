/** Columns whose meaning only a person can decide, and the possible answers. */

import type { Lang, Localized } from "@catalog/i18n";

import type { TextKey } from "../issues/codes.ts";
import type { Issue, IssueParams } from "../issues/issue.ts";
import { readTimes } from "../values/date-text.ts";
import {
  type ColumnFacts,
  describeCells,
  describeColumn,
  findHolder,
  isFilled,
} from "./column-facts.ts";
import { findCurrencyQuestions } from "./currency-column.ts";
import { type FieldKey, type FieldTarget, RANK } from "./fields/field.ts";
import { findField, getField } from "./fields/fields.ts";
import {
  areCounts,
  findLikelyCode,
  isWithoutTax,
  mapFlag,
  mayHoldNumbersOf,
  namesSellable,
} from "./likely-columns.ts";

/** One possible answer about a column. */
export interface ColumnChoice {
  /** In the form that `--map` takes: a field, or `-` to leave the column out. */
  readonly map: string;
  readonly label: Localized;
}

/** A column that is neither used nor left out before a person has decided what it is. */
export interface ColumnQuestion {
  /** As it stands in the file. */
  readonly header: string;
  readonly letter: string;
  /** The field whose values depend on the answer. */
  readonly field: FieldKey;
  /** The issue that stops the file where no person can be asked. */
  readonly issue: Issue;
  readonly choices: readonly ColumnChoice[];
}

/** A question before it has its texts. */
export interface OpenColumn {
  readonly index: number;
  readonly field: FieldKey;
  readonly text: TextKey;
  readonly params: IssueParams;
  readonly choices: readonly ColumnChoice[];
}

/** The answer that leaves a column out. */
export const LEAVE_OUT = "-";

const LEAVE: ColumnChoice = {
  map: LEAVE_OUT,
  label: { tr: "Kullanılmasın", en: "Leave it out" },
};

/**
 * Returns the open questions, in the order of the columns. A column of numbers that may hold one of
 * the `expected` fields is a question while no column holds that field.
 */
export function findOpenColumns(
  facts: ColumnFacts,
  expected: readonly FieldKey[] = [],
): readonly OpenColumn[] {
  const open = [
    ...findDoubts(facts),
    ...findParts(facts),
    ...findEmptyCode(facts),
    ...findRivals(facts),
    ...findTaxRivals(facts),
    ...findStockRivals(facts),
    ...findNumberCodes(facts),
    ...findCurrencyQuestions(facts).map(({ index, currency }) => ({
      index,
      field: "currency" as const,
      text: "E_COLUMN_CURRENCY" as const,
      params: { cells: describeCells(facts, index), currency },
      choices: [toChoice({ kind: "field", field: "currency" }), LEAVE],
    })),
    ...findExpected(facts, expected),
  ];
  const first = new Map(open.toReversed().map((question) => [question.index, question]));
  return [...first.values()].toSorted((a, b) => a.index - b.index);
}

/** The answers as command-line flags, for runs without a person to ask. */
export function describeChoices(header: string, choices: readonly ColumnChoice[]): Localized {
  const write = (lang: Lang): string =>
    choices
      .map(({ map, label }) => {
        const field = findField(map)?.header[lang] ?? map;
        return `${label[lang]}: ${mapFlag(header, field)}`;
      })
      .join(" · ");
  return { tr: write("tr"), en: write("en") };
}

/** Headers that mean their field in most files only, where no other column has the field. */
function findDoubts(facts: ColumnFacts): readonly OpenColumn[] {
  return facts.matches.flatMap(({ doubt }, index) => {
    const { kind } = facts.targets[index] ?? { kind: "unused" };
    if (doubt === undefined || doubt.kind === "rival" || kind !== "unknown") return [];
    const { target, because = "" } = doubt;
    if (findHolder(facts, target.field) !== undefined || !isFilled(facts, index)) return [];
    const choices = [toChoice(target), ...alsoPrice(target), LEAVE];
    const { header: field } = getField(target.field);
    const params = { cells: describeCells(facts, index), field, because };
    const text = because === "" ? "E_COLUMN_UNSURE" : "E_COLUMN_UNSURE.because";
    return [{ index, field: target.field, text, params, choices }];
  });
}

const ADD_UP: Localized = { tr: "Toplansın", en: "Add it up" };

/** Columns of which nothing says whether they are added up, or one of them counts. */
function findParts(facts: ColumnFacts): readonly OpenColumn[] {
  return facts.parts.flatMap((index) => {
    const target = facts.matches[index]?.target;
    if (target?.kind !== "field") return [];
    const field = getField(target.field).header;
    const params = { cells: describeCells(facts, index), field };
    const choices = [{ map: target.field, label: ADD_UP }, LEAVE];
    return [{ index, field: target.field, text: "E_COLUMN_UNSURE.parts", params, choices }];
  });
}

/** A column that may hold the codes of a file whose own column of codes is empty in every row. */
function findEmptyCode(facts: ColumnFacts): readonly OpenColumn[] {
  const [code, id] = [findHolder(facts, "product_code"), findHolder(facts, "product_id")];
  const isGiven = id !== undefined && isFilled(facts, id);
  if (code === undefined || isGiven || isFilled(facts, code) || facts.chosen.has(code)) return [];
  const index = findLikelyCode(facts);
  if (index === undefined) return [];
  const other = facts.headers[code] ?? "";
  const choices = [toChoice({ kind: "field", field: "product_code" }), LEAVE];
  const params = { cells: describeCells(facts, index), other };
  return [{ index, field: "product_code", text: "E_COLUMN_UNSURE.empty", params, choices }];
}

/** Columns of numbers without a field of their own, which may hold a field that the file lacks. */
function findExpected(facts: ColumnFacts, expected: readonly FieldKey[]): readonly OpenColumn[] {
  const isGiven = (field: FieldKey): boolean =>
    facts.constants.has(field) || findHolder(facts, field) !== undefined;
  const missing = expected.filter((field) => !isGiven(field));
  return facts.targets.flatMap(({ kind }, index): readonly OpenColumn[] => {
    if (kind !== "unknown" || facts.chosen.has(index)) return [];
    const fields = missing.filter((field) => mayHoldNumbersOf(facts, index, field));
    const [field] = fields;
    if (field === undefined) return [];
    const params = { cells: describeCells(facts, index), field: getField(field).header };
    if (field === "price" && isWithoutTax(facts.headers[index] ?? "")) {
      return [{ index, field, text: "E_COLUMN_UNSURE.tax", params, choices: [LEAVE] }];
    }
    const choices = [...fields.map((each) => toChoice({ kind: "field", field: each })), LEAVE];
    return [{ index, field, text: "E_COLUMN_UNSURE.expected", params, choices }];
  });
}

const alsoPrice = ({ field }: FieldTarget): readonly ColumnChoice[] =>
  field === "list_price" ? [toChoice({ kind: "field", field: "price" })] : [];

/** Columns with a sale or retail price beside the column that is taken for the price. */
function findRivals(facts: ColumnFacts): readonly OpenColumn[] {
  const price = findHolder(facts, "price");
  if (price === undefined || facts.chosen.has(price) || !isFilled(facts, price)) return [];
  return facts.matches.flatMap(({ doubt }, index) => {
    if (doubt?.kind !== "rival" || facts.targets[index]?.kind !== "unknown") return [];
    // A column without any number holds marks such as "yes", not prices.
    const { numbers, samples = [] } = facts.cells?.get(index) ?? {};
    if (
      numbers === 0 ||
      (samples.length > 0 && samples.every((text) => readTimes(text).length > 0))
    )
      return [];
    const discounted = doubt.target.discountType === undefined ? [] : [toChoice(doubt.target)];
    return [askPrice(facts, { index, winner: price, field: "price", also: discounted })];
  });
}

const STATED_MONEY: ReadonlySet<FieldKey> = new Set(["price", "list_price"]);

/** Price columns whose header names TL or tax, beaten by one whose header does not. */
function findTaxRivals(facts: ColumnFacts): readonly OpenColumn[] {
  const saysMore = (index: number): boolean => facts.matches[index]?.isTelling === true;
  return facts.beaten.flatMap(({ index, winner }) => {
    const target = facts.matches[index]?.target;
    if (target?.kind !== "field" || !STATED_MONEY.has(target.field)) return [];
    if (!saysMore(index) || saysMore(winner) || facts.chosen.has(winner)) return [];
    if (!isFilled(facts, index) || !isFilled(facts, winner)) return [];
    return [askPrice(facts, { index, winner, field: target.field, also: [] })];
  });
}

/** Columns with what may be sold, beside a stock whose header does not say that it is this. */
function findStockRivals(facts: ColumnFacts): readonly OpenColumn[] {
  const stock = findHolder(facts, "stock");
  if (stock === undefined || isDecided(facts, stock) || !isFilled(facts, stock)) return [];
  if (namesSellable(facts.headers[stock] ?? "")) return [];
  return facts.headers.flatMap((header, index): readonly OpenColumn[] => {
    const { kind } = facts.targets[index] ?? { kind: "unused" };
    if ((kind !== "unused" && kind !== "unknown") || facts.chosen.has(index)) return [];
    if (!namesSellable(header) || !areCounts(facts.cells?.get(index))) return [];
    const other = describeColumn(facts, stock);
    const field = getField("stock").header;
    const params = { cells: describeCells(facts, index), field, other };
    const choices = [toChoice({ kind: "field", field: "stock" }), LEAVE];
    return [{ index, field: "stock", text: "E_COLUMN_UNSURE.sellable", params, choices }];
  });
}

/** Whether a person or the profile of a platform has said what a column is. */
const isDecided = ({ chosen, matches }: ColumnFacts, index: number): boolean =>
  chosen.has(index) || Math.floor(matches[index]?.rank ?? 0) === RANK.platform;

interface PriceRivals {
  readonly index: number;
  readonly winner: number;
  readonly field: FieldKey;
  readonly also: readonly ColumnChoice[];
}

function askPrice(facts: ColumnFacts, { index, winner, field, also }: PriceRivals): OpenColumn {
  const other = describeColumn(facts, winner);
  const params = { cells: describeCells(facts, index), field: getField(field).header, other };
  const choices = [toChoice({ kind: "field", field }), ...also, LEAVE];
  return { index, field, text: "E_COLUMN_PRICE", params, choices };
}

/**
 * Fields whose numbers this project assigns; under other headers the same numbers can be years or
 * counts.
 */
const NUMBERED: ReadonlySet<FieldKey> = new Set(["warranty_type", "discount_type"]);

/** Whether bare numbers in a column would be misread as the field's own numbers. */
export function isNumberSuspect(
  { targets, matches, chosen }: Pick<ColumnFacts, "targets" | "matches" | "chosen">,
  index: number,
): boolean {
  const target = targets[index];
  if (target?.kind !== "field" || !NUMBERED.has(target.field)) return false;
  return matches[index]?.isOwn !== true && !chosen.has(index);
}

function findNumberCodes(facts: ColumnFacts): readonly OpenColumn[] {
  return facts.targets.flatMap((target, index) => {
    if (target.kind !== "field" || !isNumberSuspect(facts, index)) return [];
    if ((facts.cells?.get(index)?.smallNumbers ?? 0) === 0) return [];
    const field = getField(target.field).header;
    const params = { cells: describeCells(facts, index), field };
    const choices = [toChoice(target), LEAVE];
    return [{ index, field: target.field, text: "E_COLUMN_NUMBERS", params, choices }];
  });
}

const DISCOUNTED: Localized = { tr: "İndirimli Fiyat", en: "Discounted Price" };

const toChoice = ({ field, discountType }: FieldTarget): ColumnChoice => ({
  map: field,
  label: discountType === 3 ? DISCOUNTED : getField(field).header,
});
