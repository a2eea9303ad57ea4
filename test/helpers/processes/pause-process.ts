/** Suspends a process that holds its usual locks, but not in the middle of a commit. */

import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

/** Whether another process could write to the database now. */
function isFree(home: string): boolean {
  using database = new DatabaseSync(join(home, "catalog.db"), { timeout: 0 });
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

/**
 * Suspends the process until it receives SIGCONT or is killed. `home` is the folder of its
 * database.
 */
export async function pauseProcess(child: ChildProcess, home: string): Promise<void> {
  child.kill("SIGSTOP");
  while (!isFree(home)) {
    child.kill("SIGCONT");
    await wait(2);
    child.kill("SIGSTOP");
  }
}
