/**
 * The form of a feed: which column gives each field, and how its values are written. A later version
 * that differs in what matters for a field that is used is refused until a person accepts it.
 */

import { CatalogError, fieldLabels } from "@catalog/connection";
import type { Currency } from "@catalog/contract";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import {
  columnLetter,
  type FieldKey,
  headerKey,
  type NumberNotations,
  parseMoney,
  readNumberCell,
  type SourceRow,
  trimText,
} from "@catalog/mapping";
import type { GuardName, RowIssue } from "@catalog/runs";
import { z } from "zod";

import { FEED_FIELDS, isSentField, type OpenedFeed } from "./open-feed.ts";

/** How the values of one field are given. */
interface FieldForm {
  /** Headers of its columns; several stocks may be added up. */
  readonly headers: readonly string[];
  /** What most of its cells are. */
  readonly kind: "number" | "text";
  /** Decimal sign of its numbers. @default no cell shows it */
  readonly decimal?: "comma" | "point" | undefined;
  /** Currencies beside its amounts, the most frequent one first. */
  readonly currencies: readonly string[];
  /** Its different texts, as far as they are few. */
  readonly words: readonly string[];
  /** Whether all its texts are in `words`, each several times. */
  readonly isSet: boolean;
  /** The middle one of its amounts, as a number in the cells. @default too few are known */
  readonly middle?: number | undefined;
  /** A cell that shows it, as it stands in the feed. */
  readonly example: string;
}

const fieldFormSchema: z.ZodType<FieldForm> = z.object({
  headers: z.array(z.string()),
  kind: z.enum(["number", "text"]),
  decimal: z.enum(["comma", "point"]).optional(),
  currencies: z.array(z.string()),
  words: z.array(z.string()),
  isSet: z.boolean(),
  middle: z.number().optional(),
  example: z.string(),
});

/** The form of one version of a feed, by field. */
export type FeedForm = Readonly<Partial<Record<FieldKey, FieldForm>>>;

/** Schema of a stored form. */
export const feedFormSchema: z.ZodType<FeedForm> = z.partialRecord(
  z.enum(FEED_FIELDS),
  fieldFormSchema,
);

/** Collects the form of a feed from the rows that are products. */
export interface FormObserver {
  note(row: SourceRow): void;
  /** The form, once all rows are noted. */
  form(notations: NumberNotations): FeedForm;
}

/** Different texts beyond which a column is no small set. */
const MAX_WORDS = 12;

/** Cells for each different text, below which a column is no small set either. */
const MIN_REPEATS = 5;

/** Amounts that the middle one is chosen from. */
const MAX_AMOUNTS = 10_000;

/** Amounts below which the middle one says nothing. */
const MIN_AMOUNTS = 5;

const MAX_EXAMPLE = 40;

interface ColumnCount {
  readonly index: number;
  readonly currencies: Map<string, number>;
  readonly words: Set<string>;
  readonly amounts: number[];
  numbers: number;
  texts: number;
  /** The first cell of each kind. */
  readonly examples: Partial<Record<CellKind, string>>;
}

/** An amount with a currency, a number with decimals, any other number, and a text. */
type CellKind = "money" | "decimal" | "whole" | "text";

/** A number that has nothing beside it. */
const PLAIN = /^[\s\d.,+\u2212-]*$/u;

export function createFormObserver({ mapping }: Pick<OpenedFeed, "mapping">): FormObserver {
  const columns = mapping.columns.flatMap((column) => {
    const { target, index, header } = column;
    if (target.kind !== "field" || !IN_FORM.has(target.field)) return [];
    return [{ field: target.field, header, count: createColumnCount(index) }];
  });
  return {
    note(row) {
      for (const { field, count } of columns) noteCell(count, field, row);
    },
    form(notations) {
      const byField = Map.groupBy(columns, ({ field }) => field);
      return Object.fromEntries(
        [...byField].map(([field, given]) => [field, toFieldForm(given, notations)]),
      );
    },
  };
}

