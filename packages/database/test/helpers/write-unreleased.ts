/** Writes a file as the last version before 1.0 has left it, as far as the program looks at it. */

import { openRaw } from "./raw.ts";

/** "CATL" */
const UNRELEASED_ID = 0x43_41_54_4c;

export function writeUnreleased(path: string): void {
  const raw = openRaw(path);
  raw.run("CREATE TABLE run (id TEXT PRIMARY KEY) STRICT");
  raw.run(`PRAGMA application_id=${UNRELEASED_ID}`);
  raw.run("PRAGMA user_version=30");
  raw.close();
}
