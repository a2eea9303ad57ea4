/** Fields of a row that depend only on their own cell, or on one other, and what a new product lacks. */

import { endpoints, type ProductAdd } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import { adviseOnAbsent } from "../columns/column-questions.ts";
import { type FieldDefinition, type FieldKey, FIELDS, IMAGE_FIELDS } from "../fields/fields.ts";
import type { TextKey } from "../issues/codes.ts";
import {
  accept,
  createIssue,
  type Issue,
  type IssueLocation,
  type Problem,
} from "../issues/issue.ts";
import type { KnownNames } from "../names/name-indexes.ts";
import { decodeCodes } from "../names/name-key.ts";
import { MAX_SUGGESTIONS } from "../names/suggester.ts";
import { cellAddress, cellText, type JoinedImage, PLACEHOLDER } from "../source-row.ts";
import type { KeywordReader } from "../values/keywords.ts";
import type { NumberNotations } from "../values/notation.ts";
import { readStockCell } from "../values/shown-cells.ts";
import {
  isImageFile,
  parseImageAddress,
  splitBeforeAddresses,
  splitImageAddresses,
  type ValueReaders,
} from "../values/value-readers.ts";
import { toVariantTitle, type VariantTitles } from "../variants/row-joiner.ts";
import {
  type Cell,
  constantCell,
  fieldLocation,
  type Layout,
  locationOf,
  NO_COLUMN,
  PLAIN_CELL,
  type StockWords,
} from "./layout.ts";
import { nameCategory } from "./names.ts";
import { notationOf } from "./pricing.ts";
import {
  cellAt,
  type DescriptionChange,
  type ImageCell,
  type MappedRow,
  type ReadDescription,
  readWord,
  type RowWork,
} from "./row-work.ts";

/** How texts are written. */
export interface TextRules {
  readonly titles: VariantTitles;
  readonly readDescription: ReadDescription;
}

/**
 * Title and subtitle are sent as typed, trimmed; a variant has its options behind. Returns why the
 * description is sent otherwise than it is typed.
 */
export function applyTexts(work: RowWork, rules: TextRules): DescriptionChange | undefined {
  const { cells, changes } = work;
  const title = cells.get("title");
  const subTitle = cells.get("sub_title");
  const description = cells.get("description");
  if (title !== undefined) changes.title = toVariantTitle(work, title, rules.titles);
  if (subTitle !== undefined) changes.sub_title = subTitle.text;
  warnOfCodes(work, [title, subTitle]);
  if (description === undefined) return undefined;
  const { text, change } = rules.readDescription(description.text);
  if (text === "") work.report({ text: "E_DESCRIPTION_EMPTY" }, description);
  else changes.description = text;
  return change;
}

/** Warns of HTML codes in a plain text, which a buyer would see. */
function warnOfCodes(work: RowWork, cells: readonly (Cell | undefined)[]): void {
  for (const cell of cells) {
    if (cell?.text.includes("&") !== true) continue;
    const decoded = decodeCodes(cell.text);
    if (decoded !== cell.text) work.warn({ text: "W_TEXT_CODES", params: { decoded } }, cell);
  }
}

/** Checks that type and period agree: no warranty has a period of 0, and any other type has not. */
export function applyWarranty(work: RowWork, readers: ValueReaders): void {
  const type = takeKeyword(work, "warranty_type", readers.warrantyType);
  const period = takeKeyword(work, "warranty_period", readers.warrantyPeriod);
  if (type !== undefined) work.changes.warranty_type = type;
  if (period !== undefined) work.changes.warranty_period = period;

  if (type === undefined || period === undefined) return;
  if ((type === 1) === (period === 0)) return;
  const at = work.cells.get("warranty_period");
  const text = type === 1 ? "E_WARRANTY.has-period" : "E_WARRANTY.no-period";
  if (at !== undefined) reportPeriod(work, text, at);
}

/**
 * Reports a wrong period; one that holds for all rows has no cell, so the issue is at the type's
 * cell.
 */
function reportPeriod(work: RowWork, text: TextKey, period: Cell): void {
  const typeCell = work.cells.get("warranty_type");
  const at = period.location.cell === "" ? (typeCell ?? period) : period;
  work.report({ text, value: period.text }, at);
}

