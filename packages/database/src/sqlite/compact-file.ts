/** Gives all free space of the file back to the disk, on request of a person. */

import type { Localized } from "@catalog/i18n";

import { describeHolder } from "../locks/lock-holder.ts";
import { readProcesses } from "../locks/process-note.ts";
import type { FileDatabase } from "../sql/database.ts";
import { readFreeBytes } from "./filesystem-checks.ts";
import {
  emptyLog,
  hasSpare,
  type PageCounts,
  readPages,
  releaseAllPages,
  rewriteFile,
} from "./free-space.ts";
import { MIN_FREE_BYTES } from "./reserved-space.ts";

/**
 * - `nothing`: there is no more free space than the next runs need.
 * - `done`: the file is smaller.
 * - `in-use`: the file must be written anew, and another process has it open.
 * - `disk-full`: the file must be written anew, and there is no room for a second one.
 */
export type CompactOutcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "done"; readonly freedBytes: number }
  | { readonly kind: "in-use"; readonly by: Localized }
  | { readonly kind: "disk-full"; readonly neededBytes: number };

/** A new file and its log are written before the old one is given up. */
const COPIES = 2;

export interface CompactFileOptions {
  /** Called before the file is written anew, for which other processes wait. */
  readonly onRewrite?: (() => void) | undefined;
  /** @default asks the file system */
  readonly freeBytes?: ((path: string) => number) | undefined;
}

export function compactFile(
  database: FileDatabase,
  options: CompactFileOptions = {},
): CompactOutcome {
  const before = readPages(database);
  if (!hasSpare(before)) return { kind: "nothing" };
  if (before.isIncremental) {
    releaseAllPages(database);
  } else {
    const obstacle = findObstacle(database, before, options);
    if (obstacle !== undefined) return obstacle;
    options.onRewrite?.();
    rewriteFile(database);
  }
  emptyLog(database);
  const freedPages = before.pages - readPages(database).pages;
  return { kind: "done", freedBytes: freedPages * before.pageBytes };
}

function findObstacle(
  { path }: FileDatabase,
  { pageBytes, pages, freePages }: PageCounts,
  { freeBytes = readFreeBytes }: CompactFileOptions,
): CompactOutcome | undefined {
  const other = readProcesses(path).find(({ pid }) => pid !== process.pid);
  if (other !== undefined) return { kind: "in-use", by: describeHolder(other) };
  const neededBytes = (pages - freePages) * pageBytes * COPIES + MIN_FREE_BYTES;
  return freeBytes(path) < neededBytes ? { kind: "disk-full", neededBytes } : undefined;
}
