/** The sheet of rules: one rule a row, as its owner reads it. Parsed, checked and written back. */

import { bareAddress, isAddress, type Lang, type Localized } from "@catalog/i18n";

import { findCovering, findOverlap } from "./find-rule.ts";
import { type DecimalRange, parseDate, parseDecimal, parseEnding } from "./rule-cells.ts";
import { matchKey, nameRule, nameSource, PARTS, type PriceRule } from "./rule.ts";

/** One thing wrong with one cell of the sheet of rules. */
export interface RuleProblem {
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
  /** Index of the column; `undefined` where it is the whole row. */
  readonly column?: number | undefined;
  readonly value: string;
  readonly message: Localized;
}

/** A row of the sheet. */
export interface RuleRow {
  readonly row: number;
  readonly cells: readonly (string | number | boolean | null)[];
  /** Number formats of cells, by column; one with `%` makes 0.12 twelve percent. */
  readonly formats?: Readonly<Record<number, string>> | undefined;
}

type Key = keyof PriceRule;

interface RuleColumn {
  readonly key: Key;
  readonly header: Localized;
  /** Further headers, in any language. */
  readonly also?: readonly string[];
  readonly kind: "text" | "source" | "currency" | "date" | "ending" | "direction" | DecimalRange;
}

const PERCENT: DecimalRange = { min: "0", below: "100", decimals: 4 };
const ADDED: DecimalRange = { min: "-99", below: "10001", decimals: 4 };
const AMOUNT: DecimalRange = { min: "0", below: "1000000000000", decimals: 2 };
const ANY_AMOUNT: DecimalRange = { ...AMOUNT, min: "-999999999999" };
const RATE: DecimalRange = { min: "0.000001", below: "1000000", decimals: 6 };
const PIECES: DecimalRange = { min: "0", below: "1000000000", decimals: 0 };

/** The columns of the sheet, in their order. */
export const RULE_COLUMNS: readonly RuleColumn[] = [
  column("number", ["No", "No"], { ...PIECES, min: "1" }, "Kural No", "Sıra", "Number", "Rule"),
  column("name", ["Ad", "Name"], "text", "Kural", "Kural Adı", "Rule Name"),
  column("category", ["Kategori", "Category"], "text"),
  column("brand", ["Marka", "Brand"], "text"),
  column("supplier", ["Tedarikçi", "Supplier"], "text", "Besleme", "Dosya", "Feed", "File"),
  column("from", ["Fiyat ≥", "Price ≥"], AMOUNT, "Fiyat en az", "Price from"),
  column("below", ["Fiyat <", "Price <"], AMOUNT, "Fiyat altı", "Price below", "Price to"),
  column("source", ["Kaynak", "Source"], "source", "Kaynak sütun", "Source column"),
  column("currency", ["Para birimi", "Currency"], "currency"),
  column("rate", ["Kur", "Rate"], RATE, "Exchange rate"),
  column("rateDate", ["Kur tarihi", "Rate date"], "date"),
  column("addVat", ["KDV ekle %", "Add VAT %"], PERCENT),
  column("markup", ["Kâr ekle %", "Markup %"], ADDED, "Artış %", "Fiyata ekle %", "Kar ekle %"),
  column("addition", ["Tutar ekle", "Add amount"], ANY_AMOUNT, "Sabit ekle", "Fixed addition"),
  column("margin", ["Marj %", "Margin %"], PERCENT, "Kâr marjı %"),
  column("ending", ["Yuvarlama", "Rounding"], "ending", "Ending", "Kuruş"),
  column("direction", ["Yön", "Direction"], "direction", "Yuvarlama yönü", "Rounding direction"),
  column("min", ["En az fiyat", "Minimum price"], AMOUNT, "Min price"),
  column("max", ["En çok fiyat", "Maximum price"], AMOUNT, "Max price"),
  column("commission", ["Komisyon %", "Commission %"], PERCENT),
  column("vat", ["KDV %", "VAT %"], PERCENT),
  column("buffer", ["Stok payı", "Stock buffer"], PIECES, "Güvenlik stoğu"),
  column("zeroUnder", ["Şunun altı 0", "Zero under"], PIECES, "Altında 0", "Under n show 0"),
  column("stockMin", ["En az stok", "Minimum stock"], PIECES, "Min stok"),
  column("stockMax", ["En çok stok", "Maximum stock"], PIECES, "Max stok"),
];