const IN_FORM: ReadonlySet<string> = new Set(FEED_FIELDS);
const PRICES: ReadonlySet<FieldKey> = new Set(["price", "list_price"]);
/** A code may look like a number, and is none. */
const CODES: ReadonlySet<FieldKey> = new Set(["product_code", "product_id"]);

const createColumnCount = (index: number): ColumnCount => ({
  index,
  currencies: new Map(),
  words: new Set(),
  amounts: [],
  numbers: 0,
  texts: 0,
  examples: {},
});

function noteCell(count: ColumnCount, field: FieldKey, { cells }: SourceRow): void {
  const cell = cells[count.index] ?? null;
  const text = trimText(String(cell ?? ""));
  if (text === "") return;
  if (CODES.has(field)) {
    count.examples.text ??= text.slice(0, MAX_EXAMPLE);
    return;
  }
  const amount = readNumberCell(cell, ANY_NOTATION);
  const isPrice = PRICES.has(field);
  const currency = isPrice && !PLAIN.test(text) ? readCurrency(text) : undefined;
  if (currency !== undefined) noteCurrency(count, currency);
  if (amount === undefined) noteText(count, field, text);
  else noteAmount(count, amount, isPrice);
  count.examples[kindOf(text, amount, currency)] ??= text.slice(0, MAX_EXAMPLE);
}

const noteCurrency = ({ currencies }: ColumnCount, currency: string): void =>
  void currencies.set(currency, (currencies.get(currency) ?? 0) + 1);

function noteText(count: ColumnCount, field: FieldKey, text: string): void {
  count.texts += 1;
  if (count.words.size <= MAX_WORDS) count.words.add(toWord(field, text));
}

function noteAmount(count: ColumnCount, amount: number, isPrice: boolean): void {
  count.numbers += 1;
  if (isPrice && count.amounts.length < MAX_AMOUNTS) count.amounts.push(amount);
}

/** A currency has several words, which mean the same. */
const toWord = (field: FieldKey, text: string): string =>
  (field === "currency" ? readCurrency(`1 ${text}`) : undefined) ?? text.toLocaleLowerCase("tr");

const kindOf = (
  text: string,
  amount: number | undefined,
  currency: string | undefined,
): CellKind => {
  if (currency !== undefined) return "money";
  if (amount === undefined) return "text";
  return DECIMALS.test(text) ? "decimal" : "whole";
};

const DECIMALS = /[.,]\d{1,2}$/u;

const ANY_NOTATION = { decimal: undefined, isMixed: false } as const;

/** The currency that a cell names, also one that the marketplace does not take. */
function readCurrency(text: string): string | undefined {
  const read = parseMoney(text);
  const named = read.ok ? read.value.currency : read.problem.params?.["foreign"];
  return typeof named === "string" ? named : undefined;
}

function toFieldForm(
  given: readonly { readonly header: string; readonly count: ColumnCount }[],
  notations: NumberNotations,
): FieldForm {
  const counts = given.map(({ count }) => count);
  const sum = (read: (count: ColumnCount) => number): number =>
    counts.reduce((all, count) => all + read(count), 0);
  const [numbers, texts] = [sum((count) => count.numbers), sum((count) => count.texts)];
  const words = new Set(counts.flatMap((count) => [...count.words]));
  const kind = texts > numbers ? "text" : "number";
  const signs = new Set(
    counts.flatMap(({ index }) => {
      const { decimal, isMixed = false } = notations.columns.get(index) ?? {};
      return decimal === undefined || isMixed ? [] : [decimal];
    }),
  );
  const [decimal] = signs;
  const amounts = counts.flatMap((count) => count.amounts).toSorted((a, b) => a - b);
  const middle = amounts.length < MIN_AMOUNTS ? undefined : amounts[amounts.length >> 1];
  return {
    headers: given.map(({ header }) => header),
    kind,
    ...(signs.size === 1 && { decimal }),
    currencies: listCurrencies(counts),
    words: [...words].toSorted().slice(0, MAX_WORDS + 1),
    isSet: kind === "text" && words.size <= MAX_WORDS && texts >= words.size * MIN_REPEATS,
    ...(middle !== undefined && { middle }),
    example: findExample(counts, kind),
  };
}

