/**
 * Values of fields as people read them: names for ids from the lists that were fetched last,
 * amounts, the cell that a field came from, the prices that buyers pay. Makes no call.
 */

import { type Connection, createStoredNameLists, readStatusWords } from "@catalog/connection";
import { formatMinor, formatPercentChange, type Lang, type Localized } from "@catalog/i18n";
import {
  columnLetter,
  createNameIndexes,
  DEFAULT_ID_PATTERN,
  FIELDS,
  findField,
  type NameIndexes,
  VALUE_KEYWORDS,
} from "@catalog/mapping";
import {
  type CellValue,
  comparePaidPrices,
  DISCOUNT_FIELDS,
  type Payload,
  readPriceTag,
  type RowRecord,
  type RunRecord,
  type CandidateRow,
  type PaidPrices,
} from "@catalog/runs";

import { ACTION_FIELDS, formatActionValue, statusKey } from "./action-words.ts";

type FieldDefinition = (typeof FIELDS)[number];

/** Minor units in one unit of the currency. */
export const MINOR_UNITS = 100;

/** Formats a change in percent, with decimals only for small changes. */
export function formatPercent(percent: number, lang: Lang): string {
  const decimals = Math.abs(percent) < 10 ? 1 : 0;
  return formatPercentChange(percent, lang, { minDecimals: decimals, maxDecimals: decimals });
}

type NameStore = Pick<Connection, "memory" | "baseUrl">;

/** Indexes of the stored lists; a list that was never fetched is empty. */
export const createStoredIndexes = ({ memory, baseUrl }: NameStore): NameIndexes =>
  createNameIndexes(createStoredNameLists({ cache: memory.names, baseUrl }));

/** A field of the marketplace that holds an id, and the id. */
interface FieldId {
  readonly field: string;
  readonly id: string;
}

/** Finds the name of an id in a row, whose category and brand say which lists it is in. */
async function findName(
  indexes: NameIndexes,
  { payload }: Pick<RowRecord, "payload">,
  { field, id }: FieldId,
): Promise<string | undefined> {
  return await FINDERS[field]?.(indexes, payload ?? {}, id);
}

/** Reads the name of an id of a row's category, brand, model or shipping template. */
type ReadStoredName = (
  row: Pick<RowRecord, "payload">,
  wanted: FieldId,
) => Promise<string | undefined>;

/** Creates the function for a store. It answers `undefined` for an id that no stored list has. */
function createReadStoredName(store: NameStore): ReadStoredName {
  const indexes = createStoredIndexes(store);
  return async (row, wanted) => await findName(indexes, row, wanted);
}

type FindName = (
  indexes: NameIndexes,
  body: Partial<Payload>,
  id: string,
) => Promise<string | undefined>;

const FINDERS: Readonly<Record<string, FindName>> = {
  async shipping_template_id(indexes, _, id) {
    return (await indexes.templates()).items.find((item) => item.id === id)?.template_name;
  },
  async category_id(indexes, _, id) {
    const node = (await indexes.categories()).items.find((item) => item.category.id === id);
    return node?.path;
  },
  async brand_id(indexes, { category_id: category }, id) {
    const items = category === undefined ? [] : (await indexes.brands(category)).items;
    return items.find((item) => item.id === id)?.name;
  },
  async brand_model(indexes, { category_id: category, brand_id: brand }, id) {
    const isKnown = category !== undefined && brand !== undefined;
    const items = isKnown ? (await indexes.models(category, brand)).items : [];
    return items.find((item) => item.id === id)?.name;
  },
};

/** Values of the fields of one row in words, with names for its ids. */
export interface FieldTexts {
  /** Formats a value that the row sends. */
  sent(row: Pick<RowRecord, "payload">, field: string, value: unknown, lang: Lang): string;
  /** Formats a value that the row replaces; one that the listing does not show is unknown. */
  replaced(
    row: Pick<RowRecord, "payload" | "changes">,
    field: string,
    value: unknown,
    lang: Lang,
  ): string;
}

interface FieldTextsOptions {
  /** Names that no list has, by id. @default none */
  readonly names?: IdNames;
  /** Whether an id whose name is known is shown behind it. @default false */
  readonly showsIds?: boolean;
}

