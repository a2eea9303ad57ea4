/** Finds the columns of a sheet that say how its rows make up products with variants. */

import type { Column, FieldKey } from "../fields/fields.ts";
import { findPlatform } from "../platforms/platform-matcher.ts";
import {
  findHeaders,
  type GroupedRows,
  type PlatformProfile,
  type ReferringRows,
  type VariantLayout,
  type WholeRows,
} from "../platforms/platform.ts";
import { cellText, type SourceRow } from "../source-row.ts";
import { withoutParents } from "../text-keys.ts";

/** The columns of one sheet that variants use. */
export interface VariantColumns {
  readonly rows: GroupedRows | ReferringRows | WholeRows;
  /** The column that groups rows, names the parent, or tells the kind of a row. */
  readonly link: number;
  /** Columns of options, in their order. */
  readonly options: readonly number[];
  readonly noOption: string | undefined;
  /** Columns whose empty cells take the value of the parent. */
  readonly carried: readonly number[];
  /** Columns of images, those of single variants excepted. */
  readonly images: readonly number[];
  readonly title: number | undefined;
  readonly code: number | undefined;
}

/** Fields that all variants of a product share where their own cells are empty. */
const SHARED: ReadonlySet<FieldKey> = new Set([
  "title",
  "sub_title",
  "category",
  "brand",
  "brand_model",
  "description",
  "currency",
  "warranty_type",
  "warranty_period",
  "shipping_template",
  "condition",
  "custom_order",
]);

/** The columns of a sheet, and the platform that wrote it. */
interface MappedColumns {
  readonly columns: readonly Column[];
  readonly platform: { readonly name: string } | undefined;
}

/** `undefined` for a sheet in which every row is a product by itself. */
export function findVariantColumns({
  columns,
  platform,
}: MappedColumns): VariantColumns | undefined {
  const layout = findLayout(columns, platform && findPlatform(platform.name));
  if (layout === undefined) return undefined;
  const { rows, noOption } = layout;
  const link = findLink(columns, layout);
  if (link === undefined) return undefined;
  const used = findUsed(columns, layout);
  const free = columns.filter(({ index }) => !used.has(index));
  return {
    rows,
    link,
    options: findOptions(columns, layout),
    noOption,
    carried: free.filter((column) => isShared(column, rows)).map(({ index }) => index),
    images: free.filter((column) => isImage(column)).map(({ index }) => index),
    title: findField(columns, "title"),
    code: findField(columns, "product_code"),
  };
}

/** Headers of the columns that variants use and no call takes. */
export function listVariantHeaders(
  columns: readonly Column[],
  profile: PlatformProfile | undefined,
): ReadonlySet<string> {
  const layout = findLayout(columns, profile);
  if (layout === undefined) return new Set();
  const used = findUsed(columns, layout);
  return new Set(columns.filter(({ index }) => used.has(index)).map(({ header }) => header));
}

/** Headers of options that mean the same in every file. */
const OPTIONS: readonly (readonly string[])[] = [
  ["Renk", "Renk Adı", "Color", "Color Name", "Colour", "@Renk", "@Color"],
  ["Beden", "Beden Adı", "Size", "@Beden", "@Size"],
];

/**
 * Marks the options of records that have only the title of the product around them, as variants do;
 * the options of a platform's own records are known.
 */
export function markOptions(
  columns: readonly Column[],
  profile: PlatformProfile | undefined,
): readonly Column[] {
  if (hasNestedOptions(columns, profile) || !hasParentTitle(columns)) return columns;
  const own = columns.filter(
    ({ target, header }) => target.kind === "unknown" && withoutParents(header) === undefined,
  );
  const marked = new Set(OPTIONS.flatMap((headers) => findHeaders(own, headers).slice(0, 1)));
  return columns.map((column) =>
    marked.has(column.index) && placeOf(column) === undefined
      ? { ...column, target: { kind: "unknown", option: 0 } }
      : column,
  );
}

const hasNestedOptions = (
  columns: readonly Column[],
  profile: PlatformProfile | undefined,
): boolean => findHeaders(columns, profile?.nested?.options?.flat() ?? []).length > 0;

