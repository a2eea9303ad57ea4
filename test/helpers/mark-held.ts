/** Approves rows of the file of held rows. */

import { openSheet, writeXlsx } from "@catalog/sheets";

/** Writes the file of held rows again, with a word in the first cell of some rows, by code. */
export async function markHeld(
  path: string,
  words: Readonly<Record<string, string>>,
): Promise<string> {
  await using sheet = await openSheet({ path });
  const header = sheet.header.cells.map(String);
  const rows: (string | number | boolean | null)[][] = [];
  for await (const { cells } of sheet.rows()) {
    const all = header.map((_, index) => cells[index] ?? null);
    all[0] = words[String(all[1])] ?? null;
    rows.push(all);
  }
  const out = path.replace(".xlsx", "-onay.xlsx");
  const columns = header.map((text) => ({ header: text }));
  await writeXlsx({ path: out, sheets: [{ name: "Ürünler", columns, rows }] });
  return out;
}
