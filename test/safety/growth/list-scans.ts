/**
 * Prints, as JSON, the statements of syncs, of pruning and of the list of runs for which SQLite
 * visits every row of a table that grows with the runs.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { openDatabase } from "@catalog/database/testing";

import { createSimulatedSyncs } from "./simulated-syncs.ts";

/** Tables of which every run leaves rows. */
const GROWING =
  /^SCAN (?:run|run_row|row_cells|row_piece|final_piece|op|event|before_value|verification|run_archive|archive_piece|run_call_minute)\b/u;

const statements = new Set<string>();
const prepare: unknown = Reflect.get(DatabaseSync.prototype, "prepare");
Object.assign(DatabaseSync.prototype, {
  prepare(this: DatabaseSync, sql: string): unknown {
    if (typeof prepare !== "function") throw new TypeError("a database prepares no statements");
    statements.add(sql);
    return Reflect.apply(prepare, this, [sql]);
  },
});

const DAY_MS = 86_400_000;
const KEEP_MS = 2 * DAY_MS;

const folder = mkdtempSync(join(tmpdir(), "catalog-scans-"));
try {
  using database = await openDatabase(join(folder, "catalog.db"));
  const options = {
    products: 40,
    changes: 4,
    held: 2,
    everyMs: DAY_MS / 2,
    startMs: Date.UTC(2026, 0, 1),
  };
  const syncs = createSimulatedSyncs({ database, ...options });
  for (let sync = 0; sync < 12; sync += 1) {
    await syncs.sync();
    while ((await syncs.pruner.advance(KEEP_MS)) !== undefined);
  }
  for (const { id } of await syncs.runs.list(50)) {
    await syncs.journal.readWaitingElsewhere(id);
    await syncs.journal.readCopySuspicion(id);
    await syncs.journal.countRows(id);
    await syncs.verificationLog.countVerifications(id);
    await syncs.journal.readRows(id, { limit: 9 });
  }
  await syncs.journal.readHeldAdds(9);
  await syncs.journal.readAmbiguous(9);
  await syncs.journal.readKnownCodes(["SBX-000001"]);
  console.log(JSON.stringify({ statements: statements.size, scans: listScans(database.path) }));
} finally {
  rmSync(folder, { recursive: true });
}

function listScans(path: string): readonly string[] {
  using sqlite = new DatabaseSync(path);
  const explain = (sql: string): readonly string[] =>
    sqlite
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((step) => String(step["detail"]));
  // Opening the file reads all of it.
  const asked = [...statements].filter((sql) => !/^\s*(?:PRAGMA|EXPLAIN)/iu.test(sql));
  return asked.filter((sql) => explain(sql).some((detail) => GROWING.test(detail)));
}
