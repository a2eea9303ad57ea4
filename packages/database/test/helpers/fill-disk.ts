/** Appends rows until the database refuses, and prints how many it took and why it stopped. */

import { systemClock } from "@catalog/clock";

import { DatabaseError } from "../../src/errors.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { appendRow, STORE } from "./runs-and-rows.ts";
import { argument, say } from "./script-lines.ts";

using database = await openDatabase(argument(0));
const journal = createJournal({ database, clock: systemClock, store: STORE });
let rows = 0;
try {
  for (; rows < 10_000; rows += 1) {
    await appendRow(journal, { runId: argument(1), row: rows + 1, code: "x".repeat(500) });
  }
} catch (error) {
  say(JSON.stringify({ rows, code: error instanceof DatabaseError ? error.code : String(error) }));
}