/**
 * Creates the function that reads how the values of a row of a run are shown: the names of all ids
 * that it sends or changes come from what is stored. Makes no call.
 */
export function createReadFieldTexts(
  store: Store,
  run: NamedRun,
): (
  record: NamedRow & Pick<RowRecord, "changes">,
  options?: FieldTextsOptions,
) => Promise<FieldTexts> {
  const readNames = createReadIdNames(store, run);
  return async (record, { names: more = [], showsIds = false } = {}) => {
    const names = new Map([...(await readNames(record)), ...more]);
    const sent: FieldTexts["sent"] = ({ payload }, field, value, lang) => {
      const text = formatFieldValue(field, value, { payload, lang, names });
      return showsIds && isIdValue(field, value) && names.has(value)
        ? `${text} (ID ${value})`
        : text;
    };
    return {
      sent,
      replaced: (row, field, value, lang) =>
        value === undefined
          ? UNKNOWN_VALUE[lang]
          : sent({ payload: payloadBefore(row) }, field, value, lang),
    };
  };
}

/** The column of the file that each field with an id comes from. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ["category_id", "category"],
  ["brand_id", "brand"],
  ["brand_model", "brand_model"],
  ["shipping_template_id", "shipping_template"],
]);

/** Fields that may hold a name instead: listings have the names of categories, models are free text. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(["category_id", "brand_model"]);

/** A value that the store has and its listing does not show. */
export const UNKNOWN_VALUE: Localized = { tr: "bilinmiyor", en: "unknown" };

/** An id whose name is not known, in words. */
export const describeUnknownId = (id: string): Localized => ({
  tr: `${UNKNOWN_VALUE.tr} (ID ${id})`,
  en: `${UNKNOWN_VALUE.en} (ID ${id})`,
});

/** Whether a field of the marketplace holds ids, or names in their place. */
export const isIdField = (field: string): boolean => SOURCES.has(field);

/** Whether a value of a field is an id, and not a name in its place. */
export const isIdValue = (field: string, value: unknown): value is string =>
  typeof value === "string" &&
  SOURCES.has(field) &&
  !(TEXT_FIELDS.has(field) && !DEFAULT_ID_PATTERN.test(value));

/** The parts of a row that its ids are named by. */
export type NamedRow = Pick<RowRecord, "row" | "productId" | "cells" | "payload">;

/** Reads the name of an id that a row sends or replaces; `undefined` where it is not known. */
type ReadIdName = (record: NamedRow, wanted: FieldId) => Promise<string | undefined>;

type Store = Pick<Connection, "memory" | "baseUrl" | "journal" | "verificationLog">;
type NamedRun = Pick<RunRecord, "id" | "facts" | "progress">;

/**
 * Creates the function for a run: from the lists that were fetched last, then from the listings of
 * the product, then from the cell of a value that is sent. Makes no call.
 */
export function createReadIdName(store: Store, run: NamedRun): ReadIdName {
  const readStored = createReadStoredName(store);
  return async (record, wanted) => {
    const name = await readStored(record, wanted);
    if (name !== undefined || !isIdValue(wanted.field, wanted.id)) return name;
    const listed =
      wanted.field === "brand_id"
        ? await readListedBrand(store, run, record, wanted.id)
        : undefined;
    return listed ?? nameSent(run, record, wanted);
  };
}

/** Names by id. */
export type IdNames = ReadonlyMap<string, string>;

/** Creates the function that reads the names of all ids of a row of a run. */
export function createReadIdNames(
  store: Store,
  run: NamedRun,
): (record: NamedRow & Pick<RowRecord, "changes">) => Promise<IdNames> {
  const readName = createReadIdName(store, run);
  const statusWords = createReadStatusNames(store);
  return async (record) => {
    if (record.changes.some(({ field }) => field === "status")) return await statusWords();
    if (record.changes.some(({ field }) => TEMPLATE_LISTS.has(field))) {
      return await readTemplateNames(store, record);
    }
    const values = [
      ...Object.entries(record.payload ?? {}),
      ...record.changes.flatMap(({ field, old, new: next }) => [
        [field, old] as const,
        [field, next] as const,
      ]),
    ];
    const names = new Map<string, string>();
    for (const [field, id] of values) {
      if (!isIdField(field) || typeof id !== "string" || names.has(id)) continue;
      const name = await readName(record, { field, id });
      if (name !== undefined) names.set(id, name);
    }
    return names;
  };
}

