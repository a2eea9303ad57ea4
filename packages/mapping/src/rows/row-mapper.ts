/** Turns rows into values and ids in the API's own types, with everything that is wrong with them. */

import { idSchemas, type ProductAdd, type ProductChanges, type ProductId } from "@catalog/contract";

import type { ColumnMapping } from "../columns/column-mapping.ts";
import { type SharedWarning, toColumnWarnings } from "../columns/column-reports.ts";
import { type FieldKey, getField, IMAGE_FIELDS } from "../fields/fields.ts";
import type { Issue } from "../issues/issue.ts";
import { DEFAULT_ID_PATTERN } from "../names/name-index.ts";
import {
  createKnownNames,
  createNameIndexes,
  type KnownNames,
  type NameSource,
} from "../names/name-indexes.ts";
import { isOfCategory, type ValueRules } from "../names/value-rules.ts";
import { findPlatform } from "../platforms/platform-matcher.ts";
import { readCodeCell } from "../product-codes.ts";
import { cellText, type SourceRow } from "../source-row.ts";
import { codeKey, trimText } from "../text-keys.ts";
import type { RowAction } from "../values/keywords.ts";
import type { NumberNotations } from "../values/notation.ts";
import { createValueReaders, type ValueReaders } from "../values/value-readers.ts";
import { createVariantTitles, DEFAULT_TITLE_PATTERN } from "../variants/row-joiner.ts";
import {
  type Cell,
  createLayout,
  fieldLocation,
  type Layout,
  PLAIN_CELL,
  type PropertyColumn,
  withConstants,
} from "./layout.ts";
import { applyNames, applyProperties, looseColumns } from "./names.ts";
import { applyPricing, createPriceSamples, type PriceSamples } from "./pricing.ts";
import {
  cellAt,
  createRowWork,
  KEEP_DESCRIPTION,
  type MappedRow,
  type OpenName,
  type ReadDescription,
  readWord,
  type RowWork,
} from "./row-work.ts";
import { isSentRow, reportRole } from "./sheet-reader.ts";
import {
  applyImages,
  applyKeywords,
  applyStock,
  applyTexts,
  applyWarranty,
  listMissing,
  type TextRules,
  toAddBody,
} from "./simple-values.ts";
import { createStoreFold } from "./store-fold.ts";

/** A mapped row, as far as defaults need it. */
interface AddableRow {
  readonly changes: ProductChanges;
  readonly given: readonly FieldKey[];
  readonly issues: readonly Issue[];
  /** The row as a new product; missing where the file takes no defaults. */
  readonly asAdd?: (() => AddableRow) | undefined;
}

interface Defaults {
  /** The row with the defaults that it takes; the same row where it takes none. */
  readonly apply: <Row extends AddableRow>(mapped: Row) => Row;
  /** Fields whose default some row has taken. */
  readonly used: ReadonlySet<FieldKey>;
}

function createDefaults({ defaults }: Pick<ColumnMapping, "defaults">): Defaults {
  const used = new Set<FieldKey>();
  return {
    used,
    apply(mapped) {
      const fields = [...defaults.keys()].filter((field) => !mapped.given.includes(field));
      const whole = fields.length === 0 ? undefined : mapped.asAdd?.();
      if (whole === undefined) return mapped;
      for (const field of fields) used.add(field);
      const known = new Set(mapped.issues.map(toKey));
      const found = whole.issues.filter((issue) => !known.has(toKey(issue)));
      return {
        ...mapped,
        changes: { ...mapped.changes, ...pick(whole.changes, fields) },
        given: [...mapped.given, ...fields],
        issues: [...mapped.issues, ...found],
      };
    },
  };
}

const toKey = ({ code, column, cell, value }: Issue): string =>
  JSON.stringify([code, column, cell, value]);

/** The values of these fields. */
function pick(changes: ProductChanges, fields: readonly FieldKey[]): ProductChanges {
  const wanted = new Set<string>(fields.flatMap((field) => getField(field).apiFields));
  return Object.fromEntries(Object.entries(changes).filter(([name]) => wanted.has(name)));
}

