/**
 * Observes the system calls of an import: before the first byte of each add, everything written to
 * the database's log must be on the disk, and something must have been written since the add
 * before.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runCatalog } from "../../helpers/processes/catalog-process.ts";
import { openKillScenario } from "../kill/kill-scenario.ts";

export interface WatchedCalls {
  /** Adds whose first byte was observed. */
  readonly posts: number;
  /** Number of syncs of the log. */
  readonly syncs: number;
  /** Adds sent before the log was synced, or without a write. */
  readonly early: number;
}

/** Whether system calls can be observed on this machine. */
export function canWatch(): boolean {
  return spawnSync("strace", ["-e", "trace=none", "true"], { stdio: "ignore" }).status === 0;
}

/** Sends its rows one by one, so that each add waits for a commit of its own. */
export async function watchCalls(rows: number): Promise<WatchedCalls> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-strace-"));
  try {
    await using shop = await openKillScenario({ rows, faults: [] });
    const log = join(folder, "calls");
    const calls = "trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg";
    const { code, err } = await runCatalog(
      ["import", shop.file, "--yes", "--json", "--concurrency", "1", "--no-verify"],
      {
        env: shop.env,
        cwd: folder,
        under: ["strace", "-f", "-y", "-s", "40", "-e", calls, "-o", log],
      },
    );
    if (code !== 0) throw new Error(`the import ended with ${code}: ${err}`);
    return readCalls(readFileSync(log, "utf8").split("\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LOG_WRITE = /\bpwrite64\(\d+<[^>]*\.db-wal>/u;
const LOG_SYNC = /\b(?:fsync|fdatasync)\(\d+<[^>]*\.db-wal>/u;
const ADD = /\b(?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)[^>]*>.*POST [^ ]*product\/add/u;

/** System calls in order; one thread writes to the log and sends. */
export function readCalls(lines: readonly string[]): WatchedCalls {
  const seen = { posts: 0, syncs: 0, early: 0 };
  let isOpen = false;
  let hasWritten = false;
  for (const line of lines) {
    if (LOG_WRITE.test(line)) [isOpen, hasWritten] = [true, true];
    else if (LOG_SYNC.test(line)) {
      seen.syncs += 1;
      isOpen = false;
    } else if (ADD.test(line)) {
      seen.posts += 1;
      if (isOpen || !hasWritten) seen.early += 1;
      hasWritten = false;
    }
  }
  return seen;
}