/** Creates the function that reads the words of order statuses, once. */
function createReadStatusNames({ memory, baseUrl }: NameStore): () => Promise<IdNames> {
  let words: Promise<IdNames> | undefined;
  const read = async (): Promise<IdNames> => {
    const known = await readStatusWords({ baseUrl, notes: memory.notes });
    return new Map([...known].map(([status, word]) => [statusKey(status), word]));
  };
  return async () => {
    words ??= read();
    return await words;
  };
}

/** Fields of shipping templates that hold ids, and the stored list that has their names. */
const TEMPLATE_LISTS: ReadonlyMap<string, "addresses" | "companies"> = new Map([
  ["sender_address", "addresses"],
  ["return_address", "addresses"],
  ["shipping_companies", "companies"],
  ["return_companies", "companies"],
]);

/** Whether the values of a field are ids that a stored list has names for. */
export const hasStoredNames = (field: string): boolean =>
  isIdField(field) || TEMPLATE_LISTS.has(field);

/** The names of the addresses and companies of a template, from the lists that were read last. */
async function readTemplateNames(
  { memory, baseUrl }: NameStore,
  { changes }: Pick<RowRecord, "changes">,
): Promise<IdNames> {
  const lists = new Set(changes.flatMap(({ field }) => TEMPLATE_LISTS.get(field) ?? []));
  const names = new Map<string, string>();
  for (const list of lists) {
    const known = await memory.names.read<IdName>(`${baseUrl} ${list}`, ANY_AGE_MS);
    for (const { id, name } of known ?? []) names.set(id, name);
  }
  return names;
}

interface IdName {
  readonly id: string;
  readonly name: string;
}

/** Longer than any list is kept. */
const ANY_AGE_MS = Number.MAX_SAFE_INTEGER;

/** The brands of other categories are in no list that a row names, but listings name their own. */
async function readListedBrand(
  { journal, verificationLog }: Store,
  { id: runId, progress }: NamedRun,
  { row, productId }: NamedRow,
  id: string,
): Promise<string | undefined> {
  // An undo has the rows of the run that it undoes.
  for (const source of [runId, progress.undoOf]) {
    if (source === undefined) continue;
    const product = (await verificationLog.readBefore(source, [row])).get(row);
    if (product?.brand_id === id && product.brand_name != null) return product.brand_name;
  }
  if (productId === null) return undefined;
  const seen = await journal.readSeenById([productId]);
  return seen.find(({ product }) => product.brand_id === id)?.product.brand_name ?? undefined;
}

/** Reads the text of the file for an id, where that is what the row sends. */
export function nameSent(
  { facts }: Pick<NamedRun, "facts">,
  { cells, payload }: Pick<NamedRow, "cells" | "payload">,
  { field, id }: FieldId,
): string | undefined {
  const isSent = Object.entries(payload ?? {}).some(
    ([name, value]) => name === field && value === id,
  );
  const source = SOURCES.get(field);
  const columns = facts?.reading?.columns.used;
  if (!isSent || source === undefined || columns === undefined) return undefined;
  const own = String(cells[columns.indexOf(`only:${source}`)] ?? "").trim();
  const text = own || String(cells[columns.indexOf(source)] ?? "").trim();
  return text === "" || DEFAULT_ID_PATTERN.test(text) ? undefined : text;
}

/** Stands for a value that there is not. */
const NO_VALUE = "–";

/** Characters of a value that are shown; the result files hold the whole cell. */
const MAX_CHARACTERS = 60;

/** The row that a value belongs to, and the language. */
interface FormatOptions {
  readonly payload: Payload | null;
  readonly lang: Lang;
  /** @default none is known */
  readonly names?: IdNames | undefined;
}