function column(
  key: Key,
  [tr, en]: readonly [string, string],
  kind: RuleColumn["kind"],
  ...also: readonly string[]
): RuleColumn {
  return { key, header: { tr, en }, kind, also };
}

/** Rules of one store; a shop owner reads them. */
const MAX_RULES = 1000;

/**
 * Reads the rules of a sheet, or everything that is wrong with it. Where no row has a number, rules
 * are numbered by their place, and no two of them may hold for the same product.
 */
export function parseRules(
  header: RuleRow,
  rows: readonly RuleRow[],
):
  | { readonly ok: true; readonly rules: readonly PriceRule[] }
  | { readonly ok: false; readonly problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const columns = readHeader(header, problems);
  const isFilled = ({ cells }: RuleRow): boolean => cells.some((cell) => textOf(cell) !== "");
  const filled = rows.filter(isFilled);
  if (problems.length === 0 && filled.length === 0) {
    problems.push(wrong(header.row, { tr: "Sayfada kural yok.", en: "The sheet has no rules." }));
  }
  if (filled.length > MAX_RULES) {
    const text = { tr: `En çok ${MAX_RULES} kural olabilir.`, en: `At most ${MAX_RULES} rules.` };
    problems.push(wrong(header.row, text));
  }
  const drafts = filled.slice(0, MAX_RULES).map((row) => readRow(row, columns, problems));
  const isNumbered = drafts.some(({ values }) => values.number !== undefined);
  const placed = drafts.map(({ row, values }, index): PlacedRule => {
    const number = isNumbered ? (values.number ?? 0) : index + 1;
    return { row, rule: { ...values, number, source: values.source ?? "price" } };
  });
  if (problems.length === 0) problems.push(...checkRules(placed, { isNumbered }));
  if (problems.length > 0) return { ok: false, problems };
  const rules = placed.map(({ rule }) => rule);
  return { ok: true, rules: rules.toSorted((one, other) => one.number - other.number) };
}

interface PlacedRule {
  readonly row: number;
  readonly rule: PriceRule;
}

type Draft = Partial<PriceRule>;

const textOf = (cell: RuleRow["cells"][number]): string =>
  cell === null ? "" : String(cell).trim();

const wrong = (row: number, message: Localized, at?: { column: number; value: string }) => ({
  row,
  column: at?.column,
  value: at?.value ?? "",
  message,
});

const HEADER_KEYS: ReadonlyMap<string, RuleColumn> = new Map(
  RULE_COLUMNS.flatMap((each) =>
    [each.header.tr, each.header.en, each.key, ...(each.also ?? [])].map(
      (text) => [headerKey(text), each] as const,
    ),
  ),
);

/** Blanks and brackets differ from hand to hand. */
function headerKey(text: string): string {
  return matchKey(text).replaceAll(/[\s()_.]/gu, "");
}

function readHeader(
  { row, cells }: RuleRow,
  problems: RuleProblem[],
): ReadonlyMap<number, RuleColumn> {
  const columns = new Map<number, RuleColumn>();
  for (const [index, cell] of cells.entries()) {
    const text = textOf(cell);
    if (text === "") continue;
    const found = HEADER_KEYS.get(headerKey(text));
    const at = { column: index, value: text };
    if (found === undefined) {
      const known = (lang: Lang): string =>
        RULE_COLUMNS.map(({ header }) => header[lang]).join(", ");
      const tr = `“${text}” kural tablosunun bir sütunu değil. Sütunlar: ${known("tr")}.`;
      const en = `“${text}” is no column of the rules. The columns are: ${known("en")}.`;
      problems.push(wrong(row, { tr, en }, at));
    } else if ([...columns.values()].includes(found)) {
      const tr = `“${found.header.tr}” sütunu iki kez var.`;
      problems.push(wrong(row, { tr, en: `The column “${found.header.en}” is there twice.` }, at));
    } else columns.set(index, found);
  }
  return columns;
}

function readRow(
  { row, cells, formats = {} }: RuleRow,
  columns: ReadonlyMap<number, RuleColumn>,
  problems: RuleProblem[],
): { readonly row: number; readonly values: Draft } {
  const values: Record<string, unknown> = {};
  for (const [index, cell] of cells.entries()) {
    const given = textOf(cell);
    if (given === "") continue;
    // A supplier may be an address; it is matched, stored and shown as sources are named.
    const text = isAddress(given) ? bareAddress(given) : given;
    const found = columns.get(index);
    const at = { column: index, value: text };
    if (found === undefined) {
      const tr = "Hücrenin sütununun başlığı yok.";
      problems.push(wrong(row, { tr, en: "The column of the cell has no header." }, at));
      continue;
    }
    const read = readCell(found, { cell, text, format: formats[index] });
    if ("message" in read) problems.push(wrong(row, read.message, at));
    else values[found.key] = read.value;
  }
  return { row, values };
}