const EXAMPLES: Readonly<Record<FieldForm["kind"], readonly CellKind[]>> = {
  number: ["money", "decimal", "whole", "text"],
  text: ["text", "money", "decimal", "whole"],
};

const findExample = (counts: readonly ColumnCount[], kind: FieldForm["kind"]): string =>
  EXAMPLES[kind]
    .flatMap((of) => counts.map(({ examples }) => examples[of]))
    .find((example) => example !== undefined) ?? "";

const listCurrencies = (counts: readonly ColumnCount[]): string[] =>
  counts
    .flatMap(({ currencies }) => [...currencies])
    .toSorted(([, a], [, b]) => b - a)
    .map(([currency]) => currency);

/** A version of a feed, as it was accepted or as it is now. */
interface FeedVersion {
  /** Fields that are given, each with the header of its column. @default they are not known */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** @default it is not known */
  readonly form?: FeedForm | undefined;
  /** Path of the records of XML or JSON. @default it is a table, or not known */
  readonly record?: string | undefined;
  /** Headers of the columns that price rules use, by what for. @default none is known */
  readonly ruleColumns?: Readonly<Record<string, string>> | undefined;
}

/** A version that was just read. */
interface ReadVersion extends Pick<FeedVersion, "record" | "ruleColumns"> {
  readonly fields: Readonly<Record<string, string>>;
  readonly form: FeedForm;
  /** What the present price rules need of the feed. @default nothing */
  readonly needs?: readonly string[] | undefined;
}

/** A difference that matters. */
interface FormChange {
  readonly kind:
    | "record"
    | "rule-column"
    | "lost"
    | "new"
    | "renamed"
    | "kind"
    | "decimal"
    | "currency"
    | "words"
    | "scale";
  readonly field: string;
  /** Header of the column, now or before. */
  readonly header: string;
  /** The cell that shows it. */
  readonly example: string;
  /** Before and after, in words for people. */
  readonly text: Localized;
}

/** Fields that change what buyers pay although the column of prices stays as it is. */
const PRICING: ReadonlySet<string> = new Set([
  "list_price",
  "discount_value",
  "discount_type",
  "currency",
]);

interface AssertFormOptions {
  readonly feed: Pick<OpenedFeed, "mapping"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "header">;
  };
  readonly now: ReadVersion;
  /** @default this is the first version */
  readonly last: FeedVersion | undefined;
  readonly allowed: readonly GuardName[];
  /** Field by header, as a person has stated it; such a column is no change of the feed. */
  readonly columns?: ReadonlyMap<string, string> | undefined;
  /**
   * Whether the feed is read with a profile. Then a column that it has lost is a change as well: its
   * columns were named by a person. @default false
   */
  readonly hasProfile?: boolean | undefined;
  /** Distance from ×100 or ÷100, in percent, within which prices count as 100 times off. */
  readonly scalePercent: number;
}

/**
 * Throws `CatalogError` where the feed differs from its last accepted version: `E_FEED_FEWER_COLUMNS`
 * where it only lacks fields, `E_FEED_NEW_COLUMN` where only new ones change what buyers pay, and
 * `E_FEED_CHANGED` with all differences otherwise.
 */
