/** Joins the rows of a sheet of a platform, and maps them. */

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createRowMapper } from "../../src/rows/row-mapper.ts";
import type { MappedRow } from "../../src/rows/row-work.ts";
import type { CellTrait, CellValue, SourceRow } from "../../src/source-row.ts";
import { createNotationObserver } from "../../src/values/notation.ts";
import { createRowJoiner } from "../../src/variants/row-joiner.ts";
import { createCatalog } from "./catalog.ts";

export interface VariantSheet {
  readonly platform: string;
  /** Headers separated by `|`. */
  readonly header: string;
  /** Rows from row 2 on; a text is divided at `|`. */
  readonly rows: readonly (string | readonly CellValue[])[];
  readonly variantTitle?: string;
  readonly overrides?: ReadonlyMap<string, string>;
  readonly constants?: ReadonlyMap<string, string>;
  /** Traits of cells, by row and column index. */
  readonly traits?: Readonly<Record<number, Readonly<Record<number, CellTrait>>>>;
  /** Rows that count as not whole. */
  readonly broken?: readonly number[];
}

export const toRows = (rows: VariantSheet["rows"]): readonly SourceRow[] =>
  rows.map((cells, index) => ({
    row: index + 2,
    cells: typeof cells === "string" ? cells.split("|") : cells,
  }));

const mappingOf = ({ platform, header, constants, overrides }: VariantSheet) =>
  mapColumns({
    sheet: "S",
    headerRow: 1,
    header: header.split("|"),
    platform,
    constants,
    overrides,
  });

/** The rows as they leave the joiner. */
export async function joinSheet(sheet: VariantSheet): Promise<readonly SourceRow[]> {
  const left: SourceRow[] = [];
  const joiner = createRowJoiner(mappingOf(sheet), {
    createRowList: () => new Map<string, number>(),
    readRow: async (row) => left.find((each) => each.row === row),
  });
  if (joiner === undefined) throw new Error("the sheet has no variants");
  for (const plain of toRows(sheet.rows)) {
    const traits = sheet.traits?.[plain.row];
    const row = { ...plain, ...(traits !== undefined && { traits }) };
    left.push(...(await joiner.push({ row, isWhole: sheet.broken?.includes(row.row) !== true })));
  }
  left.push(...joiner.finish());
  return left;
}

/** The mapped rows. */
export async function mapVariants(sheet: VariantSheet): Promise<readonly MappedRow[]> {
  const mapping = mappingOf(sheet);
  const rows = await joinSheet(sheet);
  const observer = createNotationObserver(mapping, {});
  for (const row of rows) observer.observe(row);
  const { variantTitle } = sheet;
  const how = { mapping, notations: observer.decide(), names: createCatalog(), variantTitle };
  const mapper = createRowMapper({ sheet: "S", ...how });
  for (const row of rows) await mapper.findOpenNames(row);
  return rows.map((row) => mapper.map(row));
}
