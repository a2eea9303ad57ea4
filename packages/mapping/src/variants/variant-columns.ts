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
  const { rows, options, noOption } = layout;
  const [link] = findHeaders(columns, linkHeaders(layout));
  if (link === undefined) return undefined;
  const used = findUsed(columns, layout);
  const free = columns.filter(({ index }) => !used.has(index));
  return {
    rows,
    link,
    options: options.flatMap((headers) => findHeaders(columns, headers).slice(0, 1)),
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

/** The layout of records where the file has their options, else that of sheets. */
function findLayout(
  columns: readonly Column[],
  profile: PlatformProfile | undefined,
): VariantLayout | undefined {
  const { options, noOption } = profile?.nested ?? {};
  if (options === undefined || findHeaders(columns, options.flat()).length === 0)
    return profile?.variants;
  const none = noOption === undefined ? undefined : { noOption };
  return { rows: { kind: "whole" }, options, ...none, others: [] };
}

function linkHeaders({
  rows,
  options,
}: Pick<VariantLayout, "rows" | "options">): readonly string[] {
  if (rows.kind === "grouped") return rows.group;
  return rows.kind === "referring" ? rows.parent : (rows.type?.headers ?? options[0] ?? []);
}

function findUsed(
  columns: readonly Column[],
  { rows, options, others }: VariantLayout,
): ReadonlySet<number> {
  const type = rows.type?.headers ?? [];
  const images = rows.kind === "grouped" ? [...rows.ownImage, ...rows.besideImage] : [];
  const link = linkHeaders({ rows, options });
  const indexes = findHeaders(columns, [...link, ...type, ...images, ...options.flat(), ...others]);
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