/** Inputs of a row mapper. */
interface RowMapperOptions {
  /** Name of the sheet, for issues. */
  readonly sheet: string;
  readonly mapping: ColumnMapping;
  readonly notations: NumberNotations;
  readonly names: NameSource;
  /** A person's rules for texts. @default none */
  readonly rules?: ValueRules | undefined;
  /**
   * `skip` sends no properties: the specification does not document them for add. @default "send"
   */
  readonly properties?: PropertyPolicy | undefined;
  /** Names a row for people, where the file has several sheets. @default its number */
  readonly nameRow?: ((row: number) => string) | undefined;
  /** Pattern for the titles of variants. @default "{title} {options}" */
  readonly variantTitle?: string | undefined;
  /** Reads descriptions. @default they are sent as they stand */
  readonly readDescription?: ReadDescription | undefined;
  /**
   * Accepts file names as images. They stand in `changes.images` as they are; the caller replaces
   * them by addresses. @default false
   */
  readonly takesImageFiles?: boolean | undefined;
  /**
   * Now, in milliseconds since 1970, for reduced prices that are valid between two dates. @default
   * such prices are refused
   */
  readonly nowMs?: number | undefined;
}

/** Whether properties are sent. */
export type PropertyPolicy = "send" | "skip";

/**
 * Maps the rows of one sheet. The lists that a row needs are fetched first, by `findOpenNames` of
 * the row or of one with the same names, and again after `renewedLists` has grown.
 */
export interface RowMapper {
  /** Throws where a list that the row needs was not fetched. */
  map(row: SourceRow): MappedRow;
  /**
   * Reads the product id that `map` would read, and nothing else; missing where the file has no
   * product ids.
   */
  readonly readProductId: ((row: SourceRow) => ProductId | undefined) | undefined;
  /**
   * Fetches the lists that `map` needs, each once for any number of concurrent rows, and finds the
   * texts of the row that name nothing or several things, which `map` reports too. Rejects only
   * when the name source does.
   */
  findOpenNames(row: SourceRow): Promise<readonly OpenName[]>;
  /** Indexes of columns with an unknown header that are a property in the row's category. */
  findLooseColumns(row: SourceRow): Promise<readonly number[]>;
  /** Number of lists that were renewed because they lacked a name. */
  readonly renewedLists: number;
  /**
   * The body that adds the row's product, with the default values that a new product takes and
   * without a discount where the row gives none; else what it lacks, besides what `map` has
   * reported.
   */
  completeAdd(mapped: MappedRow): CompletedAdd;
  /** Indexes of columns with an unknown header that were a property in some row so far. */
  readonly propertyColumns: ReadonlySet<number>;
  /** Names of the properties that rows have used so far. */
  readonly usedProperties: ReadonlySet<string>;
  /** Fields whose default value some new product has taken so far. */
  readonly usedDefaults: ReadonlySet<FieldKey>;
  /** The first distinct prices, as the caller notes the rows that it accepts. */
  readonly prices: PriceSamples;
  /** Pattern of the titles of variants. */
  readonly variantTitle: string;
  /**
   * The warnings about the columns, one for all of one reason, once the names of the rows were
   * looked up. `openNames` are those that the store does not know.
   */
  columnWarnings(openNames: readonly Pick<OpenName, "field">[]): readonly SharedWarning[];
}

/** A row as a new product. */
type CompletedAdd =
  | { readonly ok: true; readonly body: ProductAdd }
  | { readonly ok: false; readonly issues: readonly Issue[] };

interface Tools {
  readonly layout: Layout;
  readonly notations: NumberNotations;
  readonly known: KnownNames;
  readonly readers: ValueReaders;
  readonly propertyColumns: Set<number>;
  readonly usedProperties: Set<string>;
  readonly sendsProperties: boolean;
  readonly takesImageFiles: boolean | undefined;
  readonly nowMs: number | undefined;
  readonly texts: TextRules;
}