export function assertSameForm(options: AssertFormOptions): void {
  const { allowed, columns = new Map<string, string>(), hasProfile = false } = options;
  const stated = new Set([...columns.keys()].map(headerKey));
  const isAllowed = ({ kind, header }: FormChange): boolean => {
    if (kind === "lost") return allowed.includes("fewer-columns");
    if (kind === "new") return allowed.includes("moved-values") || stated.has(headerKey(header));
    return kind === "renamed" && stated.has(headerKey(header));
  };
  const changes = listChanges(options).filter((change) => !isAllowed(change));
  if (changes.length === 0) return;
  const kinds = new Set(changes.map(({ kind }) => kind));
  const [only] = kinds.size === 1 && !hasProfile ? kinds : [];
  if (only === "lost") throw new CatalogError("E_FEED_FEWER_COLUMNS", nameFields(changes));
  if (only === "new") throw new CatalogError("E_FEED_NEW_COLUMN", nameFields(changes));
  const issues = changes.map((change) => toIssue(change, options.feed));
  throw new CatalogError("E_FEED_CHANGED", nameFields(changes), issues);
}

/** Every difference that matters, field by field. */
function listChanges(options: AssertFormOptions): readonly FormChange[] {
  const { now, last, scalePercent, hasProfile = false } = options;
  if (last === undefined) return [];
  const isNew = last.fields === undefined ? [] : Object.entries(now.fields);
  return [
    ...compareRecord(last.record, now.record),
    ...compareRuleColumns(last, now),
    ...findLostFields(now.fields, last).map(({ field, header }) => toLost(field, header, last)),
    ...(hasProfile ? findLostKeys(options.feed, last) : []),
    ...isNew
      .filter(([field]) => PRICING.has(field) && !Object.hasOwn(last.fields ?? {}, field))
      .map(([field, header]) => toNew(field, header, now)),
    ...FEED_FIELDS.flatMap((field) => {
      const [before, after] = [last.form?.[field], now.form[field]];
      if (before === undefined || after === undefined) return [];
      if (isSentField(field) && now.fields[field] === undefined) return [];
      return compareField(field, { before, after, scalePercent });
    }),
  ];
}

/** The columns that named the products and are gone. */
function findLostKeys(
  { mapping }: Pick<OpenedFeed, "mapping">,
  last: FeedVersion,
): readonly FormChange[] {
  const given = new Set(
    mapping.columns.map(({ target }) => (target.kind === "field" ? target.field : undefined)),
  );
  return [...CODES].flatMap((field) => {
    const before = last.form?.[field];
    return before === undefined || given.has(field)
      ? []
      : [toLost(field, before.headers.join(" + "), last)];
  });
}

/** Other records may hold other products, although their values have the same names. */
function compareRecord(was: string | undefined, is: string | undefined): readonly FormChange[] {
  if (was === undefined || is === undefined || was === is) return [];
  const text = (lang: Lang): string => CHANGED[lang](quote(was), quote(is));
  const change = { kind: "record", field: "record", header: is, example: is } as const;
  return [{ ...change, text: { tr: text("tr"), en: text("en") } }];
}

/** A rule that lost its column would leave its prices as they are for ever. */
function compareRuleColumns(
  { ruleColumns: before = {} }: FeedVersion,
  { ruleColumns: after = {}, needs = [] }: ReadVersion,
): readonly FormChange[] {
  return needs.flatMap((need): readonly FormChange[] => {
    const [was, is] = [before[need], after[need]];
    if (was === undefined || headerKey(was) === headerKey(is ?? "")) return [];
    const change = { kind: "rule-column", field: "rule", header: was, example: "" } as const;
    const text =
      is === undefined
        ? {
            tr: `fiyat kurallarının kullandığı ${quote(was)} sütunu artık yok`,
            en: `the column ${quote(was)}, which price rules use, is gone`,
          }
        : {
            tr: `fiyat kuralları ${quote(was)} sütununu kullanıyordu, şimdi ${quote(is)} sütunu var`,
            en: `price rules used the column ${quote(was)}, and there is ${quote(is)} now`,
          };
    return [{ ...change, text }];
  });
}

interface ComparedField {
  readonly before: FieldForm;
  readonly after: FieldForm;
  readonly scalePercent: number;
}

/** A value is 100 times another one. */
const SCALE = 100;

