/**
 * Questions about columns whose meaning only a person can decide, with the possible answers, and what
 * to write where a file lacks its product codes.
 */

import type { Lang, Localized } from "@catalog/i18n";

import {
  type ColumnTarget,
  type FieldDefinition,
  type FieldKey,
  FIELDS,
  type FieldTarget,
  findField,
  getField,
  LEAVE_OUT,
  RANK,
} from "../fields/fields.ts";
import type { TextKey } from "../issues/codes.ts";
import type { Issue, IssueParams } from "../issues/issue.ts";
import { createHeaderTable, type PlatformProfile } from "../platforms/platform.ts";
import { readTimes } from "../values/value-readers.ts";
import {
  type ColumnFacts,
  describeCells,
  describeColumn,
  findHolder,
  isFilled,
  type Watch,
} from "./column-cells.ts";
import {
  areCounts,
  describeLikely,
  findLikelyCode,
  isCodeLike,
  isWithoutTax,
  type LikelyColumn,
  mapFlag,
  mapFlags,
  mayHoldNumbersOf,
  namesSellable,
} from "./likely-columns.ts";
import { findCurrencyQuestions } from "./price-currency.ts";

interface MissingCode {
  readonly headers: readonly string[];
  /** Proposals for every missing field. */
  readonly likely: readonly LikelyColumn[];
  /** Number of columns that are known. */
  readonly known: number;
}

const MAX_HEADERS = 40;

/** With fewer known columns the headers may stand in another row. */
const MIN_KNOWN = 3;

/** Parameters of the issue of a file without product codes. */
export function describeMissingCode({ headers, likely, known }: MissingCode): IssueParams {
  const code = getField("product_code").header;
  const hasCode = likely.some(({ field }) => field === "product_code");
  const named = mapFlags(likely);
  const shown = describeLikely(likely);
  const parts: Localized[] = [];
  if (likely.length > 0) {
    parts.push({
      tr: `Belki şu sütunlardır: ${shown.tr}. Doğruysa komutun sonuna ekleyin: ${named.tr}`,
      en: `They may be these columns: ${shown.en}. If so, add to the command: ${named.en}`,
    });
  }
  if (!hasCode) {
    parts.push({
      tr: `Ürün kodunun bulunduğu sütunu yazın: ${mapFlag("BAŞLIK", code.tr)}`,
      en: `Name the column with the product codes: ${mapFlag("HEADER", code.en)}`,
    });
  }
  if (known < MIN_KNOWN) {
    parts.push({
      tr: "Başlıklar başka bir satırdaysa o satırı yazın: --header-row NUMARA",
      en: "If the headers are in another row, name it: --header-row NUMBER",
    });
  }
  return { names: code, headers: listHeaders(headers), advice: joinLines(parts) };
}

interface AbsentColumns {
  readonly absent: readonly FieldDefinition[];
  /** Proposals for every missing field. */
  readonly likely: readonly LikelyColumn[];
  /** Header of the column that says only whether there is any stock. */
  readonly stockState: string | undefined;
}

/** Advice for a new product whose file lacks columns; `absent` is not empty. */
export function adviseOnAbsent({ absent, likely, stockState }: AbsentColumns): Localized {
  const keys = new Set(absent.map(({ key }) => key));
  const proposed = likely.filter(({ field }) => keys.has(field));
  const rest = absent.filter(({ key }) => !proposed.some(({ field }) => field === key));
  const parts: Localized[] = [];
  if (proposed.length > 0) {
    const [shown, flags] = [describeLikely(proposed), mapFlags(proposed)];
    parts.push({
      tr: `Belki şu sütunlardır: ${shown.tr}. Doğruysa: ${flags.tr}`,
      en: `They may be these columns: ${shown.en}. If so: ${flags.en}`,
    });
  }
  const stock = stockState === undefined ? undefined : rest.find(({ key }) => key === "stock");
  if (stock !== undefined) parts.push(adviseOnState(stockState ?? "", stock.header));
  const own = rest.filter((field) => !isShared(field) && field !== stock);
  const shared = rest.filter(isShared);
  if (own.length > 0) {
    const list = (lang: Lang): string => own.map(({ header }) => `“${header[lang]}”`).join(", ");
    parts.push({
      tr: `Her ürünün kendi değeri gerekir; dosyaya şu sütunları ekleyin: ${list("tr")}.`,
      en: `Each product needs its own value; add these columns to the file: ${list("en")}.`,
    });
  }
  if (shared.length > 0) {
    const kept = shared.find((field) => field.takesDefault);
    const set = (lang: Lang): string =>
      shared.map(({ header }) => `--set "${header[lang]}=…"`).join(" ");
    parts.push({
      tr: `Bütün satırlar için bir değer verin: ${set("tr")}${keeping(kept?.header).tr}`,
      en: `Give one value for all rows: ${set("en")}${keeping(kept?.header).en}`,
    });
  }
  parts.push({
    tr: "Ürün mağazada varsa kodunu düzeltin.",
    en: "If the store has the product, correct its code.",
  });
  return joinLines(parts);
}

