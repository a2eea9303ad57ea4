/** Joins rows that follow each other and have one text in the column of their group. */

import type { ColumnMapping } from "../columns/map-columns.ts";
import type { GroupedRows } from "../platforms/platform.ts";
import {
  cellText,
  type JoinedCells,
  type JoinedImage,
  type LostReason,
  type SourceRow,
} from "../rows/source-row.ts";
import { imagesOf, takeCells } from "./join-cells.ts";
import type { JoinableRow, RowJoiner, RowJoinerOptions } from "./row-joiner.ts";
import { findHeaders, hasOption, isFilled, type VariantColumns } from "./variant-columns.ts";

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
export function createGroupJoiner(
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