/** Makes the mapper of one sheet. */
export function createRowMapper(options: RowMapperOptions): RowMapper {
  const { sheet, mapping, notations, names } = options;
  const { nameRow = String } = options;
  const layout = { ...createLayout(sheet, mapping, options.rules), nameRow };
  const known = createKnownNames(createNameIndexes(names));
  const propertyColumns = new Set<number>();
  const { platform } = mapping;
  const readers = createValueReaders(platform && findPlatform(platform.name)?.words);
  const usedProperties = new Set<string>();
  const sendsProperties = options.properties !== "skip";
  const used = { propertyColumns, usedProperties, sendsProperties };
  const { takesImageFiles, nowMs } = options;
  const { variantTitle = DEFAULT_TITLE_PATTERN, readDescription = KEEP_DESCRIPTION } = options;
  const texts = { titles: createVariantTitles(variantTitle), readDescription };
  const tools = {
    texts,
    layout,
    notations,
    known,
    readers,
    takesImageFiles,
    nowMs,
    ...used,
  };
  const addTools = toAddTools(tools);
  const defaults = createDefaults(mapping);
  const { fold } = createStoreFold(mapping.columns);
  const prices = createPriceSamples(mapping, notations);
  const readId = createIdReader(layout);
  return {
    propertyColumns,
    usedProperties,
    get renewedLists() {
      return known.renewed;
    },
    findOpenNames: (row) => withLists(known, () => findOpenNames(fold(row), addTools)),
    findLooseColumns: (row) => withLists(known, () => findLooseColumns(fold(row), tools)),
    usedDefaults: defaults.used,
    prices: {
      samples: prices.samples,
      note: (row, mapped) => prices.note(fold(row), mapped),
    },
    variantTitle,
    columnWarnings: (open) => toColumnWarnings(mapping, propertyColumns, open),
    map(source) {
      const row = fold(source);
      const mapped = mapRow(row, tools);
      const asAdd = (): MappedRow => mapRow(row, addTools);
      if (known.takeMissing().length === 0)
        return addTools === tools ? mapped : { ...mapped, asAdd };
      throw new Error(`a list that row ${row.row} needs was not fetched`);
    },
    readProductId: readId && ((row) => readId(fold(row))),
    completeAdd(mapped) {
      const whole = defaults.apply(mapped);
      const found = whole.issues.slice(mapped.issues.length);
      const issues = [...listMissing(layout, whole, known), ...found];
      const body = toAddBody(whole);
      return body === undefined || issues.length > 0 ? { ok: false, issues } : { ok: true, body };
    },
  };
}

/** Tools that know the default values, where they can make a row of the file a new product. */
function toAddTools(tools: Tools): Tools {
  const { layout } = tools;
  const { constants, defaults, missingRequired } = layout.mapping;
  // A price rule may make the price of a file that has none.
  const canAdd = missingRequired.every((field) => field === "price" || defaults.has(field));
  if (defaults.size === 0 || !canAdd) return tools;
  return { ...tools, layout: withConstants(layout, new Map([...defaults, ...constants])) };
}

/** Repeats the work until no list that it needs is missing. */
async function withLists<T>(known: KnownNames, work: () => T): Promise<T> {
  for (;;) {
    const result = work();
    const missing = known.takeMissing();
    if (missing.length === 0) return result;
    for (const fetchList of missing) await fetchList();
  }
}

function findLooseColumns(row: SourceRow, tools: Tools): readonly number[] {
  const work = createRowWork(tools.layout, row);
  if (!isSentRow(row) || !tools.sendsProperties || readAction(work, tools.readers) === "skip")
    return [];
  const category = applyNames(work, tools.known);
  return looseColumns(work, tools.known, category);
}

function findOpenNames(row: SourceRow, tools: Tools): readonly OpenName[] {
  const work = createRowWork(tools.layout, row);
  if (!isSentRow(row) || readAction(work, tools.readers) === "skip") return [];
  applyAllNames(work, tools);
  const { category_id: category, brand_id: brand } = work.changes;
  return work.openNames().map((name): OpenName => {
    if (category === undefined || !isOfCategory(name.field)) return name;
    const within = name.field === "brand_model" ? { category, brand } : { category };
    return Object.assign({ within }, name);
  });
}

function mapRow(row: SourceRow, tools: Tools): MappedRow {
  const work = createRowWork(tools.layout, row, tools);
  const role = reportRole(work);
  if (role !== undefined) return finish(work, { action: role, code: undefined, id: undefined });
  const action = readAction(work, tools.readers);
  const code = readCode(work);
  const id = readProductId(work);
  if (action === "skip") return { ...finish(work, { action, code, id }), issues: [], warnings: [] };

  reportWithoutKey(work);
  if (code !== undefined) work.changes.product_code = code;
  const descriptionChange = applyTexts(work, tools.texts);
  applyPricing(work, tools);
  applyStock(work, tools.notations);
  applyWarranty(work, tools.readers);
  applyImages(work);
  applyKeywords(work, tools.readers);
  applyAllNames(work, tools);
  return { ...finish(work, { action, code, id }), descriptionChange };
}

function applyAllNames(work: RowWork, tools: Tools): void {
  const category = applyNames(work, tools.known);
  if (!tools.sendsProperties) return;
  const onUsed = ({ column, isExplicit }: PropertyColumn, property: string): void => {
    tools.usedProperties.add(property);
    if (!isExplicit) tools.propertyColumns.add(column.index);
  };
  applyProperties(work, tools.known, { category, onUsed });
}

interface Identity {
  readonly action: RowAction;
  readonly code: string | undefined;
  readonly id: ProductId | undefined;
}

/** Images may come from other rows of the product. */
const IMAGES: readonly FieldKey[] = ["images"];

