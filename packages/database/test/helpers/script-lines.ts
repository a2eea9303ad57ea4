/** What a script of this folder says to the test that started it, and hears from it. */

import { once } from "node:events";
import { writeSync } from "node:fs";

/** Writes a line, and has written it when it returns. */
export function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Says `waiting` and waits until the test lets it go on. */
export async function waitForGo(): Promise<void> {
  say("waiting");
  await once(process.stdin, "data");
  process.stdin.unref();
}

/** What the script was started with. */
export function argument(index: number): string {
  const value = process.argv[index + 2];
  if (value === undefined) throw new Error(`argument ${index} is missing`);
  return value;
}