interface RuleCell {
  readonly cell: RuleRow["cells"][number];
  readonly text: string;
  readonly format: string | undefined;
}

type CellReading = { readonly value: unknown } | { readonly message: Localized };

const MAX_TEXT = 200;

function readCell({ key, kind }: RuleColumn, { cell, text, format }: RuleCell): CellReading {
  if (typeof kind === "object") {
    const read = parseDecimal(cell, kind, format);
    if ("message" in read) return read;
    return kind.decimals === 0 ? { value: Number(read.value) } : read;
  }
  if (text.length > MAX_TEXT) {
    const tr = `Metin çok uzun; en çok ${MAX_TEXT} karakter olabilir.`;
    return { message: { tr, en: `The text is too long; at most ${MAX_TEXT} characters.` } };
  }
  if (kind === "date") return parseDate(text);
  if (kind === "ending") return parseEnding(cell);
  if (kind === "text") return { value: text };
  if (kind === "source") return { value: WORDS.source.get(matchKey(text)) ?? toColumn(text) };
  const value = WORDS[kind].get(matchKey(text));
  if (value !== undefined) return { value };
  const choices = [...new Set(WORDS[kind].values())].join(", ");
  return key === "currency"
    ? {
        message: {
          tr: `“${text}” çevrilebilen bir para birimi değil. Olabilecekler: ${choices}.`,
          en: `“${text}” is no currency that can be converted. These can: ${choices}.`,
        },
      }
    : {
        message: {
          tr: `“${text}” bir yön değil. Olabilecekler: yukarı, aşağı, en yakın.`,
          en: `“${text}” is no direction. There are: up, down, nearest.`,
        },
      };
}

const toColumn = (text: string): string => (text.startsWith("column:") ? text : `column:${text}`);

const words = (...lists: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(lists.flatMap(([value, all]) => all.split("|").map((text) => [matchKey(text), value])));

const WORDS: Readonly<Record<"source" | "currency" | "direction", ReadonlyMap<string, string>>> = {
  source: words(
    ["price", "Fiyat|Dosya|Dosyadaki fiyat|Price|File"],
    ["cost", "Maliyet|Alış fiyatı|Cost"],
    ["store", "Mağaza|Mağaza fiyatı|Mağazadaki fiyat|Store|Store price"],
  ),
  currency: words(["USD", "USD|$|Dolar|Dollar"], ["EUR", "EUR|€|Avro|Euro"]),
  direction: words(
    ["up", "Yukarı|Up"],
    ["down", "Aşağı|Down"],
    ["nearest", "En yakın|Yakın|Nearest"],
  ),
};

function checkRules(
  placed: readonly PlacedRule[],
  { isNumbered }: { readonly isNumbered: boolean },
): readonly RuleProblem[] {
  return placed.flatMap(({ row, rule }, index) => {
    const before = placed.slice(0, index).map((each) => each.rule);
    const others = placed.filter((each) => each.rule !== rule).map((each) => each.rule);
    const found = [
      ...checkRule(rule, isNumbered),
      ...checkConflicts(rule, { before, others, isNumbered }),
    ];
    return found.map((message) => wrong(row, message));
  });
}

function checkRule(rule: PriceRule, isNumbered: boolean): readonly Localized[] {
  const { currency, rate, rateDate, from, below, min, max, stockMin, stockMax } = rule;
  const stated = [currency, rate, rateDate].filter((value) => value !== undefined).length;
  const checks: readonly (readonly [isWrong: boolean, tr: string, en: string])[] = [
    [
      isNumbered && rule.number === 0,
      "Öteki kuralların numarası var; bu kuralın da olmalı.",
      "Other rules have numbers, so this one needs a number too.",
    ],
    [
      !Object.values(PARTS).some((has) => has(rule)),
      "Kural bir şey değiştirmiyor: bir işlem, yuvarlama, sınır, komisyon ya da stok yazın.",
      "The rule changes nothing: give an operation, rounding, limit, commission or stock value.",
    ],
    [
      stated !== 0 && stated !== 3,
      "Para birimi, kur ve kur tarihi birlikte yazılır.",
      "Currency, rate and the date of the rate go together.",
    ],
    [
      isAbove(from, below, true) || isAbove(min, max) || isAbove(stockMin, stockMax),
      "Alt sınır, üst sınırdan küçük olmalı.",
      "The lower limit must be below the upper one.",
    ],
    [
      rule.direction !== undefined && rule.ending === undefined,
      "Yön, yalnızca yuvarlama ile yazılır.",
      "A direction is given with a rounding only.",
    ],
    [
      takesAll(rule),
      "Marj, komisyon ve KDV birlikte %100'e ulaşıyor; geriye bir şey kalmaz.",
      "Margin, commission and VAT make 100% together; nothing is left.",
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, tr, en]) => ({ tr, en }));
}

