/** Fields of a row that depend only on their own cell, or on one other. */

import { IMAGE_FIELDS } from "../columns/fields/delivery-fields.ts";
import type { FieldKey } from "../columns/fields/field.ts";
import type { DescriptionChange, ReadDescription } from "../descriptions/description.ts";
import type { TextKey } from "../issues/codes.ts";
import { accept, type IssueLocation } from "../issues/issue.ts";
import { decodeCodes } from "../names/foreign-names.ts";
import {
  isImageFile,
  parseImageAddress,
  splitBeforeAddresses,
  splitImageAddresses,
} from "../values/image-address.ts";
import type { KeywordReader } from "../values/keyword-reader.ts";
import type { ValueReaders } from "../values/value-readers.ts";
import { toVariantTitle, type VariantTitles } from "../variants/variant-title.ts";
import { type Cell, locationOf, PLAIN_CELL } from "./layout.ts";
import { readWord } from "./read-cell.ts";
import type { ImageCell, RowWork } from "./row-work.ts";
import { cellText, type JoinedImage } from "./source-row.ts";

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