/** Writes the fields with keywords into the changes: condition and personalisation. */
export function applyKeywords(work: RowWork, readers: ValueReaders): void {
  const condition = takeKeyword(work, "condition", readers.condition);
  const custom = takeKeyword(work, "custom_order", readers.yesNo);
  if (condition !== undefined) work.changes.product_condition = condition;
  if (custom !== undefined) work.changes.custom_order_input = custom;
  if (work.clears.has("custom_order")) work.changes.custom_order_input = false;
}

function takeKeyword<T>(work: RowWork, field: FieldKey, reader: KeywordReader<T>): T | undefined {
  const cell = work.cells.get(field);
  return cell === undefined ? undefined : work.take(readWord(cell, reader), cell);
}

/** An image of a cell. Its place is made when it is asked for, as hardly an image is reported. */
class CellImage implements ImageCell {
  readonly kind: ImageCell["kind"];
  readonly text: string;
  readonly #cell: Cell;

  constructor(kind: ImageCell["kind"], text: string, cell: Cell) {
    this.kind = kind;
    this.text = text;
    this.#cell = cell;
  }

  get place(): IssueLocation {
    return { ...this.#cell.location, value: this.text };
  }
}

type AddImage = (text: string, cell: Cell) => void;

function addOwnImages({ cells, further }: RowWork, add: AddImage): void {
  for (const field of IMAGE_FIELDS) {
    const cell = cells.get(field);
    if (cell === undefined) continue;
    for (const text of splitBeforeAddresses(cell.text)) add(text, cell);
  }
  for (const cell of [cells.get("images"), ...further]) {
    if (cell?.field !== "images") continue;
    for (const text of splitImageAddresses(cell.text)) add(text, cell);
  }
}

/** Adds the images of a product's rows; several rows of a product have the same ones. */
function addJoinedImages({ layout }: RowWork, images: readonly JoinedImage[], add: AddImage): void {
  for (const { row, index, value } of images) {
    const column = layout.mapping.columns[index];
    if (column === undefined) continue;
    const text = cellText(value);
    const location = { ...locationOf(layout, column, row), value: text };
    const cell = { ...PLAIN_CELL, field: "images", index, location, value: text, text };
    for (const one of splitImageAddresses(text)) add(one, cell);
  }
}

/**
 * Reads the numbered images in their order, then the list. A repeated image is sent once. File
 * names are kept where the caller takes them; otherwise they are an issue.
 */
export function applyImages(work: RowWork): void {
  const addresses = new Map<string, ImageCell>();
  let isComplete = true;
  const add = (text: string, cell: Cell): void => {
    const isFile = work.takesImageFiles && isImageFile(text);
    const address = isFile ? accept(text) : parseImageAddress(text);
    if (!address.ok) {
      isComplete = false;
      work.report({ ...address.problem, value: text }, cell);
    } else if (addresses.has(address.value)) {
      work.warn({ text: "W_IMAGE_TWICE", value: text }, cell);
    } else {
      addresses.set(address.value, new CellImage(isFile ? "file" : "address", text, cell));
    }
  };

  const { joined } = work.source;
  if (joined?.images === undefined) addOwnImages(work, add);
  else
    addJoinedImages(work, joined.images, (text, cell) => {
      if (!addresses.has(text)) add(text, cell);
    });
  if (addresses.size > 0 && isComplete) work.changes.images = [...addresses.keys()];
  work.imageFiles.push(...addresses.values());
}

/** Writes the stock count into the changes; that of several columns is their sum. */
export function applyStock(work: RowWork, notations: NumberNotations): void {
  const found = work.cells.get("stock");
  const cell = isUntracked(work, found) ? refuseUntracked(work, found) : found;
  const isOwn = cell !== undefined && cell.index !== NO_COLUMN;
  const isRefused = isOwn ? refuseShared(work, cell) : refuseEmpty(work, cell);
  if (isRefused || cell === undefined) return;
  const { displays } = work.layout;
  const further = work.further.filter(({ field }) => field === "stock");
  const stocks = [cell, ...further].map((each) => {
    const notation = notationOf(each, notations);
    return work.take(readStockCell(each, { displays, notation }), each);
  });
  const counts = stocks.filter((stock) => stock !== undefined);
  if (counts.length < stocks.length) return;
  const stock = counts.reduce((sum, count) => sum + count, 0);
  const none = stock > 0 ? findNone(work) : undefined;
  if (none === undefined) work.changes.stock_count = stock;
  else work.report({ text: "E_STOCK_STATE.contradicts", params: none }, cell);
}

/** The text by which a row says that there is no stock, and the header of its column. */
function findNone({ layout, source }: RowWork): { other: string; state: string } | undefined {
  const { state, none } = layout.stockWords ?? NO_WORDS;
  const text = state === undefined ? "" : cellText(cellAt(source, state).value);
  if (state === undefined || !none.has(text.toLowerCase())) return undefined;
  return { other: layout.mapping.columns[state]?.header ?? "", state: text };
}

/** No number but nothing, and zeros. */
const NO_COUNT = /^(?:0+(?:[.,]0+)?)?$/u;

/** Whether nobody counts the stock of a row, so that its 0 does not mean that it is sold out. */
function isUntracked({ layout, source, given }: RowWork, cell: Cell | undefined): boolean {
  const { tracker } = layout.stockWords ?? {};
  if (tracker === undefined || layout.column("stock") === undefined) return false;
  if (cellText(cellAt(source, tracker).value) !== "") return false;
  // A broken cell has its own issue.
  if (cell === undefined) return !given.has("stock");
  return cell.index !== NO_COLUMN && NO_COUNT.test(cell.text);
}

/** Returns the stock that a person gives for such rows; without one a new product is refused. */
function refuseUntracked(work: RowWork, cell: Cell | undefined): Cell | undefined {
  const { layout, row } = work;
  const given = constantCell(layout, "stock", row);
  if (given !== undefined) return given;
  const { tracker = 0 } = layout.stockWords ?? {};
  const other = layout.mapping.columns[tracker]?.header ?? "";
  const problem = { text: "E_STOCK_STATE.untracked", params: { other } } as const;
  const { location } = cell ?? emptyStock(work, tracker);
  work.addIssues.push({ field: "stock", issue: createIssue(problem, location) });
  return undefined;
}

/** Refuses a stock that belongs to all variants of a product together. */
function refuseShared(work: RowWork, cell: Cell): boolean {
  const shared = work.layout.stockWords?.shared;
  const { parentRow } = work.source.joined ?? {};
  if (shared === undefined || parentRow === undefined) return false;
  if (cell.text.toLowerCase() !== shared) return false;
  const params = { parent: work.layout.nameRow(parentRow) };
  work.report({ text: "E_STOCK_STATE.shared", params }, cell);
  return true;
}

/**
 * Refuses a row that has no number and says that there is no stock. `given` is a value for all rows,
 * which such a row must not take.
 */
function refuseEmpty(work: RowWork, given: Cell | undefined): boolean {
  const { state } = work.layout.stockWords ?? NO_WORDS;
  if (state === undefined || !needsStock(work, given)) return false;
  const none = findNone(work);
  if (none === undefined) return false;
  work.report({ text: "E_STOCK_STATE", params: none }, emptyStock(work, state));
  return true;
}

const NO_WORDS: Pick<StockWords, "state" | "none"> = { state: undefined, none: new Set() };

/** A file without a column of stock changes none; a broken or cleared cell has its own issue. */
const needsStock = ({ layout, given: filled }: RowWork, given: Cell | undefined): boolean =>
  given !== undefined || (layout.column("stock") !== undefined && !filled.has("stock"));

/** The empty cell of the stock, where a person writes the number; else the cell of its state. */
function emptyStock({ layout, row }: RowWork, state: number): Cell {
  const column = layout.column("stock") ?? layout.mapping.columns[state];
  const place = column && locationOf(layout, column, row);
  const location = place ?? { sheet: layout.sheet, row, column: "", cell: "", value: "" };
  const index = column?.index ?? state;
  return { ...PLAIN_CELL, field: "stock", index, location, value: "", text: "" };
}

const REQUIRED: readonly FieldDefinition[] = FIELDS.filter((field) => field.requiredForAdd);

/**
 * Lists what a row lacks for a new product: an issue for each empty cell, and one for all missing
 * columns.
 */
export function listMissing(
  layout: Layout,
  mapped: MappedRow,
  known: KnownNames,
): readonly Issue[] {
  // The parent has what the row lacks.
  if (mapped.issues.some(({ code }) => code === "E_VARIANT_PARENT")) return [];
  const given = new Set<FieldKey>(mapped.given);
  const reported = new Set(mapped.issues.map((issue) => issue.cell));
  const issues: Issue[] = [];
  const absent: FieldDefinition[] = [];
  for (const field of REQUIRED) {
    if (isGiven(field.key, given) || layout.mapping.defaults.has(field.key)) continue;
    const location = locationToFill(layout, field.key, mapped.row);
    if (location === undefined) absent.push(field);
    else if (!reported.has(location.cell)) {
      const empty = (): Issue => createIssue(describeEmpty(field, mapped, known), location);
      issues.push(findAddIssue(mapped, field.key) ?? empty());
    }
  }
  if (absent.length > 0) issues.push(missingColumns(layout, absent, mapped.row));
  return issues;
}

/** An example of a name has to exist in this store. */
function describeEmpty(
  { key, example }: FieldDefinition,
  mapped: MappedRow,
  known: KnownNames,
): Problem {
  const advice = adviseOnName(key, mapped, known);
  return advice === undefined
    ? { text: "E_REQUIRED", params: { example } }
    : { text: "E_REQUIRED.listed", params: { advice } };
}

/** Where the names of a field are; `undefined` for a field that takes any text. */
function adviseOnName(
  key: FieldKey,
  { changes }: MappedRow,
  known: KnownNames,
): Localized | undefined {
  if (key === "category") {
    return {
      tr: "Mağazadaki kategorilerden biri: catalog lookup categories",
      en: "One of the store's categories: catalog lookup categories",
    };
  }
  if (key === "brand") {
    const { category } =
      changes.category_id === undefined
        ? { category: `"${PLACEHOLDER}"` }
        : nameCategory(known, changes.category_id);
    return {
      tr: `Kategorinin markalarından biri: catalog lookup brands --category ${category}`,
      en: `One of the category's brands: catalog lookup brands --category ${category}`,
    };
  }
  return key === "shipping_template" ? adviseOnTemplate(known) : undefined;
}

function adviseOnTemplate(known: KnownNames): Localized {
  const names = known
    .knownTemplates()
    .slice(0, MAX_SUGGESTIONS)
    .map(({ template_name: name }) => `“${name}”`)
    .join(", ");
  return {
    tr: `${names && `Örneğin: ${names}. `}Mağazadaki şablonların hepsi: catalog lookup templates`,
    en: `${names && `For example: ${names}. `}All templates of the store: catalog lookup templates`,
  };
}

const findAddIssue = ({ addIssues }: MappedRow, key: FieldKey): Issue | undefined =>
  addIssues?.find(({ field }) => field === key)?.issue;

const isImage = (key: FieldKey): boolean => key.startsWith("image");

/** Any one image is enough. */
function isGiven(key: FieldKey, given: ReadonlySet<FieldKey>): boolean {
  return isImage(key) ? [...given].some((other) => isImage(other)) : given.has(key);
}

function locationToFill(
  layout: Layout,
  key: FieldKey,
  row: number,
): ReturnType<typeof fieldLocation> {
  const location = fieldLocation(layout, key, row);
  if (location !== undefined || !isImage(key)) return location;
  const column = layout.fields.find(({ field }) => isImage(field))?.field;
  return column === undefined ? undefined : fieldLocation(layout, column, row);
}

function missingColumns(layout: Layout, absent: readonly FieldDefinition[], row: number): Issue {
  const names = {
    tr: absent.map((field) => `“${field.header.tr}”`).join(", "),
    en: absent.map((field) => `“${field.header.en}”`).join(", "),
  };
  const { likely, columns } = layout.mapping;
  const stockState = columns[layout.stockWords?.state ?? NO_COLUMN]?.header;
  const advice = adviseOnAbsent({ absent, likely, stockState });
  const location = { sheet: layout.sheet, row, column: "", cell: cellAddress(0, row), value: "" };
  return createIssue({ text: "E_COLUMN_MISSING", params: { names, advice } }, location);
}

/**
 * Makes the body that adds the row's product, without a discount where the row gives none.
 * `undefined` when the row has issues or lacks a required field.
 */
export function toAddBody(mapped: MappedRow): ProductAdd | undefined {
  if (mapped.issues.length > 0) return undefined;
  const body = { has_discount: false, ...mapped.changes };
  const parsed = endpoints.product.add.input.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}