function compareField(field: FieldKey, compared: ComparedField): readonly FormChange[] {
  const { before, after } = compared;
  const make = (
    kind: FormChange["kind"],
    text: (lang: Lang) => string,
    example = after.example,
  ): FormChange => ({
    kind,
    field,
    header: after.headers.join(" + "),
    example,
    text: { tr: text("tr"), en: text("en") },
  });
  if (!isSameList(before.headers.map(headerKey), after.headers.map(headerKey))) {
    return [make("renamed", (lang) => RENAMED[lang](toSide(before), toSide(after)))];
  }
  if (before.kind !== after.kind) {
    const [was, is] = [before.kind, after.kind];
    return [
      make("kind", (lang) =>
        CHANGED[lang](
          `${KINDS[was][lang]} (${quote(before.example)})`,
          `${KINDS[is][lang]} (${quote(after.example)})`,
        ),
      ),
    ];
  }
  return [
    ...compareSign(compared, make),
    ...compareCurrency(compared, make),
    ...compareWords(compared, make),
    ...compareScale(compared, make),
  ];
}

type MakeChange = (
  kind: FormChange["kind"],
  text: (lang: Lang) => string,
  example?: string,
) => FormChange;

function compareSign({ before, after }: ComparedField, make: MakeChange): readonly FormChange[] {
  const [was, is] = [before.decimal, after.decimal];
  if (was === undefined || is === undefined || was === is) return [];
  return [
    make("decimal", (lang) =>
      CHANGED[lang](
        `${SIGNS[was][lang]} (${quote(before.example)})`,
        `${SIGNS[is][lang]} (${quote(after.example)})`,
      ),
    ),
  ];
}

/** An amount without a currency is one in lira; one that had its currency may be any other now. */
const HOME_CURRENCY: Currency = "TL";

function compareCurrency(
  { before, after }: ComparedField,
  make: MakeChange,
): readonly FormChange[] {
  const known = new Set([...before.currencies, HOME_CURRENCY]);
  const isGone = after.currencies.length === 0 && before.currencies.length > 0;
  if (!isGone && after.currencies.every((one) => known.has(one))) return [];
  return [
    make("currency", (lang) =>
      CHANGED[lang](nameCurrencies(before, lang), nameCurrencies(after, lang)),
    ),
  ];
}

const nameCurrencies = ({ currencies, example }: FieldForm, lang: Lang): string =>
  `${currencies.length === 0 ? NO_CURRENCY[lang] : currencies.join(", ")} (${quote(example)})`;

function compareWords({ before, after }: ComparedField, make: MakeChange): readonly FormChange[] {
  if (!before.isSet) return [];
  const known = new Set(before.words);
  const others = after.words.filter((word) => !known.has(word));
  if (others.length === 0) return [];
  return [
    make("words", (lang) => WORDS[lang](quoteAll(before.words), quoteAll(others)), others[0]),
  ];
}

function compareScale(
  { before, after, scalePercent }: ComparedField,
  make: MakeChange,
): readonly FormChange[] {
  const [was, is] = [before.middle, after.middle];
  if (was === undefined || is === undefined || was <= 0 || is <= 0) return [];
  const ratio = is > was ? is / was : was / is;
  if (Math.abs(ratio - SCALE) > (SCALE * scalePercent) / 100) return [];
  return [
    make("scale", (lang) =>
      SCALED[lang](
        formatNumber(was, lang, { maxDecimals: 2 }),
        formatNumber(is, lang, { maxDecimals: 2 }),
      ),
    ),
  ];
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));

const quote = (text: string): string => `“${text}”`;

const quoteAll = (texts: readonly string[]): string => texts.map(quote).join(", ");

const toSide = ({ headers, example }: FieldForm): string =>
  `${quote(headers.join(" + "))} (${quote(example)})`;

const CHANGED: Readonly<Record<Lang, (before: string, after: string) => string>> = {
  tr: (before, after) => `${before} iken ${after} oldu`,
  en: (before, after) => `it was ${before}, and is ${after} now`,
};

