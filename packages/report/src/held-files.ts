/**
 * Files of held rows in a folder of results: those that a person has edited are kept, those in
 * which nothing waits any more are removed; and which runs of a store hold rows.
 */

import { existsSync } from "node:fs";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";
import { wasSavedSince } from "@catalog/sheets";

/** A file that was edited, and the path that it has now. */
interface EditedFile {
  readonly path: string;
  readonly kept: string;
}

/** Called for each file that a person has edited, with a sentence that says where it is now. */
export type OnKept = (text: Localized) => void;

const describe = ({ path, kept }: EditedFile): Localized => ({
  tr: `${path} sizin değişikliklerinizi taşıyordu; kaybolmasın diye ${kept} adıyla saklandı.`,
  en: `${path} had your changes; it is kept as ${kept}.`,
});

/**
 * Gives a workbook that a person has saved since it was written another name, such as
 * `failed-edited.xlsx`; other files stay. Tells what was renamed.
 */
export async function keepEditedFile(path: string, onKept: OnKept): Promise<void> {
  if (!wasSavedSince(path)) return;
  const stem = path.replace(/\.xlsx$/u, "");
  let kept = `${stem}-edited.xlsx`;
  for (let number = 2; existsSync(kept); number += 1) kept = `${stem}-edited-${number}.xlsx`;
  await rename(path, kept);
  onKept(describe({ path, kept }));
}

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

/** A run, and how many of its rows are held. */
export interface HeldRun {
  readonly run: RunRecord;
  readonly held: number;
}

/**
 * Lists the runs that hold rows, the newest first. Left out are plans that were never applied, which
 * wait for nobody, and syncs of a feed that was synced again since, which holds what is still to be
 * decided. Reads counts only, no rows.
 */
export async function listHeldRuns({
  runs,
  journal,
}: Pick<Connection, "runs" | "journal">): Promise<readonly HeldRun[]> {
  const found: HeldRun[] = [];
  const feeds = new Set<string>();
  for (const run of await runs.list(Number.MAX_SAFE_INTEGER)) {
    if (run.state === "planning" || run.state === "planned") continue;
    if (run.kind === "sync" && run.facts !== null) {
      const feed = run.file.feed ?? run.file.path;
      if (feeds.has(feed)) continue;
      feeds.add(feed);
    }
    const states = await journal.countRows(run.id);
    const held = states.reduce((sum, { state, rows }) => sum + (state === "held" ? rows : 0), 0);
    if (held > 0) found.push({ run, held });
  }
  return found;
}