function finish(work: RowWork, { action, code, id }: Identity): MappedRow {
  return {
    row: work.row,
    code,
    isNumberCode: isNumberCode(work.cells.get("product_code"), code),
    codeKey: code === undefined ? undefined : codeKey(code),
    productId: id,
    action,
    changes: work.changes,
    clears: [...work.clears],
    given: [
      ...work.given.list().filter((field) => work.addIssues.every((each) => each.field !== field)),
      ...(work.imageFiles.length > 0 ? IMAGES : []),
    ],
    keepsImages: keepsImages(work),
    leavesSale: leavesSale(work),
    addIssues: work.addIssues,
    names: work.names,
    imageFiles: work.imageFiles,
    issues: work.issues(),
    warnings: work.warnings(),
    locationOf: (field) => sourceOf(work, field)?.location,
  };
}

/** Files of other programs have all images of a product. */
function keepsImages({ layout, source, given, clears }: RowWork): boolean {
  const isList = given.has("images") || source.joined?.images !== undefined;
  const isCleared = IMAGE_FIELDS.some((field) => clears.has(field));
  return layout.mapping.platform === undefined && !isList && !isCleared;
}

function leavesSale({ layout, given, clears, changes }: RowWork): boolean {
  const hasColumn = layout.column("list_price") !== undefined || layout.headerDiscounts.size > 0;
  const isTouched = SALE_FIELDS.some((field) => given.has(field) || clears.has(field));
  return hasColumn && !isTouched && changes.price !== undefined;
}

const SALE_FIELDS: readonly FieldKey[] = ["list_price", "discount_type", "discount_value"];

/** The cell of a field's value; beside a list price, the price is what the buyer pays. */
function sourceOf({ cells }: RowWork, field: FieldKey): Cell | undefined {
  const isPaid = field === "discount_value" && cells.has("list_price");
  return cells.get(field) ?? (isPaid ? cells.get("price") : undefined);
}

function readAction(work: RowWork, readers: ValueReaders): RowAction {
  const cell = work.cells.get("action");
  return (cell && work.take(readWord(cell, readers.action), cell)) ?? "auto";
}

function readCode(work: RowWork): string | undefined {
  const cell = work.cells.get("product_code");
  if (cell === undefined || refuseListing(work, cell)) return undefined;
  return work.take(readCodeCell(cell, work.layout.displays), cell);
}

/** Refuses a row that has all variations of a product, each of which would be a product. */
function refuseListing(work: RowWork, code: Cell): boolean {
  const { layout, source } = work;
  const { codeSeparator, variations } = layout.says;
  if (codeSeparator === undefined) return false;
  const [first = "", ...more] = code.text.split(codeSeparator).map((part) => trimText(part));
  if (more.length > 0) {
    work.report({ text: "E_CODE_LIST", params: { first, count: String(more.length + 1) } }, code);
    return true;
  }
  if (variations === undefined || cellText(cellAt(source, variations).value) === "") return false;
  const other = layout.mapping.columns[variations]?.header ?? "";
  work.report({ text: "E_CODE_LIST.variations", params: { other } }, code);
  return true;
}

const isNumberCode = (cell: Cell | undefined, code: string | undefined): boolean =>
  typeof cell?.value === "number" && code === String(cell.value);

function readProductId(work: RowWork): ProductId | undefined {
  const cell = work.cells.get("product_id");
  if (cell === undefined) return undefined;
  if (typeof cell.value === "string" && DEFAULT_ID_PATTERN.test(cell.text))
    return idSchemas.product.parse(cell.text);
  work.report({ text: "E_PRODUCT_ID" }, cell);
  return undefined;
}

function createIdReader(layout: Layout): RowMapper["readProductId"] {
  const fields = layout.fields.filter(({ field }) => field === "product_id");
  if (fields.length === 0 && !layout.mapping.constants.has("product_id")) return undefined;
  const onlyIds = { ...layout, fields, properties: [] };
  return (row) => readProductId(createRowWork(onlyIds, row));
}

/** Reports a row without code and id, which can be neither added nor updated. */
function reportWithoutKey(work: RowWork): void {
  if (work.given.has("product_code") || work.given.has("product_id")) return;
  const { layout, row } = work;
  const field = layout.column("product_code") === undefined ? "product_id" : "product_code";
  const location = fieldLocation(layout, field, row);
  if (location === undefined) return;
  const index = layout.column(field)?.index ?? 0;
  const cell: Cell = { ...PLAIN_CELL, field, index, location, value: "", text: "" };
  work.report({ text: "E_KEY_MISSING" }, cell);
}
