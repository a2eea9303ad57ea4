/** Joins rows of which each variant names its parent, which stands above it. */

import type { ColumnMapping } from "../columns/map-columns.ts";
import { codeKey, fold } from "../fold.ts";
import type { ReferringRows } from "../platforms/platform.ts";
import { cellText, type JoinedCells, type SourceRow } from "../rows/source-row.ts";
import { copyCell, imagesOf, takeCells } from "./join-cells.ts";
import type { JoinableRow, RowJoiner, RowJoinerOptions } from "./row-joiner.ts";
import { findHeaders, isFilled, type VariantColumns } from "./variant-columns.ts";

type ReferringColumns = VariantColumns & { readonly rows: ReferringRows };

/** Parents at hand; an earlier one is read again. */
const MAX_KEPT = 64;

const ID = "id:";

/** Keeps the last parents, and the row of every row that may be one. */
export function createReferenceJoiner(
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

/** Where no column tells the kind, a row with a parent is a variant, and any other may be a parent. */
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
