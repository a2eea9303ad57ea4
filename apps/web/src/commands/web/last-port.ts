/** The port that a page was served on last, in a file of the home. */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { isPort } from "@catalog/console";
import { makeFolder } from "@catalog/i18n";

/** 0, any free port, where none is known. */
export function readLastPort(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return isPort(port) ? port : 0;
  } catch {
    return 0;
  }
}

export function saveLastPort(path: string, port: number): void {
  makeFolder(dirname(path));
  writeFileSync(path, String(port), { mode: 0o600 });
}