const hasParentTitle = (columns: readonly Column[]): boolean =>
  columns.some(
    ({ target, header }) =>
      target.kind === "field" && target.field === "title" && withoutParents(header) !== undefined,
  );

/**
 * The layout of records where the file has their options, else that of sheets. Columns that are
 * marked as options make every row that has one a variant.
 */
function findLayout(
  columns: readonly Column[],
  profile: PlatformProfile | undefined,
): VariantLayout | undefined {
  const { options = [], noOption } = profile?.nested ?? {};
  if (hasNestedOptions(columns, profile)) {
    const none = noOption === undefined ? undefined : { noOption };
    return { rows: { kind: "whole" }, options, ...none, others: [] };
  }
  const known = profile?.variants;
  if (known !== undefined && findLink(columns, known) !== undefined) return known;
  const isMarked = columns.some((column) => placeOf(column) !== undefined);
  return isMarked ? { rows: { kind: "whole" }, options: [], others: [] } : known;
}

/** The place of a marked option; 0 where it is that of the column. */
const placeOf = ({ target }: Column): number | undefined =>
  target.kind === "unknown" ? target.option : undefined;

/** Marked columns, those with a place first; without any, those that the layout names. */
function findOptions(
  columns: readonly Column[],
  { options }: Pick<VariantLayout, "options">,
): readonly number[] {
  const marked = columns
    .flatMap((column) => {
      const place = placeOf(column);
      return place === undefined ? [] : [{ index: column.index, place }];
    })
    .toSorted((a, b) => (a.place || LAST_PLACE) - (b.place || LAST_PLACE));
  if (marked.length > 0) return marked.map(({ index }) => index);
  return options.flatMap((headers) => findHeaders(columns, headers).slice(0, 1));
}

const LAST_PLACE = 10;

/** The column without which no row of the sheet belongs to another one. */
function findLink(columns: readonly Column[], layout: VariantLayout): number | undefined {
  const { rows } = layout;
  const headers = linkHeaders(rows);
  return headers === undefined ? findOptions(columns, layout)[0] : findHeaders(columns, headers)[0];
}

function linkHeaders(rows: VariantLayout["rows"]): readonly string[] | undefined {
  if (rows.kind === "grouped") return rows.group;
  return rows.kind === "referring" ? rows.parent : rows.type?.headers;
}

function findUsed(columns: readonly Column[], layout: VariantLayout): ReadonlySet<number> {
  const { rows, others } = layout;
  const type = rows.type?.headers ?? [];
  const images = rows.kind === "grouped" ? [...rows.ownImage, ...rows.besideImage] : [];
  const link = linkHeaders(rows) ?? [];
  const named = findHeaders(columns, [...link, ...type, ...images, ...others]);
  const indexes = [...named, ...findOptions(columns, layout)];
  return new Set(indexes.filter((index) => columns[index]?.target.kind !== "field"));
}

const findField = (columns: readonly Column[], field: FieldKey): number | undefined =>
  columns.find(({ target }) => target.kind === "field" && target.field === field)?.index;

/** Properties are shared too; a column with an unknown header may be one. */
function isShared({ target }: Column, rows: VariantColumns["rows"]): boolean {
  if (target.kind !== "field") return isProperty(target);
  const more = rows.kind === "grouped" ? rows.carried : undefined;
  return SHARED.has(target.field) || more?.includes(target.field) === true;
}

const isProperty = ({ kind }: Column["target"]): boolean =>
  kind === "property" || kind === "unknown";

const isImage = ({ target }: Column): boolean =>
  target.kind === "field" && target.field.startsWith("image");

/** Whether a cell holds anything. */
export const isFilled = ({ cells }: SourceRow, index: number | undefined): boolean =>
  index !== undefined && cellText(cells[index]) !== "";

/** Whether any option of the row is filled in. */
export const hasOption = (row: SourceRow, { options, noOption }: VariantColumns): boolean =>
  options.some((index) => {
    const text = cellText(row.cells[index]);
    return text !== "" && text !== noOption;
  });