function takesAll({ margin = "0", commission = "0", vat = "0" }: PriceRule): boolean {
  const tax = (100 * Number(vat)) / (100 + Number(vat));
  return Number(margin) + Number(commission) + tax >= 100;
}

/** Limits have few digits, so that numbers compare them exactly. */
const isAbove = (low?: string | number, high?: string | number, orSame = false): boolean =>
  low !== undefined &&
  high !== undefined &&
  (orSame ? Number(low) >= Number(high) : Number(low) > Number(high));

interface OtherRules {
  readonly before: readonly PriceRule[];
  readonly others: readonly PriceRule[];
  readonly isNumbered: boolean;
}

function checkConflicts(
  rule: PriceRule,
  { before, others, isNumbered }: OtherRules,
): readonly Localized[] {
  const same = isNumbered ? before.find(({ number }) => number === rule.number) : undefined;
  if (same !== undefined) {
    const [one, other] = [nameRule(same), nameRule(rule)];
    const tr = `${one} ile ${other} aynı numarayı taşıyor; hangisinin önce geleceği belli değil.`;
    return [{ tr, en: `${one} and ${other} have the same number, so neither comes first.` }];
  }
  if (!isNumbered) {
    const overlap = before.find((each) => findOverlap(each, rule));
    if (overlap === undefined) return [];
    const [one, other] = [nameRule(overlap), nameRule(rule)];
    const tr = `${one} ile ${other} aynı ürüne uyabilir ve sıraları belli değil; No sütununa numara yazın.`;
    const en = `${one} and ${other} may hold for the same product, and their order is not given; number them in the column No.`;
    return [{ tr, en }];
  }
  const covering = findCovering(rule, others);
  if (covering === undefined) return [];
  const [one, other] = [nameRule(covering), nameRule(rule)];
  const tr = `${other} hiç uygulanmaz: ${one} daha önce gelir ve uyduğu her ürüne uyar. Genel kurala daha büyük numara verin.`;
  const en = `${other} is never used: ${one} comes first and holds for each of its products. Give the general rule a higher number.`;
  return [{ tr, en }];
}

/** Writes rules as rows of the sheet, under the headers of {@link RULE_COLUMNS}. */
export function formatRules(
  rules: readonly PriceRule[],
  lang: Lang,
): { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const header = RULE_COLUMNS.map((each) => each.header[lang]);
  const rows = rules.map((rule) => RULE_COLUMNS.map((each) => formatCell(each, rule, lang)));
  return { header, rows };
}

const DIRECTIONS = {
  up: { tr: "yukarı", en: "up" },
  down: { tr: "aşağı", en: "down" },
  nearest: { tr: "en yakın", en: "nearest" },
} as const;

function formatCell({ key, kind }: RuleColumn, rule: PriceRule, lang: Lang): string {
  const value = rule[key];
  if (value === undefined) return "";
  if (typeof kind === "object") return formatDecimal(String(value), lang);
  if (key === "source") {
    // A column that is named like a source keeps its mark.
    const text = nameSource(rule.source)[lang];
    const isColumn = rule.source.startsWith("column:");
    return isColumn && WORDS.source.has(matchKey(text)) ? rule.source : text;
  }
  if (key === "direction") return DIRECTIONS[rule.direction ?? "up"][lang];
  if (kind === "ending") return value === "00" ? WHOLE[lang] : `${SIGN[lang]}${value}`;
  return String(value);
}

const WHOLE: Localized = { tr: "tam", en: "whole" };
const SIGN: Localized = { tr: ",", en: "." };

/** Three decimals would be taken for thousands, so they get a fourth. */
function formatDecimal(value: string, lang: Lang): string {
  const [whole = "", decimals = ""] = value.split(".");
  if (decimals === "") return whole;
  return `${whole}${SIGN[lang]}${decimals.length === 3 ? `${decimals}0` : decimals}`;
}
