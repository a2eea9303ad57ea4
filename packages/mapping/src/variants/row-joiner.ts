/**
 * Joins rows that make up one product with variants, by a parent that they name or by their group,
 * and titles the variants.
 */

import type { ColumnMapping } from "../columns/column-mapping.ts";
import {
  findHeaders,
  type GroupedRows,
  type ReferringRows,
  type WholeRows,
} from "../platforms/platform.ts";
import type { Cell } from "../rows/layout.ts";
import { readCell, refuseBroken, type RowWork } from "../rows/row-work.ts";
import {
  cellText,
  type JoinedCell,
  type JoinedCells,
  type JoinedImage,
  type LostReason,
  type SourceRow,
} from "../source-row.ts";
import { codeKey, fold, trimText } from "../text-keys.ts";
import { findVariantColumns, hasOption, isFilled, type VariantColumns } from "./variant-columns.ts";

/** Joins the rows of one sheet. Rows leave in the order in which they came, each once. */
export interface RowJoiner {
  /** Takes the next row; returns the rows that are complete now. */
  push(row: JoinableRow): Promise<readonly SourceRow[]>;
  /** Returns the rows that waited for further ones. */
  finish(): readonly SourceRow[];
}

interface JoinableRow {
  readonly row: SourceRow;
  /** Whether its cells stand in their columns; other rows take nothing from a row that is not. */
  readonly isWhole: boolean;
}

export interface RowJoinerOptions {
  /** Makes a list of row numbers by text; a text that has a number keeps it. */
  readonly createRowList: () => RowList;
  /** Reads a row that has left. */
  readonly readRow: (row: number) => Promise<SourceRow | undefined>;
}

/** Row numbers by text. */
interface RowList {
  get(text: string): number | undefined;
  set(text: string, row: number): void;
}

/** A copy of a cell that other rows take. */
function copyCell({ row, cells, traits, formats, folded }: SourceRow, index: number): JoinedCell {
  const trait = traits?.[index];
  const format = formats?.[index];
  const place = folded?.places[index];
  return {
    row,
    ...(place === undefined ? undefined : { index: place }),
    value: cells[index] ?? null,
    ...(trait === undefined ? undefined : { trait }),
    ...(format === undefined ? undefined : { format }),
  };
}

/** The cells that a row takes from its parent: shared ones that are filled in there only. */
function takeCells(
  row: SourceRow,
  parent: SourceRow,
  { carried }: VariantColumns,
): Record<number, JoinedCell> {
  const taken = carried.filter((index) => !isFilled(row, index) && isFilled(parent, index));
  return Object.fromEntries(taken.map((index) => [index, copyCell(parent, index)]));
}

/** The filled cells of a row in these columns. */
const imagesOf = (row: SourceRow, columns: readonly number[]): readonly JoinedImage[] =>
  columns
    .filter((index) => isFilled(row, index))
    .map((index) => ({ row: row.row, index, value: row.cells[index] ?? null }));

/** The row with the cells that it takes in their places, as one that stands alone. */
export function withJoinedCells(row: SourceRow): SourceRow {
  if (row.joined === undefined) return row;
  const { joined, ...own } = row;
  const taken = Object.entries(joined.cells ?? {}).map(
    ([index, cell]) => [Number(index), cell] as const,
  );
  if (taken.length === 0) return own;
  const cells = [...own.cells];
  const traits = { ...own.traits };
  const formats = { ...own.formats };
  for (const [index, { value, trait, format }] of taken) {
    cells[index] = value;
    delete traits[index];
    delete formats[index];
    if (trait !== undefined) traits[index] = trait;
    if (format !== undefined) formats[index] = format;
  }
  return {
    row: own.row,
    cells,
    ...(Object.keys(traits).length === 0 ? undefined : { traits }),
    ...(Object.keys(formats).length === 0 ? undefined : { formats }),
    ...(own.folded === undefined ? undefined : { folded: own.folded }),
  };
}

type ReferringColumns = VariantColumns & { readonly rows: ReferringRows };

/** Parents at hand; an earlier one is read again. */
const MAX_KEPT = 64;