const RENAMED: typeof CHANGED = {
  tr: (before, after) => `${before} sütunundan geliyordu, şimdi ${after} sütunundan geliyor`,
  en: (before, after) => `it came from the column ${before}, and comes from ${after} now`,
};

const WORDS: typeof CHANGED = {
  tr: (before, after) => `yalnız ${before} yazardı, şimdi ${after} da yazıyor`,
  en: (before, after) => `it held ${before} only, and holds ${after} now`,
};

const SCALED: typeof CHANGED = {
  tr: (before, after) => `ortadaki değer ${before} iken ${after} oldu, yani 100 kat değişti`,
  en: (before, after) =>
    `its middle value was ${before} and is ${after} now, 100 times as much or as little`,
};

const KINDS: Readonly<Record<FieldForm["kind"], Localized>> = {
  number: { tr: "sayı", en: "a number" },
  text: { tr: "metin", en: "a text" },
};

const SIGNS: Readonly<Record<"comma" | "point", Localized>> = {
  comma: { tr: "ondalık virgül", en: "with a decimal comma" },
  point: { tr: "ondalık nokta", en: "with a decimal point" },
};

const NO_CURRENCY: Localized = { tr: "para birimi yazmaz", en: "without a currency" };

const toLost = (field: string, header: string, { form }: FeedVersion): FormChange => {
  const example = readExample(form, field);
  const shown = example === "" ? "" : ` (${quote(example)})`;
  return {
    kind: "lost",
    field,
    header,
    example: "",
    text: {
      tr: `${quote(header)} sütunundan geliyordu${shown}, şimdi yok ya da bomboş`,
      en: `it came from the column ${quote(header)}${shown}, which is gone or empty now`,
    },
  };
};

const toNew = (field: string, header: string, { form }: FeedVersion): FormChange => {
  const example = readExample(form, field);
  return {
    kind: "new",
    field,
    header,
    example,
    text: {
      tr: `yoktu, şimdi ${quote(header)} sütunundan geliyor (${quote(example)})`,
      en: `it was not given, and comes from the column ${quote(header)} (${quote(example)}) now`,
    },
  };
};

const readExample = (form: FeedForm | undefined, field: string): string =>
  FEED_FIELDS.map((key) => (key === field ? form?.[key]?.example : undefined)).find(
    (example) => example !== undefined,
  ) ?? "";

/** The fields of the last accepted version that are missing now. */
export const findLostFields = (
  fields: Readonly<Record<string, string>>,
  last: FeedVersion | undefined,
): readonly { readonly field: string; readonly header: string }[] =>
  Object.entries(last?.fields ?? {})
    .filter(([field]) => !Object.hasOwn(fields, field))
    .map(([field, header]) => ({ field, header }));

const nameOf = (field: string): Localized => {
  if (field === "rule") return { tr: "Fiyat kuralı", en: "Price rule" };
  return field === "record" ? { tr: "Kayıt", en: "Record" } : fieldLabels(field);
};

/** Fields with the headers of their columns, in words for people. */
function nameFields(changes: readonly FormChange[]): Localized {
  const write = (lang: Lang): string =>
    [
      ...new Set(changes.map(({ field, header }) => `${nameOf(field)[lang]} (${quote(header)})`)),
    ].join(", ");
  return { tr: write("tr"), en: write("en") };
}

function toIssue(
  { field, header, example, text }: FormChange,
  { mapping, sheet }: AssertFormOptions["feed"],
): RowIssue {
  const column = mapping.columns.find((one) => one.header === header);
  const { row } = sheet.header;
  return {
    code: "E_FEED_CHANGED",
    sheet: sheet.sheet,
    row,
    column: header,
    cell: column === undefined ? "" : `${columnLetter(column.index)}${row}`,
    value: example,
    message: {
      tr: `${nameOf(field).tr}: ${text.tr}.`,
      en: `${nameOf(field).en}: ${text.en}.`,
    },
  };
}
