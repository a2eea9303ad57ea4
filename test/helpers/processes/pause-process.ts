/** Stops a process where it holds what it always holds, and not in the middle of a commit. */

import { type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

/** Whether anybody else could write to the database now. */
function isFree(home: string): boolean {
  using database = new DatabaseSync(join(home, "catalog.db"), { timeout: 0 });
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

/** Until it is sent SIGCONT, or killed. `home` is where it keeps its database. */
export async function holdStill(child: ChildProcess, home: string): Promise<void> {
  child.kill("SIGSTOP");
  while (!isFree(home)) {
    child.kill("SIGCONT");
    await wait(2);
    child.kill("SIGSTOP");
  }
}