const ID = "id:";

/** Keeps the last parents, and the row of every row that may be one. */
function createReferenceJoiner(
  { columns: all }: Pick<ColumnMapping, "columns">,
  columns: ReferringColumns,
  { createRowList, readRow }: RowJoinerOptions,
): RowJoiner {
  const parents = createParentList(all, columns, createRowList());
  const kept = new Map<number, SourceRow>();
  const readKind = createKindReader(all, columns.rows);

  const keep = (row: SourceRow): void => {
    kept.set(row.row, row);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  };
  const joinVariant = async (row: SourceRow, name: string): Promise<JoinedCells> => {
    const found = parents.find(name);
    if (typeof found !== "number") return { role: "lost", ...found };
    const parent = kept.get(found) ?? (await readRow(found));
    if (parent === undefined) throw new Error(`row ${found} was read and is gone`);
    keep(parent);
    return takeFrom(parent, row, columns);
  };
  const join = async ({ row, isWhole }: JoinableRow): Promise<SourceRow> => {
    const kind = readKind(row);
    const text = cellText(row.cells[columns.link]);
    const name = text === columns.rows.noParent ? "" : text;
    if (name !== "" || kind === "variant") return { ...row, joined: await joinVariant(row, name) };
    if (kind !== "product") {
      parents.add(row, isWhole);
      keep(row);
    }
    return kind === "parent" ? { ...row, joined: { role: "parent" } } : row;
  };
  return { push: async (next) => [await join(next)], finish: () => [] };
}

function takeFrom(parent: SourceRow, row: SourceRow, columns: VariantColumns): JoinedCells {
  const { title, images } = columns;
  const cells = takeCells(row, parent, columns);
  // Another title is that of the product, or only names the option.
  const isWhole = title === undefined || !isFilled(parent, title) || isLonger(row, parent, title);
  if (!isWhole) cells[title] = copyCell(parent, title);
  const shown = [...imagesOf(row, images), ...imagesOf(parent, images)];
  return {
    role: "variant",
    parentRow: parent.row,
    ...(Object.keys(cells).length === 0 ? undefined : { cells }),
    ...(images.length === 0 ? undefined : { images: shown }),
  };
}

/** Whether the title of a row holds that of its parent, and more. */
function isLonger(row: SourceRow, parent: SourceRow, title: number): boolean {
  const [own, whole] = [row, parent].map(({ cells }) => fold(cellText(cells[title])));
  return own !== undefined && whole !== undefined && own !== whole && own.includes(whole);
}

type Kind = "parent" | "variant" | "product" | "any";

/** Where no column shows the kind, a row with a parent is a variant, and any other may be a parent. */
function createKindReader(
  all: ColumnMapping["columns"],
  { type }: ReferringRows,
): (row: SourceRow) => Kind {
  const [index] = type === undefined ? [] : findHeaders(all, type.headers);
  if (type === undefined || index === undefined) return () => "any";
  return ({ cells }) => {
    const texts = cellText(cells[index]).toLowerCase().split(",");
    const words = new Set(texts.map((word) => word.trim()));
    if (words.has(type.variant)) return "variant";
    return type.parents.some((word) => words.has(word)) ? "parent" : "product";
  };
}

interface ParentList {
  add(row: SourceRow, isWhole: boolean): void;
  /** The row of that name, or why there is none. */
  find(name: string): number | Pick<JoinedCells, "reason" | "parentRow">;
}

function createParentList(
  all: ColumnMapping["columns"],
  { code, rows }: ReferringColumns,
  rowsByName: ReturnType<RowJoinerOptions["createRowList"]>,
): ParentList {
  const [id] = findHeaders(all, rows.ids ?? []);
  const ambiguous = new Set<string>();
  const broken = new Set<number>();
  const add = (name: string, row: number): void => {
    if (rowsByName.get(name) !== undefined) ambiguous.add(name);
    else rowsByName.set(name, row);
  };
  return {
    add(row, isWhole) {
      const own = code === undefined ? "" : codeKey(cellText(row.cells[code]));
      const number = id === undefined ? "" : cellText(row.cells[id]);
      if (own !== "") add(own, row.row);
      if (number !== "") add(`${ID}${number}`, row.row);
      if (!isWhole) broken.add(row.row);
    },
    find(name) {
      const key =
        id !== undefined && name.startsWith(ID) ? ID + name.slice(ID.length).trim() : codeKey(name);
      const row = key === "" ? undefined : rowsByName.get(key);
      if (row === undefined) return { reason: "missing" };
      if (ambiguous.has(key)) return { reason: "ambiguous", parentRow: row };
      return broken.has(row) ? { reason: "broken", parentRow: row } : row;
    },
  };
}

