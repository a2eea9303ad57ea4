/** Removes the files of held rows in which nothing waits for a decision any more. */

import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

const HELD_FILE = "held.xlsx";

/**
 * Runs that are looked at, more than a day of syncs each minute: held rows are closed a day after a
 * newer sync. Files of older runs were removed after earlier syncs.
 */
const MAX_RUNS = 2_000;

/**
 * Removes the files of earlier syncs of the same feed whose held rows are settled or replaced, with
 * their folders. A folder with any other file stays as it is: its files were asked for, or one is
 * open in a spreadsheet program.
 */
export async function removeSettledHeldFiles(
  connection: Pick<Connection, "runs" | "journal">,
  { id, file, reportDir }: RunRecord,
): Promise<void> {
  if (file.feed === undefined) return;
  for (const run of await connection.runs.list(MAX_RUNS)) {
    const isEarlier = run.id !== id && run.file.feed === file.feed && run.reportDir !== reportDir;
    if (isEarlier && (await hasHeldFileOnly(run))) await removeIfSettled(connection, run);
  }
}

async function hasHeldFileOnly({ reportDir }: RunRecord): Promise<boolean> {
  const names = await readdir(reportDir).catch(() => []);
  return names.length === 1 && names[0] === HELD_FILE;
}

async function removeIfSettled(
  { journal }: Pick<Connection, "journal">,
  { id, reportDir }: RunRecord,
): Promise<void> {
  const [held] = await journal.readRows(id, { states: ["held"], limit: 1 });
  if (held !== undefined) return;
  try {
    await rm(join(reportDir, HELD_FILE));
    await rmdir(reportDir);
  } catch {
    // What cannot be removed now is tried again after the next sync.
  }
}
