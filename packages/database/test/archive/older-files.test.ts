import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { MIGRATIONS } from "../../src/migrations/migrations.ts";
import { readPages } from "../../src/sqlite/free-space.ts";
import { openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { openRaw } from "../helpers/raw.ts";
import { planToSend } from "../helpers/runs-and-rows.ts";
import { count, readAll, stageOf } from "../helpers/stored-runs.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** A run as it was stored before rows were kept in pieces and runs in the archive. */
const OLD_RUN = [
  `INSERT INTO store (id, base_url, store_id) VALUES (1, 'https://marketplace.test', 'store-1')`,
  `INSERT INTO run (id, store, command, state, file_json, mode, lang, report_dir, warnings_json,
     settings_json, created_at_ms, updated_at_ms)
   VALUES ('run-old', 1, 'import', 'finished', '{"header":["Kod","Stok"]}', 'upsert', 'tr', '', '[]',
     '{"noVerify":true}', 1, 1)`,
  `INSERT INTO run_row (run_id, row_no, state, action, code, code_key, payload_json, updated_at_ms)
   VALUES ('run-old', 2, 'parsed', 'add', 'CUP', 'CUP', '{"product_code":"CUP"}', 1),
     ('run-old', 3, 'parsed', NULL, 'PLATE', 'PLATE', NULL, 1)`,
  `INSERT INTO row_cells (run_id, row_no, cells_json)
   VALUES ('run-old', 2, '["CUP",5]'), ('run-old', 3, '["PLATE",null]')`,
  `UPDATE run_row SET state = 'ready' WHERE row_no = 2`,
  `UPDATE run_row SET state = 'sending', attempts = 1 WHERE row_no = 2`,
  `UPDATE run_row SET state = 'done', product_id = 'p-1' WHERE row_no = 2`,
  `UPDATE run_row SET state = 'unchanged' WHERE row_no = 3`,
  `INSERT INTO event (run_id, row_no, from_state, to_state, cause, evidence_json, at_ms)
   VALUES ('run-old', 2, 'parsed', 'ready', 'plan', '{}', 1),
     ('run-old', 3, 'parsed', 'unchanged', 'plan', '{}', 1),
     ('run-old', 2, 'ready', 'sending', 'begin', '{}', 1),
     ('run-old', 2, 'sending', 'done', 'answer', '{}', 1)`,
  `INSERT INTO op (run_id, row_no, store, kind, state, code_key, product_id, payload_json,
     begun_at_ms, settled_at_ms)
   VALUES ('run-old', 2, 1, 'add', 'done', 'CUP', 'p-1', '{"product_code":"CUP"}', 1, 1)`,
];

/** Opens a file that an earlier version has written. */
async function openOld(): Promise<Pruning> {
  const path = join(temporaryFolder(), "catalog.db");
  const old = openRaw(path);
  const before = MIGRATIONS.findIndex((steps) => steps.join("").includes("TABLE row_piece"));
  for (const statement of MIGRATIONS.slice(0, before).flat()) old.run(statement);
  old.run(`PRAGMA user_version=${before}`);
  for (const statement of OLD_RUN) old.run(statement);
  old.close();
  return await openPruning({ path });
}

describe("a run of an earlier version", () => {
  it("is read as before, also once it is archived", async () => {
    const store = await openOld();
    const before = await readAll(store, "run-old");
    await store.goOn();

    await store.pass(1, 1_000_000 * 86_400_000);

    expect(before).toMatchObject({
      rows: [
        { row: 2, cells: ["CUP", 5], state: "done" },
        { row: 3, cells: ["PLATE", null], state: "unchanged" },
      ],
    });
    expect(stageOf(store, "run-old")).toBe("archived");
    expect(await readAll(store, "run-old")).toEqual(before);
  });

  it("is pruned with its cells, and keeps the code of its add", async () => {
    const store = await openOld();
    await store.goOn();

    await store.pass(1);

    expect(stageOf(store, "run-old")).toBe("pruned");
    expect(["row_cells", "event"].map((table) => count(store, table, "run-old"))).toEqual([0, 0]);
    await store.create("run-new");
    const again = await planToSend(store.journal, { runId: "run-new", row: 1, code: "CUP" });
    expect(store.journal.beginSending(again)).toBe("taken");
    expect(readPages(store.database).isIncremental).toBe(false);
  });
});