type GroupColumns = VariantColumns & { readonly rows: GroupedRows };

/** Shops allow 2,048 variants and 250 images for one product. */
const MAX_ROWS = 4_000;
const MAX_IMAGES = 500;

/** The rows of the product at hand. */
interface Group {
  readonly key: string;
  readonly parent: SourceRow;
  readonly isWhole: boolean;
  readonly rows: SourceRow[];
  readonly images: JoinedImage[];
}

interface GroupParts {
  readonly columns: GroupColumns;
  /** Columns of the image of one variant. */
  readonly ownImage: readonly number[];
  readonly isImageRow: (row: SourceRow) => boolean;
  /** `undefined` where the first row of a product is a variant itself. */
  readonly isVariant: ((row: SourceRow) => boolean) | undefined;
}

/** Only the group at hand is kept, and the first row of every group by its text. */
function createGroupJoiner(
  { columns: all }: Pick<ColumnMapping, "columns">,
  columns: GroupColumns,
  { createRowList }: Pick<RowJoinerOptions, "createRowList">,
): RowJoiner {
  const firstRows = createRowList();
  const ownImage = findHeaders(all, columns.rows.ownImage);
  const isVariant = createVariantCheck(all, columns.rows);
  const parts = { columns, ownImage, isImageRow: createImageRowCheck(all, columns), isVariant };
  let group: Group | undefined;
  /** The product that has more rows than are kept. */
  let full: { readonly key: string; readonly row: number } | undefined;
  const finish = (): readonly SourceRow[] => {
    const done = group;
    group = undefined;
    return done === undefined ? [] : done.rows.map((row) => joinRow(row, done, parts));
  };
  /** Returns the row where it begins no group. */
  const begin = ({ row, isWhole }: JoinableRow, key: string): readonly SourceRow[] => {
    if (key === "") return [row];
    const first = firstRows.get(key);
    const isFirst = columns.title === undefined || isFilled(row, columns.title);
    if (!isFirst) return [lose(row, first === undefined ? "missing" : "apart", first)];
    firstRows.set(key, row.row);
    const images = [...imagesOf(row, columns.images)];
    group = { key, parent: row, isWhole, rows: [row], images };
    return [];
  };
  return {
    finish,
    async push(next) {
      const { row } = next;
      const key = cellText(row.cells[columns.link]);
      if (key !== full?.key) full = undefined;
      if (full !== undefined) return [lose(row, "many", full.row)];
      if (group?.key !== key) return [...finish(), ...begin(next, key)];
      if (group.rows.length < MAX_ROWS) {
        addRow(next, group, parts);
        return [];
      }
      full = { key, row: group.parent.row };
      return [...finish(), lose(row, "many", full.row)];
    },
  };
}

/** Adds a row below the first one of its group. */
function addRow(
  { row, isWhole }: JoinableRow,
  group: Group,
  { columns, isImageRow }: GroupParts,
): void {
  const { row: parentRow } = group.parent;
  const images = isWhole ? imagesOf(row, columns.images) : [];
  const isFull = group.rows.length >= MAX_ROWS || group.images.length + images.length > MAX_IMAGES;
  const isImage = isImageRow(row);
  if (!group.isWhole || (isImage && !isWhole)) group.rows.push(lose(row, "broken", parentRow));
  else if (isFull) group.rows.push(lose(row, "many", parentRow));
  else {
    group.rows.push(isImage ? { ...row, joined: { role: "image", parentRow } } : row);
    group.images.push(...images);
  }
}

