import { type StoredRow, storeRun } from "@catalog/connection/testing";

import type { CommandHarness } from "./command-harness.ts";

/** The run that is undone, and the run that undoes it. */
export interface StoredUndo {
  readonly run: string;
  readonly undo: string;
}

/** Stores a run with two updates, and an undo that has restored the price of the first one. */
export async function storeUndo({ open, folder }: CommandHarness): Promise<StoredUndo> {
  await using connection = await open();
  const outcome: StoredRow["outcome"] = { to: "done", cause: "answer" };
  const change = { field: "price", old: 12_090, new: 4500 };
  const restored = { field: "price", old: 4500, new: 12_090 };
  const [first, second] = [{ cells: ["KOD-1"] }, { cells: ["KOD-2"] }] as const;
  const run = await storeRun(connection, {
    header: ["Ürün Kodu"],
    reportDir: `${folder}/sonuc`,
    rows: [
      { ...first, action: "update", changes: [change], outcome },
      { ...second, action: "update", changes: [change], outcome },
    ],
  });
  const undo = "r-261122-0930-0a0a";
  await storeRun(connection, {
    id: undo,
    command: "undo",
    header: ["Ürün Kodu"],
    reportDir: `${folder}/geri`,
    rows: [
      { ...first, action: "update", changes: [restored], outcome },
      { ...second, state: "skipped" },
    ],
  });
  await connection.runs.update(undo, { progress: { undoOf: run.id } });
  return { run: run.id, undo };
}