/**
 * Formats a value of a field for people: prices as money, codes as words, ids as names, long texts
 * cut.
 */
export function formatFieldValue(
  field: string,
  value: unknown,
  { payload, lang, names }: FormatOptions,
): string {
  if (ACTION_FIELDS.has(field)) return cut(formatActionValue(field, value, { lang, names }));
  if (value === undefined) return "";
  if (typeof value === "number" && isMoney(field, payload)) return formatMinor(value, lang);
  if (value === null) return NO_VALUE;
  if (TEMPLATE_LISTS.has(field)) {
    const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
    return cut(ids.map((id) => names?.get(String(id)) ?? toText(id)).join("; "));
  }
  if (isIdField(field)) return cut(nameValue(field, value, { lang, names }));
  const word = findWord(field, value);
  if (word !== undefined) return word[lang];
  if (Array.isArray(value)) return cut(value.map((one) => toText(one)).join(", "));
  return cut(toText(value));
}

function nameValue(
  field: string,
  value: unknown,
  { lang, names }: Pick<FormatOptions, "lang" | "names">,
): string {
  const name = typeof value === "string" ? names?.get(value) : undefined;
  return name ?? (isIdValue(field, value) ? describeUnknownId(value)[lang] : toText(value));
}

/** The word for a value of a field of the marketplace that takes only certain values. */
export const findWord = (field: string, value: unknown): Localized | undefined =>
  KEYWORDS.get(field)?.find((keyword) => keyword.value === value);

/** Of shipping templates. */
const YES_NO_FIELDS = [
  "free_shipping",
  "all_country",
  "use_contractred_company",
  "common_address",
  "conditional_shipping",
  "shipping_with_together",
] as const;

/** By the names of the marketplace's fields. */
const KEYWORDS: ReadonlyMap<string, NonNullable<FieldDefinition["keywords"]>> = new Map([
  ...FIELDS.flatMap(({ key, keywords }) =>
    keywords === undefined ? [] : [[key, keywords] as const],
  ),
  ["has_discount", VALUE_KEYWORDS.yes_no],
  ["product_condition", VALUE_KEYWORDS.condition],
  ["custom_order_input", VALUE_KEYWORDS.yes_no],
  ...YES_NO_FIELDS.map((field) => [field, VALUE_KEYWORDS.yes_no] as const),
]);

const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Whether the field holds money: a discount does unless it is a rate, which is not known where its
 * type is not sent.
 */
export function isMoney(
  field: string,
  payload: { readonly discount_type?: number | undefined } | null,
): boolean {
  const type = payload?.discount_type;
  return field === "price" || (field === "discount_value" && (type === 1 || type === 3));
}

/**
 * The payload to read the old values of a row with: the fields of a discount are sent together, so
 * that its old type is among the changes where it changes.
 */
export function payloadBefore({
  payload,
  changes,
}: Pick<RowRecord, "payload" | "changes">): Payload | null {
  const type = changes.find(({ field }) => field === "discount_type")?.old;
  return payload !== null && isDiscountType(type) ? { ...payload, discount_type: type } : payload;
}

const isDiscountType = (value: unknown): value is NonNullable<Payload["discount_type"]> =>
  value === 1 || value === 2 || value === 3;

/** Cuts the value between whole characters and marks the cut. */
export function cut(value: CellValue): string {
  const text = String(value);
  if (text.length <= MAX_CHARACTERS) return text;
  // Of a character of two halves both are shown, so that the first characters may be twice as long.
  const letters = Array.from(text.slice(0, 2 * MAX_CHARACTERS + 1));
  if (letters.length <= MAX_CHARACTERS) return text;
  return `${letters.slice(0, MAX_CHARACTERS).join("")}…`;
}

/**
 * Location of the field in its row, or of the row as a whole where the field has no cell of its
 * own.
 */
export function findFieldLocation(
  run: RunRecord,
  record: RowRecord,
  field: string,
): CandidateRow["codeLocation"] {
  const { sheet, header } = run.file;
  const { row, code, cells } = record;
  const index = findColumn(run, record, field);
  if (index === undefined) return { sheet, row, column: "", cell: "", value: code ?? "" };
  return {
    sheet,
    row,
    column: header[index] ?? "",
    cell: `${columnLetter(index)}${row}`,
    value: String(cells[index] ?? ""),
  };
}

