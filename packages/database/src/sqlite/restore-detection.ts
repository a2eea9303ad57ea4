/**
 * Detects that an old copy of the database was put in its place: every opening and closing
 * increments a counter in the file and one in a small file beside it, and only a copy can be behind
 * the latter.
 */

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/** Increments the counter, and says whether the file is an older copy of itself. */
export function countOpening(sqlite: DatabaseSync, path: string): "current" | "restored" {
  const notePath = `${path}.generation`;
  const noted = readNote(notePath);
  const found = Number(sqlite.prepare("SELECT n FROM generation").get()?.["n"] ?? 0);
  const isRestored = noted !== undefined && found < noted;
  const next = Math.max(found, noted ?? 0) + 1;
  sqlite.exec("BEGIN IMMEDIATE");
  sqlite.prepare("UPDATE generation SET n = max(n + 1, ?)").run(next);
  if (isRestored) markRestored(sqlite);
  sqlite.exec("COMMIT");
  if (isRestored) deleteInFlightMarkers(path);
  writeNote(notePath, next);
  return isRestored ? "restored" : "current";
}

/** Marks all runs: another copy may have sent rows that this one calls ready or plans next. */
export function markRestored(sqlite: Pick<DatabaseSync, "exec">): void {
  const next = "(SELECT coalesce(max(seq), 0) + 1 FROM event)";
  sqlite.exec(`UPDATE run SET must_recheck = ${next}; UPDATE copy SET doubted_seq = ${next}`);
}

/** The markers belong to the lost copy; here they would call requests unsent that were sent. */
export function deleteInFlightMarkers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const isMark = name.startsWith(`${basename(path)}.`) && name.endsWith(".marks");
    if (isMark) rmSync(join(folder, name), { force: true });
  }
}

function readNote(path: string): number | undefined {
  try {
    const n = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(n) ? n : undefined;
  } catch {
    // The file is missing or cannot be read, so nothing is known.
    return undefined;
  }
}

/** Written as a whole or not at all, so that a process that dies leaves no partial number. */
function writeNote(path: string, n: number): void {
  const next = `${path}.${process.pid}`;
  writeFileSync(next, String(n), { mode: 0o600 });
  renameSync(next, path);
}
