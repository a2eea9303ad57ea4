/** Reads a file that has to be refused, and prints the row at which it was. FILE */

import { DEFAULT_LIMITS, openSheet, SheetError } from "@catalog/sheets";

import { printCost } from "../case-report.ts";

const [path = ""] = process.argv.slice(2);
/** The file is larger than the limit, which is raised so that the quote is the reason. */
const LIMITS = { ...DEFAULT_LIMITS, fileMb: 2048 };

await printCost(async () => {
  try {
    await using sheet = await openSheet({ path, limits: LIMITS });
    let rows = 0;
    for await (const row of sheet.rows()) rows = row.row;
    return { rows, refusedAtRow: 0 };
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    return { refusedAtRow: error.details.row ?? 0 };
  }
});
