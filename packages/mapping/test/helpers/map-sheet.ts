import type { MapColumnsOptions } from "../../src/columns/column-mapping.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";
import type { Issue } from "../../src/issues/issue.ts";
import type { NameSource } from "../../src/names/name-indexes.ts";
import type { ValueRules } from "../../src/names/value-rules.ts";
import { createRowMapper, type PropertyPolicy, type RowMapper } from "../../src/rows/row-mapper.ts";
import type { MappedRow } from "../../src/rows/row-work.ts";
import type { CellTrait, CellValue, SourceRow } from "../../src/source-row.ts";
import { createNotationObserver } from "../../src/values/notation.ts";
import type { DecimalSign } from "../../src/values/numbers.ts";
import { createCatalog } from "./catalog.ts";

export interface SheetOptions extends Pick<
  MapColumnsOptions,
  "constants" | "defaults" | "overrides" | "platform"
> {
  /** Headers separated by `|`. */
  readonly header: string;
  /** Rows from row 2 on. */
  readonly rows: readonly (readonly CellValue[])[];
  readonly traits?: Readonly<Record<number, CellTrait>>;
  /** Number formats of every row's cells, by column index. */
  readonly formats?: Readonly<Record<number, string>>;
  readonly takesImageFiles?: boolean;
  readonly decimal?: DecimalSign;
  readonly names?: NameSource;
  readonly rules?: ValueRules;
  readonly properties?: PropertyPolicy;
  readonly nowMs?: number;
}

export interface MappedSheet {
  readonly mapper: RowMapper;
  readonly rows: readonly MappedRow[];
}

/** Maps a whole sheet: columns, notations, rows. */
export async function mapSheet(options: SheetOptions): Promise<MappedSheet> {
  const { constants, defaults, overrides, platform, decimal, names = createCatalog() } = options;
  const header = options.header.split("|");
  const mapping = mapColumns({
    sheet: "Ürünler",
    headerRow: 1,
    header,
    constants,
    defaults,
    overrides,
    platform,
  });
  const { traits, formats } = options;
  const rows = options.rows.map((cells, index): SourceRow => ({
    row: index + 2,
    cells,
    ...(traits !== undefined && { traits }),
    ...(formats !== undefined && { formats }),
  }));
  const observer = createNotationObserver(mapping, { decimal });
  for (const row of rows) observer.observe(row);
  const notations = observer.decide();
  const { rules, properties, takesImageFiles, nowMs } = options;
  const how = { notations, names, rules, properties, takesImageFiles, nowMs };
  const mapper = createRowMapper({ sheet: "Ürünler", mapping, ...how });
  await Promise.all(rows.map((row) => mapper.findOpenNames(row)));
  return { mapper, rows: rows.map((row) => mapper.map(row)) };
}

/** Maps a sheet of one row. */
export async function mapOne(
  header: string,
  cells: readonly CellValue[],
  options: Partial<SheetOptions> = {},
): Promise<MappedRow> {
  const { rows } = await mapSheet({ header, rows: [cells], ...options });
  const [row] = rows;
  if (row === undefined) throw new Error("the sheet has no row");
  return row;
}

/** Issues as `F12 E_…`. */
export const brief = (issues: readonly Issue[]): readonly string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`);

/** What a row lacks for a new product. */
export function missingForAdd(mapper: RowMapper, row: MappedRow): readonly Issue[] {
  const completed = mapper.completeAdd(row);
  return completed.ok ? [] : completed.issues;
}
