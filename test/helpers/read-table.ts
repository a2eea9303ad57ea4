/** Reads the tables that exports write. */

import { openSheet } from "@catalog/sheets";

/** A table with its header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Reads a sheet of a file, by default the first one. */
export async function readTable(path: string, name?: string): Promise<Table> {
  await using sheet = await openSheet({ path, ...(name === undefined ? {} : { sheet: name }) });
  const rows = await Array.fromAsync(sheet.rows());
  return { header: sheet.header.cells.map(String), rows: rows.map(({ cells }) => cells) };
}

/** The cells below a header. */
export const columnOf = ({ header, rows }: Table, name: string): readonly unknown[] =>
  rows.map((cells) => cells[header.indexOf(name)] ?? null);