function findColumn(run: RunRecord, { cells }: RowRecord, field: string): number | undefined {
  const fields = run.facts?.reading?.columns.columns ?? {};
  const filled = run.file.header
    .map((header, index) => ({ index, key: fields[header] ?? "" }))
    .filter(({ index, key }) => key !== "" && !isEmpty(cells[index]));
  const isOf = createIsOf(field, new Set(filled.map(({ key }) => key)));
  return filled.find(({ key }) => isOf(key))?.index;
}

const isEmpty = (cell: RowRecord["cells"][number] | undefined): boolean =>
  cell === null || cell === undefined || cell === "";

/**
 * Whether a column of this kind is the source of the field. Where a row has a list price, the price
 * column holds the sale price, and the list price is sent as the price.
 */
function createIsOf(field: string, given: ReadonlySet<string>): (key: string) => boolean {
  if (field === "properties") return (key) => key.startsWith("property:");
  const hasListPrice = given.has("list_price");
  if (hasListPrice && field === "price") return (key) => key === "list_price";
  if (hasListPrice && field === "discount_value") return (key) => key === "price";
  return (key) => findField(key)?.apiFields.some((one) => one === field) === true;
}

/** The address of the first of a product's images, in either of the two shapes; `null` without one. */
export function firstImage(images: unknown): string | null {
  const first: unknown = Array.isArray(images) ? images[0] : undefined;
  if (typeof first === "string") return first;
  return typeof first === "object" && first !== null && "url" in first ? String(first.url) : null;
}

/** Names of the two prices of a product with a discount, and of a price that is not certain. */
export const PRICE_LABELS: Readonly<Record<"paid" | "list" | "unsure", Localized>> = {
  paid: { tr: "Alıcının ödediği", en: "Buyer pays" },
  list: { tr: "İndirimsiz fiyat", en: "Price before discount" },
  unsure: { tr: "belli değil", en: "not certain" },
};

const PRICE_FIELDS: ReadonlySet<string> = new Set(["price", ...DISCOUNT_FIELDS]);

type PricedRow = Pick<RowRecord, "row" | "action" | "changes">;

const setsPrice = ({ action, changes }: PricedRow): boolean =>
  action === "update" && changes.some(({ field }) => PRICE_FIELDS.has(field));

/**
 * Reads what buyers pay for the products of these rows, by row. A row without a discount, before
 * and after, has none, and neither has one whose old price is not known.
 */
export async function readBuyerPrices(
  { verificationLog }: Pick<Connection, "verificationLog">,
  { id, facts }: Pick<RunRecord, "id" | "facts">,
  rows: readonly PricedRow[],
): Promise<ReadonlyMap<number, PaidPrices>> {
  const priced = rows.filter((row) => setsPrice(row));
  const prices = new Map<number, PaidPrices>();
  if (priced.length === 0) return prices;
  const before = await verificationLog.readBefore(
    id,
    priced.map(({ row }) => row),
  );
  for (const { row, changes } of priced) {
    const seen = before.get(row);
    if (seen === undefined) continue;
    const old = readPriceTag({ seen, priceUnit: facts?.priceUnit ?? "unknown" });
    const price = comparePaidPrices(old, toNextPrice(old, changes));
    if (price !== undefined) prices.set(row, price);
  }
  return prices;
}

function toNextPrice(old: PriceTag, changes: PricedRow["changes"]): PriceTag {
  const sent = new Map(changes.map(({ field, new: value }) => [field, value]));
  const numberOf = (field: "price" | "discount_type" | "discount_value"): number | undefined => {
    const value = sent.get(field);
    return typeof value === "number" ? value : old[field];
  };
  return {
    price: numberOf("price"),
    has_discount: sent.has("has_discount") ? sent.get("has_discount") === true : old.has_discount,
    discount_type: numberOf("discount_type"),
    discount_value: numberOf("discount_value"),
  };
}

type PriceTag = ReturnType<typeof readPriceTag>;