/** The ways to a count where a file says only whether there is any stock. */
const adviseOnState = (header: string, { tr, en }: Localized): Localized => ({
  tr: `“${header}” yalnızca stok olup olmadığını söylüyor, sayısını söylemiyor. Olana bir sayı vermek için: ${mapFlag(header, tr)} ve bir kez catalog rules add "${tr}" "in stock" 10 (“in stock”: dosyadaki değer); hepsine aynı sayı için: --set "${tr}=10"`,
  en: `“${header}” says only whether there is stock, not how much. To give a count to what there is: ${mapFlag(header, en)} and once catalog rules add "${en}" "in stock" 10 (“in stock”: the value in the file); for one count for all: --set "${en}=10"`,
});

/** Fields that differ from product to product. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["product_code", "title", "description"]);
const OWN_KINDS: ReadonlySet<string> = new Set(["money", "integer", "number", "image"]);

/** Whether one value may hold for all products of a file. */
const isShared = ({ key, kind }: FieldDefinition): boolean =>
  !OWN_FIELDS.has(key) && (!OWN_KINDS.has(kind) || key === "warranty_period");

/** How a value is kept for every file; empty where no field takes one. */
const keeping = (header: Localized | undefined): Localized => ({
  tr:
    header === undefined
      ? ""
      : ` (her yeni üründe geçerli olsun diye: catalog rules default "${header.tr}" "…")`,
  en:
    header === undefined
      ? ""
      : ` (to keep it for every new product: catalog rules default "${header.en}" "…")`,
});

function listHeaders(headers: readonly string[]): Localized {
  const named = headers.filter((header) => header !== "");
  const list = named.slice(0, MAX_HEADERS).join(", ");
  const more = named.length - MAX_HEADERS;
  return {
    tr: more > 0 ? `${list}, … (${more} başlık daha)` : list || "yok",
    en: more > 0 ? `${list}, … (${more} more)` : list || "none",
  };
}

const joinLines = (parts: readonly Localized[]): Localized => ({
  tr: parts.map(({ tr }) => tr).join("\n"),
  en: parts.map(({ en }) => en).join("\n"),
});

/** One possible answer about a column. */
interface ColumnChoice {
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

/** Leaves the column out. */
export const LEAVE: ColumnChoice = {
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
function isNumberSuspect(
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

/** A column that may hold a field better than the column that is used. */
export interface AlternativeColumn {
  readonly field: FieldKey;
  /** As it stands in the file. */
  readonly header: string;
}

/** The unknown columns that the profile names; for a person to decide. */
export function findAlternatives(
  columns: readonly { readonly header: string; readonly target: ColumnTarget }[],
  profile: Pick<PlatformProfile, "alternatives"> | undefined,
): readonly AlternativeColumn[] {
  const patterns = FIELDS.flatMap(({ key }) =>
    (profile?.alternatives?.[key] ?? []).map((header) => [header, key] as const),
  );
  const table = createHeaderTable(patterns);
  return columns.flatMap(({ header, target }) => {
    const field = target.kind === "unknown" ? table.find(header) : undefined;
    return field === undefined ? [] : [{ field, header }];
  });
}

/** Fields whose empty column matters, or whose values a message quotes. */
const QUOTED: readonly FieldKey[] = ["price", "list_price", "discount_value", "currency"];

/** The columns whose cells decide about a question, and those that a message quotes. */
export function listWatched(facts: ColumnFacts): ReadonlyMap<number, Watch> {
  const sampled = [...listQuoted(facts), ...listCodeLike(facts)];
  const watched = new Map<number, Watch>(sampled.map((index) => [index, "sample"]));
  for (const index of facts.idColumns) watched.set(index, "id");
  for (const [index, { kind }] of facts.targets.entries()) {
    const isLeftOut = kind === "unknown" && facts.headers[index] !== "";
    if (isLeftOut || isLostCurrency(facts, index)) watched.set(index, "text");
    if (kind === "other-id" && !facts.idColumns.has(index)) watched.set(index, "sample");
    if (isNumberSuspect(facts, index)) watched.set(index, "code");
  }
  // Samples are collected whatever else is watched.
  const deciding = [...facts.deciding].filter(
    ([index, watch]) => watch !== "sample" || !watched.has(index),
  );
  return new Map([...watched, ...deciding]);
}

/** The column of the product code, and those that may be proposed where it is missing or empty. */
function listCodeLike(facts: ColumnFacts): readonly number[] {
  const holder = findHolder(facts, "product_code");
  const others = facts.targets.flatMap(({ kind }, index) =>
    kind === "never-sent" && isCodeLike(facts.headers[index] ?? "") ? [index] : [],
  );
  return holder === undefined ? others : [holder, ...others];
}

function listQuoted(facts: ColumnFacts): readonly number[] {
  // A message names a column that may be a field together with the column that has the field.
  const suggested = facts.matches.flatMap(({ target }) =>
    target.kind === "unknown" && target.suggestion !== undefined ? [target.suggestion] : [],
  );
  const holders = [...QUOTED, ...suggested].map((field) => findHolder(facts, field));
  const beaten = facts.beaten.flatMap(({ index, winner }) => [index, winner]);
  return [...holders, ...beaten].filter((index) => index !== undefined);
}

function isLostCurrency({ matches, targets }: ColumnFacts, index: number): boolean {
  const target = matches[index]?.target;
  const isCurrency = target?.kind === "field" && target.field === "currency";
  return isCurrency && targets[index]?.kind !== "field";
}