/** Gives a row what it takes from its group; an image row and a lost one take nothing. */
function joinRow(
  row: SourceRow,
  { parent, rows, images }: Group,
  { columns, ownImage, isVariant }: GroupParts,
): SourceRow {
  if (row.joined !== undefined) return row;
  if (row === parent && isVariant !== undefined && rows.some((each) => isVariant(each)))
    return { ...row, joined: { role: "parent" } };
  const cells = row === parent ? {} : takeCells(row, parent, columns);
  const shown = [...imagesOf(row, ownImage), ...images];
  const joined: JoinedCells = {
    role: hasOption(row, columns) ? "variant" : "product",
    parentRow: parent.row,
    ...(Object.keys(cells).length === 0 ? undefined : { cells }),
    ...(columns.images.length === 0 ? undefined : { images: shown }),
  };
  return { ...row, joined };
}

const lose = (row: SourceRow, reason: LostReason, parentRow: number | undefined): SourceRow => ({
  ...row,
  joined: { role: "lost", reason, ...(parentRow === undefined ? undefined : { parentRow }) },
});

function createVariantCheck(
  all: ColumnMapping["columns"],
  { type }: GroupedRows,
): GroupParts["isVariant"] {
  const [index] = findHeaders(all, type?.headers ?? []);
  if (type === undefined || index === undefined) return undefined;
  return ({ cells }) => cellText(cells[index]).toLowerCase() === type.variant;
}

/** A row with an image has nothing else but its group and facts of the image. */
function createImageRowCheck(
  all: ColumnMapping["columns"],
  { link, images, rows }: GroupColumns,
): (row: SourceRow) => boolean {
  const allowed = new Set([link, ...images, ...findHeaders(all, rows.besideImage)]);
  return (row) =>
    images.some((index) => isFilled(row, index)) &&
    row.cells.every((_, index) => allowed.has(index) || !isFilled(row, index));
}

/** `undefined` for a sheet in which every row is a product by itself. */
export function createRowJoiner(
  mapping: Pick<ColumnMapping, "columns" | "platform">,
  options: RowJoinerOptions,
): RowJoiner | undefined {
  const columns = findVariantColumns(mapping);
  if (columns === undefined) return undefined;
  const { rows } = columns;
  if (rows.kind === "grouped") return createGroupJoiner(mapping, { ...columns, rows }, options);
  return rows.kind === "referring"
    ? createReferenceJoiner(mapping, { ...columns, rows }, options)
    : createWholeJoiner(mapping, columns, rows);
}

/** Marks parents and variants; no row takes anything from another one. */
function createWholeJoiner(
  { columns: all }: Pick<ColumnMapping, "columns">,
  columns: VariantColumns,
  { type }: WholeRows,
): RowJoiner {
  const [kind] = findHeaders(all, type?.headers ?? []);
  const parents = new Set(type?.parents);
  const roleOf = ({ cells }: SourceRow): "parent" | undefined =>
    kind !== undefined && parents.has(cellText(cells[kind]).toLowerCase()) ? "parent" : undefined;
  return {
    finish: () => [],
    async push({ row }) {
      const role = roleOf(row) ?? (hasOption(row, columns) ? "variant" : undefined);
      return [role === undefined ? row : { ...row, joined: { role } }];
    },
  };
}

/** The pattern of titles where none is given. */
export const DEFAULT_TITLE_PATTERN = "{title} {options}";

const PLACE = /\{(\w+)\}/gu;
const KNOWN_PLACE = /^(?:title|options|option[1-9])$/u;

/**
 * Makes the title of a variant of the product's title and its options. `{options}` stands for all
 * options with blanks between, `{option1}` for the first.
 */
export type VariantTitles = (title: string, options: readonly string[]) => string;

/** The names in a pattern that stand for nothing; a pattern must have none. */
export const findUnknownPlaces = (pattern: string): readonly string[] =>
  [...pattern.matchAll(PLACE)]
    .map(([, name = ""]) => name)
    .filter((name) => !KNOWN_PLACE.test(name));

