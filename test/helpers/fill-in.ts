/** Fills in exports as a person does in Excel. */

import { openSheet, type OutCell, writeCsv, writeXlsx } from "@catalog/sheets";

/** Cells to write, by the header of their column; a missing one stays as it is. */
export type Filled = Readonly<Record<string, OutCell>>;

interface FillInOptions {
  readonly from: string;
  readonly to: string;
  /** What to write into a row, of which the cells are named by their headers. */
  readonly fill: (cells: Readonly<Record<string, unknown>>, index: number) => Filled;
  /** Columns that are left out. @default none */
  readonly without?: readonly string[];
  /** Further rows at the end. @default none */
  readonly more?: readonly Filled[];
}

/** Writes the table again with further cells; the end of the name says whether as CSV. */
export async function fillIn(options: FillInOptions): Promise<void> {
  const { from, to, fill, without = [], more = [] } = options;
  await using sheet = await openSheet({ path: from });
  const all = sheet.header.cells.map(String);
  const header = all.filter((name) => !without.includes(name));
  const rows: OutCell[][] = [];
  for await (const { cells } of sheet.rows()) {
    const named = Object.fromEntries(all.map((name, at) => [name, cells[at] ?? null]));
    const filled: Filled = { ...named, ...fill(named, rows.length) };
    rows.push(header.map((name) => filled[name] ?? null));
  }
  rows.push(...more.map((filled) => header.map((name) => filled[name] ?? null)));
  if (to.endsWith(".csv")) {
    await writeCsv({ path: to, header, rows, delimiter: ";", decimal: "comma" });
    return;
  }
  const columns = header.map((name) => ({ header: name }));
  await writeXlsx({ path: to, sheets: [{ name: "Sayfa1", columns, rows }] });
}
