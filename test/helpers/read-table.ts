/** Reads the tables that exports write. */

import { openSheet } from "@catalog/sheets";

/** A table with its header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Reads the first sheet of a file. */
export async function readTable(path: string): Promise<Table> {
  await using sheet = await openSheet({ path });
  const rows = await Array.fromAsync(sheet.rows());
  return { header: sheet.header.cells.map(String), rows: rows.map(({ cells }) => cells) };
}

/** The cells below a header. */
export const columnOf = ({ header, rows }: Table, name: string): readonly unknown[] =>
  rows.map((cells) => cells[header.indexOf(name)] ?? null);