/** Signs that divided an option from its neighbour and have nothing to divide any more. */
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]/gu;
const RUN_OF_DIVIDERS = /(?<![\s\-–/,|·:])[\s\-–/,|·:]+/gu;
const DIVIDER_BEFORE_BLANK = /[-–/,|·:](?=\s)/gu;
/** Signs that divide only where a blank stands before them; a comma always does. */
const SPACED_DIVIDERS: ReadonlySet<string | undefined> = new Set("-–/|·:");

/** Stands for a value while the signs of the pattern are tidied, which leaves values as they are. */
const VALUE = "\ufffe";

/** A title without options is left as it is. */
export function createVariantTitles(pattern: string = DEFAULT_TITLE_PATTERN): VariantTitles {
  return (title, options) => {
    if (options.every((option) => option === "")) return title;
    const values: string[] = [];
    const filled = pattern.replaceAll(PLACE, (_, name: string) => {
      const value = valueOf(name, title, options);
      if (value === "") return "";
      values.push(value);
      return VALUE;
    });
    const isWhole = options.every((option) => option !== "");
    const parts = (isWhole ? filled : dropDividers(filled)).split(VALUE);
    const whole = parts.map((part, index) => part + (values[index] ?? "")).join("");
    return trimText(whole.replaceAll(/\s+/gu, " "));
  };
}

function valueOf(name: string, title: string, options: readonly string[]): string {
  if (name === "title") return title;
  if (name === "options") return options.filter((option) => option !== "").join(" ");
  return options[Number(name.slice(-1)) - 1] ?? "";
}

const dropDividers = (title: string): string =>
  dropLast(
    title.replaceAll(EMPTY_BRACKETS, "").replaceAll(RUN_OF_DIVIDERS, (run) => dropRepeated(run)),
  );

/** Keeps the first of several dividers, up to the last one that a blank follows. */
function dropRepeated(run: string): string {
  const last = [...run.matchAll(DIVIDER_BEFORE_BLANK)].at(-1)?.index;
  if (last === undefined) return run;
  const repeated = run.slice(0, last + 1);
  const isOne = repeated.replaceAll(/\s/gu, "").length === 1;
  return isOne ? run : repeated.slice(0, 2) + run.slice(last + 1);
}

function dropLast(title: string): string {
  let left = title.trimEnd();
  for (;;) {
    const before = left.slice(0, -1);
    const isSpaced = SPACED_DIVIDERS.has(left.at(-1)) && before !== before.trimEnd();
    if (!isSpaced && !left.endsWith(",")) return left;
    left = before.trimEnd();
  }
}

/** The title of a row; a variant whose own title says its options keeps it. */
export function toVariantTitle(work: RowWork, title: Cell, titles: VariantTitles): string {
  const { source, layout } = work;
  const { variants } = layout;
  if (source.joined?.role !== "variant" || variants === undefined) return title.text;
  const isOwn = source.joined.cells?.[title.index] === undefined;
  if (isOwn && variants.rows.kind === "referring") return title.text;
  const options = readOptions(work).map((option) =>
    variants.rows.kind === "whole" && hasWords(title.text, option) ? "" : option,
  );
  const named = cellText(source.cells[title.index]);
  const isNamed = variants.rows.kind === "referring" && options.every((option) => option === "");
  return titles(title.text, isNamed && named !== title.text ? [named] : options);
}

const toWords = (text: string): string =>
  ` ${fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/** Whether a title says an option already, as shops name rows that are products by themselves. */
const hasWords = (title: string, option: string): boolean =>
  option !== "" && toWords(title).includes(toWords(option));

/** The options of a row as its sheet displays them; an empty text for one that is not given. */
function readOptions(work: RowWork): readonly string[] {
  const { layout, source } = work;
  const { options = [], noOption } = layout.variants ?? {};
  return options.map((index) => {
    const column = layout.mapping.columns[index];
    const cell = column && readCell(layout, { column, field: "", use: "text" }, source);
    if (cell === undefined || cell.text === noOption || refuseBroken(cell, work)) return "";
    return cell.text;
  });
}
